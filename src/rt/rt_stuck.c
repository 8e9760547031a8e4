/*
 * No thread can go on, or only those that wait for a time.  A ring of threads that wait for each
 * other's mutexes is for ever, whatever others do: where all others wait for time to pass, as a
 * thread that looks round now and then until it is told to end, the run is over.  It would go on
 * for ever, and tell nothing more.
 *
 * Is it right that no thread can go on?  Of a program that says when it is (heddle/linear.h): calls
 * of a data structure may wait for ever where its model lets them wait.
 *
 * The program is asked in the state in which no thread can go on, outside of any step: what it does
 * then is no part of the run.  The address of its function is in its own memory, so that it is
 * restored with it.
 */
#include "rt_stuck.h"
#include "rt_explore.h"
#include "rt_sync.h"

HD_RT_EXPORT void heddle_rt_stuck(int (*const *is_right)(void));

static int (*const *asked)(void);

void heddle_rt_stuck(int (*const *is_right)(void)) {
    if (hd_rt_controlled())
        asked = is_right;
}

bool hd_rt_stuck_rightly(void) {
    if (!asked || !*asked)
        return false;
    bool ended = hd_rt.ended;
    hd_rt.ended = true;
    hd_rt.mode = HD_RT_OFF;
    bool right = (*asked)() != 0;
    // cppcheck-suppress redundantAssignment ; the program was asked in between
    hd_rt.mode = HD_RT_CONTROLLED;
    // cppcheck-suppress redundantAssignment ; likewise
    hd_rt.ended = ended;
    return right;
}

/* Whose mutex the thread waits for, without a limit on time; NULL: of none. */
static const hd_rt_thread *waits_for(const hd_rt_thread *thread) {
    const heddle_wire_operation *pending = &thread->wire->pending;
    if (thread->wire->state != HEDDLE_WIRE_LIVE || pending->kind != HEDDLE_ACQUIRE + 1 ||
        pending->size != HEDDLE_WIRE_MUTEX || hd_rt_able(thread))
        return NULL;
    uint32_t holder =
        hd_rt_sync_holder(HEDDLE_WIRE_MUTEX, (const void *)(uintptr_t)pending->address);
    return holder ? hd_rt_thread_at(holder - 1) : NULL;
}

bool hd_rt_stuck_in_ring(void) {
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        const hd_rt_thread *first = hd_rt.live[i], *at = waits_for(first);
        for (uint32_t steps = 0; at && at != first && steps < hd_rt.live_count; steps++)
            at = waits_for(at);
        if (at == first)
            return true;
    }
    return false;
}
