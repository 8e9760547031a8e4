/*
 * Joining threads, and giving up to join them.
 */
#include <errno.h>
#include <time.h>

#include "rt.h"
#include "rt_aside.h"
#include "rt_c11.h"
#include "rt_cancel.h"
#include "rt_explore.h"
#include "rt_free.h"
#include "rt_handle.h"
#include "rt_misuse.h"
#include "rt_real.h"
#include "rt_sync.h"

/* An error number, if misuse is not to fail. */
static int why_not_joinable(const hd_rt_thread *thread, enum heddle_wire_fault_kind fault,
                            uintptr_t code) {
    char text[96];
    bool self = thread && thread == hd_rt.current && fault == HEDDLE_WIRE_JOIN;
    if (thread && !self && !thread->detached)
        return 0;
    hd_rt_print(text, sizeof text, "%s of %s", fault == HEDDLE_WIRE_JOIN ? "join" : "detach",
                self     ? "the thread itself"
                : thread ? "a detached thread"
                         : "a thread that was joined, or has ended and was detached");
    hd_rt_misuse_thread(fault, text, code);
    return self ? EDEADLK : thread ? EINVAL : ESRCH;
}

/* While this thread waited for its end. */
static int gone_before(hd_rt_thread *thread, uintptr_t code) {
    if (hd_rt.exploring)
        hd_rt_explore_joined(thread); /* this comes after its end all the same */
    hd_rt_misuse_thread(HEDDLE_WIRE_JOIN,
                        thread->detached ? "join of a thread that was detached"
                                         : "join of a thread that another thread has joined",
                        code);
    return ESRCH;
}

/* Cancelled: a wait acts on it.  If the other has ended, the C library waits if the system has not
 * cleared the other's number yet, and else does not look for a cancellation, even one that came
 * before the call. */
static void act_on_cancel(const hd_rt_thread *thread, uintptr_t code) {
    hd_rt_thread *self = hd_rt.current;
    if (!hd_rt.exploring || thread->wire->state != HEDDLE_WIRE_ENDED || hd_rt_cancel_either(code))
        hd_rt_cancel_now();
    self->cancel_off = true; /* this is a join as any other */
    hd_rt_point_with(HEDDLE_JOIN + 1, 0, (void *)(uintptr_t)thread->id, 0, code, HD_RT_FOREVER);
    self->cancel_off = false;
}

/* With the flags HEDDLE_WIRE_TRY: do not wait.  The other is there for those who use its handle
 * until the step that says that it is gone: the join itself may be part of the other's last step.
 */
static int join_thread(pthread_t handle, void **result, unsigned flags, int64_t deadline,
                       uintptr_t code) {
    hd_rt_handle_arrive(handle, code);
    hd_rt_handle_wait(handle, code);
    hd_rt_thread *thread = hd_rt_thread_of(handle);
    int error = why_not_joinable(thread, HEDDLE_WIRE_JOIN, code);
    if (error)
        return error;
    if (hd_rt.exploring && (flags || deadline != HD_RT_FOREVER))
        hd_rt_explore->ends |= HEDDLE_WIRE_ENDS_ASKED;
    hd_rt_thread *self = hd_rt.current;
    self->with = result;
    bool late =
        hd_rt_point_with(HEDDLE_JOIN + 1, flags, (void *)(uintptr_t)thread->id, 0, code, deadline);
    self->with = NULL;
    if (!(flags & HEDDLE_WIRE_TRY) && hd_rt_cancel_pending(self)) {
        self->with = result;
        act_on_cancel(thread, code);
        self->with = NULL;
        late = false;
    }
    if (late)
        return ETIMEDOUT;
    if (thread->wire->state != HEDDLE_WIRE_ENDED)
        return EBUSY;
    if (thread->reaped)
        return gone_before(thread, code);
    hd_rt_record(HEDDLE_JOIN + 1, thread->id, code);
    void *returned = thread->result;
    if (hd_rt.exploring)
        hd_rt_explore_joined(thread);
    hd_rt_handle_join(thread->id, code);
    if (thread->reaped)
        return gone_before(thread, code);
    hd_rt_thread_collect(thread);
    if (hd_rt.exploring)
        hd_rt_signal_deliver(); /* what the other has sent is there by now */
    hd_rt_deliver(result, &returned, sizeof *result, code);
    return 0;
}

HD_RT_BODY int join(pthread_t handle, void **result) {
    uint32_t id = hd_rt_free_number(handle);
    if (!hd_rt_controlled())
        return hd_rt_free_joined(id, hd_rt_real.pthread_join(handle, result), HD_RT_CODE());
    return join_thread(handle, result, 0, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_join(pthread_t handle, void **result) {
    return join(handle, result);
}

static void deliver_result(int *to, int result, uintptr_t code) {
    if (hd_rt_controlled())
        hd_rt_deliver(to, &result, sizeof *to, code);
    else
        *to = result;
}

HD_RT_EXPORT int thrd_join(thrd_t thread, int *result) {
    void *pointer = NULL;
    int error = join((pthread_t)thread, &pointer);
    if (!error && result)
        deliver_result(result, (int)(intptr_t)pointer, HD_RT_CODE());
    return hd_rt_c11_status(error);
}

HD_RT_EXPORT int pthread_tryjoin_np(pthread_t handle, void **result) {
    uint32_t id = hd_rt_free_number(handle);
    if (!hd_rt_controlled())
        return hd_rt_free_joined(id, hd_rt_real.pthread_tryjoin_np(handle, result), HD_RT_CODE());
    return join_thread(handle, result, HEDDLE_WIRE_TRY, HD_RT_FOREVER, HD_RT_CODE());
}

HD_RT_EXPORT int pthread_timedjoin_np(pthread_t handle, void **result,
                                      const struct timespec *until) {
    uint32_t id = hd_rt_free_number(handle);
    if (!hd_rt_controlled())
        return hd_rt_free_joined(id, hd_rt_real.pthread_timedjoin_np(handle, result, until),
                                 HD_RT_CODE());
    return join_thread(handle, result, 0, hd_rt_deadline(CLOCK_REALTIME, until, HD_RT_CODE()),
                       HD_RT_CODE());
}

HD_RT_EXPORT int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
                                      const struct timespec *until) {
    uint32_t id = hd_rt_free_number(handle);
    if (!hd_rt_controlled())
        return hd_rt_free_joined(id, hd_rt_real.pthread_clockjoin_np(handle, result, clock, until),
                                 HD_RT_CODE());
    return join_thread(handle, result, 0, hd_rt_deadline(clock, until, HD_RT_CODE()), HD_RT_CODE());
}

HD_RT_BODY int detach(pthread_t handle) {
    if (!hd_rt_controlled()) {
        hd_rt_free_stack_detached(hd_rt_free_number(handle));
        return hd_rt_real.pthread_detach(handle);
    }
    hd_rt_handle_arrive(handle, HD_RT_CODE());
    hd_rt_handle_detach(handle, HD_RT_CODE());
    hd_rt_thread *thread = hd_rt_thread_of(handle);
    int error = why_not_joinable(thread, HEDDLE_WIRE_DETACH, HD_RT_CODE());
    if (error)
        return error;
    thread->detached = true;
    if (thread->wire->state == HEDDLE_WIRE_ENDED)
        hd_rt_thread_collect(thread);
    return 0;
}

HD_RT_EXPORT int pthread_detach(pthread_t handle) {
    return detach(handle);
}

HD_RT_EXPORT int thrd_detach(thrd_t thread) {
    return hd_rt_c11_status(detach((pthread_t)thread));
}
