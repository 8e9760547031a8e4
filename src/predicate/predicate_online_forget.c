/*
 * What a detector forgets, and variables that turn out to be two.
 */
#include <stdlib.h>
#include <string.h>

#include "predicate_online_state.h"

/* The least count of q that a new event can leave it at: what every thread has heard of
 * it that has not ended; one that was forked and did nothing yet has heard what its
 * creator had then. */
static uint32_t heard_by_all(const hd_predicate_online *online, uint32_t q) {
    uint32_t least = online->facts.places.data[q].count, thread = online->places.data[q].thread;
    for (uint32_t p = 0; p < online->places.length; p++) {
        if (p == q || online->places.data[p].ended)
            continue;
        hd_order_time time = hd_order_machine_start(online->machine, online->places.data[p].thread);
        uint32_t heard = hd_order_time_at(time, thread);
        least = heard < least ? heard : least;
    }
    return least;
}

/* Is there a row, or none, for each count that was not forgotten, and a later row the later? */
HD_ASSERT_ONLY static bool rows_are_there(const hd_predicate_online *online, uint32_t at) {
    const struct hd_predicate_online_place *place = &online->places.data[at];
    uint32_t last = HD_PREDICATE_NONE;
    for (size_t i = 0; i < place->row_of.length; i++) {
        uint32_t row = place->row_of.data[i];
        if (last != HD_PREDICATE_NONE && (row == HD_PREDICATE_NONE || row < last))
            return false;
        if (row != HD_PREDICATE_NONE && ((size_t)row + 1) * place->width > place->clocks.length)
            return false;
        last = row;
    }
    return place->row_of.length == online->facts.places.data[at].count - place->base + 1;
}

static void forget_starts(struct hd_predicate_online_place *place, uint32_t base) {
    size_t gone = 0;
    while (gone < place->starts.length && place->starts.data[gone] <= base)
        gone++;
    if (!gone)
        return;
    place->starts.length -= gone;
    memmove(place->starts.data, place->starts.data + gone,
            place->starts.length * sizeof *place->starts.data);
}

static void forget_up_to(hd_predicate_online *online, uint32_t at, uint32_t base) {
    struct hd_predicate_online_place *place = &online->places.data[at];
    uint32_t gone = base - place->base;
    assert(base > place->base && gone < place->row_of.length);
    assert(place->events.length == place->row_of.length &&
           place->held.length == place->row_of.length &&
           place->between.length == place->row_of.length);
    size_t left = place->row_of.length - gone;
    memmove(place->row_of.data, place->row_of.data + gone, left * sizeof *place->row_of.data);
    memmove(place->events.data, place->events.data + gone, left * sizeof *place->events.data);
    memmove(place->accesses.data, place->accesses.data + gone, left * sizeof *place->accesses.data);
    memmove(place->held.data, place->held.data + gone, left * sizeof *place->held.data);
    place->row_of.length = place->events.length = place->accesses.length = left;
    memmove(place->between.data, place->between.data + gone, left * sizeof *place->between.data);
    place->held.length = place->between.length = left;
    forget_starts(place, base);
    /* Rows before the first that is still used go too. */
    uint32_t first = HD_PREDICATE_NONE;
    for (size_t i = 0; i < left && first == HD_PREDICATE_NONE; i++)
        first = place->row_of.data[i];
    if (first != HD_PREDICATE_NONE && first) {
        size_t cells = (size_t)first * place->width;
        place->clocks.length -= cells;
        memmove(place->clocks.data, place->clocks.data + cells,
                place->clocks.length * sizeof *place->clocks.data);
        for (size_t i = 0; i < left; i++)
            if (place->row_of.data[i] != HD_PREDICATE_NONE)
                place->row_of.data[i] -= first;
        place->rows_gone += first;
    }
    hd_predicate_facts_forget(&online->facts, at, base);
    place->base = base;
    assert(online->effort.kept >= gone);
    HD_COSTLY_ASSERT(rows_are_there(online, at));
    online->effort.kept -= gone;
}

static void forget_accesses(hd_predicate_online *online) {
    for (size_t v = 0; v < online->seen.length; v++)
        for (size_t i = 0; i < online->seen.data[v].length; i++) {
            struct hd_predicate_accesses *accesses = &online->seen.data[v].data[i];
            uint32_t base = online->places.data[accesses->place].base;
            size_t gone = 0;
            while (gone < accesses->list.length && accesses->list.data[gone].count < base)
                gone++;
            accesses->list.length -= gone;
            memmove(accesses->list.data, accesses->list.data + gone,
                    accesses->list.length * sizeof *accesses->list.data);
        }
}

/* How many events there are of which something is known. */
HD_ASSERT_ONLY static uint64_t count_kept(const hd_predicate_online *online) {
    uint64_t kept = 0;
    for (uint32_t q = 0; q < online->places.length; q++)
        kept += online->facts.places.data[q].count - online->places.data[q].base;
    return kept;
}

/* Has every event below the cut, or forgotten, all below it that it has heard of? */
static bool cut_is_consistent(const hd_predicate_online *online, const uint32_t *cut) {
    for (uint32_t q = 0; q < online->places.length; q++) {
        uint32_t base = online->places.data[q].base;
        for (uint32_t r = 0; cut[q] >= base && r < online->places.length; r++) {
            uint32_t other = online->places.data[r].base;
            other = cut[r] > other ? cut[r] : other;
            if (r != q && hd_predicate_online_clock(online, q, cut[q], r) > other)
                return false;
        }
    }
    return true;
}

