/*
 * Cancellation of threads: at the calls that wait, and at those of rt_cancel.def.
 */
#include "rt_cancel.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "rt.h"
#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_handle.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_sync.h"

bool hd_rt_cancel_pending(const hd_rt_thread *thread) {
    return HD_RT_UNLIKELY(thread->cancelled) && !thread->cancel_off && !thread->exiting;
}

bool hd_rt_cancel_due(const hd_rt_thread *thread) {
    if (!hd_rt_cancel_pending(thread))
        return false;
    switch (thread->wire->pending.kind) {
    case HEDDLE_WAKE + 1:
    case HEDDLE_JOIN + 1:
    case HEDDLE_RECV + 1:
    case HEDDLE_WIRE_SLEEP:
    case HEDDLE_WIRE_EXTERNAL:
    case HEDDLE_WIRE_TESTS:
        return true;
    default:
        return false;
    }
}

void hd_rt_check_cancel(void) {
    if (hd_rt_cancel_pending(hd_rt.current))
        pthread_exit(PTHREAD_CANCELED);
}

/* --- cancellation points that need not wait -------------------------------------------------- */

enum acts { NEVER, ALWAYS, PERHAPS, LOOKS };

typedef struct cancel_line {
    const char *name;
    enum acts acts;
    int argument; /* that has to have the value; -1: none */
    uintptr_t value;
} cancel_line;

static const cancel_line lines[] = {
#define CANCEL_ACTS(name) {name, ALWAYS, -1, 0},
#define CANCEL_LOOKS(name) {name, LOOKS, -1, 0},
#define CANCEL_MAY(name) {name, PERHAPS, -1, 0},
#define CANCEL_IF(name, argument, value) {name, ALWAYS, argument, value},
#include "rt_cancel.def"
#undef CANCEL_ACTS
#undef CANCEL_LOOKS
#undef CANCEL_MAY
#undef CANCEL_IF
};

static bool is_name(const char *name, const char *line) {
    while (*line && *name == *line) {
        name++;
        line++;
    }
    return !*line && (!*name || (name[0] == '6' && name[1] == '4' && !name[2]));
}

static enum acts acts_of(const char *name, const uintptr_t *arguments) {
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (is_name(name, lines[i].name) &&
            (lines[i].argument < 0 ||
             (arguments && (uint32_t)arguments[lines[i].argument] == (uint32_t)lines[i].value)))
            return lines[i].acts;
    return NEVER;
}

/* Explored: a step if others may cancel the thread.  One that need not act has both ways then. */
static bool test_by_step(enum acts acts, uintptr_t code) {
    hd_rt_thread *self = hd_rt.current;
    bool alone = hd_rt_explored.births == hd_rt_explored.joins;
    if (hd_rt.ended || (alone && !self->cancelled))
        return false;
    hd_rt_point_with(HEDDLE_WIRE_TESTS, acts == PERHAPS ? HEDDLE_WIRE_EITHER : 0, NULL, 0, code,
                     HD_RT_FOREVER);
    return self->cancelled && (acts != PERHAPS || !hd_rt_explore_choice());
}

/* The C library may cancel a thread that is about to return from a system call, whose effect is
 * there then.  That is not explored, but noted where a thread is cancelled.  Of each thread: steps
 * that it had taken where it came to its last such call, + 1. */
static uint32_t calling[HEDDLE_WIRE_THREADS];

void hd_rt_cancel_calls(void) {
    calling[hd_rt.current->id] = hd_rt.current->taken + 1;
}

static void note_call(const hd_rt_thread *thread) {
    if (calling[thread->id] == thread->taken + 1 && !thread->cancelled && !thread->cancel_off &&
        !thread->exiting) /* its end is part of the step of the call */
        hd_rt_explore->relies |= HEDDLE_WIRE_RELIES_CALLS;
}

static bool test_cancel(enum acts acts, uintptr_t code) {
    if (acts == NEVER)
        return false;
    if (!hd_rt.exploring)
        return hd_rt.current->cancelled && (acts != PERHAPS || hd_rt_choice(2));
    if (test_by_step(acts, code))
        return true;
    if (acts != LOOKS)
        hd_rt_cancel_calls();
    return false;
}

bool hd_rt_cancel_either(uintptr_t code) {
    return hd_rt.exploring && hd_rt_cancel_pending(hd_rt.current) && test_by_step(PERHAPS, code);
}

/* Most programs cancel no thread. */
static bool may_act(void) {
    if (!hd_rt_controlled() || hd_rt.current->cancel_off || hd_rt.current->exiting)
        return false;
    return hd_rt.exploring ? hd_rt_explore->exits & HEDDLE_WIRE_CANCELS : hd_rt.current->cancelled;
}

bool hd_rt_cancel_call(const char *name, const uintptr_t *arguments, uintptr_t code) {
    return may_act() && test_cancel(acts_of(name, arguments), code);
}

bool hd_rt_cancel_stream(uintptr_t code) {
    return may_act() && test_cancel(PERHAPS, code);
}

void hd_rt_cancel_point(const char *name, uintptr_t code) {
    if (hd_rt_cancel_call(name, NULL, code))
        pthread_exit(PTHREAD_CANCELED);
}

void hd_rt_cancel_now(void) {
    pthread_exit(PTHREAD_CANCELED);
}

/* --- what the program calls ------------------------------------------------------------------ */

HD_RT_EXPORT int pthread_cancel(pthread_t handle) {
    if (!hd_rt_controlled()) {
        hd_rt_handle_look(handle, HD_RT_CODE());
        return hd_rt_real.pthread_cancel(handle);
    }
    hd_rt_thread *thread = hd_rt_handle_use(handle, __func__, HD_RT_CODE());
    if (!thread || thread->reaped)
        return ESRCH;
    if (hd_rt.exploring)
        hd_rt_explore->exits |= HEDDLE_WIRE_EXITS | HEDDLE_WIRE_CANCELS;
    hd_rt_point(hd_rt.exploring ? HEDDLE_WIRE_CANCEL : HEDDLE_WIRE_YIELD, NULL, 0, HD_RT_CODE());
    if (hd_rt.exploring)
        note_call(thread);
    thread->cancelled = true;
    return 0;
}

HD_RT_EXPORT int pthread_setcancelstate(int state, int *old) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_setcancelstate(state, old);
    int before = hd_rt_self->cancel_off ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    hd_rt_deliver(old, &before, sizeof before, HD_RT_CODE());
    if (state != PTHREAD_CANCEL_DISABLE && state != PTHREAD_CANCEL_ENABLE)
        return EINVAL;
    hd_rt_self->cancel_off = state == PTHREAD_CANCEL_DISABLE;
    return 0;
}

/* Asynchronous cancellation is not explored, but reported. */
HD_RT_EXPORT int pthread_setcanceltype(int type, int *old) {
    static int (*real)(int, int *);
    if (hd_rt.exploring && type == PTHREAD_CANCEL_ASYNCHRONOUS)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_CANCELS;
    if (!real)
        *(void **)&real = hd_rt_real_symbol("pthread_setcanceltype");
    return real(type, old);
}

HD_RT_EXPORT void pthread_testcancel(void) {
    if (!hd_rt_controlled()) {
        hd_rt_real.pthread_testcancel();
        return;
    }
    /* Often all that a loop does until it is cancelled: others must run. */
    hd_rt_point(HEDDLE_WIRE_YIELD, NULL, 0, HD_RT_CODE());
    hd_rt_check_cancel();
}
