/*
 * One interval.  The threads choose a collection one after the other: a stretch of
 * counts between which no column changes.  Each starts as low as the others allow, and
 * may be pushed up by what they need, but not out of its stretch.  As clocks are
 * transitive, what is needed grows with the count, and a choice that fits has a state.
 */
#include <stdlib.h>
#include <string.h>

#include "predicate_online_state.h"

struct search {
    const hd_predicate_online *online;
    struct hd_predicate_interval *interval;
    uint32_t *state; /* all places, also those that came later */
    uint32_t *low;   /* [level * places]: what is needed of each thread */
    uint32_t *high;  /* of the threads that have chosen: the end of their stretch */
};

/* Does a collection begin at this count? */
static bool begins(const struct search *s, uint32_t q, uint32_t count) {
    assert(count > s->online->places.data[q].base);
    if (s->online->options.singly || hd_predicate_online_between(s->online, q, count) ||
        hd_predicate_online_between(s->online, q, count - 1))
        return true;
    if (s->online->options.loset && hd_predicate_online_held(s->online, q, count) !=
                                        hd_predicate_online_held(s->online, q, count - 1))
        return true;
    if (s->online->races) {
        const struct hd_predicate_online_place *place = &s->online->places.data[q];
        const heddle_event *now = &place->accesses.data[count - place->base];
        if (hd_trace_is_access(now) || hd_trace_is_access(now - 1))
            return true;
    }
    return hd_predicate_facts_changed(&s->online->facts, q, count);
}

static uint32_t end_of_stretch(const struct search *s, uint32_t q, uint32_t count) {
    uint32_t most = s->interval->most[q];
    assert(count <= most);
    while (count < most && !begins(s, q, count + 1))
        count++;
    return count;
}

/* What is needed with thread q at a count; false if that pushes another out of its
 * stretch. */
static bool raise_needs(const struct search *s, uint32_t level, uint32_t q, uint32_t count,
                        const bool *chosen) {
    uint32_t places = s->interval->places;
    const uint32_t *low = s->low + (size_t)level * places;
    uint32_t *next = s->low + (size_t)(level + 1) * places;
    bool fits = true;
    for (uint32_t r = 0; r < places; r++) {
        uint32_t more = r == q ? count : hd_predicate_online_clock(s->online, q, count, r);
        next[r] = more > low[r] ? more : low[r];
        fits &= !chosen[r] || next[r] <= s->high[r];
    }
    assert(next[q] == count); /* no other needs more of it than it starts with */
    return fits;
}

/* Of a loset: do the locks of the thread at its count go with those of the ones that have
 * chosen, as the class wants?  In a collection they are the same everywhere. */
static bool locks_fit(const struct search *s, const uint32_t *low, uint32_t q, const bool *chosen) {
    const hd_predicate_online *online = s->online;
    enum hd_cut_class class = online->options.class;
    if (!online->options.loset || class == HD_CUT_CONSISTENT)
        return true;
    uint32_t held = hd_predicate_online_held(online, q, low[q]);
    if (!held || class == HD_CUT_LOCK_FREE)
        return !held;
    for (uint32_t r = 0; r < s->interval->places; r++)
        if (r != q && chosen[r] &&
            hd_order_sets_conflict(&online->sets, held,
                                   hd_predicate_online_held(online, r, low[r])))
            return false;
    return true;
}

/* Is the state consistent, and within the interval? */
static bool is_state(const struct search *s) {
    for (uint32_t q = 0; q < s->interval->places; q++) {
        if (s->state[q] > s->interval->most[q] || s->state[q] < s->online->places.data[q].base)
            return false;
        for (uint32_t r = 0; r < s->interval->places; r++)
            if (r != q && hd_predicate_online_clock(s->online, q, s->state[q], r) > s->state[r])
                return false;
    }
    return true;
}

/* All have chosen. */
static bool is_solution(const struct search *s, const uint32_t *low) {
    const hd_predicate_online *online = s->online;
    uint32_t places = s->interval->places;
    memcpy(s->state, low, places * sizeof *low);
    HD_COSTLY_ASSERT(is_state(s));
    s->interval->states++;
    if (!hd_predicate_holds(&online->facts, s->state))
        return false;
    if (!online->strong)
        return true;
    uint32_t *threads = HD_NEW_ARRAY(uint32_t, places + 1);
    for (uint32_t q = 0; q < places; q++)
        threads[q] = online->places.data[q].thread;
    bool strong = hd_predicate_strong_holds(online->strong, threads, s->state, places);
    free(threads);
    return strong;
}

