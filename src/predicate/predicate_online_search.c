#include "predicate_online_search.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT = 64 }; /* a search that is not stopped */

/* Of a loset: do the locks of the thread at its count go with those of the threads before it, and
 * of the interval's, as the class wants?  In a collection they are the same everywhere. */
static bool locks_fit(const struct hd_predicate_online_search *s, const uint32_t *low, uint32_t q) {
    const hd_predicate_online *online = s->online;
    enum hd_cut_class class = online->options.class;
    if (!online->options.loset || class == HD_CUT_CONSISTENT)
        return true;
    uint32_t held = hd_predicate_online_held(online, q, low[q]);
    if (!held || class == HD_CUT_LOCK_FREE)
        return !held;
    for (uint32_t r = 0; r < s->places; r++)
        if (r != q && (r < q || r == s->interval->place) &&
            hd_order_sets_conflict(&online->sets, held,
                                   hd_predicate_online_held(online, r, low[r])))
            return false;
    return true;
}

static bool all_locks_fit(const struct hd_predicate_online_search *s, const uint32_t *low) {
    for (uint32_t q = 0; q < s->places; q++)
        if (!locks_fit(s, low, q))
            return false;
    return true;
}

/* Is the state a solution of the predicate, and of the class? */
static bool is_solution(struct hd_predicate_online_search *s, const uint32_t *low) {
    const hd_predicate_online *online = s->online;
    uint32_t places = s->interval->places;
    memcpy(s->state, low, s->places * sizeof *low);
    HD_COSTLY_ASSERT(hd_predicate_online_is_state(s));
    s->interval->states++;
    if (!hd_predicate_holds(&online->facts, s->state))
        return false;
    if (!online->strong)
        return true;
    uint32_t *threads = HD_NEW_ARRAY(uint32_t, places + 1);
    for (uint32_t q = 0; q < places; q++)
        threads[q] = online->places.data[q].thread;
    bool strong = hd_predicate_strong_holds(online->strong, s->worker, threads, s->state, places);
    free(threads);
    return strong;
}

/* Is there a state between the bounds of the level, as far as that can be said at once?  They are
 * narrowed. */
static bool may_solve(const struct hd_predicate_online_search *s, uint32_t level) {
    uint32_t *low = hd_predicate_low(s, level), *high = hd_predicate_high(s, level);
    if (!hd_predicate_online_narrow(s, low, high))
        return false;
    for (size_t i = 0; s->exact && i < s->term->totals.length; i++)
        if (!hd_predicate_online_flow(s, &s->online->terms.totals.data[s->term->totals.data[i]],
                                      low, high))
            return false;
    return true;
}

/* Bounds of the next level, with a thread in the collection from this count to that one; false if
 * others then start after their end, as they do with all later collections. */
static bool choose_collection(const struct hd_predicate_online_search *s, uint32_t q,
                              uint32_t count, uint32_t end) {
    const uint32_t *low = hd_predicate_low(s, q), *high = hd_predicate_high(s, q);
    uint32_t *to_low = hd_predicate_low(s, q + 1), *to_high = hd_predicate_high(s, q + 1);
    bool fits = true;
    memcpy(to_high, high, s->places * sizeof *high);
    for (uint32_t r = 0; r < s->places; r++) {
        uint32_t needed = r == q ? count : hd_predicate_online_clock(s->online, q, count, r);
        to_low[r] = needed > low[r] ? needed : low[r];
        fits &= to_low[r] <= to_high[r];
    }
    to_high[q] = end;
    return fits;
}

static bool is_over(struct hd_predicate_online_search *s) {
    if (++s->ticks > SHORT && hd_clock_over())
        s->stopped = true;
    return s->stopped;
}

