/*
 * Condition variables.  Which threads wait for one is in the threads' own state; the object itself
 * only knows its clock.  A signal wakes the one that has waited longest, or with a seed any of
 * them.
 */
#include <errno.h>

#include "rt.h"
#include "rt_c11.h"
#include "rt_cancel.h"
#include "rt_explore.h"
#include "rt_free.h"
#include "rt_misuse.h"
#include "rt_real.h"
#include "rt_sync.h"

static bool waits_on(const hd_rt_thread *thread, const void *condition) {
    return thread->wire->pending.kind == HEDDLE_OP_WAKE &&
           thread->wire->pending.address == (uintptr_t)condition && !thread->signalled;
}

/* The explorer says which: so many have lower numbers. */
static void wake_chosen(const pthread_cond_t *condition, uint32_t lower) {
    for (uint32_t id = 0; id < hd_rt.wire->threads; id++) {
        hd_rt_thread *thread = hd_rt_thread_at(id);
        if (thread && waits_on(thread, condition) && lower-- == 0) {
            thread->signalled = true;
            return;
        }
    }
}

static void wake_one(const pthread_cond_t *condition) {
    if (hd_rt.exploring) {
        wake_chosen(condition, hd_rt_explore_choice());
        return;
    }
    bool by_events = hd_rt.following && hd_rt.wire->decision == HEDDLE_WIRE_BY_EVENTS;
    hd_rt_thread *first = by_events ? hd_rt_follow_first(waits_on, condition) : NULL;
    if (first) {
        first->signalled = true;
        return;
    }
    uint32_t count = 0;
    hd_rt_thread *oldest = NULL;
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        hd_rt_thread *thread = hd_rt.live[i];
        if (waits_on(thread, condition)) {
            count++;
            if (!oldest || thread->arrival < oldest->arrival)
                oldest = thread;
        }
    }
    if (!count)
        return;
    uint32_t chosen = hd_rt.wire->seed ? (uint32_t)hd_rt_choice(count) : 0;
    if (chosen == 0) {
        oldest->signalled = true;
        return;
    }
    for (uint32_t i = 0; i < hd_rt.live_count; i++)
        if (waits_on(hd_rt.live[i], condition) && hd_rt.live[i] != oldest && --chosen == 0)
            hd_rt.live[i]->signalled = true;
}

typedef struct waiting {
    pthread_mutex_t *mutex;
    uintptr_t code;
} waiting;

/* Woken or cancelled: the mutex is taken again in every case. */
static int take_again(const waiting *wait) {
    return hd_rt_mutex_take(wait->mutex, wait->code, HD_RT_FOREVER);
}

static void take_again_on_cancel(void *wait) {
    take_again(wait);
}

/* Spuriously, as POSIX allows; not for ever, or a loop around a wait would have no end. */
static bool may_wake(const hd_rt_thread *thread) {
    return hd_rt.exploring && thread->spurious < hd_rt.wire->spurious;
}

/* Acts on a cancellation.  As in the C library a signal that has woken the thread wakes another
 * one then, even one that has begun to wait since. */
static void end_cancelled(pthread_cond_t *condition, waiting *wait) {
    if (hd_rt.current->signalled) {
        hd_rt_point_with(HEDDLE_OP_NOTIFY, 0, condition, 0, wait->code, HD_RT_FOREVER);
        hd_rt_record(HEDDLE_OP_NOTIFY, (uintptr_t)condition, wait->code);
        wake_one(condition);
    }
    pthread_cleanup_push(take_again_on_cancel, wait);
    hd_rt_cancel_now();
    pthread_cleanup_pop(0);
}

/* A cancellation that is pending at the call is not looked at before the thread waits, without the
 * mutex. */
static int wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline,
                      uintptr_t code) {
    waiting wait = {mutex, code};
    hd_rt_thread *self = hd_rt.current;
    self->with = mutex;
    hd_rt_point_with(HEDDLE_OP_WAIT, 0, condition, 0, code, HD_RT_FOREVER);
    self->with = NULL;
    hd_rt_misuse_use(HD_RT_A_CONDITION, condition, "wait", code);
    hd_rt_misuse_wait(condition, mutex, code);
    /* An outer hold of a recursive mutex would stay; the real call keeps it too. */
    int error = hd_rt_mutex_give(mutex, HEDDLE_WIRE_WAIT_WITH, "wait with", code);
    if (error)
        return error;
    hd_rt_record(HEDDLE_OP_WAIT, (uintptr_t)condition, code);
    hd_rt_hold(HD_RT_A_CONDITION, condition, mutex, code);
    self->signalled = false;
    self->arrival = ++hd_rt.arrivals;
    /* To an explorer, a wait that may wake spuriously is like one that may time out; one that may
     * do both has a choice then. */
    if (hd_rt.exploring)
        hd_rt_explore->relies |= HEDDLE_WIRE_RELIES_WAITS;
    bool spurious = may_wake(self), timed = deadline != HD_RT_FOREVER;
    if (spurious && !timed)
        deadline = hd_rt.now;
    bool late = hd_rt_point_with(HEDDLE_OP_WAKE, spurious && timed ? HEDDLE_WIRE_WAKES : 0,
                                 condition, 0, code, deadline);
    hd_rt_record(HEDDLE_OP_WAKE, (uintptr_t)condition, code);
    hd_rt_hold_end(condition);
    bool cancelled = hd_rt_cancel_pending(self);
    spurious = spurious && late && !cancelled && (!timed || hd_rt_explore_choice() == 1);
    self->spurious += spurious;
    if (cancelled && (late || hd_rt_cancel_either(code)))
        end_cancelled(condition, &wait);
    error = take_again(&wait); /* a robust mutex whose owner died, for one */
    if (error)
        return error;
    return late && !spurious ? ETIMEDOUT : 0;
}

