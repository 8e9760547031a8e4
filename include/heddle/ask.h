/*
 * libheddle, the questions: race, deadlock, nondet, states, detect, explore, replay, check, record,
 * test.
 *
 *     heddle_question question = HEDDLE_QUESTION(HEDDLE_EXPLORE, "./bank");
 *     heddle_error error;
 *     heddle_answer *answer = heddle_ask(&question, &error);
 *     if (!answer) { fprintf(stderr, "%s\n", error.text); return 2; }
 *     for (size_t i = 0; i < heddle_answer_findings(answer); i++)
 *         puts(heddle_answer_finding(answer, i)->message);
 *     int status = heddle_answer_status(answer);
 *     heddle_answer_free(answer);
 *
 * The library prints nothing, reads nothing from the terminal, and does not end its host, not
 * even when there is no memory left: then heddle_ask returns NULL, and what it had allocated is
 * lost (doc/library.md).  Each thread may ask one question at a time, and answers may be used by
 * one thread at a time.  Sources are compiled one at a time.
 */
#ifndef HEDDLE_ASK_H
#define HEDDLE_ASK_H

#include "heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

enum heddle_what {
    HEDDLE_RACE,     /* of a trace or a program: can two accesses collide? */
    HEDDLE_DEADLOCK, /* of a trace or a program: can threads wait for ever? */
    HEDDLE_NONDET,   /* of a trace: can a read see another write?  Of a program or source: do two
                        schedules print, return or mark something else? */
    HEDDLE_STATES,   /* of a trace: how many global states does it have? */
    HEDDLE_DETECT,   /* of a trace: can a predicate come true? */
    HEDDLE_EXPLORE,  /* of a model, a program or a source: does any schedule fail? */
    HEDDLE_REPLAY,   /* of the same: does the failure of a witness show again? */
    HEDDLE_CHECK,    /* of anything: all of these that make sense */
    HEDDLE_RECORD,   /* of a program: how do some runs end? */
    HEDDLE_TESTS     /* of a program or source with tests: which of them can fail? */
};

/* What the tests of a program were written with. */
enum heddle_framework { HEDDLE_KIT /* heddle/test.h */, HEDDLE_GTEST, HEDDLE_CATCH2 };

/* What explore looks for. */
enum heddle_find {
    HEDDLE_FIND_FAILURE = 1,
    HEDDLE_FIND_DEADLOCK = 2,
    HEDDLE_FIND_RACE = 4,
    HEDDLE_FIND_OUTCOME = 8
};

/* Somewhere in the program where a thread does something.  Texts may be NULL, numbers 0. */
typedef struct heddle_place {
    const char *role; /* "first", "waits", "saw" */
    const char *thread, *text, *file;
    uint32_t line;
    uint32_t event; /* of the trace */
} heddle_place;

/* A step of the schedule that shows it. */
typedef struct heddle_step {
    const char *thread, *text, *file;
    uint32_t line;
    uint32_t event;
} heddle_step;

enum heddle_level { HEDDLE_NOTE, HEDDLE_WARNING, HEDDLE_ERROR };

enum heddle_proof {
    HEDDLE_UNPROVED, /* perhaps */
    HEDDLE_CHECKED,  /* the independent checker accepted the schedule */
    HEDDLE_SEEN,     /* it happened in a run */
    HEDDLE_REPLAYED  /* it happened again when the schedule was replayed */
};

/* Later versions add members at the end; `size` says how much of it there is. */
typedef struct heddle_finding {
    size_t size;
    const char *rule;    /* "race", "deadlock", "assertion", ... */
    const char *message; /* one line */
    const char *variable;
    const char *witness; /* file of the schedule */
    enum heddle_level level;
    enum heddle_proof proof;
    uint64_t fingerprint; /* the same in every run, and if lines above it are added */
    uint64_t count;       /* how often it was met */
    const heddle_place *places;
    size_t place_count;
    const heddle_step *steps;
    size_t step_count;
} heddle_finding;

/* A question.  Begin with HEDDLE_QUESTION, which says the version by its size; members that are 0
 * or NULL mean: as usual. */