/* Each thread chooses a collection after those before it have. */
static bool choose_from(struct hd_predicate_online_search *s, uint32_t q) {
    const uint32_t *low = hd_predicate_low(s, q), *high = hd_predicate_high(s, q);
    bool narrows = s->term->conditions.length || s->term->totals.length;
    if (q == s->places)
        return is_solution(s, low);
    for (uint32_t c = low[q], next; c <= high[q] && !is_over(s); c = next) {
        next = hd_predicate_online_next(s->online, q, c);
        if (!hd_predicate_online_allows(s, q, c))
            continue;
        if (!choose_collection(s, q, c, next - 1 < high[q] ? next - 1 : high[q]))
            return false;
        if (locks_fit(s, hd_predicate_low(s, q + 1), q) && (!narrows || may_solve(s, q + 1)) &&
            choose_from(s, q + 1))
            return true;
    }
    return false;
}

/* ---- Terms ---- */

/* From what the event has heard of to all that had come with it. */
static void start_bounds(const struct hd_predicate_online_search *s) {
    const hd_predicate_online *online = s->online;
    const struct hd_predicate_interval *interval = s->interval;
    uint32_t *low = hd_predicate_low(s, 0), *high = hd_predicate_high(s, 0);
    memset(low, 0, (size_t)2 * s->places * sizeof *low);
    for (uint32_t q = 0; q < interval->places; q++) {
        uint32_t base = online->places.data[q].base;
        low[q] = hd_predicate_online_clock(online, interval->place, interval->count, q);
        low[q] = low[q] > base ? low[q] : base;
        high[q] = interval->most[q];
    }
    low[interval->place] = high[interval->place] = interval->count;
}

static void find_conditions(struct hd_predicate_online_search *s) {
    uint32_t i = 0;
    s->exact = true;
    for (uint32_t q = 0; q <= s->places; q++) {
        while (i < s->term->conditions.length && s->term->conditions.data[i].place < q)
            i++;
        s->first[q] = i;
    }
    for (size_t t = 0; t < s->term->totals.length; t++)
        s->exact &= hd_predicate_online_total_exact(&s->online->terms, s->term->totals.data[t]);
}

static bool search_term(struct hd_predicate_online_search *s,
                        const struct hd_predicate_online_term *term) {
    s->term = term;
    find_conditions(s);
    start_bounds(s);
    if (!may_solve(s, 0))
        return false;
    if (!term->opaque && all_locks_fit(s, hd_predicate_low(s, 0)) &&
        is_solution(s, hd_predicate_low(s, 0)))
        return true;
    bool least = !term->opaque && !term->totals.length && !s->online->options.loset;
    return !least && choose_from(s, 0);
}

static bool search_terms(struct hd_predicate_online_search *s) {
    const hd_predicate_online_terms *terms = &s->online->terms;
    size_t rows = (size_t)2 * (s->places + 1) * s->places;
    s->bounds = HD_NEW_ARRAY(uint32_t, rows + s->places + 2);
    s->first = s->bounds + rows;
    bool found = false;
    for (size_t i = 0; i < terms->list.length && !found && !s->stopped; i++)
        found = search_term(s, &terms->list.data[i]);
    if (!found && s->interval->event == 1) { /* the empty state belongs to the first */
        memset(s->state, 0, s->places * sizeof *s->state);
        s->interval->states++;
        found = hd_predicate_holds(&s->online->facts, s->state);
    }
    free(s->bounds);
    return found;
}

void hd_predicate_online_search(const hd_predicate_online *online, unsigned worker,
                                struct hd_predicate_interval *interval) {
    enum { FEW = 64 };
    uint32_t few[FEW] = {0}, all = (uint32_t)online->places.length;
    uint32_t *many = all > FEW ? HD_NEW_ARRAY(uint32_t, all) : NULL;
    struct hd_predicate_online_search s = {.online = online,
                                           .interval = interval,
                                           .places = all,
                                           .worker = worker,
                                           .state = many ? many : few};
    interval->found = online->race_alone ? hd_predicate_online_search_race(&s) : search_terms(&s);
    interval->stopped = s.stopped;
    if (interval->found)
        memcpy(interval->most, s.state, interval->places * sizeof *s.state);
    free(many);
}
