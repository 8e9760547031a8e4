/*
 * Held locks.  A step from a set by a lock is remembered, so that a lock taken a
 * million times under the same others costs a million lookups and one new set.
 * Taking out and putting in share the table: a lock is in a set or it is not.
 */
#include "order_held.h"

#include <string.h>

/* ---- Interning ---- */

static uint64_t hash_of(const hd_order_lock *locks, size_t count) {
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ locks[i]) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
    return hash;
}

static bool same_set(hd_order_set set, const hd_order_lock *locks, size_t count) {
    return set.count == count && (count == 0 || !memcmp(set.locks, locks, count * sizeof *locks));
}

static uint32_t add_set(hd_order_sets *sets, const hd_order_lock *locks, size_t count) {
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&sets->locks, locks[i]);
    assert(sets->locks.length <= UINT32_MAX);
    hd_vec_push(&sets->start, (uint32_t)sets->locks.length);
    return hd_order_sets_count(sets) - 1;
}

/* The set with these locks; `locks` is not inside the sets' own memory. */
static uint32_t intern_set(hd_order_sets *sets, const hd_order_lock *locks, size_t count) {
    uint32_t *newest = hd_map_at(&sets->by_hash, hash_of(locks, count), NULL);
    for (uint32_t link = *newest; link; link = sets->older.data[link - 1])
        if (same_set(hd_order_sets_at(sets, link - 1), locks, count))
            return link - 1;
    uint32_t set = add_set(sets, locks, count);
    hd_vec_push(&sets->older, *newest);
    *newest = set + 1;
    return set;
}

void hd_order_sets_init(hd_order_sets *sets) {
    *sets = (hd_order_sets){0};
    hd_vec_push(&sets->start, 0);
    uint32_t empty = intern_set(sets, NULL, 0);
    assert(empty == 0);
    (void)empty;
}

void hd_order_sets_release(hd_order_sets *sets) {
    hd_vec_release(&sets->locks);
    hd_vec_release(&sets->start);
    hd_vec_release(&sets->older);
    hd_map_release(&sets->by_hash);
    hd_map_release(&sets->steps);
}

/* Is each lock in it once, however it is held? */
HD_ASSERT_ONLY static bool locks_ascend(const hd_vec_u32 *locks) {
    for (size_t i = 1; i < locks->length; i++)
        if (hd_order_lock_number(locks->data[i - 1]) >= hd_order_lock_number(locks->data[i]))
            return false;
    return true;
}

/* Puts the lock into the set, or takes it out if it is in it. */
static uint32_t toggle_lock(hd_order_sets *sets, uint32_t set, hd_order_lock lock) {
    hd_order_set old = hd_order_sets_at(sets, set);
    hd_vec_u32 locks = {0};
    uint32_t i = 0;
    while (i < old.count && old.locks[i] < lock)
        hd_vec_push(&locks, old.locks[i++]);
    if (i < old.count && old.locks[i] == lock)
        i++;
    else
        hd_vec_push(&locks, lock);
    while (i < old.count)
        hd_vec_push(&locks, old.locks[i++]);
    assert(locks.length + 1 == old.count || locks.length == (size_t)old.count + 1);
    assert(locks_ascend(&locks));
    uint32_t other = intern_set(sets, locks.data, locks.length);
    hd_vec_release(&locks);
    return other;
}

uint32_t hd_order_sets_step(hd_order_sets *sets, uint32_t set, const heddle_event *event) {
    if (!(hd_trace_traits(event) & HEDDLE_T_LOCK) || event->flags & HEDDLE_REENTRANT)
        return set;
    hd_order_lock lock = hd_order_lock_of(event->object, hd_trace_is_shared(event));
    uint64_t key = (uint64_t)set << 32 | lock;
    uint32_t *known = hd_map_at(&sets->steps, key, NULL);
    if (!*known)
        *known = toggle_lock(sets, set, lock) + 1;
    /* After an acquire the lock is in the set, after a release it is not. */
    HD_COSTLY_ASSERT((hd_order_sets_find(sets, *known - 1, event->object) == lock) ==
                     hd_trace_acquires(event));
    return *known - 1;
}

