/*
 * Locks of streams.  flockfile and its kin are operations on a lock like others, recursive.  The
 * lock is the C library's own, in its own form, as that of a mutex: whoever is chosen to take it
 * finds it free.
 *
 * Calls that use a stream take its lock for themselves, and give it back before the next point, so
 * that is no step.  But in a program that locks streams they must wait, and the order in which the
 * lock is taken matters: there it is one, the last before the call.  To write to a stream of the
 * program's own functions (fopencookie), which the library calls with the lock held and which may
 * reach a point, is to take the lock and to give it back.  A call that is not interposed blocks in
 * the library; the tool sees that and says so.
 */
#include <stdio.h>

#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_free.h"
#include "rt_real.h"
#include "rt_sync.h"

/* _IO_lock_t of the C library; the owner is a pthread_t. */
typedef struct lock {
    int taken, count;
    uintptr_t owner;
} lock;

static const lock *lock_of(const void *stream) {
    return (const lock *)((const FILE *)stream)->_lock;
}

static bool is_owner(const lock *it, const hd_rt_thread *thread) {
    return it->taken && it->owner == (uintptr_t)thread->handle;
}

bool hd_rt_stream_available(const void *stream, const hd_rt_thread *thread) {
    const lock *it = lock_of(stream);
    return !it || !it->taken || is_owner(it, thread);
}

uint32_t hd_rt_stream_holder(const void *stream) {
    const lock *it = lock_of(stream);
    for (uint32_t i = 0; it && i < hd_rt.wire->threads; i++)
        if (hd_rt_thread_at(i) && is_owner(it, hd_rt_thread_at(i)))
            return i + 1;
    return 0;
}

/* Does the call change nothing for others: the thread has the lock, and keeps it? */
static bool is_nested(FILE *stream, bool giving) {
    const lock *it = lock_of(stream);
    if (!it || !is_owner(it, hd_rt.current))
        return !it || giving;
    return !giving || it->count > 1;
}

static void take_stream(FILE *stream, uintptr_t code) {
    bool step = hd_rt_controlled() && !hd_rt.ended && !is_nested(stream, false);
    if (step)
        hd_rt_point_with(HEDDLE_OP_ACQUIRE, 0, stream, HEDDLE_WIRE_STREAM, code, HD_RT_FOREVER);
    hd_rt_real.flockfile(stream);
    if (step)
        hd_rt_record(HEDDLE_OP_ACQUIRE, (uintptr_t)stream, code);
    else if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_taken(HEDDLE_OP_ACQUIRE, stream, 0, code);
}

static void give_stream(FILE *stream, uintptr_t code) {
    bool step = hd_rt_controlled() && !hd_rt.ended && !is_nested(stream, true);
    if (step)
        hd_rt_point_with(HEDDLE_OP_RELEASE, 0, stream, HEDDLE_WIRE_STREAM, code, HD_RT_FOREVER);
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_record(HEDDLE_OP_RELEASE, (uintptr_t)stream, code);
    hd_rt_real.funlockfile(stream);
    if (step)
        hd_rt_record(HEDDLE_OP_RELEASE, (uintptr_t)stream, code);
}

bool hd_rt_stream_enter(FILE *stream, uintptr_t code) {
    enum { COOKIE = -2 }; /* in the place of a file's number */
    if (!hd_rt_controlled() || hd_rt.ended || stream->_fileno != COOKIE)
        return false;
    take_stream(stream, code);
    return true;
}

void hd_rt_stream_await(FILE *stream, uintptr_t code) {
    if (!hd_rt_controlled() || hd_rt.ended || !lock_of(stream) ||
        is_owner(lock_of(stream), hd_rt.current))
        return;
    bool locks = hd_rt.exploring && hd_rt_explore->exits & HEDDLE_WIRE_LOCKS_STREAMS;
    if (!locks && hd_rt_stream_available(stream, hd_rt.current))
        return;
    bool compared = hd_rt_given_is_compared(stream->_fileno);
    hd_rt_explore_unseen();
    hd_rt_point_with(HEDDLE_WIRE_OUTPUT, 0, stream, compared, code, HD_RT_FOREVER);
}

/* The program locks streams: others will wait. */
static void note_locking(void) {
    if (hd_rt.exploring && hd_rt_controlled())
        hd_rt_explore->exits |= HEDDLE_WIRE_LOCKS_STREAMS;
}

void hd_rt_stream_leave(FILE *stream, uintptr_t code) {
    give_stream(stream, code);
}

HD_RT_EXPORT void flockfile(FILE *stream) {
    note_locking();
    take_stream(stream, HD_RT_CODE());
}

HD_RT_EXPORT int ftrylockfile(FILE *stream) {
    note_locking();
    bool step = hd_rt_controlled() && !hd_rt.ended && !is_nested(stream, false);
    if (step)
        hd_rt_point_with(HEDDLE_OP_ACQUIRE, HEDDLE_WIRE_TRY, stream, HEDDLE_WIRE_STREAM,
                         HD_RT_CODE(), HD_RT_FOREVER);
    int failed = hd_rt_real.ftrylockfile(stream);
    if (step)
        hd_rt_record(failed ? HEDDLE_OP_TRYFAIL : HEDDLE_OP_ACQUIRE, (uintptr_t)stream,
                     HD_RT_CODE());
    else if (hd_rt.mode == HD_RT_FREE && !failed)
        hd_rt_free_taken(HEDDLE_OP_ACQUIRE, stream, 0, HD_RT_CODE());
    return failed;
}

HD_RT_EXPORT void funlockfile(FILE *stream) {
    give_stream(stream, HD_RT_CODE());
}
