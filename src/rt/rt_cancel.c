/*
 * Cancellation of threads: at the calls that wait.
 */
#include <errno.h>

#include "rt.h"
#include "rt_aside.h"
#include "rt_explore.h"
#include "rt_real.h"
#include "rt_sync.h"

bool hd_rt_cancel_due(const hd_rt_thread *thread) {
    if (HD_RT_LIKELY(!thread->cancelled) || thread->cancel_off || thread->exiting)
        return false;
    switch (thread->wire->pending.kind) {
    case HEDDLE_WAKE + 1:
    case HEDDLE_JOIN + 1:
    case HEDDLE_RECV + 1:
    case HEDDLE_WIRE_SLEEP:
    case HEDDLE_WIRE_EXTERNAL:
        return true;
    default:
        return false;
    }
}

void hd_rt_check_cancel(void) {
    hd_rt_thread *self = hd_rt.current;
    if (self->cancelled && !self->cancel_off && !self->exiting)
        pthread_exit(PTHREAD_CANCELED);
}

HD_RT_EXPORT int pthread_cancel(pthread_t handle) {
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_cancel(handle);
    hd_rt_thread *thread = hd_rt_thread_of(handle);
    if (!thread)
        return ESRCH;
    if (hd_rt.exploring)
        hd_rt_explore->exits |= HEDDLE_WIRE_EXITS | HEDDLE_WIRE_CANCELS;
    hd_rt_point(hd_rt.exploring ? HEDDLE_WIRE_CANCEL : HEDDLE_WIRE_YIELD, NULL, 0, HD_RT_CODE());
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
