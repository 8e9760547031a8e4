#include "cut_loset.h"

#include "cut_filter.h"

#include <string.h>

const char *const hd_cut_class_names[HD_CUT_CLASSES] = {
    "consistent", "feasible", "lock-free", "viable", "strongly-feasible", "reachable",
};

enum { MOST_SETS = 4096 }; /* with a table of conflicts, of 2 MiB then */

static void find_held(hd_cut_loset *loset) {
    const hd_cut_space *space = loset->space;
    for (uint32_t p = 0; p < space->threads; p++) {
        hd_order_held_cursor cursor;
        hd_order_held_start(&cursor, &space->order->held, space->thread[p]);
        uint32_t free = 0;
        for (uint32_t c = 0; c <= space->length[p]; c++) {
            uint32_t set = c ? hd_order_held_walk(&cursor, hd_cut_event(space, p, c)) : 0;
            free = set ? free : c;
            loset->held[space->start[p] + c] = set;
            loset->free_below[space->start[p] + c] = free;
        }
    }
}

/* A conflict of two sets is one both ways, and none has one with the empty set. */
HD_ASSERT_ONLY static bool conflicts_are_mutual(const hd_cut_loset *loset) {
    for (uint32_t a = 0; a < loset->set_count; a++) {
        if (hd_bits_has(&loset->conflicts, a))
            return false;
        for (uint32_t b = 0; b < a; b++)
            if (hd_bits_has(&loset->conflicts, (size_t)a * loset->set_count + b) !=
                hd_bits_has(&loset->conflicts, (size_t)b * loset->set_count + a))
                return false;
    }
    return true;
}

static void find_conflicts(hd_cut_loset *loset) {
    uint32_t sets = loset->set_count = hd_order_sets_count(loset->sets);
    for (uint32_t a = 0; a < sets; a++)
        if (hd_order_sets_at(loset->sets, a).count > loset->most_held)
            loset->most_held = hd_order_sets_at(loset->sets, a).count;
    if (sets > MOST_SETS)
        return;
    hd_bits_init(&loset->conflicts, (size_t)sets * sets);
    for (uint32_t a = 0; a < sets; a++) {
        if (hd_clock_over()) { /* then there is no table, which saves time only */
            hd_bits_release(&loset->conflicts);
            return;
        }
        for (uint32_t b = 0; b < sets; b++)
            if (hd_order_sets_conflict(loset->sets, a, b))
                hd_bits_set(&loset->conflicts, (size_t)a * sets + b);
    }
    HD_COSTLY_ASSERT(conflicts_are_mutual(loset));
}

/* Holds by place; the scopes of a thread come by acquire. */
static void find_holds(hd_cut_loset *loset) {
    const hd_cut_space *space = loset->space;
    const hd_order_scopes *scopes = &space->order->scopes;
    const uint32_t *position = space->order->index.position;
    for (uint32_t p = 0; p < space->threads; p++) {
        loset->first_hold[p] = loset->hold_count;
        const uint32_t *list = hd_trace_list(&scopes->by_thread, space->thread[p]);
        for (uint32_t i = 0; i < hd_trace_list_length(&scopes->by_thread, space->thread[p]); i++) {
            const hd_order_scope *scope = &scopes->scopes[list[i]];
            hd_cut_hold *hold = &loset->holds[loset->hold_count];
            *hold = (hd_cut_hold){.place = p, .lock = scope->lock, .reading = scope->reading};
            hold->acquire = position[scope->acquire];
            assert(i == 0 || hold[-1].acquire < hold->acquire);
            hold->release = scope->release ? position[scope->release] : space->length[p] + 1;
            if (scope->release)
                loset->released[space->start[p] + hold->release] = loset->hold_count;
            loset->hold_count++;
        }
    }
    loset->first_hold[space->threads] = loset->hold_count;
    assert(loset->hold_count == scopes->count); /* each has a place */
}

/* Lists of holds by lock and place, by counting; and their links. */
static void chain_holds(hd_cut_loset *loset) {
    uint32_t threads = loset->space->threads;
    size_t lists = (size_t)loset->locks * threads;
    loset->chain_start = HD_NEW_ARRAY(uint32_t, lists + 2);
    loset->chain = HD_NEW_ARRAY(uint32_t, loset->hold_count + 1);
    uint32_t *next = loset->chain_start + 1;
    for (uint32_t h = 0; h < loset->hold_count; h++)
        next[(size_t)loset->holds[h].lock * threads + loset->holds[h].place + 1]++;
    for (size_t i = 0; i < lists; i++)
        next[i + 1] += next[i];
    for (uint32_t h = 0; h < loset->hold_count; h++)
        loset->chain[next[(size_t)loset->holds[h].lock * threads + loset->holds[h].place]++] = h;
    for (size_t list = 0; list < lists; list++)
        for (uint32_t i = loset->chain_start[list]; i < loset->chain_start[list + 1]; i++) {
            uint32_t h = loset->chain[i];
            hd_cut_hold *hold = &loset->holds[h];
            bool first = i == loset->chain_start[list];
            assert(first || loset->holds[loset->chain[i - 1]].release < hold->acquire);
            assert(hold->acquire < hold->release && hold->lock == list / threads &&
                   hold->place == list % threads);
            hold->before = first ? HD_ORDER_NONE : loset->chain[i - 1];
            hold->writer = !hold->reading ? h
                           : first        ? HD_ORDER_NONE
                                          : loset->holds[hold->before].writer;
        }
}