/* ---- Two sets: a merge of both.  A lock is in a set once at most. ---- */

/* A set with so many locks is not gone through one by one. */
enum { LONG = 8 };

/* The first place from `from` on whose lock is not below `lock`; quick if it is near.  A place that
 * is far is found in a logarithm, so that two long sets with little in common cost little. */
static uint32_t skip_below(hd_order_set set, uint32_t from, uint32_t lock) {
    uint32_t step = 1;
    HD_ASSERT_ONLY uint32_t first = from;
    if (from >= set.count || hd_order_lock_number(set.locks[from]) >= lock)
        return from;
    while (step < set.count - from && hd_order_lock_number(set.locks[from + step]) < lock) {
        from += step;
        step *= 2;
    }
    uint32_t to = step < set.count - from ? from + step : set.count;
    for (from++; from < to;) {
        uint32_t middle = from + (to - from) / 2;
        if (hd_order_lock_number(set.locks[middle]) < lock)
            from = middle + 1;
        else
            to = middle;
    }
    assert(from > first && hd_order_lock_number(set.locks[from - 1]) < lock);
    assert(from == set.count || hd_order_lock_number(set.locks[from]) >= lock);
    return from;
}

hd_order_lock hd_order_sets_find(const hd_order_sets *sets, uint32_t set, uint32_t lock) {
    hd_order_set locks = hd_order_sets_at(sets, set);
    uint32_t i = skip_below(locks, 0, lock);
    return i < locks.count && hd_order_lock_number(locks.locks[i]) == lock ? locks.locks[i]
                                                                           : HD_ORDER_NONE;
}

/* Two sets side by side, both from their beginnings. */
struct merge {
    hd_order_set a, b;
    uint32_t i, j;
};

static struct merge merge_of(const hd_order_sets *sets, uint32_t a, uint32_t b) {
    return (struct merge){.a = hd_order_sets_at(sets, a), .b = hd_order_sets_at(sets, b)};
}

/* The next lock in common: false at the end.  `conflict` is false if both only read. */
static bool next_common(struct merge *merge, uint32_t *lock, bool *conflict) {
    while (merge->i < merge->a.count && merge->j < merge->b.count) {
        hd_order_lock left = merge->a.locks[merge->i], right = merge->b.locks[merge->j];
        uint32_t a = hd_order_lock_number(left), b = hd_order_lock_number(right);
        if (a < b) /* most sets have few locks */
            merge->i = merge->a.count < LONG ? merge->i + 1 : skip_below(merge->a, merge->i, b);
        else if (b < a)
            merge->j = merge->b.count < LONG ? merge->j + 1 : skip_below(merge->b, merge->j, a);
        else {
            merge->i++;
            merge->j++;
            *lock = a;
            *conflict = !(hd_order_lock_reading(left) && hd_order_lock_reading(right));
            return true;
        }
    }
    return false;
}

bool hd_order_sets_meet(const hd_order_sets *sets, uint32_t a, uint32_t b) {
    struct merge merge = merge_of(sets, a, b);
    uint32_t lock;
    bool conflict;
    return next_common(&merge, &lock, &conflict);
}

bool hd_order_sets_conflict(const hd_order_sets *sets, uint32_t a, uint32_t b) {
    struct merge merge = merge_of(sets, a, b);
    if (!merge.a.count || !merge.b.count)
        return false;
    uint32_t lock;
    bool conflict = false;
    while (!conflict && next_common(&merge, &lock, &conflict))
        ;
    return conflict;
}

void hd_order_sets_common(const hd_order_sets *sets, uint32_t a, uint32_t b, bool conflicts_only,
                          hd_vec_u32 *to) {
    struct merge merge = merge_of(sets, a, b);
    uint32_t lock;
    bool conflict;
    while (next_common(&merge, &lock, &conflict))
        if (conflict || !conflicts_only)
            hd_vec_push(to, lock);
}

/* ---- A whole trace ---- */

static bool changes_locks(const heddle_event *event) {
    return hd_trace_traits(event) & HEDDLE_T_LOCK && !(event->flags & HEDDLE_REENTRANT);
}

