/*
 * One way to ask everything: a question goes in, an answer comes out.
 *
 *     hd_engine_question question = {.what = HD_ENGINE_EXPLORE, .path = "./bank", ...};
 *     hd_engine_answer answer;
 *     if (!hd_engine_ask(&question, &answer, &error)) ...    the input is bad
 *     ... answer.report.findings, answer.figures, answer.outcomes, answer.verdict
 *     hd_engine_answer_release(&answer);
 *
 * 0 and NULL in a question mean: as usual.  The clock of the thread (base_clock.h) ends a question
 * early; so do its own limit on time and its function `stops`.  An answer that was ended early
 * says so in its verdict, and has what was found until then.
 */
#ifndef HD_ENGINE_ASK_H
#define HD_ENGINE_ASK_H

#include "engine_check.h"
#include "engine_words.h"
#include "report/report.h"

enum hd_engine_what {
    HD_ENGINE_RACE,     /* of a trace or a program: can two accesses collide? */
    HD_ENGINE_DEADLOCK, /* of a trace or a program: can threads wait for ever? */
    HD_ENGINE_NONDET,   /* of a trace: can a read see another write? */
    HD_ENGINE_STATES,   /* of a trace: how many global states does it have? */
    HD_ENGINE_DETECT,   /* of a trace: can a predicate come true? */
    HD_ENGINE_EXPLORE,  /* of a model or a program: does any schedule fail? */
    HD_ENGINE_REPLAY,   /* of a model or a program: does a witness's failure show again? */
    HD_ENGINE_CHECK,    /* of anything: all of these that make sense */
    HD_ENGINE_WHATS
};

extern const char *const hd_engine_what_names[HD_ENGINE_WHATS];

typedef struct hd_engine_question {
    enum hd_engine_what what;
    const char *path;          /* the trace, model, program or source */
    hd_engine_words arguments; /* of the program */
    const char *predicate;     /* of detect */
    const char *witness;       /* of replay: the file */
    const char *output;        /* file for witnesses; of check the folder, which must be there */
    const char *accept;        /* assumptions to trust, as hd_verdict_accept takes them */
    double seconds;            /* for all of it; 0: no limit (of check 60) */
    uint64_t executions;       /* of a search, at most */
    uint64_t depth;            /* steps of a thread, at most */
    uint64_t effort;           /* work for one question to the solver */
    size_t memory;             /* bytes, of states */
    uint64_t seeds;            /* runs to start from */
    unsigned find;             /* of explore: HD_ENGINE_FIND_... */
    unsigned asked;            /* of check: HD_ENGINE_ASK_... */
    bool first;                /* of explore: stop at the first failure */
    /* Each finding when it is proved and described.  Non-zero: no more are wanted; the question
     * ends as soon as it can. */
    int (*found)(void *context, const hd_report_finding *finding);
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
    hd_report report; /* its findings and parts */
    hd_verdict verdict;
    HD_VEC(hd_engine_figure) figures;
    HD_VEC(hd_engine_way) outcomes;
    HD_VEC(const char *) messages; /* warnings, in the report's arena */
    double seconds;
    hd_clock clock; /* inside */
    size_t told;
    bool enough;
} hd_engine_answer;

/* In either case the answer is to be released. */
bool hd_engine_ask(const hd_engine_question *question, hd_engine_answer *answer, hd_error *error);
/* Before a question, and after one that was given up in its middle (hd_mem_guard): what this
 * thread was set to, and the programs that it had started, are as if it had not been asked. */
void hd_engine_ask_begin(void);
void hd_engine_ask_abandon(const hd_clock *clock);

void hd_engine_answer_release(hd_engine_answer *answer);

#endif
