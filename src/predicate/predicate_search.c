#include "predicate_search.h"

#include <string.h>

enum { BLOCK = 64, LOOK_UP_EVERY = 1 << 14 };

struct bound {
    const hd_predicate_sum *sum;
    int64_t *most;    /* [position / BLOCK] */
    int64_t *partial; /* [level]: of the threads fixed */
};

struct search {
    const hd_predicate_form *form;
    const hd_predicate_instance *instance;
    const hd_cut_space *space;
    const hd_predicate_term *term;
    const hd_predicate_slice *slice;
    hd_predicate_control *control;
    struct bound *bounds;
    size_t bound_count;
    uint32_t *low, *high; /* [level * stride] */
    uint32_t *state, *best;
    uint64_t best_events;
    bool found;
    unsigned ticks;
};

static const uint32_t *low_row(const struct search *s, uint32_t place, uint32_t count) {
    if (s->slice->low)
        return s->slice->low + (s->space->start[place] + count) * s->space->stride;
    return hd_cut_low(s->space, place, count);
}

static const uint32_t *high_row(const struct search *s, uint32_t place, uint32_t count) {
    if (s->slice->high)
        return s->slice->high + (s->space->start[place] + count) * s->space->stride;
    return hd_cut_high(s->space, place, count);
}

/* Is the count in some solution of the local conditions? */
static bool is_open(const struct search *s, uint32_t place, uint32_t count) {
    if (!hd_bits_has(&s->term->allowed, s->space->start[place] + count))
        return false;
    return !s->slice->low || low_row(s, place, count)[place] == count;
}

/* ---- Sums ---- */

static int64_t most_in(const struct bound *bound, size_t from, size_t to) {
    int64_t most = bound->sum->value[from];
    assert(from <= to);
    while (from <= to) {
        bool whole = from % BLOCK == 0 && from + BLOCK - 1 <= to;
        int64_t value = whole ? bound->most[from / BLOCK] : bound->sum->value[from];
        most = value > most ? value : most;
        from += whole ? BLOCK : 1;
    }
    assert(from == to + 1);
    return most;
}

static bool sums_can_do(const struct search *s, uint32_t level, const uint32_t *low,
                        const uint32_t *high) {
    for (size_t i = 0; i < s->bound_count; i++) {
        int64_t sum = s->bounds[i].partial[level];
        for (uint32_t q = level; q < s->space->threads; q++)
            sum +=
                most_in(&s->bounds[i], s->space->start[q] + low[q], s->space->start[q] + high[q]);
        if (sum < s->bounds[i].sum->least)
            return false;
    }
    return true;
}

static void fix_count(struct search *s, uint32_t level, uint32_t count) {
    s->state[level] = count;
    for (size_t i = 0; i < s->bound_count; i++)
        s->bounds[i].partial[level + 1] =
            s->bounds[i].partial[level] + s->bounds[i].sum->value[s->space->start[level] + count];
}

static void start_bounds(struct search *s) {
    size_t positions = s->space->start[s->space->threads];
    s->bound_count = s->term->sums.length;
    s->bounds = HD_NEW_ARRAY(struct bound, s->bound_count + 1);
    for (size_t i = 0; i < s->bound_count; i++) {
        struct bound *bound = &s->bounds[i];
        bound->sum = &s->form->sums.data[s->term->sums.data[i]];
        bound->partial = HD_NEW_ARRAY(int64_t, s->space->threads + 1);
        bound->most = HD_NEW_ARRAY(int64_t, positions / BLOCK + 1);
        for (size_t at = 0; at < positions; at++)
            if (at % BLOCK == 0 || bound->sum->value[at] > bound->most[at / BLOCK])
                bound->most[at / BLOCK] = bound->sum->value[at];
    }
}

/* ---- The way down ---- */

HD_ASSERT_ONLY static uint64_t events_of(const hd_cut_space *space, const uint32_t *state) {
    uint64_t events = 0;
    for (uint32_t p = 0; p < space->threads; p++)
        events += state[p];
    return events;
}