void hd_cut_loset_init(hd_cut_loset *loset, const hd_cut_space *space, bool valid) {
    *loset = (hd_cut_loset){.space = space, .valid = valid, .sets = &space->order->held.sets};
    size_t positions = space->start[space->threads];
    uint32_t scopes = space->order->scopes.count;
    loset->held = HD_NEW_ARRAY(uint32_t, positions + 1);
    loset->free_below = HD_NEW_ARRAY(uint32_t, positions + 1);
    loset->released = HD_NEW_ARRAY(uint32_t, positions + 1);
    loset->holds = HD_NEW_ARRAY(hd_cut_hold, scopes + 1);
    loset->first_hold = HD_NEW_ARRAY(uint32_t, space->threads + 1);
    for (uint32_t i = 0; i < scopes; i++)
        if (space->order->scopes.scopes[i].lock >= loset->locks)
            loset->locks = space->order->scopes.scopes[i].lock + 1;
    memset(loset->released, 0xff, (positions + 1) * sizeof *loset->released);
    find_held(loset);
    find_conflicts(loset);
    find_holds(loset);
    chain_holds(loset);
    hd_cut_covers_init(&loset->covers, space);
    if (space->model == HD_ORDER_LOSET)
        hd_order_units_build(&loset->units, &space->order->index);
    loset->valid = valid && !loset->units.semaphores;
}

bool hd_cut_unit_is_left(const hd_cut_loset *loset, const uint32_t *state, uint32_t place) {
    const hd_cut_space *space = loset->space;
    assert(state[place] < space->length[place]);
    uint32_t next = hd_cut_event(space, place, state[place] + 1);
    const heddle_event *event = hd_trace_event(space->order->trace, next);
    return event->kind != HEDDLE_TAKE ||
           hd_cut_units_left(&loset->units, space, event->object, state) > 0;
}

void hd_cut_loset_release(hd_cut_loset *loset) {
    hd_order_units_release(&loset->units);
    free(loset->held);
    free(loset->free_below);
    free(loset->released);
    free(loset->holds);
    free(loset->first_hold);
    free(loset->chain);
    free(loset->chain_start);
    hd_bits_release(&loset->conflicts);
    hd_cut_covers_release(&loset->covers);
    *loset = (hd_cut_loset){0};
}

uint32_t hd_cut_last_hold(const hd_cut_loset *loset, uint32_t lock, uint32_t place, uint32_t count,
                          bool writing_only) {
    const uint32_t *start = loset->chain_start + (size_t)lock * loset->space->threads + place;
    uint32_t from = start[0], to = start[1];
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (loset->holds[loset->chain[middle]].acquire <= count)
            from = middle + 1;
        else
            to = middle;
    }
    if (from == start[0])
        return HD_ORDER_NONE;
    uint32_t hold = loset->chain[from - 1];
    assert(loset->holds[hold].acquire <= count && loset->holds[hold].place == place);
    assert(from == start[1] || loset->holds[loset->chain[from]].acquire > count);
    assert(loset->holds[hold].lock == lock);
    return writing_only ? loset->holds[hold].writer : hold;
}

/* Back from the last acquire until all locks of the set are found. */
uint32_t hd_cut_open_holds(const hd_cut_loset *loset, uint32_t place, uint32_t count,
                           uint32_t *to) {
    uint32_t wanted = hd_order_sets_at(loset->sets, hd_cut_held(loset, place, count)).count;
    uint32_t from = loset->first_hold[place], end = loset->first_hold[place + 1], found = 0;
    assert(wanted <= loset->most_held);
    while (wanted && from < end) {
        uint32_t middle = from + (end - from) / 2;
        if (loset->holds[middle].acquire <= count)
            from = middle + 1;
        else
            end = middle;
    }
    while (found < wanted) {
        assert(from > loset->first_hold[place]);
        if (loset->holds[--from].release > count) {
            assert(hd_order_sets_find(loset->sets, hd_cut_held(loset, place, count),
                                      loset->holds[from].lock) != HD_ORDER_NONE);
            to[found++] = from;
        }
    }
    return found;
}

bool hd_cut_compatible(const hd_cut_loset *loset, const uint32_t *state) {
    for (uint32_t p = 0; p < loset->space->threads; p++) {
        uint32_t set = hd_cut_held(loset, p, state[p]);
        for (uint32_t q = 0; set && q < p; q++)
            if (hd_cut_conflict(loset, set, hd_cut_held(loset, q, state[q])))
                return false;
    }
    return true;
}

bool hd_cut_feasible(const hd_cut_loset *loset, const uint32_t *state) {
    return hd_cut_consistent(loset->space, state) && hd_cut_compatible(loset, state) &&
           hd_cut_units_suffice(&loset->units, loset->space, state);
}

static bool is_lock_free_below(const hd_cut_loset *loset, const uint32_t *state,
                               const uint32_t *below) {
    for (uint32_t p = 0; p < loset->space->threads; p++)
        if (below[p] > state[p] || hd_cut_held(loset, p, below[p]))
            return false;
    return hd_cut_consistent(loset->space, below);
}

void hd_cut_lock_free_below(const hd_cut_loset *loset, const uint32_t *state, uint32_t *below) {
    const hd_cut_space *space = loset->space;
    for (uint32_t p = 0; p < space->threads; p++)
        below[p] = loset->free_below[space->start[p] + state[p]];
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = 0; p < space->threads; p++) {
            const uint32_t *high = hd_cut_high(space, p, below[p]);
            for (uint32_t q = 0; q < space->threads; q++)
                if (below[q] > high[q]) {
                    below[q] = loset->free_below[space->start[q] + high[q]];
                    changed = true;
                }
        }
    }
    HD_COSTLY_ASSERT(is_lock_free_below(loset, state, below));
}
