/*
 * Semaphores under control: the first word is the value.
 *
 * The operations at points are named as those of a channel; what is recorded is a unit that any
 * thread may take.
 */
#include "rt_sync.h"

#include <errno.h>
#include <limits.h>

#include "rt_aside.h"
#include "rt_cancel.h"
#include "rt_explore.h"
#include "rt_free.h"
#include "rt_misuse.h"
#include "rt_real.h"

HD_RT_EXPORT int sem_post(sem_t *semaphore) {
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_record(HEDDLE_OP_POST, (uintptr_t)semaphore, HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.sem_post(semaphore);
    hd_rt_point_with(HEDDLE_OP_SEND, 0, semaphore, 0, HD_RT_CODE(), HD_RT_FOREVER);
    hd_rt_misuse_use(HD_RT_A_SEMAPHORE, semaphore, "post", HD_RT_CODE());
    uint32_t *value = (uint32_t *)semaphore;
    if (*value >= SEM_VALUE_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    ++*value;
    hd_rt_record(HEDDLE_OP_POST, (uintptr_t)semaphore, HD_RT_CODE());
    return 0;
}

/* A handler has run in the wait: it ends with that, or as it should if it can. */
static int why_not_taken(bool early, bool late, int64_t deadline) {
    if (!early)
        return late ? ETIMEDOUT : EAGAIN;
    return deadline != HD_RT_FOREVER && !hd_rt_explore_choice() ? ETIMEDOUT : EINTR;
}

static int invalid_time(void) {
    errno = EINVAL;
    return -1;
}

/* Cancelled: the call acts on it if it came before the call, or if there is no unit.  If it came
 * since, the call may go on with a unit that is there by then. */
static void act_on_cancel(sem_t *semaphore, bool before, uintptr_t code) {
    const uint32_t *value = (const uint32_t *)semaphore;
    if (before || !*value || !hd_rt.exploring || hd_rt_cancel_either(code))
        hd_rt_cancel_now();
    hd_rt_point_with(HEDDLE_OP_RECV, 0, semaphore, 0, code, HD_RT_FOREVER);
    if (!*value) /* another thread has taken it */
        hd_rt_cancel_now();
}

static int sem_take(sem_t *semaphore, unsigned flags, int64_t deadline, uintptr_t code) {
    hd_rt_thread *self = hd_rt.current;
    self->early = false;
    bool cancelled = hd_rt_cancel_pending(self);
    bool late = hd_rt_point_with(HEDDLE_OP_RECV, flags, semaphore, 0, code, deadline);
    bool early = self->early, interrupted = early && hd_rt_explore_choice() == 1;
    self->early = false;
    if (!(flags & HEDDLE_WIRE_TRY) && hd_rt_cancel_pending(self))
        act_on_cancel(semaphore, cancelled, code);
    hd_rt_misuse_use(HD_RT_A_SEMAPHORE, semaphore, "wait", code);
    uint32_t *value = (uint32_t *)semaphore;
    if (late || interrupted || !*value) {
        errno = why_not_taken(early, late, deadline);
        return -1;
    }
    --*value;
    hd_rt_record(HEDDLE_OP_TAKE, (uintptr_t)semaphore, code);
    return 0;
}

static int received(sem_t *semaphore, int result, uintptr_t code) {
    if (!result)
        hd_rt_free_record(HEDDLE_OP_TAKE, (uintptr_t)semaphore, code);
    return result;
}

HD_RT_EXPORT int sem_wait(sem_t *semaphore) {
    if (hd_rt.mode == HD_RT_FREE)
        return received(semaphore, hd_rt_real.sem_wait(semaphore), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.sem_wait(semaphore);
    return sem_take(semaphore, 0, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int sem_trywait(sem_t *semaphore) {
    if (hd_rt.mode == HD_RT_FREE)
        return received(semaphore, hd_rt_real.sem_trywait(semaphore), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.sem_trywait(semaphore);
    return sem_take(semaphore, HEDDLE_WIRE_TRY, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return received(semaphore, hd_rt_real.sem_timedwait(semaphore, until), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.sem_timedwait(semaphore, until);
    if (!hd_rt_is_time(until))
        return invalid_time();
    return sem_take(semaphore, 0, hd_rt_deadline(CLOCK_REALTIME, until, HD_RT_CODE()),
                    HD_RT_CODE());
}

HD_RT_EXPORT int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
    if (hd_rt.mode == HD_RT_FREE)
        return received(semaphore, hd_rt_real.sem_clockwait(semaphore, clock, until), HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.sem_clockwait(semaphore, clock, until);
    if (!hd_rt_is_time(until))
        return invalid_time();
    return sem_take(semaphore, 0, hd_rt_deadline(clock, until, HD_RT_CODE()), HD_RT_CODE());
}

HD_RT_EXPORT int sem_getvalue(sem_t *semaphore, int *value) {
    if (!hd_rt_controlled())
        return hd_rt_real.sem_getvalue(semaphore, value);
    if (hd_rt.exploring)
        hd_rt_point_with(HEDDLE_OP_RECV, HEDDLE_WIRE_TRY | HEDDLE_WIRE_LOOKS, semaphore, 0,
                         HD_RT_CODE(), HD_RT_FOREVER);
    else
        hd_rt_point(HEDDLE_OP_ATOMIC_READ, semaphore, 4, HD_RT_CODE());
    int units = (int)*(uint32_t *)semaphore;
    hd_rt_deliver(value, &units, sizeof *value, HD_RT_CODE());
    return 0;
}
