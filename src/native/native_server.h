/*
 * A program that is run again and again: asking for a run, and the log of it.
 */
#ifndef HD_NATIVE_SERVER_H
#define HD_NATIVE_SERVER_H

#include <sched.h>

#include "native_machine.h"

/* How a run ended. */
enum hd_native_end {
    HD_NATIVE_ENDED,  /* with exit status 0 */
    HD_NATIVE_FAILED, /* in its last step */
    HD_NATIVE_STUCK,  /* every thread waits */
    HD_NATIVE_CUT,    /* at the limit on steps */
    HD_NATIVE_ASLEEP, /* where everybody who could go on was said to sleep */
    HD_NATIVE_HUNG,   /* killed: its last step never ended */
    HD_NATIVE_LOST    /* it did not follow the decisions, or there is no program any more */
};

enum { HD_NATIVE_OUTPUT = 4096 };

typedef struct hd_native_log {
    HD_VEC(heddle_wire_step) steps;
    HD_VEC(heddle_wire_next) nexts; /* of threads; a step says where its own end */
    enum hd_native_end end;
    uint32_t ending; /* enum heddle_wire_ending */
    int status;
    char message[256];
    heddle_wire_fault fault; /* if the message speaks of freed memory */
    hd_vec_char output; /* what it wrote to standard output, the first HD_NATIVE_OUTPUT bytes */
    uint64_t wrote;     /* bytes in all, */
    uint64_t sum;       /* and a hash of them */
    uint64_t used;      /* when, for the choice of the log that is given up */
    uint32_t run;       /* its number: hd_native_server.runs behind it; 0: one of several */
} hd_native_log;

void hd_native_log_release(hd_native_log *log);

typedef struct hd_native_server {
    hd_native_run run;
    int output; /* the file that standard output goes to; 0: there is none */
    heddle_wire_explore *explore;
    pid_t process; /* 0: it has ended */
    double patience;
    uint32_t most_steps;
    uint32_t runs;   /* so far */
    uint32_t shared; /* words */
    hd_native_manner manner;
    hd_machine_wish wish[HEDDLE_WIRE_WISHES]; /* more runs, to be done with the next one */
    uint32_t wishes;
    uint32_t turns;    /* requests so far */
    bool together;     /* tool and program are held on one processor, */
    cpu_set_t allowed; /* where they may be when they are not */
    uint32_t equipped; /* one for audits: with the tables of which time (native_audit.c) */
    bool by_fork;      /* a process a run */
    bool wrong;        /* memory that was put back made a run another */
    char why[400];     /* it is by fork although it was to be by memory */
} hd_native_server;

bool hd_native_server_start(hd_native_server *server, const hd_native_machine_options *options,
                            hd_error *error);
void hd_native_server_stop(hd_native_server *server);

/* One run along the decisions, then rather without the threads that are asleep. */
void hd_native_server_run(hd_native_server *server, const heddle_wire_decision *decisions,
                          size_t count, uint64_t asleep, hd_native_log *log);

/* Memory that was restored made a run another, in such a way: from now on each run has a process of
 * its own, and what was searched is to be searched again. */
void hd_native_server_blame(hd_native_server *server, const char *difference);

/* How many of the wishes were done with the last run, the first ones; and the log of one of
 * them, given that of the one before it, or of the run itself. */
uint32_t hd_native_server_granted(const hd_native_server *server);
void hd_native_server_take(const hd_native_server *server, uint32_t wish,
                           const hd_native_log *before, hd_native_log *log);

/* What was looked at in the run, or in the wish of that number from 1 on. */
const heddle_wire_looks *hd_native_server_looks(const hd_native_server *server, uint32_t wish);

/* Enters a word into the table of shared ones; false if no place is left. */
bool hd_native_server_share(hd_native_server *server, uint64_t word);
bool hd_native_server_shared(const hd_native_server *server, uint64_t word);

#endif
