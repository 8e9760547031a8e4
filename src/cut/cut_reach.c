/*
 * One state of a loset: the decision flow of Chang's Figure 6.12, and the search
 * at its end.
 *
 *   paper                      here
 *   L''                        whole
 *   L'                         bounded
 *   F, G                       below, state
 *   the sub-loset G \ F        the states between `below` and `state`
 *
 * Lock-free and viable states are reachable only if the last state is; the first
 * two answers of the flow are left out for a loset that is not known to be valid,
 * and so is the bound of the search.
 */
#include "cut_reach.h"

#include <string.h>

#include "cut_filter.h"
#include "cut_table.h"

struct hd_cut_reach {
    const hd_cut_loset *loset;
    hd_cut_normal *whole, *bounded;
    bool whole_known, cyclic;
    uint32_t *below, *open;
    hd_cut_table met;
    hd_vec_u32 stack;
    uint64_t *key;
    double until;
    bool left_open;
};

hd_cut_reach *hd_cut_reach_create(const hd_cut_loset *loset) {
    hd_cut_reach *reach = HD_NEW(hd_cut_reach);
    size_t width = hd_cut_table_words(loset->space->threads);
    reach->loset = loset;
    reach->bounded = hd_cut_normal_create(loset);
    reach->below = HD_NEW_ARRAY(uint32_t, loset->space->threads + 1);
    reach->open = HD_NEW_ARRAY(uint32_t, loset->most_held + 1);
    reach->key = HD_NEW_ARRAY(uint64_t, width + 1);
    hd_cut_table_init(&reach->met, width, 0);
    return reach;
}

void hd_cut_reach_free(hd_cut_reach *reach) {
    if (!reach)
        return;
    hd_cut_normal_free(reach->whole);
    hd_cut_normal_free(reach->bounded);
    free(reach->below);
    free(reach->open);
    free(reach->key);
    hd_cut_table_release(&reach->met);
    hd_vec_release(&reach->stack);
    free(reach);
}

/* ---- Viable ---- */

static void need_whole(hd_cut_reach *reach) {
    if (reach->whole_known)
        return;
    reach->whole = hd_cut_normal_create(reach->loset);
    reach->cyclic = !hd_cut_normal_whole(reach->whole);
    reach->whole_known = true;
}

/* Every conflicting J that q has released must start before I ends. */
static bool released_before(const hd_cut_reach *reach, const hd_cut_hold *i, uint32_t q,
                            uint32_t count) {
    const hd_cut_loset *loset = reach->loset;
    uint32_t length = loset->space->length[i->place];
    uint32_t end = i->release <= length ? i->release : length;
    uint32_t j = hd_cut_last_hold(loset, i->lock, q, count, i->reading);
    return j == HD_ORDER_NONE || loset->holds[j].release > count ||
           loset->holds[j].acquire <= hd_cut_normal_at(reach->whole, i->place, end, q);
}

bool hd_cut_viable(hd_cut_reach *reach, const uint32_t *state) {
    const hd_cut_space *space = reach->loset->space;
    need_whole(reach);
    if (reach->cyclic)
        return false;
    for (uint32_t p = 0; p < space->threads; p++) {
        for (uint32_t q = 0; q < space->threads; q++)
            if (hd_cut_normal_at(reach->whole, p, state[p], q) > state[q])
                return false;
        uint32_t open = hd_cut_open_holds(reach->loset, p, state[p], reach->open);
        for (uint32_t i = 0; i < open; i++)
            for (uint32_t q = 0; q < space->threads; q++)
                if (q != p &&
                    !released_before(reach, &reach->loset->holds[reach->open[i]], q, state[q]))
                    return false;
    }
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(space, state));
    return true;
}

/* ---- Search ---- */

static void meet_state(hd_cut_reach *reach) {
    bool added;
    size_t number = hd_cut_table_add(&reach->met, reach->key, &added);
    assert(!added || number == reach->met.count - 1);
    if (added)
        hd_vec_push(&reach->stack, (uint32_t)number);
}

void hd_cut_reach_until(hd_cut_reach *reach, double moment) {
    reach->until = moment;
}

