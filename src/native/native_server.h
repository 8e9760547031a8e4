/*
 * A program that is run again and again: requests runs, and reads their logs.
 */
#ifndef HD_NATIVE_SERVER_H
#define HD_NATIVE_SERVER_H

#include <stddef.h>

#include "native_machine.h"
#include "native_output.h"
#include "native_seat.h"

typedef struct hd_native_server {
    hd_launch_run run;
    int output; /* the file that standard output goes to; 0: none */
    hd_native_left_out left_out;
    heddle_wire_explore *explore;
    pid_t process; /* 0: it has ended */
    double patience;
    double until;        /* a time of CLOCK_MONOTONIC at which a run is ended; 0: none */
    bool stopped;        /* the last run was ended because it was stopped, as by SIGSTOP */
    bool outside;        /* the last run was killed by somebody else */
    bool late, blocked;  /* the last run was ended: at that time, or because it waited inside the C
                            library for ever */
    uint32_t most_steps; /* of a thread in a run */
    uint32_t runs;       /* so far */
    uint32_t shared;     /* words */
    hd_native_manner manner;
    hd_machine_wish wish[HEDDLE_WIRE_WISHES]; /* more runs, to be done with the next one */
    uint32_t wishes;
    hd_native_seat seat;
    uint32_t
        equipped; /* of a server for audits: the version of the tables it has (native_audit.c) */
    bool by_fork; /* a process for each run */
    bool damaged; /* the program wrote over what it shares with the tool, and was ended */
    char
        head[offsetof(heddle_wire, world) - offsetof(heddle_wire, mode)]; /* of run.wire->mode on */
    bool wrong;    /* restored memory changed a run */
    char why[400]; /* why it forks although memory was to be restored */
} hd_native_server;

bool hd_native_server_start(hd_native_server *server, const hd_native_machine_options *options,
                            hd_error *error);

/* The memory that it will share with the program, and no program yet. */
bool hd_native_server_prepare(hd_native_server *server, const hd_native_machine_options *options,
                              hd_error *error);

/* The program of the other is that of this server from now on, with the memory that they share. */
void hd_native_server_move(hd_native_server *server, hd_native_server *from);

void hd_native_server_stop(hd_native_server *server);

/* A run was predicted instead of executed. */
void hd_native_server_rest(hd_native_server *server);

/* One run along the decisions, then preferably without the threads that are asleep. */
void hd_native_server_run(hd_native_server *server, const heddle_wire_decision *decisions,
                          size_t count, uint64_t asleep, hd_launch_log *log);

/* Restored memory changed a run, as `difference` says: from now on each run has a process of its
 * own, and the search must start over. */
void hd_native_server_blame(hd_native_server *server, const char *difference);

/* The same where this is only a suspicion: runs do not agree with each other. */
void hd_native_server_suspect(hd_native_server *server, const char *difference);

/* How many of the wishes, the first ones, were executed with the last run; and the log of one of
 * them, given the log of the one before it, or of the run itself. */
uint32_t hd_native_server_granted(const hd_native_server *server);
void hd_native_server_take(const hd_native_server *server, uint32_t wish,
                           const hd_launch_log *before, hd_launch_log *log);

/* The looks of the run, or of the wish of that number from 1 on. */
const heddle_wire_looks *hd_native_server_looks(const hd_native_server *server, uint32_t wish);

/* Enters a word into the table of shared ones; false if no place is left. */
bool hd_native_server_share(hd_native_server *server, uint64_t word);

/* A word of a witness, `caught=NUMBER`: that function has state after all. */
bool hd_native_server_caught(heddle_wire *wire, const char *word);
bool hd_native_server_shared(const hd_native_server *server, uint64_t word);

#endif
