#include "predicate_least.h"

#include <string.h>

bool hd_predicate_less(const hd_cut_space *space, const uint32_t *a, const uint32_t *b) {
    uint64_t x = 0, y = 0;
    for (uint32_t p = 0; p < space->threads; p++) {
        x += a[p];
        y += b[p];
    }
    if (x != y)
        return x < y;
    for (uint32_t p = 0; p < space->threads; p++)
        if (a[p] != b[p])
            return a[p] < b[p];
    return false;
}

/* ---- Conjunctive, linear ---- */

/* The thread goes on to a count, with what that needs. */
static void raise_to(const hd_cut_space *space, uint32_t *state, uint32_t place, uint32_t count) {
    const uint32_t *low = hd_cut_low(space, place, count);
    assert(count > state[place]);
    for (uint32_t q = 0; q < space->threads; q++)
        state[q] = low[q] > state[q] ? low[q] : state[q];
    state[place] = count;
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(space, state));
}

/* The first allowed count from this one on; past the end if none exists. */
static uint32_t next_allowed(const hd_cut_space *space, const hd_bits *allowed, uint32_t place,
                             uint32_t count) {
    size_t end = space->start[place] + space->length[place] + 1;
    size_t found = hd_bits_next(allowed, space->start[place] + count);
    assert(found >= space->start[place] + count);
    return (uint32_t)((found < end ? found : end) - space->start[place]);
}

/* For assertions: is it a state in which every thread is at a count that is allowed? */
HD_ASSERT_ONLY static bool is_solution(const hd_cut_space *space, const hd_bits *allowed,
                                       const uint32_t *state) {
    for (uint32_t p = 0; p < space->threads; p++)
        if (!hd_bits_has(allowed, space->start[p] + state[p]))
            return false;
    return hd_cut_consistent(space, state);
}

static bool raise_local(const hd_cut_space *space, const hd_bits *allowed, uint32_t *state) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = 0; p < space->threads; p++) {
            uint32_t count = next_allowed(space, allowed, p, state[p]);
            if (count > space->length[p])
                return false;
            if (count != state[p]) {
                raise_to(space, state, p, count);
                changed = true;
            }
        }
    }
    HD_COSTLY_ASSERT(is_solution(space, allowed, state));
    return true;
}

static int64_t sum_at(const hd_cut_space *space, const hd_predicate_sum *sum,
                      const uint32_t *state) {
    int64_t total = 0;
    for (uint32_t p = 0; p < space->threads; p++)
        total += sum->value[space->start[p] + state[p]];
    return total;
}

/* False if the sum is too small for ever; *changed if its thread went on. */
static bool raise_sum(const hd_cut_space *space, const hd_predicate_sum *sum, uint32_t *state,
                      bool *changed) {
    while (sum_at(space, sum, state) < sum->least) {
        uint32_t p = sum->mover;
        assert(sum->rising == (p != HD_PREDICATE_NONE)); /* it is linear */
        if (p == HD_PREDICATE_NONE || state[p] == space->length[p])
            return false;
        raise_to(space, state, p, state[p] + 1);
        *changed = true;
    }
    return true;
}

/* Are the linear sums of the term large enough? */
HD_ASSERT_ONLY static bool sums_suffice(const hd_predicate_form *form,
                                        const hd_predicate_term *term, const uint32_t *state) {
    for (size_t i = 0; i < term->sums.length; i++) {
        const hd_predicate_sum *sum = &form->sums.data[term->sums.data[i]];
        if (hd_predicate_sum_linear(sum) && sum_at(&form->instance->space, sum, state) < sum->least)
            return false;
    }
    return true;
}

bool hd_predicate_least(const hd_predicate_form *form, const hd_predicate_term *term,
                        uint32_t *state) {
    const hd_cut_space *space = &form->instance->space;
    for (bool changed = true; changed;) {
        changed = false;
        if (!raise_local(space, &term->allowed, state))
            return false;
        for (size_t i = 0; i < term->sums.length; i++) {
            const hd_predicate_sum *sum = &form->sums.data[term->sums.data[i]];
            if (hd_predicate_sum_linear(sum) && !raise_sum(space, sum, state, &changed))
                return false;
        }
    }
    assert(sums_suffice(form, term, state));
    HD_COSTLY_ASSERT(is_solution(space, &term->allowed, state));
    return true;
}