typedef struct heddle_question {
    size_t size;
    enum heddle_what what;
    const char *path;             /* the trace, model, program or source */
    const char *const *arguments; /* of the program */
    size_t argument_count;
    const char *predicate; /* of detect; of check one more thing to ask */
    const char *witness;   /* of replay: the file */
    const char *output;    /* file for witnesses; of check and tests the folder, which must exist;
                              of record the trace, of several runs with a number in its name */
    const char *accept;    /* assumptions to trust: "CODE,CODE:WHAT" ('heddle help verdict') */
    double seconds;        /* limit on time; 0: none, of check 60 */
    uint64_t executions;   /* of a search, at most */
    uint64_t depth;        /* steps of a thread, at most */
    uint64_t effort;       /* work for one question to the solver, about nanoseconds */
    uint64_t memory;       /* bytes, of states */
    uint64_t seeds;        /* runs to start from, or to record */
    unsigned find;         /* of explore: HEDDLE_FIND_... */
    bool first;            /* of explore: stop at the first failure */
    /* Called with each finding as soon as it is proved and described; it is valid during the
     * call.  Other than 0: no more are wanted.  One call at a time, but with several threads not
     * always from the thread that asked. */
    int (*found)(void *context, const heddle_finding *finding);
    /* Called a few times a second while the question is worked on, by the thread that asked, with
     * the seconds so far.  Other than 0: stop; the answer then has what was found until then, and
     * says that it was interrupted. */
    int (*progress)(void *context, double seconds);
    void *context;
    unsigned threads; /* that share the work of most questions, not of deadlock; 0: one */
    uint64_t seed;    /* of record: the first schedule; 0: 1 */
    /* Of tests; `threads` is how many are explored at a time, 0: one for each processor. */
    const char *filter;              /* names with * and ?; NULL: all */
    enum heddle_framework framework; /* 0: heddle/test.h */
    double test_seconds;             /* limit on the time of each test; 0: 60 */
    uint64_t blocks; /* of race, 1: of a trace, which blocks are not serializable, instead */
} heddle_question;

#define HEDDLE_QUESTION(what_, path_)                                                              \
    { .size = sizeof(heddle_question), .what = (what_), .path = (path_) }

typedef struct heddle_answer heddle_answer;

/* NULL, with an error, if the question cannot be asked: bad input, no memory. */
HEDDLE_API heddle_answer *heddle_ask(const heddle_question *question, heddle_error *error);
HEDDLE_API void heddle_answer_free(heddle_answer *answer);

/* As the exit status of the command: 0 nothing found, complete and nothing shaky; 1 found; 3
 * nothing found, but not complete or resting on something shaky. */
HEDDLE_API int heddle_answer_status(const heddle_answer *answer);

/* The verdict.  What was asked, in words; whether it was found; whether all was looked at. */
HEDDLE_API const char *heddle_answer_asked(const heddle_answer *answer);
HEDDLE_API bool heddle_answer_found(const heddle_answer *answer);
HEDDLE_API bool heddle_answer_complete(const heddle_answer *answer);

/* Why it is not complete: how many reasons, and each.  NULL past the end. */
typedef struct heddle_reason {
    const char *code, *text;
} heddle_reason;
HEDDLE_API size_t heddle_answer_reasons(const heddle_answer *answer);
HEDDLE_API const heddle_reason *heddle_answer_reason(const heddle_answer *answer, size_t number);

/* What it rests on. */
typedef struct heddle_basis {
    const char *code, *what, *text; /* `what` may be NULL */
    bool shaky, accepted;
} heddle_basis;
HEDDLE_API size_t heddle_answer_bases(const heddle_answer *answer);
HEDDLE_API const heddle_basis *heddle_answer_basis(const heddle_answer *answer, size_t number);

HEDDLE_API size_t heddle_answer_findings(const heddle_answer *answer);
HEDDLE_API const heddle_finding *heddle_answer_finding(const heddle_answer *answer, size_t number);

/* Figures by name, such as "executions", "races", "states"; false if none exists.  And all
 * names; NULL past the end. */
HEDDLE_API bool heddle_answer_figure(const heddle_answer *answer, const char *name, double *value);
HEDDLE_API const char *heddle_answer_figure_name(const heddle_answer *answer, size_t number);

/* The ways in which executions of a program ended, of explore. */
typedef struct heddle_outcome {
    bool killed;        /* by a signal */
    int status;         /* the exit status, or the signal */
    const char *output; /* the beginning of what was printed */
    uint64_t bytes, executions;
} heddle_outcome;
HEDDLE_API size_t heddle_answer_outcomes(const heddle_answer *answer);
HEDDLE_API const heddle_outcome *heddle_answer_outcome(const heddle_answer *answer, size_t number);

/* Of tests: how each ended. */
enum heddle_test_end {
    HEDDLE_PROVED,         /* no schedule fails */
    HEDDLE_FAILS_DECLARED, /* it fails, as it was declared to */
    HEDDLE_FAILS_KNOWN,    /* it fails, as a baseline says */
    HEDDLE_FAILED,         /* a schedule fails, or none does though it was declared to */
    HEDDLE_NOT_COMPLETE
};
typedef struct heddle_test_result {
    const char *name;
    enum heddle_test_end end;
    const char *reason;  /* why it is not proved; NULL: it is */
    const char *replay;  /* command line that shows the failure again; may be NULL */
    const char *history; /* of heddle/linear.h: the calls over time, as lines; may be NULL */
    uint64_t executions;
    double seconds;
} heddle_test_result;
HEDDLE_API size_t heddle_answer_tests(const heddle_answer *answer);
HEDDLE_API const heddle_test_result *heddle_answer_test(const heddle_answer *answer, size_t number);

/* Warnings. */
HEDDLE_API size_t heddle_answer_messages(const heddle_answer *answer);
HEDDLE_API const char *heddle_answer_message(const heddle_answer *answer, size_t number);

HEDDLE_API double heddle_answer_seconds(const heddle_answer *answer);

#ifdef __cplusplus
}
#endif
#endif
