/*
 * The log of a run that was explored: its steps, what its threads were about to do, how it ended.
 */
#ifndef HD_LAUNCH_LOG_H
#define HD_LAUNCH_LOG_H

#include "launch_run.h"

/* How a run ended. */
enum hd_launch_end {
    HD_LAUNCH_ENDED,  /* with exit status 0 */
    HD_LAUNCH_FAILED, /* in its last step */
    HD_LAUNCH_STUCK,  /* every thread waits */
    HD_LAUNCH_VAIN,   /* no thread can go on, but not for ever (HEDDLE_WIRE_IN_VAIN) */
    HD_LAUNCH_CUT,    /* at the limit on steps */
    HD_LAUNCH_ASLEEP, /* where every thread that could go on was asleep */
    HD_LAUNCH_HUNG,   /* killed: its last step never ended; or it cannot go on, see `beyond` */
    HD_LAUNCH_LOST    /* it did not follow the decisions, or the program is gone */
};

enum { HD_LAUNCH_OUTPUT = 4096 };

typedef struct hd_launch_log {
    HD_VEC(heddle_wire_step) steps;
    hd_vec_u64 states; /* after each step, if they were to be told; 0: it is not known */
    hd_vec_u64 locals; /* of each next operation, likewise: the state of its thread */
    HD_VEC(heddle_wire_next) nexts; /* next operations of threads; a step says where its own end */
    /* As in heddle_wire_explore, if there are names for more than 64 threads. */
    hd_vec_u64 more, more_joined;
    uint32_t more_words;
    enum hd_launch_end end;
    uint16_t rounds[64]; /* STUCK and VAIN: as in heddle_wire_explore */
    uint32_t ending;     /* enum heddle_wire_ending */
    bool beyond;         /* HUNG: it would create more threads than are explored */
    int status;
    char message[256];
    heddle_wire_fault fault; /* what the runtime found wrong */
    hd_vec_char output; /* what it wrote to standard output, the first HD_LAUNCH_OUTPUT bytes */
    uint64_t wrote;     /* bytes in all, */
    uint64_t sum;       /* and a hash of them, and of the marks */
    hd_vec_char marks;  /* lines "THREAD LABEL" and "THREAD LABEL=VALUE", thread by thread */
    hd_vec_char inputs; /* lines "THREAD VALUE", likewise; empty unless they were to be said */
    bool unsaid;        /* there was no room for all of them */
    uint64_t used;      /* when it was last used: the oldest log is discarded first */
    uint64_t predicted; /* by which prediction it was written (hd_predict_run); 0: by none */
    uint32_t run;       /* its number: hd_native_server.runs after it; 0: one of several */
} hd_launch_log;

/* Is a thread from number 64 on in that set of `more`? */
static inline bool hd_launch_log_has(const hd_launch_log *log, size_t set, uint32_t thread) {
    size_t word = thread / 64 - 1, at = set * log->more_words + word;
    return word < log->more_words && at < log->more.length && log->more.data[at] >> thread % 64 & 1;
}

/* Could the thread go on after a step?  Would its next operation not fail or time out? */
static inline bool hd_launch_log_enabled(const hd_launch_log *log, size_t step, uint32_t thread) {
    if (thread < 64)
        return log->steps.data[step].enabled >> thread & 1;
    return hd_launch_log_has(log, 2 * step, thread);
}

static inline bool hd_launch_log_succeeds(const hd_launch_log *log, size_t step, uint32_t thread) {
    if (thread < 64)
        return log->steps.data[step].succeeds >> thread & 1;
    return hd_launch_log_has(log, 2 * step + 1, thread);
}

void hd_launch_log_release(hd_launch_log *log);

/* It printed nothing, marked nothing and got no inputs. */
void hd_launch_log_silence(hd_launch_log *log);

#endif