bool hd_cut_reach_left_open(const hd_cut_reach *reach) {
    return reach->left_open;
}

static bool is_late(const hd_cut_reach *reach) {
    return hd_clock_look() != HD_CLOCK_GOES ||
           (reach->until > 0 && hd_progress_clock() > reach->until);
}

/* Depth first from `below`; any run to the state will do. */
static bool search_state(hd_cut_reach *reach, const uint32_t *state) {
    enum { OFTEN = 32 };
    const hd_cut_space *space = reach->loset->space;
    size_t width = reach->met.width, bytes = space->threads * sizeof *state;
    uint32_t *now = (uint32_t *)reach->key;
    hd_cut_table_clear(&reach->met, width, 0);
    hd_vec_clear(&reach->stack);
    memcpy(now, reach->below, bytes);
    meet_state(reach);
    for (uint64_t looked = 1; reach->stack.length; looked++) {
        if (looked % OFTEN == 0 && is_late(reach)) {
            reach->left_open = true;
            return false;
        }
        uint32_t number = hd_vec_pop(&reach->stack);
        assert(reach->stack.length < reach->met.count);
        memcpy(now, hd_cut_table_record(&reach->met, number), width * sizeof *reach->key);
        HD_COSTLY_ASSERT(hd_cut_seems_feasible(reach->loset, now));
        if (memcmp(now, state, bytes) == 0)
            return true;
        for (uint32_t p = 0; p < space->threads; p++)
            if (now[p] < state[p] && hd_cut_step_is_feasible(reach->loset, now, p)) {
                now[p]++;
                meet_state(reach);
                now[p]--;
            }
    }
    return false;
}

HD_ASSERT_ONLY static bool lies_below(const hd_cut_space *space, const uint32_t *below,
                                      const uint32_t *state) {
    for (uint32_t p = 0; p < space->threads; p++)
        if (below[p] > state[p])
            return false;
    return true;
}

bool hd_cut_reachable(hd_cut_reach *reach, const uint32_t *state) {
    const hd_cut_loset *loset = reach->loset;
    uint32_t threads = loset->space->threads, free = 0;
    reach->left_open = false;
    for (uint32_t p = 0; p < threads; p++)
        free += !hd_cut_held(loset, p, state[p]);
    if (loset->valid && (free == threads || hd_cut_viable(reach, state))) {
        /* Lock-free or viable, so reachable, so strongly feasible. */
        HD_COSTLY_ASSERT(hd_cut_strongly_feasible(reach->bounded, state));
        return true;
    }
    if (!hd_cut_strongly_feasible(reach->bounded, state))
        return false;
    if (loset->valid)
        hd_cut_lock_free_below(loset, state, reach->below);
    else
        memset(reach->below, 0, threads * sizeof *reach->below);
    assert(lies_below(loset->space, reach->below, state));
    return search_state(reach, state);
}

bool hd_cut_feasible_in_class(hd_cut_reach *reach, enum hd_cut_class class, const uint32_t *state) {
    const hd_cut_loset *loset = reach->loset;
    switch (class) {
    case HD_CUT_LOCK_FREE:
        for (uint32_t p = 0; p < loset->space->threads; p++)
            if (hd_cut_held(loset, p, state[p]))
                return false;
        return true;
    case HD_CUT_VIABLE:
        return hd_cut_viable(reach, state);
    case HD_CUT_STRONGLY_FEASIBLE:
        return hd_cut_strongly_feasible(reach->bounded, state);
    case HD_CUT_REACHABLE:
        return hd_cut_reachable(reach, state);
    default:
        return true;
    }
}

bool hd_cut_in_class(hd_cut_reach *reach, enum hd_cut_class class, const uint32_t *state) {
    if (!hd_cut_consistent(reach->loset->space, state) ||
        !hd_cut_units_suffice(&reach->loset->units, reach->loset->space, state))
        return false;
    return class == HD_CUT_CONSISTENT || (hd_cut_compatible(reach->loset, state) &&
                                          hd_cut_feasible_in_class(reach, class, state));
}