/* ---- Races ---- */

struct races {
    const hd_predicate_form *form;
    const hd_cut_space *space;
    const hd_predicate_term *term; /* allows whole steps */
    bool initialisation, found;
    uint32_t *best, *now;
    uint64_t pairs;
    /* The accesses of the variable at hand, by place. */
    HD_VEC(uint32_t) * counts;
};

static void try_pair(struct races *r, uint32_t p, uint32_t c, uint32_t q, uint32_t d) {
    const hd_cut_space *space = r->space;
    const uint32_t *a = hd_cut_low(space, p, c), *b = hd_cut_low(space, q, d);
    for (uint32_t i = 0; i < space->threads; i++)
        r->now[i] = a[i] > b[i] ? a[i] : b[i];
    assert(p != q && a[q] < d && b[p] < c); /* neither has heard of the other */
    r->now[p] = c;
    r->now[q] = d;
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(space, r->now));
    if (r->found && !hd_predicate_less(space, r->now, r->best))
        return;
    if (!raise_local(space, &r->term->allowed, r->now) || r->now[p] != c || r->now[q] != d)
        return;
    if (!r->found || hd_predicate_less(space, r->now, r->best))
        memcpy(r->best, r->now, space->threads * sizeof *r->best);
    r->found = true;
}

/* The first access of q after what p has seen of it that collides has the least
 * state; those after it more. */
static void try_access(struct races *r, uint32_t p, uint32_t c, uint32_t q) {
    const hd_cut_space *space = r->space;
    uint32_t seen = hd_cut_low(space, p, c)[q];
    size_t from = 0, to = r->counts[q].length;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (r->counts[q].data[middle] <= seen)
            from = middle + 1;
        else
            to = middle;
    }
    assert(from == 0 || r->counts[q].data[from - 1] <= seen);
    for (size_t i = from; i < r->counts[q].length; i++) {
        assert(i == from || r->counts[q].data[i - 1] < r->counts[q].data[i]);
        uint32_t d = r->counts[q].data[i];
        if (hd_cut_low(space, q, d)[p] >= c)
            return;
        r->pairs++;
        if (hd_predicate_collide(r->form->instance, hd_cut_event(space, p, c),
                                 hd_cut_event(space, q, d), r->initialisation)) {
            try_pair(r, p, c, q, d);
            if (!r->form->instance->cut_steps)
                return;
        }
    }
}

static void try_variable(struct races *r, const uint32_t *accesses, uint32_t count) {
    const hd_predicate_instance *instance = r->form->instance;
    uint32_t threads = r->space->threads;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = instance->place_of[hd_order_thread_of(instance->order, accesses[i])];
        hd_vec_push(&r->counts[place], instance->order->index.position[accesses[i]]);
    }
    for (uint32_t p = 0; p < threads; p++)
        for (uint32_t q = p + 1; q < threads; q++)
            for (size_t i = 0; r->counts[q].length && i < r->counts[p].length; i++)
                try_access(r, p, r->counts[p].data[i], q);
    for (uint32_t p = 0; p < threads; p++)
        hd_vec_clear(&r->counts[p]);
}

bool hd_predicate_least_race(const hd_predicate_form *form, bool initialisation, uint32_t *state,
                             uint64_t *pairs) {
    const hd_trace_lists *variables = &form->instance->order->index.variables;
    struct races r = {.form = form,
                      .space = &form->instance->space,
                      .term = &form->terms.data[0],
                      .initialisation = initialisation,
                      .best = state};
    r.now = HD_NEW_ARRAY(uint32_t, r.space->stride + 1);
    r.counts = hd_mem_zero(r.space->threads + 1, sizeof *r.counts);
    for (size_t i = 0; i < form->terms.length; i++)
        if (form->terms.data[i].races && !form->terms.data[i].local)
            r.term = &form->terms.data[i];
    for (uint32_t v = 0; v < variables->count; v++)
        try_variable(&r, hd_trace_list(variables, v), hd_trace_list_length(variables, v));
    for (uint32_t p = 0; p < r.space->threads; p++)
        hd_vec_release(&r.counts[p]);
    free(r.counts);
    free(r.now);
    *pairs = r.pairs;
    return r.found;
}

