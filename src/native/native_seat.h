/*
 * On which processor a worker and its program run.
 *
 * They take turns, and a turn is short: on two processors, each would wait for the other to wake
 * up, longer than the work takes.  So both are pinned to one, a *seat*, which no other worker of
 * this process has as long as there are processors without one.  Now and then they are released
 * for a few turns, so that the system can move them to an idle processor; and while no run is
 * executed, as most are predicted, the worker has no seat.
 */
#ifndef HD_NATIVE_SEAT_H
#define HD_NATIVE_SEAT_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct hd_native_seat {
    bool taken;
    int processor;      /* if it is taken */
    uint32_t turns;     /* since the last rest */
    uint32_t predicted; /* runs since the last turn */
} hd_native_seat;

/* Before a turn.  The program, and its child that executes run after run; 0: none. */
void hd_native_seat_turn(hd_native_seat *seat, pid_t program, pid_t child);

/* A run was predicted: the program has nothing to do. */
void hd_native_seat_rest(hd_native_seat *seat, pid_t program, pid_t child);

void hd_native_seat_leave(hd_native_seat *seat, pid_t program, pid_t child);

#endif
