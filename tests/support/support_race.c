#include "support_race.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct twin {
    const hd_trace *trace;
    const support_brute *brute;
    hd_vec_u64 *found;
    const support_pair *order; /* that reorderings must keep, where both are in */
    size_t order_count;
} twin;

static bool is_in(const uint32_t *schedule, size_t length, uint32_t event) {
    for (size_t i = 0; i < length; i++)
        if (schedule[i] == event)
            return true;
    return false;
}

static bool is_next(const twin *t, const uint32_t *schedule, size_t length, uint32_t event) {
    if (is_in(schedule, length, event))
        return false;
    for (uint32_t a = 1; a <= hd_trace_length(t->trace); a++)
        if (support_brute_must(t->brute, a, event) && !is_in(schedule, length, a))
            return false;
    return true;
}

static void enter(twin *t, uint64_t what) {
    if (!support_has_pair(t->found, what))
        hd_vec_push(t->found, what);
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool search(const hd_trace *trace, const support_pair *order, size_t order_count,
                   size_t most, hd_vec_u64 *found, support_brute_visit *visit) {
    support_brute *brute = support_brute_create(trace);
    twin t = {trace, brute, found, order, order_count};
    bool all = support_brute_states(brute, true, order, order_count, most, visit, &t) >= 0;
    support_brute_free(brute);
    if (found->length)
        qsort(found->data, found->length, sizeof *found->data, compare);
    return all;
}

/* ---- Pairs ---- */

bool support_has_pair(const hd_vec_u64 *pairs, uint64_t pair) {
    for (size_t i = 0; i < pairs->length; i++)
        if (pairs->data[i] == pair)
            return true;
    return false;
}

bool support_pairs_within(const hd_vec_u64 *some, const hd_vec_u64 *all, const char *words,
                          char *why, size_t why_size) {
    for (size_t i = 0; i < some->length; i++)
        if (!support_has_pair(all, some->data[i])) {
            snprintf(why, why_size, "pair %u %u %s", (unsigned)(some->data[i] >> 32),
                     (unsigned)some->data[i], words);
            return false;
        }
    return true;
}

/* ---- Races ---- */

static bool conflict(const hd_trace *trace, uint32_t a, uint32_t b) {
    const heddle_event *x = hd_trace_event(trace, a), *y = hd_trace_event(trace, b);
    bool atomic_x = hd_trace_traits(x) & HEDDLE_T_ATOMIC;
    bool atomic_y = hd_trace_traits(y) & HEDDLE_T_ATOMIC;
    return hd_trace_is_access(x) && hd_trace_is_access(y) && x->thread != y->thread &&
           x->object == y->object && (hd_trace_writes(x) || hd_trace_writes(y)) &&
           (!atomic_x || !atomic_y) && !hd_trace_is_exempt(x) && !hd_trace_is_exempt(y);
}

static uint32_t place(const uint32_t *schedule, size_t length, uint32_t event) {
    uint32_t i = 0;
    while (i < length && schedule[i] != event)
        i++;
    return i;
}

static bool keeps_order(const twin *t, const uint32_t *schedule, size_t length) {
    for (size_t i = 0; i < t->order_count; i++) {
        uint32_t second = place(schedule, length, t->order[i].second);
        uint32_t first = place(schedule, length, t->order[i].first);
        if (first < length && second < first)
            return false;
    }
    return true;
}

static int visit_race(const uint32_t *schedule, size_t length, void *context) {
    twin *t = context;
    if (!keeps_order(t, schedule, length))
        return 0;
    for (uint32_t a = 1; a <= hd_trace_length(t->trace); a++)
        for (uint32_t b = a + 1; b <= hd_trace_length(t->trace); b++)
            if (conflict(t->trace, a, b) && is_next(t, schedule, length, a) &&
                is_next(t, schedule, length, b))
                enter(t, (uint64_t)a << 32 | b);
    return 0;
}

bool support_races(const hd_trace *trace, size_t most, hd_vec_u64 *pairs) {
    return search(trace, NULL, 0, most, pairs, visit_race);
}

bool support_races_in_order(const hd_trace *trace, const support_pair *order, size_t count,
                            size_t most, hd_vec_u64 *pairs) {
    return search(trace, order, count, most, pairs, visit_race);
}

/* ---- Deadlocks ---- */

/* How the thread holds the lock after the schedule: 0 not, 1 for reading, 2 for writing. */
static int holds(const twin *t, const uint32_t *schedule, size_t length, uint32_t thread,
                 uint32_t lock) {
    int depth = 0, how = 0;
    for (size_t i = 0; i < length; i++) {
        const heddle_event *e = hd_trace_event(t->trace, schedule[i]);
        if (e->thread != thread || hd_trace_kinds[e->kind].class != HEDDLE_CLASS_LOCK ||
            e->object != lock || e->kind == HEDDLE_TRYFAIL)
            continue;
        if (hd_trace_acquires(e) && depth++ == 0)
            how = hd_trace_is_shared(e) ? 1 : 2;
        else if (!hd_trace_acquires(e) && --depth == 0)
            how = 0;
    }
    return how;
}

static bool waits_for(const twin *t, const uint32_t *schedule, size_t length, uint32_t a,
                      uint32_t b) {
    const heddle_event *x = hd_trace_event(t->trace, a), *y = hd_trace_event(t->trace, b);
    int how = holds(t, schedule, length, y->thread, x->object);
    return how && (x->kind == HEDDLE_ACQUIRE || how == 2);
}

/* Does each of the acquires in the set wait for another of them? */
static bool is_deadlock(uint64_t set, const uint64_t *waits, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (set >> i & 1 && !(waits[i] & set))
            return false;
    return set != 0;
}

static bool is_least(uint64_t set, const uint64_t *waits, size_t count) {
    for (uint64_t part = (set - 1) & set; part; part = (part - 1) & set)
        if (is_deadlock(part, waits, count))
            return false;
    return is_deadlock(set, waits, count);
}

static int visit_deadlock(const uint32_t *schedule, size_t length, void *context) {
    twin *t = context;
    uint32_t next[64];
    uint64_t waits[64] = {0};
    size_t count = 0;
    for (uint32_t n = 1; n <= hd_trace_length(t->trace); n++) {
        const heddle_event *e = hd_trace_event(t->trace, n);
        bool blocks =
            e->kind == HEDDLE_ACQUIRE || e->kind == HEDDLE_READ_ACQUIRE; /* a try does not */
        if (blocks && !(e->flags & HEDDLE_REENTRANT) && is_next(t, schedule, length, n))
            next[count++] = n;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (i != j && waits_for(t, schedule, length, next[i], next[j]))
                waits[i] |= UINT64_C(1) << j;
    for (uint64_t set = 1; set < UINT64_C(1) << count; set++) {
        uint64_t events = 0;
        if (!is_least(set, waits, count))
            continue;
        for (size_t i = 0; i < count; i++)
            events |= (set >> i & 1) << (next[i] - 1);
        enter(t, events);
    }
    return 0;
}

bool support_deadlocks(const hd_trace *trace, size_t most, hd_vec_u64 *sets) {
    return search(trace, NULL, 0, most, sets, visit_deadlock);
}