static bool choose_counts(struct search *s, uint32_t level, bool *chosen) {
    uint32_t places = s->interval->places;
    const uint32_t *low = s->low + (size_t)level * places;
    if (level == places)
        return is_solution(s, low);
    if (level == s->interval->place) {
        memcpy(s->low + (size_t)(level + 1) * places, low, places * sizeof *low);
        return choose_counts(s, level + 1, chosen);
    }
    uint32_t base = s->online->places.data[level].base, c = low[level] > base ? low[level] : base;
    bool found = false;
    for (; c <= s->interval->most[level] && !found; c = s->high[level] + 1) {
        s->high[level] = c;
        if (hd_predicate_online_between(s->online, level, c))
            continue;
        if (!raise_needs(s, level, level, c, chosen))
            break;
        s->high[level] = end_of_stretch(s, level, c);
        assert(s->high[level] >= c && !chosen[level]);
        chosen[level] = true;
        found = locks_fit(s, s->low + (size_t)(level + 1) * places, level, chosen) &&
                choose_counts(s, level + 1, chosen);
        chosen[level] = false;
    }
    return found;
}

/* ---- Races ---- */

/* Had the variable `object` the other in it, when event `number` came? */
static bool was_part(const hd_predicate_online *online, uint32_t object, uint32_t other,
                     uint32_t number) {
    while (other < online->parts.length && online->parts.data[other].since > number) {
        assert(online->parts.data[other].whole != other);
        other = online->parts.data[other].whole;
        if (other == object)
            return true;
    }
    return false;
}

static bool accesses_collide(const hd_predicate_online *online, const heddle_event *a,
                             uint32_t a_number, const heddle_event *b, uint32_t b_number) {
    return hd_trace_may_race(a, b) &&
           (a->object == b->object || was_part(online, a->object, b->object, a_number) ||
            was_part(online, b->object, a->object, b_number));
}

static uint32_t number_at(const hd_predicate_online *online, uint32_t place, uint32_t count) {
    const struct hd_predicate_online_place *p = &online->places.data[place];
    assert(count >= p->base && count - p->base < p->events.length);
    return p->events.data[count - p->base];
}

static const heddle_event *access_at(const hd_predicate_online *online, uint32_t place,
                                     uint32_t count) {
    const struct hd_predicate_online_place *p = &online->places.data[place];
    assert(count >= p->base && count - p->base < p->accesses.length);
    const heddle_event *event = &p->accesses.data[count - p->base];
    return hd_trace_is_access(event) && !hd_trace_is_exempt(event) ? event : NULL;
}

bool hd_predicate_online_race(void *context, const uint32_t *state, bool initialisation) {
    const hd_predicate_online *online = context;
    (void)initialisation; /* one that was ordered by the run is not concurrent in the poset */
    for (uint32_t p = 0; p < online->places.length; p++) {
        const heddle_event *a = access_at(online, p, state[p]);
        for (uint32_t q = p + 1; a && q < online->places.length; q++) {
            const heddle_event *b = access_at(online, q, state[q]);
            if (b &&
                accesses_collide(online, a, number_at(online, p, state[p]), b,
                                 number_at(online, q, state[q])) &&
                hd_predicate_online_clock(online, p, state[p], q) < state[q] &&
                hd_predicate_online_clock(online, q, state[q], p) < state[p])
                return true;
        }
    }
    return false;
}

/* The accesses of a variable by a thread; made if none exists yet. */
static struct hd_predicate_accesses *accesses_of(hd_predicate_online *online, uint32_t variable,
                                                 uint32_t place) {
    while (online->seen.length <= variable)
        hd_vec_resize(&online->seen, online->seen.length + 1);
    for (size_t i = 0; i < online->seen.data[variable].length; i++)
        if (online->seen.data[variable].data[i].place == place)
            return &online->seen.data[variable].data[i];
    hd_vec_push(&online->seen.data[variable], (struct hd_predicate_accesses){.place = place});
    return hd_vec_last(&online->seen.data[variable]);
}

