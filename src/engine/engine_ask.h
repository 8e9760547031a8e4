/*
 * One way to ask everything: a question goes in, an answer comes out.
 *
 *     hd_engine_question question = {.what = HD_ENGINE_EXPLORE, .path = "./bank", ...};
 *     hd_engine_answer answer;
 *     if (!hd_engine_ask(&question, &answer, &error)) ...    the input is bad
 *     ... answer.report->findings, answer.figures, answer.outcomes, answer.verdict
 *     hd_engine_answer_release(&answer);
 *
 * 0 and NULL in a question mean: as usual.  The clock of the thread (base_clock.h) ends a question
 * early; so do its own limit on time and its function `stops`.  An answer that was ended early
 * says so in its verdict, and has what was found until then.
 *
 * The members of a question are what all users share.  Each question has more options, and finds
 * out more than a report has; who wants these (the command line does) hands in the question's own
 * struct with the options in it, and looks at it afterwards:
 *
 *     hd_engine_exploration e;
 *     hd_engine_explore_init(&e, path, arguments); e.options.bounded = true; ...
 *     hd_engine_question question = {.what = HD_ENGINE_EXPLORE, .path = path, .whole.explore = &e};
 *     hd_engine_ask(&question, &answer, &error);
 *     ... e.shrunk, e.result, e.verdict (a copy is answer.verdict)
 *
 * Then the options are all in there, the members predicate to first are not read, and the report
 * has no findings: they are in the struct, or go to its function `each`.
 */
#ifndef HD_ENGINE_ASK_H
#define HD_ENGINE_ASK_H

#include "engine_check.h"
#include "engine_detect.h"
#include "engine_drive.h"
#include "engine_explore.h"
#include "engine_follow.h"
#include "engine_online.h"
#include "engine_predict.h"
#include "engine_record.h"
#include "engine_replay.h"
#include "engine_states.h"
#include "engine_words.h"
#include "report/report.h"

enum hd_engine_what {
    HD_ENGINE_RACE,     /* of a trace or a program: can two accesses collide? */
    HD_ENGINE_DEADLOCK, /* of a trace or a program: can threads wait for ever? */
    HD_ENGINE_NONDET,   /* of a trace: can a read see another write?  Of a program: do schedules end
                           differently? */
    HD_ENGINE_STATES,   /* of a trace: how many global states does it have? */
    HD_ENGINE_DETECT,   /* of a trace: can a predicate come true? */
    HD_ENGINE_EXPLORE,  /* of a model or a program: does any schedule fail? */
    HD_ENGINE_REPLAY,   /* of a model or a program: does a witness's failure show again? */
    HD_ENGINE_CHECK,    /* of anything: all of these that make sense */
    HD_ENGINE_RECORD,   /* of a program: how do some runs end? */
    HD_ENGINE_TEST,     /* of a program with tests: which of them fail? */
    HD_ENGINE_WHATS
};

extern const char *const hd_engine_what_names[HD_ENGINE_WHATS];

/* The question's own struct, by its name; all NULL: made from the question. */
typedef struct hd_engine_whole {
    hd_engine_prediction *predict; /* race and deadlock of a trace */
    hd_engine_drive *drive;        /* race and deadlock of a program */
    hd_engine_reads *reads;        /* nondet */
    hd_engine_states *states;
    hd_engine_detection *detect; /* of a whole trace */
    hd_engine_online *online;    /* detect of one that grows */
    hd_engine_exploration *explore;
    hd_engine_replay *replay; /* of a witness */
    hd_engine_follow *follow; /* replay of a recording */
    hd_engine_check *check;
    hd_engine_recording *record;
} hd_engine_whole;

