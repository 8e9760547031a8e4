/*
 * Threads of explored runs: their numbers and stacks are the same in every run; and whether what
 * they do next would succeed.
 */
#include "rt_explore.h"
#include "rt_external_wait.h"
#include "rt_reuse.h"
#include "rt_string.h"
#include "rt_sync.h"

/* The other words of hd_rt_thread.joined. */
static uint64_t more_joined[HEDDLE_WIRE_EXPLORED][HEDDLE_WIRE_MORE];

/* Puts sets of so many words, which lie one after the other, farther apart. */
static void spread(uint64_t *sets, uint64_t count, uint64_t words, uint64_t to) {
    for (uint64_t set = count; set-- > 0;)
        for (uint64_t i = to; i-- > 0;) {
            sets[set * to + i] = i < words ? sets[set * words + i] : 0;
            HD_RT_BARRIER();
        }
}

void hd_rt_explore_widen(void) {
    heddle_wire_explore *explore = hd_rt_explore;
    uint32_t words = explore->more_words, to = heddle_wire_more_words(explore->threads);
    if (to <= words)
        return;
    spread(explore->more, 2 * (uint64_t)explore->steps, words, to);
    spread(explore->more_joined, explore->steps ? explore->step[explore->steps - 1].nexts : 0,
           words, to);
    explore->more_words = to;
}

void hd_rt_explore_note_joined(const hd_rt_thread *thread, uint32_t number) {
    uint64_t words = hd_rt_explore->more_words;
    uint64_t *to = &hd_rt_explore->more_joined[words * number];
    for (uint64_t i = 0; i < words; i++) {
        to[i] = i + 1 < hd_rt_set_words ? more_joined[thread->id][i] : 0;
        HD_RT_BARRIER();
    }
}

static void forget_joined(uint32_t thread) {
    HD_RT_MORE_WORDS(i) {
        more_joined[thread][i - 1] = 0;
        HD_RT_BARRIER();
    }
}

void hd_rt_explore_forget_joined(const hd_rt_thread *thread) {
    forget_joined(thread->id);
}

/* The words of a set that the run had threads for; the others were 0. */
static char *transfer_set(char *state, uint64_t *set, uint32_t words, bool back,
                          hd_rt_transfer *transfer) {
    state = transfer(state, set, words * sizeof *set, back);
    for (uint32_t i = words; HD_RT_UNLIKELY(back && i < hd_rt_set_words); i++) {
        set[i] = 0;
        HD_RT_BARRIER();
    }
    return state;
}

/* Where the run had no more than 64 threads there was nothing in `more_joined`. */
char *hd_rt_explore_threads_transfer(char *state, bool back, hd_rt_transfer *transfer) {
    uint32_t count = hd_rt.wire->threads, words = (count + 63) / 64;
    hd_rt_run_sets *sets = &hd_rt_explored_sets;
    state = transfer_set(state, sets->live.word, words, back, transfer);
    state = transfer_set(state, sets->bound.word, words, back, transfer);
    state = transfer_set(state, sets->ended.word, words, back, transfer);
    if (HD_RT_LIKELY(words == 1)) {
        for (uint32_t id = 0; back && hd_rt_set_words > 1 && id < count; id++)
            forget_joined(id);
        return state;
    }
    for (uint32_t id = 0; id < count; id++) {
        state = transfer(state, more_joined[id], (words - 1) * sizeof **more_joined, back);
        for (uint32_t i = words; back && i < hd_rt_set_words; i++) {
            more_joined[id][i - 1] = 0;
            HD_RT_BARRIER();
        }
    }
    return state;
}

uint32_t hd_rt_explore_number(const hd_rt_thread *creator) {
    heddle_wire_explore *explore = hd_rt_explore;
    uint32_t birth = creator->births + 1, number = 1;
    while (number < explore->threads &&
           (explore->name[number].creator != creator->id || explore->name[number].birth != birth))
        number++;
    if (number >= HEDDLE_WIRE_EXPLORED) {
        explore->stopped = HEDDLE_WIRE_BEYOND;
        hd_rt_explore_leave();
    }
    if (number == explore->threads) {
        explore->name[number].creator = creator->id;
        explore->name[number].birth = birth;
        explore->threads++;
        hd_rt_set_words = (explore->threads + 63) / 64;
        if (HD_RT_UNLIKELY(hd_rt_set_words > explore->more_words + 1))
            hd_rt_explore_widen();
    }
    explore->name[number].monitor |= hd_rt_explored.monitor;
    hd_rt_explored.monitor = false;
    if (hd_rt.wire->threads <= number)
        hd_rt.wire->threads = number + 1;
    return number;
}

/* Its elder siblings in this run: threads that the current one has created before.  Those of
 * another run that are still in the table have other creators or later births. */
