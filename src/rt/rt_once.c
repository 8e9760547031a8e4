/*
 * pthread_once under control.
 */
#include "rt_sync.h"

#include "rt_c11.h"
#include "rt_foreign.h"
#include "rt_free.h"
#include "rt_misuse.h"
#include "rt_real.h"

/* A once is 0, 1 while the initialisation runs, 2 when it is done.  It is an atomic variable in the
 * trace: a later thread reads what the first one wrote. */
enum { RUNS = HEDDLE_WIRE_ONCE_RUNS, DONE = HEDDLE_WIRE_ONCE_DONE };

bool hd_rt_once_available(uint32_t sort, const void *once) {
    if (sort == HEDDLE_WIRE_BY_GUARD)
        return hd_rt_guard_available(once);
    return *(const int *)once != RUNS;
}

typedef struct once_run {
    pthread_once_t *once; /* NULL: it is done */
    uintptr_t code;
} once_run;

static void store_once(pthread_once_t *once, int value, uintptr_t code) {
    hd_rt_point(HEDDLE_OP_ATOMIC_WRITE, once, 4, code);
    *once = value;
    hd_rt_record_atomic(HEDDLE_OP_ATOMIC_WRITE, 2, once, code, (uint64_t)value);
}

static void forget(once_run *run) {
    if (run->once) { /* left by an exception or by pthread_exit: another may try */
        hd_rt_hold_end(run->once);
        store_once(run->once, 0, run->code);
    }
}

/* In a free run: the thread's once that is being asked for, and what it would run. */
static __thread struct {
    pthread_once_t *once;
    void (*routine)(void);
    uintptr_t code;
} asked;

static void run_asked(void) {
    pthread_once_t *once = asked.once;
    uintptr_t code = asked.code;
    asked.routine(); /* may ask for others */
    hd_rt_free_atomic(HEDDLE_OP_ATOMIC_WRITE, 2, once, code, DONE);
}

static int once_freely(pthread_once_t *once, void (*routine)(void), uintptr_t code) {
    asked.once = once;
    asked.routine = routine;
    asked.code = code;
    int error = hd_rt_real.pthread_once(once, run_asked);
    hd_rt_free_atomic(HEDDLE_OP_ATOMIC_READ, HD_RT_KEPT | 2, once, code, DONE);
    return error;
}

HD_RT_BODY int once_only(pthread_once_t *once, void (*routine)(void)) {
    if (hd_rt.mode == HD_RT_FREE)
        return once_freely(once, routine, HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_once(once, routine);
    uintptr_t code = HD_RT_CODE();
    hd_rt_misuse_again(HEDDLE_WIRE_ONCE_AGAIN, once,
                       "initialisation by pthread_once that asks for itself", code);
    bool quietly = *once != RUNS && hd_rt_foreign_initialises(code);
    if (!quietly)
        hd_rt_point_with(HEDDLE_WIRE_ONCE, 0, once, HEDDLE_WIRE_BY_ONCE, code, HD_RT_FOREVER);
    if (*once == DONE) {
        hd_rt_record_atomic(HEDDLE_OP_ATOMIC_READ, HD_RT_KEPT | 2, once, code, DONE);
        return 0;
    }
    uint32_t taken = hd_rt.current->taken;
    *once = RUNS;
    hd_rt_hold(HD_RT_A_ONCE, once, NULL, code);
    hd_rt_record_atomic(HEDDLE_OP_ATOMIC_RMW, 2, once, code, RUNS);
    {
        __attribute__((cleanup(forget))) once_run unless_done = {once, code};
        routine();
        // cppcheck-suppress unreadVariable ; the cleanup reads it
        unless_done.once = NULL;
    }
    hd_rt_hold_end(once);
    if (quietly && hd_rt.current->taken == taken) /* nobody can have come to it meanwhile */
        *once = DONE;
    else
        store_once(once, DONE, code);
    return 0;
}

HD_RT_EXPORT int pthread_once(pthread_once_t *once, void (*routine)(void)) {
    return once_only(once, routine);
}

HD_RT_EXPORT void call_once(once_flag *flag, void (*function)(void)) {
    once_only((pthread_once_t *)flag, function);
}
