/*
 * Staircases of added edges.  A step (from, to) of the pair (t1, t2) says that
 * position `from` of t1 comes before position `to` of t2; of two steps the one
 * with the later `from` and the earlier `to` says all that the other does.
 */
#include "order_chains.h"

#include <string.h>

static const hd_order_stairs *stairs_of(const hd_order_chains *chains, uint32_t from, uint32_t to) {
    return &chains->rows[from][to];
}

/* The same to change them: the thread gets a row of its own. */
static hd_order_stairs *stairs_to_change(hd_order_chains *chains, uint32_t from, uint32_t to) {
    if (chains->rows[from] == chains->none)
        chains->rows[from] = hd_mem_zero(chains->threads, sizeof **chains->rows);
    return &chains->rows[from][to];
}

void hd_order_chains_init(hd_order_chains *chains, const hd_order_space *space) {
    size_t threads = space->threads;
    *chains = (hd_order_chains){.space = space, .threads = space->threads};
    chains->rows = HD_NEW_ARRAY(hd_order_stairs *, threads + 1);
    chains->none = hd_mem_zero(threads + 1, sizeof *chains->none);
    for (size_t t = 0; t < threads; t++)
        chains->rows[t] = chains->none;
    chains->before = HD_NEW_ARRAY(uint32_t, threads + 1);
    chains->after = HD_NEW_ARRAY(uint32_t, threads + 1);
}

void hd_order_chains_release(hd_order_chains *chains) {
    size_t threads = chains->threads;
    for (size_t t = 0; t < threads; t++) {
        if (chains->rows[t] == chains->none)
            continue;
        for (size_t i = 0; i < threads; i++)
            hd_vec_release(&chains->rows[t][i]);
        free(chains->rows[t]);
    }
    free(chains->rows);
    free(chains->none);
    free(chains->before);
    free(chains->after);
    hd_vec_release(&chains->trail);
    hd_vec_release(&chains->old);
    *chains = (hd_order_chains){0};
}

/* ---- Queries ---- */

/* Index of the first step whose `from` is at least this. */
static size_t first_from(const hd_order_stairs *stairs, uint32_t from) {
    size_t low = 0, high = stairs->length;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (stairs->data[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low == 0 || stairs->data[low - 1].from < from);
    assert(low == stairs->length || stairs->data[low].from >= from);
    return low;
}

/* How many steps have a `to` that is at most this. */
static size_t count_to(const hd_order_stairs *stairs, uint32_t to) {
    size_t low = 0, high = stairs->length;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (stairs->data[middle].to <= to)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low == 0 || stairs->data[low - 1].to <= to);
    assert(low == stairs->length || stairs->data[low].to > to);
    return low;
}

uint32_t hd_order_chains_after(const hd_order_chains *chains, uint32_t event, uint32_t thread) {
    hd_order_point point = hd_order_chains_point(chains, event);
    return hd_order_point_after(chains, &point, thread);
}

uint32_t hd_order_chains_before(const hd_order_chains *chains, uint32_t event, uint32_t thread) {
    hd_order_point point = hd_order_chains_point(chains, event);
    return hd_order_point_before(chains, &point, thread);
}

uint32_t hd_order_chains_next(const hd_order_chains *chains, uint32_t thread, uint32_t position) {
    uint32_t next = UINT32_MAX;
    for (uint32_t from = 0; from < chains->space->threads; from++) {
        const hd_order_stairs *stairs = stairs_of(chains, from, thread);
        if (!stairs->length)
            continue;
        size_t count = count_to(stairs, position);
        if (count < stairs->length && stairs->data[count].to < next)
            next = stairs->data[count].to;
    }
    assert(next > position);
    return next;
}

/* ---- Changes ---- */

/* Puts the step at index `at` in place of `removed` steps there. */
static void replace_steps(hd_order_stairs *stairs, size_t at, size_t removed,
                          const hd_order_step *steps, size_t count) {
    assert(at + removed <= stairs->length);
    hd_vec_reserve(stairs, stairs->length + count);
    memmove(stairs->data + at + count, stairs->data + at + removed,
            (stairs->length - at - removed) * sizeof *stairs->data);
    for (size_t i = 0; i < count; i++)
        stairs->data[at + i] = steps[i];
    stairs->length = stairs->length - removed + count;
}

/* Does this step lie strictly after the one before it, at both ends? */
HD_ASSERT_ONLY static bool rises_at(const hd_order_stairs *stairs, size_t at) {
    if (at == 0 || at >= stairs->length)
        return true;
    const hd_order_step *step = &stairs->data[at];
    return step[-1].from < step->from && step[-1].to < step->to;
}

