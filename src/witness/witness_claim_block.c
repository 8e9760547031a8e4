/*
 * The claim that a block is not serializable, by accesses of one variable or of two.
 */
#include "witness_trial.h"

/* ---- Does it fit? ---- */

/* The innermost block of its thread that has both accesses of an atomicity violation: the number of
 * its `begin`, or 0.  *written: it writes the variable before the first. */
static uint32_t block_of(const hd_witness_trial *t, bool *written) {
    const heddle_event *first = hd_trace_event(t->trace, t->claim->first);
    uint32_t ended = 0;
    *written = false;
    for (uint32_t n = t->claim->second; n-- > 1;) {
        const heddle_event *event = hd_trace_event(t->trace, n);
        if (event->thread != first->thread)
            continue;
        if (event->kind == HEDDLE_BEGIN && !ended && n < t->claim->first)
            return n;
        if (event->kind == HEDDLE_END)
            ended++;
        else if (event->kind == HEDDLE_BEGIN && ended)
            ended--;
        *written |= n < t->claim->first && hd_trace_is_access(event) &&
                    event->object == first->object && hd_trace_writes(event);
    }
    return 0;
}

/* They access one variable, and one of them or both write it. */
static bool conflict(const hd_witness_trial *t, uint32_t a, uint32_t b) {
    const heddle_event *x = hd_trace_event(t->trace, a), *y = hd_trace_event(t->trace, b);
    return (x->object == y->object && (hd_trace_writes(x) || hd_trace_writes(y))) ||
           hd_witness_blame_two(t, a, "does not conflict with", b, "");
}

/* What must be true of the four: first on one variable, second on another one; between and back, of
 * another thread, which conflict with them. */
static bool two_fit(const hd_witness_trial *t) {
    const hd_witness_claim *c = t->claim;
    const heddle_event *between = hd_trace_event(t->trace, c->between);
    if (hd_trace_event(t->trace, c->first)->object == hd_trace_event(t->trace, c->second)->object)
        return hd_witness_blame_two(t, c->first, "accesses the same variable as", c->second, "");
    if (hd_trace_event(t->trace, c->back)->thread != between->thread || c->between >= c->back)
        return hd_witness_blame_two(t, c->between, "does not come before", c->back,
                                    "in its thread");
    return conflict(t, c->first, c->between) && conflict(t, c->back, c->second);
}

bool hd_witness_atomicity_fits(const hd_witness_trial *t) {
    const hd_witness_claim *c = t->claim;
    if (!hd_witness_access_fits(t, c->first) || !hd_witness_access_fits(t, c->between) ||
        !hd_witness_access_fits(t, c->second) || (c->back && !hd_witness_access_fits(t, c->back)))
        return false;
    const heddle_event *a = hd_trace_event(t->trace, c->first);
    const heddle_event *b = hd_trace_event(t->trace, c->between);
    const heddle_event *d = hd_trace_event(t->trace, c->second);
    bool written;
    if (!c->back && (a->object != d->object || a->object != b->object))
        return hd_error_set(t->error, "the three events access different variables");
    if (a->thread != d->thread || c->first >= c->second)
        return hd_witness_blame_two(t, c->first, "does not come before", c->second,
                                    "in its thread");
    if (b->thread == a->thread)
        return hd_witness_blame_two(t, c->between, "is of the same thread as", c->first, "");
    if (c->back && !two_fit(t))
        return false;
    return block_of(t, &written) ||
           hd_witness_blame_two(t, c->first, "is in no block together with", c->second, "");
}

/* ---- Is it shown? ---- */

/* The variable's last write in the schedule is this one. */
static bool is_last_write(const hd_witness_trial *t, uint32_t number) {
    uint32_t last = t->checker->written[hd_trace_event(t->trace, number)->object];
    return last == number ||
           hd_witness_blame_two(t, number, "is not the last write of its variable:", last, "is");
}

/* Another thread writes in between.  The second access sees that, which it would do in no serial
 * order, since the block accessed the variable before; or it replaces it, though the block read an
 * older value. */
static bool is_written_between(const hd_witness_trial *t) {
    const hd_witness_claim *c = t->claim;
    bool written;
    if (!hd_trace_writes(hd_trace_event(t->trace, c->between)))
        return hd_witness_blame(t, c->between, "is in the schedule, but does not write");
    if (!hd_witness_is_in(t, c->first) || !hd_witness_comes_before(t, c->first, c->between) ||
        !is_last_write(t, c->between) || !hd_witness_is_next(t, c->second))
        return false;
    if (hd_trace_reads(hd_trace_event(t->trace, c->second)))
        return true;
    if (!hd_trace_reads(hd_trace_event(t->trace, c->first)))
        return hd_witness_blame_two(t, c->first, "and", c->second, "both only write");
    block_of(t, &written);
    return !written || hd_witness_blame(t, c->first, "reads what its block wrote");
}

/* Another thread reads in between, and sees a value that the block replaces later. */
static bool is_read_between(const hd_witness_trial *t) {
    const hd_witness_claim *c = t->claim;
    if (!hd_trace_reads(hd_trace_event(t->trace, c->between)))
        return hd_witness_blame(t, c->between, "is not in the schedule, but does not read");
    if (!hd_trace_writes(hd_trace_event(t->trace, c->first)))
        return hd_witness_blame(t, c->first, "does not write");
    if (!hd_trace_writes(hd_trace_event(t->trace, c->second)))
        return hd_witness_blame(t, c->second, "does not write");
    return hd_witness_is_next(t, c->between) && is_last_write(t, c->first);
}

/* The block comes before another thread's access, which its first one conflicts with, and after a
 * later one of that thread, which its second one conflicts with. */
static bool is_around(const hd_witness_trial *t) {
    const hd_witness_claim *c = t->claim;
    return hd_witness_is_in(t, c->first) && hd_witness_is_in(t, c->between) &&
           hd_witness_comes_before(t, c->first, c->between) && hd_witness_is_in(t, c->back) &&
           hd_witness_is_next(t, c->second);
}

bool hd_witness_atomicity_holds(const hd_witness_trial *t) {
    if (t->claim->back)
        return is_around(t);
    return hd_witness_has(t->checker, t->claim->between) ? is_written_between(t)
                                                         : is_read_between(t);
}