void hd_rt_explore_created(uint32_t number, void *(*start)(void *), const void *argument,
                           uint64_t inherited) {
    const hd_rt_thread *creator = hd_rt.current;
    uint32_t birth = creator->births + 1;
    uint32_t like[HEDDLE_WIRE_ALIKE] = {birth, birth};
    for (uint32_t i = 1; i < hd_rt.wire->threads; i++) {
        const hd_rt_thread *elder = hd_rt_thread_at(i);
        if (!elder || elder->wire->creator != creator->id || elder->wire->birth >= birth ||
            elder->start != start || elder->wire->inherited != inherited)
            continue;
        uint32_t its = elder->wire->birth;
        if (its < like[HEDDLE_WIRE_ALIKE_BUT_ARGUMENT])
            like[HEDDLE_WIRE_ALIKE_BUT_ARGUMENT] = its;
        if (elder->argument == argument && its < like[HEDDLE_WIRE_ALIKE_WHOLLY])
            like[HEDDLE_WIRE_ALIKE_WHOLLY] = its;
    }
    heddle_wire_name *name = &hd_rt_explore->name[number];
    for (uint32_t i = 0; i < HEDDLE_WIRE_ALIKE; i++) {
        if (name->like[i] && name->like[i] != like[i])
            name->varies |= 1U << i;
        name->like[i] = like[i];
    }
    if (name->start && name->start != (uintptr_t)start)
        name->varies |= 1U << HEDDLE_WIRE_ALIKE_BUT_ARGUMENT; /* which is said of functions */
    name->start = (uintptr_t)start;
}

HD_RT_EXPORT void heddle_rt_monitor(void);
void heddle_rt_monitor(void) {
    hd_rt_explored.monitor = hd_rt.exploring;
}

void hd_rt_explore_born(hd_rt_thread *thread) {
    hd_rt_explored.births++;
    hd_rt_explore_overwritten();
    hd_rt_explore_forget_joined(thread);
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
    hd_rt.current->joined |= thread->joined;
    HD_RT_MORE_WORDS(i)
    more_joined[hd_rt.current->id][i - 1] |= more_joined[thread->id][i - 1];
    if (thread->id < 64)
        hd_rt.current->joined |= (uint64_t)1 << thread->id;
    else
        more_joined[hd_rt.current->id][thread->id / 64 - 1] |= (uint64_t)1 << thread->id % 64;
}

void *hd_rt_explore_stack(const hd_rt_thread *thread, size_t size) {
    if (!hd_rt.exploring || size > HD_RT_STACK_ROOM)
        return NULL;
    return (void *)(HD_RT_STACKS + thread->id * HD_RT_STACK_ROOM);
}

/* A wait in which a handler has run, or is to run: could it also end as it should? */
static bool either_way(const hd_rt_thread *thread) {
    const heddle_wire_operation *operation = &thread->wire->pending;
    if (operation->kind == HEDDLE_WIRE_EXTERNAL)
        return thread->woken && hd_rt_signal_due(thread) && hd_rt_outside_has(thread);
    return operation->flags & HEDDLE_WIRE_TIMED ||
           *(const uint32_t *)(uintptr_t)operation->address > 0;
}

bool hd_rt_explore_succeeds(const hd_rt_thread *thread) {
    const heddle_wire_operation *operation = &thread->wire->pending;
    const void *address = (const void *)(uintptr_t)operation->address;
    if (operation->kind == HEDDLE_ATOMIC_RMW + 1 && thread->with)
        return hd_rt_starts(address, thread->with, operation->size);
    if (operation->kind == HEDDLE_WIRE_ONCE) /* it would run the initialisation */
        return operation->size == HEDDLE_WIRE_BY_GUARD ? !*(const uint8_t *)address
                                                       : *(const int *)address != 2;
    if (operation->kind == HEDDLE_WIRE_SLEEP)
        return true;
    if (operation->kind == HEDDLE_WIRE_TESTS)
        return hd_rt_cancel_due(thread);
    if (operation->kind == HEDDLE_WIRE_REUSE)
        return !(operation->flags & HEDDLE_WIRE_EITHER) || hd_rt_reuse_has(thread);
    if (operation->flags & HEDDLE_WIRE_EITHER)
        return either_way(thread);
    if (operation->kind == HEDDLE_JOIN + 1 && hd_rt_cancel_due(thread) &&
        !(operation->flags & HEDDLE_WIRE_TRY))
        return false; /* it ends the thread, and joins none */
    if (!(operation->flags & HEDDLE_WIRE_TRY))
        return hd_rt_possible(thread);
    switch (operation->kind) {
    case HEDDLE_ACQUIRE + 1:
        return hd_rt_sync_available(operation->size, address, thread);
    case HEDDLE_READ_ACQUIRE + 1:
        return hd_rt_sync_readable(operation->size, address);
    case HEDDLE_JOIN + 1:
        return hd_rt.wire->thread[operation->address].state == HEDDLE_WIRE_ENDED;
    case HEDDLE_RECV + 1:
        return *(const uint32_t *)address > 0;
    default:
        return true;
    }
}
