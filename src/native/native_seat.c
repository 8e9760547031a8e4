#include "native_seat.h"

#include "native_hang.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { TURNS_TOGETHER = 4096, TURNS_APART = 16, PREDICTED = 64 };

/* Processors are the same for all workers of this process, so this is for all of them. */
static _Atomic uint32_t workers_on[CPU_SETSIZE];
static cpu_set_t allowed; /* before any worker was pinned: threads inherit what their maker has */
static pthread_once_t looked = PTHREAD_ONCE_INIT;

static void look_what_is_allowed(void) {
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_ZERO(&allowed);
}

static void pin(const cpu_set_t *where, pid_t program, pid_t child) {
    sched_setaffinity(0, sizeof *where, where);
    if (program > 0)
        sched_setaffinity(program, sizeof *where, where);
    if (child > 0 && hd_native_hang_is_child(child, program)) /* not a number it wrote over */
        sched_setaffinity(child, sizeof *where, where);
}

static bool claim_if(int processor, uint32_t workers) {
    return CPU_ISSET((size_t)processor, &allowed) &&
           atomic_compare_exchange_strong(&workers_on[processor], &workers, workers + 1);
}

/* The processor with the fewest workers: this one, if none has fewer. */
static int claim_processor(int here) {
    for (uint32_t workers = 0;; workers++)
        for (int i = 0; i < CPU_SETSIZE; i++)
            if (claim_if((here + i) % CPU_SETSIZE, workers))
                return (here + i) % CPU_SETSIZE;
}

static void take(hd_native_seat *seat, pid_t program, pid_t child) {
    int here = sched_getcpu();
    cpu_set_t one;
    if (here < 0 || here >= CPU_SETSIZE || !CPU_COUNT(&allowed))
        return;
    seat->processor = claim_processor(here);
    seat->taken = true;
    CPU_ZERO(&one);
    CPU_SET((size_t)seat->processor, &one);
    pin(&one, program, child);
}

void hd_native_seat_leave(hd_native_seat *seat, pid_t program, pid_t child) {
    if (!seat->taken)
        return;
    pin(&allowed, program, child);
    assert(workers_on[seat->processor]);
    atomic_fetch_sub(&workers_on[seat->processor], 1);
    seat->taken = false;
}

void hd_native_seat_turn(hd_native_seat *seat, pid_t program, pid_t child) {
    uint32_t turn = seat->turns++ % TURNS_TOGETHER;
    seat->predicted = 0;
    pthread_once(&looked, look_what_is_allowed);
    if (turn == 0) {
        hd_native_seat_leave(seat, program, child);
        if (CPU_COUNT(&allowed))
            pin(&allowed, program, child); /* even if its maker is pinned */
    } else if (turn == TURNS_APART)
        take(seat, program, child);
}

void hd_native_seat_rest(hd_native_seat *seat, pid_t program, pid_t child) {
    if (!seat->taken || ++seat->predicted < PREDICTED)
        return;
    hd_native_seat_leave(seat, program, child);
    seat->turns = seat->predicted = 0;
}