static int notify_freely(unsigned op, int (*real)(pthread_cond_t *), pthread_cond_t *condition,
                         uintptr_t code) {
    hd_rt_free_record(op, (uintptr_t)condition, code);
    hd_rt_free_signalled(condition);
    int error = real(condition);
    hd_rt_free_signalled(condition);
    return error;
}

HD_RT_BODY int signal_one(pthread_cond_t *condition) {
    if (hd_rt.mode == HD_RT_FREE)
        return notify_freely(HEDDLE_OP_NOTIFY, hd_rt_real.pthread_cond_signal, condition,
                             HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_cond_signal(condition);
    hd_rt_handler_calls("pthread_cond_signal", HD_RT_CODE());
    hd_rt_point_with(HEDDLE_OP_NOTIFY, 0, condition, 0, HD_RT_CODE(), HD_RT_FOREVER);
    hd_rt_misuse_use(HD_RT_A_CONDITION, condition, "signal", HD_RT_CODE());
    hd_rt_record(HEDDLE_OP_NOTIFY, (uintptr_t)condition, HD_RT_CODE());
    wake_one(condition);
    return 0;
}

HD_RT_EXPORT int pthread_cond_signal(pthread_cond_t *condition) {
    return signal_one(condition);
}

HD_RT_EXPORT int cnd_signal(cnd_t *condition) {
    return hd_rt_c11_status(signal_one((pthread_cond_t *)condition));
}

HD_RT_BODY int signal_all(pthread_cond_t *condition) {
    if (hd_rt.mode == HD_RT_FREE)
        return notify_freely(HEDDLE_OP_NOTIFYALL, hd_rt_real.pthread_cond_broadcast, condition,
                             HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_cond_broadcast(condition);
    hd_rt_point_with(HEDDLE_OP_NOTIFYALL, 0, condition, 0, HD_RT_CODE(), HD_RT_FOREVER);
    hd_rt_misuse_use(HD_RT_A_CONDITION, condition, "broadcast", HD_RT_CODE());
    hd_rt_record(HEDDLE_OP_NOTIFYALL, (uintptr_t)condition, HD_RT_CODE());
    for (uint32_t i = 0; i < hd_rt.live_count; i++)
        if (waits_on(hd_rt.live[i], condition))
            hd_rt.live[i]->signalled = true;
    return 0;
}

HD_RT_EXPORT int pthread_cond_broadcast(pthread_cond_t *condition) {
    return signal_all(condition);
}

HD_RT_EXPORT int cnd_broadcast(cnd_t *condition) {
    return hd_rt_c11_status(signal_all((pthread_cond_t *)condition));
}

typedef struct freely {
    pthread_cond_t *condition;
    pthread_mutex_t *mutex;
    uintptr_t code;
} freely;

static void woken_freely(void *argument) {
    const freely *wait = argument;
    hd_rt_free_woken(wait->condition, wait->mutex, wait->code);
}

/* The real call, in a free run; if it is cancelled, the mutex is taken again too. */
#define WAITING_FREELY(condition, mutex, code, call)                                               \
    do {                                                                                           \
        freely wait = {condition, mutex, code};                                                    \
        hd_rt_free_wait(condition, mutex, code);                                                   \
        pthread_cleanup_push(woken_freely, &wait);                                                 \
        call;                                                                                      \
        pthread_cleanup_pop(1);                                                                    \
    } while (0)

HD_RT_BODY int wait_for_ever(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    if (hd_rt.mode == HD_RT_FREE) {
        int error;
        WAITING_FREELY(condition, mutex, HD_RT_CODE(),
                       (hd_rt_free_forever(condition),
                        error = hd_rt_real.pthread_cond_wait(condition, mutex)));
        return error;
    }
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_cond_wait(condition, mutex);
    return wait_until(condition, mutex, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    return wait_for_ever(condition, mutex);
}

HD_RT_EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex) {
    return hd_rt_c11_status(wait_for_ever((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

/* Bit 1 of __wrefs says that the clock is the monotonic one. */
static clockid_t clock_of(const pthread_cond_t *condition) {
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

HD_RT_BODY int wait_timed(pthread_cond_t *condition, pthread_mutex_t *mutex,
                          const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE) {
        int error;
        WAITING_FREELY(condition, mutex, HD_RT_CODE(),
                       error = hd_rt_real.pthread_cond_timedwait(condition, mutex, until));
        return error;
    }
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_cond_timedwait(condition, mutex, until);
    if (!hd_rt_is_time(until))
        return EINVAL;
    return wait_until(condition, mutex, hd_rt_deadline(clock_of(condition), until, HD_RT_CODE()),
                      HD_RT_CODE());
}

HD_RT_EXPORT int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                        const struct timespec *until) {
    return wait_timed(condition, mutex, until);
}

HD_RT_EXPORT int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                               const struct timespec *restrict until) {
    return hd_rt_c11_status(
        wait_timed((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, until));
}

HD_RT_EXPORT int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                        clockid_t clock, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE) {
        int error;
        WAITING_FREELY(condition, mutex, HD_RT_CODE(),
                       error = hd_rt_real.pthread_cond_clockwait(condition, mutex, clock, until));
        return error;
    }
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_cond_clockwait(condition, mutex, clock, until);
    if (!hd_rt_is_time(until))
        return EINVAL;
    return wait_until(condition, mutex, hd_rt_deadline(clock, until, HD_RT_CODE()), HD_RT_CODE());
}
