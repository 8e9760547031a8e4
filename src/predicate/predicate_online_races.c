/*
 * Races while a trace grows.
 */
#include "predicate_online_search.h"

/* Is the state consistent, and within the interval? */
bool hd_predicate_online_is_state(const struct hd_predicate_online_search *s) {
    for (uint32_t q = 0; q < s->interval->places; q++) {
        if (s->state[q] > s->interval->most[q] || s->state[q] < s->online->places.data[q].base)
            return false;
        for (uint32_t r = 0; r < s->interval->places; r++)
            if (r != q && hd_predicate_online_clock(s->online, q, s->state[q], r) > s->state[r])
                return false;
    }
    return true;
}

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
static void join_clocks(struct hd_predicate_online_search *s, uint32_t place, uint32_t count) {
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
static bool search_accesses(struct hd_predicate_online_search *s,
                            const struct hd_predicate_accesses *accesses,
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
            HD_COSTLY_ASSERT(hd_predicate_online_is_state(s));
            return true;
        }
    }
    return false;
}

bool hd_predicate_online_search_race(struct hd_predicate_online_search *s) {
    const hd_predicate_online *online = s->online;
    const heddle_event *event = access_at(online, s->interval->place, s->interval->count);
    if (!event || event->object >= online->seen.length)
        return false;
    for (size_t i = 0; i < online->seen.data[event->object].length; i++)
        if (search_accesses(s, &online->seen.data[event->object].data[i], event))
            return true;
    return false;
}
