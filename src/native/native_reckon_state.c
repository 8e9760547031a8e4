/*
 * How a run stands: what changes with a step, and is put back.
 */
#include "native_reckon.h"

#define BIT(thread) (UINT64_C(1) << (thread))

/* --- forwards and back ---------------------------------------------------------------------- */

static void keep(hd_native_reckoner *r, hd_native_old old) {
    hd_vec_push(&r->old, old);
}

hd_native_cell *hd_native_reckon_change(hd_native_reckoner *r, uint32_t number) {
    hd_native_cell *cell = &r->cells.all.data[number];
    keep(r, (hd_native_old){.what = HD_NATIVE_OLD_CELL, .number = number, .content = cell->now});
    return cell;
}

static void put_cell_back(hd_native_reckoner *r, const hd_native_old *old) {
    hd_native_cell *cell = &r->cells.all.data[old->number];
    if (cell->now.owner != old->content.owner) {
        if (cell->now.owner)
            r->holds[cell->now.owner - 1]--;
        if (old->content.owner)
            r->holds[old->content.owner - 1]++;
    }
    cell->now = old->content;
}

void hd_native_reckon_back(hd_native_reckoner *r, size_t steps) {
    if (r->steps.length <= steps)
        return;
    r->now = r->moments.data[steps];
    while (r->old.length > r->now.old) {
        const hd_native_old *old = &r->old.data[--r->old.length];
        if (old->what == HD_NATIVE_OLD_POINT)
            r->at[old->number] = (uint32_t)old->word;
        else if (old->what == HD_NATIVE_OLD_JOINED)
            r->joined[old->number] = old->word;
        else
            put_cell_back(r, old);
    }
    r->nexts.length = r->now.nexts;
    r->steps.length = r->moments.length = steps;
}

void hd_native_reckon_joined(hd_native_reckoner *r, uint32_t thread, uint64_t threads) {
    if (r->joined[thread] == threads)
        return;
    keep(r, (hd_native_old){
                .what = HD_NATIVE_OLD_JOINED, .number = thread, .word = r->joined[thread]});
    r->joined[thread] = threads;
}

/* Operations that may have to wait, or may fail. */
static bool is_bound(enum hd_native_deed deed) {
    switch (deed) {
    case HD_NATIVE_DEED_COMPARES:
    case HD_NATIVE_DEED_ONCE:
    case HD_NATIVE_DEED_GUARD:
    case HD_NATIVE_DEED_JOINS:
    case HD_NATIVE_DEED_LOCKS:
    case HD_NATIVE_DEED_LOCKS_TO_READ:
    case HD_NATIVE_DEED_LOCKS_TO_WRITE:
    case HD_NATIVE_DEED_TAKES:
    case HD_NATIVE_DEED_WAKES:
    case HD_NATIVE_DEED_LEAVES:
        return true;
    default:
        return false;
    }
}

void hd_native_reckon_arrive(hd_native_reckoner *r, uint32_t thread, uint32_t number) {
    hd_native_moment *now = &r->now;
    uint64_t bit = BIT(thread);
    keep(r, (hd_native_old){.what = HD_NATIVE_OLD_POINT, .number = thread, .word = r->at[thread]});
    r->at[thread] = number;
    const hd_native_point *point = &r->learnt.points.data[number];
    now->live |= bit;
    now->bound = is_bound(point->deed) ? now->bound | bit : now->bound & ~bit;
    if (point->deed == HD_NATIVE_DEED_OPAQUE)
        now->opaque |= bit;
    if (point->deed == HD_NATIVE_DEED_ENDS) {
        now->live &= ~bit;
        now->ended |= bit;
        now->opaque |= r->holds[thread] ? bit : 0; /* a lock whose owner died */
    }
    heddle_wire_next next = point->next;
    next.joined = r->joined[thread];
    next.first = !(now->stepped & bit);
    hd_vec_push(&r->nexts, next);
}

/* --- beginning and end ---------------------------------------------------------------------- */

static void forget_outputs(hd_native_reckoner *r) {
    for (size_t i = 0; i < r->outputs.length; i++)
        hd_vec_release(&r->outputs.data[i].first);
    hd_vec_clear(&r->outputs);
}

bool hd_native_reckon_output(hd_native_reckoner *r, const hd_native_log *log, uint32_t *number) {
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
    hd_native_output output = {.wrote = log->wrote, .sum = log->sum};
    for (size_t i = 0; i < log->output.length; i++)
        hd_vec_push(&output.first, log->output.data[i]);
    hd_vec_push(&r->outputs, output);
    return true;
}

void hd_native_reckon_clear(hd_native_reckoner *r) {
    hd_native_reckon_back(r, 0);
    forget_outputs(r);
    hd_native_learnt_clear(&r->learnt);
    hd_native_cells_clear(&r->cells);
    hd_vec_clear(&r->looked);
    memset(r->at, 0, sizeof r->at);
    r->now = (hd_native_moment){.live = 1};
    r->at[0] = hd_native_learnt_point(
        &r->learnt, &(heddle_wire_next){.operation = {.kind = HEDDLE_WIRE_START}});
}

void hd_native_reckon_release(hd_native_reckoner *r) {
    hd_native_learnt_release(&r->learnt);
    hd_native_cells_release(&r->cells);
    hd_vec_release(&r->looked);
    forget_outputs(r);
    hd_vec_release(&r->outputs);
    hd_vec_release(&r->steps);
    hd_vec_release(&r->nexts);
    hd_vec_release(&r->moments);
    hd_vec_release(&r->old);
}