typedef struct hd_engine_question {
    enum hd_engine_what what;
    const char *path;      /* the trace, model, program or source */
    const hd_trace *trace; /* that was loaded from there; NULL: it is loaded */
    hd_engine_whole whole;
    hd_engine_words arguments; /* of the program */
    const char *predicate;     /* of detect */
    const char *witness;       /* of replay: the file */
    const char *output;        /* file for witnesses; of check and test the folder, which must be
                                  there; of record the trace */
    const char *suppressions; /* file of races and deadlocks that are not to be found; NULL: none */
    const char *accept;       /* assumptions to trust, as hd_verdict_accept takes them */
    double seconds;           /* for all of it; 0: no limit (of check 60) */
    uint64_t executions;      /* of a search, at most */
    uint64_t depth;           /* steps of a thread, at most */
    uint64_t effort;          /* work for one question to the solver */
    size_t memory;            /* bytes, of states */
    uint64_t seeds;           /* runs to start from, or to record */
    unsigned threads;         /* that share the work; 0: one */
    unsigned find;            /* of explore: HD_ENGINE_FIND_... */
    unsigned asked;           /* of check: HD_ENGINE_ASK_... */
    hd_engine_texts words;    /* of explore, for the runtime: "spurious=1" */
    const char *filter;       /* of test: names with * and ?; NULL: all */
    unsigned framework;       /* of test: enum hd_engine_framework */
    double test_seconds;      /* for each test; 0: 60 */
    uint64_t seed;            /* of record: the first one */
    unsigned run_seconds;     /* of record: after which a run is ended; 0: never */
    bool no_stacks;           /* of record: without call stacks */
    bool bounded;             /* of explore: only schedules with few preemptions, */
    uint32_t preemptions;     /* so many at most */
    double searching;         /* seconds, of models and programs: for the search alone */
    bool first;               /* of explore: stop at the first failure */
    bool blocks;              /* of race of a trace: blocks that are not serializable */
    bool logs;                /* messages go to the log, not into the answer */
    /* Each finding when it is proved and described.  Non-zero: no more are wanted; the question
     * ends as soon as it can.  One call at a time, but with several threads perhaps on another
     * one.  What a search forgets when it starts over, and finds again, is told once. */
    int (*found)(void *context, hd_report_finding *finding);
    /* For check, which compares: each run that is kept, and the exploration before it is
     * forgotten.  May be NULL. */
    void (*recorded)(void *context, const hd_engine_run *run);
    void (*explored)(void *context, const hd_engine_exploration *e);
    /* Asked a few times a second. */
    bool (*stops)(void *context);
    void *context;
} hd_engine_question;

/* A number of the answer, by name: "executions", "races", "states". */
typedef struct hd_engine_figure {
    const char *name; /* a constant */
    double value;
} hd_engine_figure;

typedef struct hd_engine_way {
    bool killed;        /* by a signal */
    int status;         /* exit status, or the signal */
    const char *output; /* the beginning; in the report's arena */
    uint64_t bytes, executions;
} hd_engine_way;

typedef struct hd_engine_answer {
    hd_report *report; /* its findings and parts: its own, or the one it was asked into */
    hd_report own;
    struct hd_engine_tests *tests; /* of test: they have the report; else NULL */
    hd_verdict verdict;
    HD_VEC(hd_engine_figure) figures;
    HD_VEC(hd_engine_way) outcomes;
    HD_VEC(const char *) messages; /* warnings, in the report's arena */
    double started, seconds;
    hd_clock clock; /* inside */
    size_t told;    /* findings of the report that are whole, and were told */
    bool enough;    /* `found` said so */
} hd_engine_answer;

/* In either case the answer is to be released. */
bool hd_engine_ask(const hd_engine_question *question, hd_engine_answer *answer, hd_error *error);

/* The same as one of several questions: what is found is added to the report; memory that runs out
 * is an error of this question, not of all of them. */
bool hd_engine_ask_into(const hd_engine_question *question, hd_report *report,
                        hd_engine_answer *answer, hd_error *error);

/* Before a question, and after one that was given up in its middle (hd_mem_guard): what this
 * thread was set to, and the programs that it had started, are as if it had not been asked. */
void hd_engine_ask_begin(void);
void hd_engine_ask_abandon(const hd_clock *clock);

void hd_engine_answer_release(hd_engine_answer *answer);

#endif
