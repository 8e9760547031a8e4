/*
 * The state of a run: what a step changes, and how that is undone.
 */
#include "predict_simulate.h"

#define BIT(thread) (UINT64_C(1) << (thread))

/* --- forwards and back ---------------------------------------------------------------------- */

/* A place for what is overwritten; its fields are set there, which is much faster than a copy. */
static hd_predict_old *keep_old(hd_predict_simulator *r, uint32_t what, uint32_t number) {
    hd_vec_reserve(&r->old, r->old.length + 1);
    hd_predict_old *old = &r->old.data[r->old.length++];
    old->what = what;
    old->number = number;
    return old;
}

hd_predict_cell *hd_predict_simulate_change(hd_predict_simulator *r, uint32_t number) {
    assert(number < r->cells.all.length && r->steps.length);
    hd_predict_cell *cell = &r->cells.all.data[number];
    keep_old(r, HD_PREDICT_OLD_CELL, number)->content = cell->now;
    return cell;
}

static void put_cell_back(hd_predict_simulator *r, const hd_predict_old *old) {
    hd_predict_cell *cell = &r->cells.all.data[old->number];
    if (cell->now.owner != old->content.owner) {
        assert(!cell->now.owner || r->holds[cell->now.owner - 1]);
        if (cell->now.owner)
            r->holds[cell->now.owner - 1]--;
        if (old->content.owner)
            r->holds[old->content.owner - 1]++;
    }
    cell->now = old->content;
}

void hd_predict_simulate_back(hd_predict_simulator *r, size_t steps) {
    assert(r->moments.length == r->steps.length);
    if (r->steps.length <= steps)
        return;
    r->now = r->moments.data[steps];
    assert(r->now.old <= r->old.length && r->now.nexts <= r->nexts.length);
    while (r->old.length > r->now.old) {
        const hd_predict_old *old = &r->old.data[--r->old.length];
        if (old->what == HD_PREDICT_OLD_POINT)
            r->at[old->number] = (uint32_t)old->word;
        else if (old->what == HD_PREDICT_OLD_JOINED)
            r->joined[old->number] = old->word;
        else
            put_cell_back(r, old);
    }
    r->nexts.length = r->now.nexts;
    r->steps.length = r->moments.length = steps;
    /* Nothing is held before the first step, by any thread. */
    assert(steps || (r->now.live == 1 && !r->holds[0] && !r->now.ended));
    for (int i = 0; i < HD_PREDICT_WRITTEN; i++)
        if (r->written[i].steps > steps)
            r->written[i].steps = steps;
}

void hd_predict_simulate_joined(hd_predict_simulator *r, uint32_t thread, uint64_t threads) {
    if (r->joined[thread] == threads)
        return;
    keep_old(r, HD_PREDICT_OLD_JOINED, thread)->word = r->joined[thread];
    r->joined[thread] = threads;
}

/* Operations that may have to wait, or may fail. */
static bool is_bound(enum hd_predict_deed deed) {
    switch (deed) {
    case HD_PREDICT_DEED_COMPARES:
    case HD_PREDICT_DEED_ONCE:
    case HD_PREDICT_DEED_GUARD:
    case HD_PREDICT_DEED_JOINS:
    case HD_PREDICT_DEED_LOCKS:
    case HD_PREDICT_DEED_LOCKS_TO_READ:
    case HD_PREDICT_DEED_LOCKS_TO_WRITE:
    case HD_PREDICT_DEED_TAKES:
    case HD_PREDICT_DEED_WAKES:
    case HD_PREDICT_DEED_LEAVES:
    case HD_PREDICT_DEED_NEVER:
        return true;
    default:
        return false;
    }
}

void hd_predict_simulate_arrive(hd_predict_simulator *r, uint32_t thread, uint32_t number) {
    hd_predict_moment *now = &r->now;
    uint64_t bit = BIT(thread);
    assert(thread < HD_PREDICT_THREADS && number && number < r->learnt.points.length);
    assert(r->learnt.points.data[number].next.thread == thread);
    assert(!(now->ended & bit)); /* numbers of threads are not used again in a run */
    keep_old(r, HD_PREDICT_OLD_POINT, thread)->word = r->at[thread];
    r->at[thread] = number;
    const hd_predict_point *point = &r->learnt.points.data[number];
    now->live |= bit;
    now->bound = is_bound(point->deed) || point->awaits ? now->bound | bit : now->bound & ~bit;
    if (point->deed == HD_PREDICT_DEED_OPAQUE)
        now->opaque |= bit;
    if (point->deed == HD_PREDICT_DEED_ENDS) {
        now->live &= ~bit;
        now->ended |= bit;
        now->opaque |= r->holds[thread] ? bit : 0; /* a lock whose owner died */
    }
    assert(!(now->bound & ~now->live) && !(now->live & now->ended));
    hd_vec_push(&r->nexts, point->next);
    heddle_wire_next *next = hd_vec_last(&r->nexts);
    next->joined = r->joined[thread];
    next->first = !(now->stepped & bit);
}

/* --- beginning and end ---------------------------------------------------------------------- */

static void forget_outputs(hd_predict_simulator *r) {
    for (size_t i = 0; i < r->outputs.length; i++)
        hd_vec_release(&r->outputs.data[i].first);
    hd_vec_clear(&r->outputs);
}

bool hd_predict_simulate_output(hd_predict_simulator *r, const hd_launch_log *log,
                                uint32_t *number) {
    enum { MOST_OUTPUTS = 4096 };
    *number = 0;
    if (!log->wrote)
        return true;
    while (*number < r->outputs.length && (r->outputs.data[*number].wrote != log->wrote ||
                                           r->outputs.data[*number].sum != log->sum))
        ++*number;
    if (++*number <= r->outputs.length)
        return true;
    if (r->outputs.length == MOST_OUTPUTS)
        return false;
    hd_predict_output output = {.wrote = log->wrote, .sum = log->sum};
    for (size_t i = 0; i < log->output.length; i++)
        hd_vec_push(&output.first, log->output.data[i]);
    hd_vec_push(&r->outputs, output);
    return true;
}

void hd_predict_simulate_clear(hd_predict_simulator *r) {
    hd_predict_simulate_back(r, 0);
    forget_outputs(r);
    hd_predict_learnt_clear(&r->learnt);
    hd_predict_cells_clear(&r->cells);
    hd_vec_clear(&r->looked);
    memset(r->at, 0, sizeof r->at);
    r->stale = false;
    r->now = (hd_predict_moment){.live = 1};
    r->at[0] = hd_predict_learnt_point(
        &r->learnt, &(heddle_wire_next){.operation = {.kind = HEDDLE_WIRE_START}});
}

void hd_predict_simulate_release(hd_predict_simulator *r) {
    hd_predict_learnt_release(&r->learnt);
    hd_predict_cells_release(&r->cells);
    hd_vec_release(&r->looked);
    forget_outputs(r);
    hd_vec_release(&r->outputs);
    hd_vec_release(&r->steps);
    hd_vec_release(&r->nexts);
    hd_vec_release(&r->moments);
    hd_vec_release(&r->old);
}