/* Do all staircases rise, and have they the steps that the trail put in and did not take out? */
HD_ASSERT_ONLY static bool stairs_match_trail(const hd_order_chains *chains) {
    size_t steps = 0;
    for (size_t pair = 0; pair < (size_t)chains->threads * chains->threads; pair++) {
        const hd_order_stairs *stairs =
            &chains->rows[pair / chains->threads][pair % chains->threads];
        for (size_t i = 1; i < stairs->length; i++)
            if (!rises_at(stairs, i))
                return false;
        steps += stairs->length;
    }
    return steps + chains->old.length == chains->trail.length;
}

static void add_step(hd_order_chains *chains, uint32_t t1, uint32_t t2, hd_order_step step) {
    hd_order_stairs *stairs = stairs_to_change(chains, t1, t2);
    size_t at = first_from(stairs, step.from);
    if (at < stairs->length && stairs->data[at].to <= step.to)
        return; /* known */
    /* Steps at or before `from` that lead no earlier, and one at the same `from`. */
    size_t end = at + (at < stairs->length && stairs->data[at].from == step.from);
    while (at > 0 && stairs->data[at - 1].to >= step.to)
        at--;
    for (size_t i = at; i < end; i++)
        hd_vec_push(&chains->old, stairs->data[i]);
    hd_vec_push(&chains->trail, (struct hd_order_undo){.pair = t1 * chains->threads + t2,
                                                       .at = (uint32_t)at,
                                                       .removed = (uint32_t)(end - at)});
    replace_steps(stairs, at, end - at, &step, 1);
    assert(rises_at(stairs, at) && rises_at(stairs, at + 1));
}

void hd_order_chains_undo(hd_order_chains *chains, size_t trail) {
    assert(trail <= chains->trail.length);
    while (chains->trail.length > trail) {
        struct hd_order_undo undo = hd_vec_pop(&chains->trail);
        hd_order_stairs *stairs =
            &chains->rows[undo.pair / chains->threads][undo.pair % chains->threads];
        assert(undo.at < stairs->length && undo.removed <= chains->old.length);
        chains->old.length -= undo.removed;
        replace_steps(stairs, undo.at, 1, chains->old.data + chains->old.length, undo.removed);
        assert(rises_at(stairs, undo.at) && rises_at(stairs, undo.at + undo.removed));
    }
    assert(trail || !chains->old.length);
    HD_COSTLY_ASSERT(stairs_match_trail(chains));
}

/* A pair that the trace itself has in this order needs no step. */
static bool is_fixed(const hd_order_space *space, uint32_t t1, uint32_t from, uint32_t t2,
                     uint32_t to) {
    return hd_order_clocks_row(&space->need, hd_order_event_at(space, t2, to))[t1] >= from;
}

void hd_order_chains_add(hd_order_chains *chains, uint32_t a, uint32_t b) {
    const hd_order_space *space = chains->space;
    uint32_t threads = space->threads;
    uint32_t from = hd_order_event(space, a)->thread, to = hd_order_event(space, b)->thread;
    assert(!hd_order_chains_reach(chains, b, a));
    if (hd_order_chains_reach(chains, a, b))
        return;
    hd_order_point one = hd_order_chains_point(chains, a), other = hd_order_chains_point(chains, b);
    /* What comes before b anyway leads nowhere new, nor does what comes after a to. */
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t before = t == from ? one.position : hd_order_point_before(chains, &one, t);
        uint32_t after = t == to ? other.position : hd_order_point_after(chains, &other, t);
        bool leads = hd_order_point_before(chains, &other, t) < before;
        bool follows = hd_order_point_after(chains, &one, t) > after;
        chains->before[t] = leads ? before : 0;
        chains->after[t] = follows ? after : UINT32_MAX;
    }
    for (uint32_t t1 = 0; t1 < threads; t1++) {
        if (!chains->before[t1])
            continue;
        for (uint32_t t2 = 0; t2 < threads; t2++) {
            if (t1 == t2 || chains->after[t2] > hd_order_space_length(space, t2) ||
                is_fixed(space, t1, chains->before[t1], t2, chains->after[t2]))
                continue;
            add_step(chains, t1, t2, (hd_order_step){chains->before[t1], chains->after[t2]});
        }
    }
    assert(hd_order_chains_reach(chains, a, b) && !hd_order_chains_reach(chains, b, a));
    HD_COSTLY_ASSERT(stairs_match_trail(chains));
    chains->work += 48 * (uint64_t)threads;
}
