/*
 * Threads of explored runs: their numbers and stacks are the same in every run.
 */
#include "rt_explore.h"

uint32_t hd_rt_explore_number(const hd_rt_thread *creator) {
    heddle_wire_explore *explore = hd_rt_explore;
    uint32_t birth = creator->births + 1, number = 1;
    while (number < explore->threads &&
           (explore->name[number].creator != creator->id || explore->name[number].birth != birth))
        number++;
    if (number >= HEDDLE_WIRE_EXPLORED) {
        explore->beyond = 1;
        hd_rt_stop(HEDDLE_WIRE_DIVERGED,
                   "it has more than 64 threads, too many to drive; heddle record takes more, and "
                   "then ask about the trace");
    }
    if (number == explore->threads) {
        explore->name[number].creator = creator->id;
        explore->name[number].birth = birth;
        explore->threads++;
    }
    if (hd_rt.wire->threads <= number)
        hd_rt.wire->threads = number + 1;
    return number;
}

void hd_rt_explore_born(hd_rt_thread *thread) {
    hd_rt_explored.births++;
    if (hd_rt_explored.joins)
        hd_rt_explore->hidden |= HEDDLE_WIRE_REPLACES_THREADS;
    if (hd_rt_explored.twins)
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_TWINS;
    hd_rt_explored.newborn = thread;
    hd_rt_spin_born(thread);
}

void hd_rt_explore_joined(hd_rt_thread *thread) {
    hd_rt_explored.joins +=
        !thread->counted && thread->id; /* thread 0 was not created by another */
    thread->counted = true;
    thread->by_main |= !hd_rt.current->id;
    hd_rt.current->joined |= (uint64_t)1 << thread->id | thread->joined;
}

void *hd_rt_explore_stack(const hd_rt_thread *thread, size_t size) {
    if (!hd_rt.exploring || size > HD_RT_STACK_ROOM)
        return NULL;
    return (void *)(HD_RT_STACKS + thread->id * HD_RT_STACK_ROOM);
}