/* The lists by a counting sort over the threads; returns how many changes there are. */
static uint32_t count_changes(hd_order_held *held) {
    hd_trace_lists *changes = &held->changes;
    uint32_t length = hd_trace_length(held->trace), sum = 0;
    for (uint32_t number = 1; number <= length; number++) {
        const heddle_event *event = hd_trace_event(held->trace, number);
        if (changes_locks(event))
            changes->start[event->thread + 1]++;
    }
    for (uint32_t t = 1; t <= changes->count; t++) {
        uint32_t here = changes->start[t];
        changes->start[t] = sum;
        sum += here;
    }
    return sum;
}

static bool fill_changes(hd_order_held *held, bool timed) {
    enum { OFTEN = 1024 };
    hd_trace_lists *changes = &held->changes;
    uint32_t length = hd_trace_length(held->trace);
    uint32_t *now = HD_NEW_ARRAY(uint32_t, changes->count);
    uint32_t done = 0;
    bool late = false;
    for (uint32_t number = 1; number <= length && !late; number++) {
        const heddle_event *event = hd_trace_event(held->trace, number);
        if (!changes_locks(event))
            continue;
        late = timed && ++done % OFTEN == 0 && hd_clock_look() != HD_CLOCK_GOES;
        uint32_t place = changes->start[event->thread + 1]++;
        now[event->thread] = hd_order_sets_step(&held->sets, now[event->thread], event);
        changes->items[place] = number;
        held->after[place] = now[event->thread];
    }
    free(now);
    return !late;
}

static bool build(hd_order_held *held, const hd_trace_index *index, bool timed) {
    *held = (hd_order_held){.trace = index->trace};
    hd_order_sets_init(&held->sets);
    held->changes.count = index->threads.count;
    held->changes.start = HD_NEW_ARRAY(uint32_t, (size_t)held->changes.count + 1);
    uint32_t total = count_changes(held);
    held->changes.items = HD_NEW_ARRAY(uint32_t, total);
    held->after = HD_NEW_ARRAY(uint32_t, total);
    if (!fill_changes(held, timed)) {
        hd_order_held_release(held);
        return false;
    }
    assert(held->changes.start[held->changes.count] == total);
    return true;
}

void hd_order_held_build(hd_order_held *held, const hd_trace_index *index) {
    build(held, index, false);
}

bool hd_order_held_build_in_time(hd_order_held *held, const hd_trace_index *index) {
    return build(held, index, true);
}

void hd_order_held_release(hd_order_held *held) {
    hd_order_sets_release(&held->sets);
    free(held->changes.start);
    free(held->changes.items);
    free(held->after);
    *held = (hd_order_held){0};
}

/* The set of a thread after its last event that is numbered below `limit`. */
static uint32_t set_below(const hd_order_held *held, uint32_t thread, uint64_t limit) {
    uint32_t first = held->changes.start[thread];
    uint32_t from = first, to = held->changes.start[thread + 1];
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (held->changes.items[middle] < limit)
            from = middle + 1;
        else
            to = middle;
    }
    assert(from == first || held->changes.items[from - 1] < limit);
    return from == first ? 0 : held->after[from - 1];
}

uint32_t hd_order_held_after(const hd_order_held *held, uint32_t event) {
    return set_below(held, hd_trace_event(held->trace, event)->thread, (uint64_t)event + 1);
}

uint32_t hd_order_held_before(const hd_order_held *held, uint32_t event) {
    return set_below(held, hd_trace_event(held->trace, event)->thread, event);
}

void hd_order_held_start(hd_order_held_cursor *cursor, const hd_order_held *held, uint32_t thread) {
    assert(thread < held->changes.count);
    *cursor = (hd_order_held_cursor){
        .held = held, .next = held->changes.start[thread], .end = held->changes.start[thread + 1]};
}

uint32_t hd_order_held_walk(hd_order_held_cursor *cursor, uint32_t event) {
    const hd_order_held *held = cursor->held;
    while (cursor->next < cursor->end && held->changes.items[cursor->next] <= event)
        cursor->set = held->after[cursor->next++];
    HD_COSTLY_ASSERT(cursor->set == hd_order_held_after(held, event));
    return cursor->set;
}