/* Forgets of each thread what comes before its count there. */
static uint64_t forget_below(hd_predicate_online *online, const uint32_t *cut) {
    uint64_t gone = 0;
    HD_COSTLY_ASSERT(cut_is_consistent(online, cut));
    for (uint32_t q = 0; q < online->places.length; q++) {
        uint32_t base = online->places.data[q].base;
        if (cut[q] <= base)
            continue;
        forget_up_to(online, q, cut[q]);
        gone += cut[q] - base;
    }
    return gone;
}

/* How many events of the place have such a number or a lower one. */
static uint32_t count_up_to(const hd_predicate_online *online, uint32_t q, uint32_t number) {
    const struct hd_predicate_online_place *place = &online->places.data[q];
    size_t low = 1, high = place->events.length;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (place->events.data[middle] <= number)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low == 1 || place->events.data[low - 1] <= number);
    assert(low == place->events.length || place->events.data[low] > number);
    return place->base + (uint32_t)low - 1;
}

/* The oldest events in the order of the trace, so that half of the window is left. */
static void forget_oldest(hd_predicate_online *online, uint32_t *cut) {
    uint64_t left = online->options.window / 2;
    uint32_t low = 0, high = (uint32_t)online->entered;
    while (low < high) { /* the lowest number after which no more than that are kept */
        uint32_t middle = low + (high - low) / 2;
        uint64_t kept = 0;
        for (uint32_t q = 0; q < online->places.length; q++)
            kept += online->facts.places.data[q].count - count_up_to(online, q, middle);
        if (kept <= left)
            high = middle;
        else
            low = middle + 1;
    }
    for (uint32_t q = 0; q < online->places.length; q++)
        cut[q] = count_up_to(online, q, low);
    online->effort.unseen += forget_below(online, cut);
    assert(online->effort.kept <= online->options.window);
}

/* For strong feasibility what is forgotten must come before all that is kept, not only before what
 * is still to come: an older event that is kept, and has not heard of it, could be put before it by
 * a lock.  Lowers the cut until that is so. */
static void lower_cut(const hd_predicate_online *online, uint32_t *cut) {
    uint32_t places = (uint32_t)online->places.length;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t q = 0; q < places; q++)
            for (uint32_t r = 0; r < places; r++) {
                uint32_t base = online->places.data[q].base, other = online->places.data[r].base;
                if (q == r || cut[q] < base || cut[r] <= other)
                    continue;
                bool last = cut[q] == online->facts.places.data[q].count;
                uint32_t heard =
                    last ? cut[r] : hd_predicate_online_clock(online, q, cut[q] + 1, r);
                if (heard < cut[r]) {
                    cut[r] = heard > other ? heard : other;
                    changed = true;
                }
                while (cut[q] > base && hd_predicate_online_clock(online, q, cut[q], r) > cut[r]) {
                    cut[q]--;
                    changed = true;
                }
            }
    }
}

/* Both cuts are consistent: what all threads have heard of is an intersection of the pasts of
 * events, and the oldest events are a run.  So what is left begins at a global state. */
void hd_predicate_online_forget(hd_predicate_online *online) {
    enum { WORTHWHILE = 4096 };
    uint64_t window = online->options.window, worth = 0;
    uint64_t enough = window && window / 8 < WORTHWHILE ? window / 8 : WORTHWHILE;
    if (online->effort.kept < online->looked_again)
        return;
    uint32_t *cut = HD_NEW_ARRAY(uint32_t, online->places.length + 1);
    for (uint32_t q = 0; q < online->places.length; q++)
        cut[q] = heard_by_all(online, q);
    if (online->strong)
        lower_cut(online, cut);
    for (uint32_t q = 0; q < online->places.length; q++) {
        if (cut[q] > online->places.data[q].base)
            worth += cut[q] - online->places.data[q].base;
    }
    uint64_t before = online->effort.kept;
    HD_COSTLY_ASSERT(before == count_kept(online));
    if (worth > enough || (window && before > window))
        online->effort.forgotten += forget_below(online, cut);
    if (window && online->effort.kept > window)
        forget_oldest(online, cut);
    if (online->effort.kept != before) {
        forget_accesses(online);
        hd_predicate_online_spare(online);
    }
    if (online->effort.kept != before && online->strong)
        hd_predicate_strong_forget(online->strong, online, online->effort.kept);
    uint64_t more = online->effort.kept / 4;
    HD_COSTLY_ASSERT(online->effort.kept == count_kept(online));
    online->looked_again = online->effort.kept + (more > enough ? more : enough);
    if (window && online->looked_again > window)
        online->looked_again = window + 1;
    free(cut);
}

/* ---- Variables ---- */

/* What was done to the whole was done to the part. */
void hd_predicate_online_enter_part(hd_predicate_online *online, uint32_t whole, uint32_t part) {
    hd_order_machine_split(online->machine, whole, part);
    if (!online->races)
        return;
    if (online->parts.length <= part)
        hd_vec_resize(&online->parts, part + 1);
    online->parts.data[part] = (struct hd_predicate_part){whole, (uint32_t)online->entered + 1};
    uint32_t last = whole > part ? whole : part;
    if (online->seen.length <= last)
        hd_vec_resize(&online->seen, last + 1);
    for (size_t i = 0; i < online->seen.data[whole].length; i++) {
        struct hd_predicate_accesses copy = {.place = online->seen.data[whole].data[i].place};
        for (size_t j = 0; j < online->seen.data[whole].data[i].list.length; j++)
            hd_vec_push(&copy.list, online->seen.data[whole].data[i].list.data[j]);
        hd_vec_push(&online->seen.data[part], copy);
    }
}