bool hd_predicate_online_collect(hd_predicate_online *online, uint32_t place, uint32_t count,
                                 const heddle_event *event) {
    struct hd_predicate_accesses *accesses = accesses_of(online, event->object, place);
    /* Others that hear of one access of a collection hear of all that are before it, and of
     * none after: so it ends where the thread tells others, too. */
    uint64_t row = hd_predicate_online_row(online, place) + online->places.data[place].told;
    bool writes = hd_trace_writes(event);
    bool atomic = (hd_trace_traits(event) & HEDDLE_T_ATOMIC) != 0;
    for (size_t i = accesses->list.length; i-- > 0 && accesses->list.data[i].row == row;) {
        const struct hd_predicate_access *access = &accesses->list.data[i];
        if ((access->writes || !writes) && (!access->atomic || atomic))
            return false;
    }
    assert(!accesses->list.length || hd_vec_last(&accesses->list)->count < count);
    hd_vec_push(&accesses->list, (struct hd_predicate_access){count, row, writes, atomic});
    return true;
}

/* The join of two clocks, with steps that are begun ended, is a state with both; and with what is
 * forgotten, which all have. */
static void join_clocks(struct search *s, uint32_t place, uint32_t count) {
    const hd_predicate_online *online = s->online;
    const struct hd_predicate_interval *interval = s->interval;
    for (uint32_t q = 0; q < interval->places; q++) {
        uint32_t x = hd_predicate_online_clock(online, place, count, q);
        uint32_t y = hd_predicate_online_clock(online, interval->place, interval->count, q);
        uint32_t base = online->places.data[q].base;
        x = x > base ? x : base;
        s->state[q] = x > y ? x : y;
        s->state[q] += hd_predicate_online_between(online, q, s->state[q]); /* the wait, too */
    }
    s->state[interval->place] = interval->count;
    s->state[place] = count;
}

/* A new access against those of another thread, from the last one back as far as it has
 * not heard of them. */
static bool search_accesses(struct search *s, const struct hd_predicate_accesses *accesses,
                            const heddle_event *event) {
    const hd_predicate_online *online = s->online;
    struct hd_predicate_interval *interval = s->interval;
    uint32_t q = accesses->place;
    if (q == interval->place || q >= interval->places)
        return false;
    uint32_t heard = hd_predicate_online_clock(online, interval->place, interval->count, q);
    uint32_t base = online->places.data[q].base;
    for (size_t i = accesses->list.length; i-- > 0;) {
        const struct hd_predicate_access *a = &accesses->list.data[i];
        if (a->count <= heard || a->count < base)
            break;
        interval->states++;
        if (a->count <= interval->most[q] && (a->writes || hd_trace_writes(event)) &&
            !(a->atomic && (hd_trace_traits(event) & HEDDLE_T_ATOMIC))) {
            join_clocks(s, q, a->count);
            HD_COSTLY_ASSERT(is_state(s));
            return true;
        }
    }
    return false;
}

static bool search_race(struct search *s) {
    const hd_predicate_online *online = s->online;
    const heddle_event *event = access_at(online, s->interval->place, s->interval->count);
    if (!event || event->object >= online->seen.length)
        return false;
    for (size_t i = 0; i < online->seen.data[event->object].length; i++)
        if (search_accesses(s, &online->seen.data[event->object].data[i], event))
            return true;
    return false;
}

static bool search_all(struct search *s) {
    const hd_predicate_online *online = s->online;
    struct hd_predicate_interval *interval = s->interval;
    uint32_t places = interval->places, all = (uint32_t)online->places.length;
    s->low = HD_NEW_ARRAY(uint32_t, (size_t)places * (places + 2) + 1);
    s->high = s->low + (size_t)places * (places + 1);
    bool *chosen = HD_NEW_ARRAY(bool, places + 1);
    for (uint32_t q = 0; q < places; q++)
        s->low[q] = hd_predicate_online_clock(online, interval->place, interval->count, q);
    s->low[interval->place] = s->high[interval->place] = interval->count;
    chosen[interval->place] = true;
    bool found = locks_fit(s, s->low, interval->place, chosen) && choose_counts(s, 0, chosen);
    if (!found && interval->event == 1) { /* the empty state belongs to the first */
        memset(s->state, 0, all * sizeof *s->state);
        interval->states++;
        found = hd_predicate_holds(&online->facts, s->state);
    }
    free(s->low);
    free(chosen);
    return found;
}

void hd_predicate_online_search(const hd_predicate_online *online,
                                struct hd_predicate_interval *interval) {
    enum { FEW = 64 };
    uint32_t few[FEW] = {0}, all = (uint32_t)online->places.length;
    uint32_t *many = all > FEW ? HD_NEW_ARRAY(uint32_t, all) : NULL;
    struct search s = {.online = online, .interval = interval, .state = many ? many : few};
    interval->found = online->race_alone ? search_race(&s) : search_all(&s);
    if (interval->found)
        memcpy(interval->most, s.state, interval->places * sizeof *s.state);
    free(many);
}