/* ---- Slices ---- */

/* The last allowed count up to this one; false if none exists. */
static bool previous_allowed(const hd_cut_space *space, const hd_bits *allowed, uint32_t place,
                             uint32_t *count) {
    while (!hd_bits_has(allowed, space->start[place] + *count)) {
        if (!*count)
            return false;
        --*count;
    }
    return true;
}

static void lower_to(const hd_cut_space *space, uint32_t *state, uint32_t place, uint32_t count) {
    const uint32_t *high = hd_cut_high(space, place, count);
    assert(count <= state[place]);
    for (uint32_t q = 0; q < space->threads; q++)
        state[q] = high[q] < state[q] ? high[q] : state[q];
    state[place] = count;
}

static bool lower_local(const hd_cut_space *space, const hd_bits *allowed, uint32_t *state) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = 0; p < space->threads; p++) {
            uint32_t count = state[p];
            if (!previous_allowed(space, allowed, p, &count))
                return false;
            if (count != state[p]) {
                lower_to(space, state, p, count);
                changed = true;
            }
        }
    }
    HD_COSTLY_ASSERT(is_solution(space, allowed, state));
    return true;
}

/* Rows of one thread: the least solution with at least so many events of it, from
 * one count to the next; and the greatest with at most so many, back. */
static void make_rows(hd_predicate_slice *slice, const hd_cut_space *space, const hd_bits *allowed,
                      uint32_t place, uint32_t *now) {
    size_t stride = space->stride, bytes = stride * sizeof *now;
    memcpy(now, slice->least, bytes);
    for (uint32_t c = slice->least[place]; c <= slice->most[place]; c++) {
        if (now[place] < c)
            raise_to(space, now, place, c);
        bool good = raise_local(space, allowed, now);
        assert(good); /* the greatest solution is one */
        assert(now[place] >= c && now[place] <= slice->most[place]);
        (void)good;
        memcpy(slice->low + (space->start[place] + c) * stride, now, bytes);
    }
    memcpy(now, slice->most, bytes);
    for (uint32_t c = slice->most[place] + 1; c-- > slice->least[place];) {
        if (now[place] > c)
            lower_to(space, now, place, c);
        bool good = lower_local(space, allowed, now);
        assert(good);
        assert(now[place] <= c && now[place] >= slice->least[place]);
        (void)good;
        memcpy(slice->high + (space->start[place] + c) * stride, now, bytes);
    }
}

HD_ASSERT_ONLY static bool lies_below(const hd_cut_space *space, const uint32_t *below,
                                      const uint32_t *state) {
    for (uint32_t p = 0; p < space->threads; p++)
        if (below[p] > state[p])
            return false;
    return true;
}

void hd_predicate_slice_init(hd_predicate_slice *slice, const hd_predicate_form *form,
                             const hd_predicate_term *term, size_t memory) {
    const hd_cut_space *space = &form->instance->space;
    size_t positions = space->start[space->threads], row = space->stride * sizeof(uint32_t);
    *slice = (hd_predicate_slice){0};
    slice->least = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    slice->most = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    memcpy(slice->most, space->length, row);
    slice->empty = !raise_local(space, &term->allowed, slice->least) ||
                   !lower_local(space, &term->allowed, slice->most);
    assert(slice->empty || lies_below(space, slice->least, slice->most));
    bool wanted = term->local || form->instance->cut_steps;
    if (slice->empty || !wanted || memory / (2 * row + 1) < positions)
        return;
    slice->low = HD_NEW_ARRAY(uint32_t, positions * space->stride + 1);
    slice->high = HD_NEW_ARRAY(uint32_t, positions * space->stride + 1);
    uint32_t *now = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    for (uint32_t p = 0; p < space->threads; p++)
        make_rows(slice, space, &term->allowed, p, now);
    free(now);
}

void hd_predicate_slice_release(hd_predicate_slice *slice) {
    free(slice->low);
    free(slice->high);
    free(slice->least);
    free(slice->most);
    *slice = (hd_predicate_slice){0};
}