static void try_state(struct search *s, uint64_t events) {
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(s->space, s->state));
    assert(!s->found || events < s->best_events);
    assert(events == events_of(s->space, s->state));
    s->control->states++;
    for (size_t i = 0; i < s->bound_count; i++)
        if (s->bounds[i].partial[s->space->threads] < s->bounds[i].sum->least)
            return;
    if ((s->term->opaque || s->term->races) && !hd_predicate_holds(&s->instance->facts, s->state))
        return;
    s->found = true;
    s->best_events = events;
    memcpy(s->best, s->state, s->space->threads * sizeof *s->best);
}

static bool search_tick(struct search *s) {
    return ++s->ticks % LOOK_UP_EVERY != 0 || hd_predicate_go_on(s->control);
}

static bool search_descend(struct search *s, uint32_t level, uint64_t events) {
    uint32_t threads = s->space->threads, stride = s->space->stride;
    if (level == threads) {
        try_state(s, events);
        return search_tick(s);
    }
    const uint32_t *low = s->low + (size_t)level * stride, *high = s->high + (size_t)level * stride;
    uint32_t *to_low = s->low + (size_t)(level + 1) * stride;
    uint32_t *to_high = s->high + (size_t)(level + 1) * stride;
    assert(low[level] <= high[level]);
    if (!search_tick(s))
        return false;
    if (!sums_can_do(s, level, low, high))
        return true;
    for (uint32_t count = low[level]; count <= high[level]; count++) {
        if (!is_open(s, level, count))
            continue;
        const uint32_t *below = low_row(s, level, count), *above = high_row(s, level, count);
        uint64_t least = events + count;
        bool any = true;
        for (uint32_t q = level + 1; q < threads; q++) {
            to_low[q] = below[q] > low[q] ? below[q] : low[q];
            to_high[q] = above[q] < high[q] ? above[q] : high[q];
            any &= to_low[q] <= to_high[q];
            least += to_low[q];
        }
        if (s->found && least >= s->best_events)
            return true; /* with more events of this thread all the more */
        if (!any)
            continue;
        fix_count(s, level, count);
        if (!search_descend(s, level + 1, events + count))
            return false;
    }
    return true;
}

bool hd_predicate_search(const hd_predicate_form *form, const hd_predicate_term *term,
                         const hd_predicate_slice *slice, hd_predicate_control *control,
                         uint32_t *best, bool found) {
    const hd_cut_space *space = &form->instance->space;
    struct search s = {.form = form,
                       .instance = form->instance,
                       .space = space,
                       .term = term,
                       .slice = slice,
                       .control = control,
                       .best = best,
                       .found = found};
    if (slice->empty)
        return found;
    size_t rows = (size_t)space->stride * (space->threads + 1);
    for (uint32_t p = 0; found && p < space->threads; p++)
        s.best_events += best[p];
    s.best_events += found; /* of the same size, one that is lexically less will do */
    uint32_t *before = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    memcpy(before, best, space->threads * sizeof *best);
    s.low = HD_NEW_ARRAY(uint32_t, 2 * rows + 1);
    s.high = s.low + rows;
    s.state = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    memcpy(s.low, slice->least, space->stride * sizeof *s.low);
    memcpy(s.high, slice->most, space->stride * sizeof *s.high);
    start_bounds(&s);
    search_descend(&s, 0, 0);
    if (found && hd_predicate_less(space, before, best))
        memcpy(best, before, space->threads * sizeof *best);
    HD_COSTLY_ASSERT(!s.found || hd_predicate_true(form->instance, best));
    for (size_t i = 0; i < s.bound_count; i++) {
        free(s.bounds[i].most);
        free(s.bounds[i].partial);
    }
    free(s.bounds);
    free(s.low);
    free(s.state);
    free(before);
    return s.found;
}
