/*
 * Lex1 and Lex2: states of a loset in lexical order, with no memory of others.
 *
 * Chang, Algorithms 18-21, on the loset as captured: the normalized one lacks
 * reachable states that lead to a deadlock.
 *
 *   paper                      here
 *   G                          state
 *   compatibleUntilT           compatible_until (threads: all are compatible)
 *   sum                        sum
 *   prevGisStrFeasible         previous: the last state was in the class
 *   EL[i]                      writing[i + 1], reading[i + 1]: locks of the first i + 1
 *   X_l[k] (Algorithm 14)      least + k * stride, for the threads after k
 *
 * Mended: Algorithm 20, line 6 compares the whole clock of e_k with G[1..k-1];
 * Algorithm 21 takes the difference before the assignment that makes it zero.
 * The reset is Algorithm 14's: after a step of thread k all threads after it
 * have the same X, so one row for each k that was stepped, in a stack, is enough.
 *
 * Lex1 looks into every feasible state.  Lex2 does not where the last state was
 * in the class and one event was added: then so is this one, for the classes
 * strongly feasible and reachable.
 *
 * Time: the threads for each feasible state, and what it costs to look into it.
 */
#include <string.h>

#include "cut_reach.h"

enum { MASK_LOCKS = 64 };

struct lex {
    const hd_cut_loset *loset;
    const hd_cut_space *space;
    hd_cut_reach *reach;
    uint32_t *state;
    uint32_t *least;   /* a row for each place */
    uint32_t *stepped; /* places whose row is in use, ascending */
    uint32_t stepped_count;
    uint32_t compatible_until;
    uint64_t sum;
    uint64_t *set_writing, *set_reading; /* [set]: its locks; NULL if there are too many */
    uint64_t *writing, *reading;
};

static bool compatible_pairwise(const struct lex *lex, uint32_t place, uint32_t set) {
    for (uint32_t q = 0; q < place; q++)
        if (hd_cut_conflict(lex->loset, set, hd_cut_held(lex->loset, q, lex->state[q])))
            return false;
    return true;
}

static bool compatible(const struct lex *lex, uint32_t place, uint32_t count) {
    uint32_t set = hd_cut_held(lex->loset, place, count);
    if (!lex->set_writing)
        return compatible_pairwise(lex, place, set);
    bool fits = !((lex->set_writing[set] & (lex->writing[place] | lex->reading[place])) |
                  (lex->set_reading[set] & lex->writing[place]));
    HD_COSTLY_ASSERT(fits == compatible_pairwise(lex, place, set));
    return fits;
}

/* Are these the locks of the threads before the place? */
HD_ASSERT_ONLY static bool has_locks_before(const struct lex *lex, uint32_t place) {
    uint64_t writing = 0, reading = 0;
    for (uint32_t q = 0; q < place && lex->set_writing; q++) {
        writing |= lex->set_writing[hd_cut_held(lex->loset, q, lex->state[q])];
        reading |= lex->set_reading[hd_cut_held(lex->loset, q, lex->state[q])];
    }
    return !lex->set_writing || (lex->writing[place] == writing && lex->reading[place] == reading);
}

/* EL[place] */
static void add_locks(struct lex *lex, uint32_t place) {
    if (!lex->set_writing)
        return;
    HD_COSTLY_ASSERT(has_locks_before(lex, place));
    uint32_t set = hd_cut_held(lex->loset, place, lex->state[place]);
    lex->writing[place + 1] = lex->writing[place] | lex->set_writing[set];
    lex->reading[place + 1] = lex->reading[place] | lex->set_reading[set];
}

/* Line 6 of Algorithm 20 */
static bool consistent_with_higher(const struct lex *lex, uint32_t k) {
    const uint32_t *clock = hd_cut_low(lex->space, k, lex->state[k] + 1);
    for (uint32_t j = 0; j < k; j++)
        if (clock[j] > lex->state[j])
            return false;
    return true;
}

/* Algorithm 20: the thread that went on, HD_ORDER_NONE if none can. */
static uint32_t propagate(struct lex *lex) {
    uint32_t threads = lex->space->threads;
    uint32_t from = lex->compatible_until < threads ? lex->compatible_until + 1 : threads;
    for (uint32_t k = from; k-- > 0;) {
        uint32_t original = lex->state[k];
        lex->sum = 0;
        while (lex->state[k] < lex->space->length[k] && consistent_with_higher(lex, k)) {
            lex->state[k]++;
            lex->sum++;
            if (compatible(lex, k, lex->state[k]))
                return k;
        }
        lex->state[k] = original;
    }
    return HD_ORDER_NONE;
}

/* X[k], from that of the last thread before k that was stepped. */
static const uint32_t *update_least(struct lex *lex, uint32_t k) {
    size_t stride = lex->space->stride;
    while (lex->stepped_count && lex->stepped[lex->stepped_count - 1] >= k)
        lex->stepped_count--;
    const uint32_t *clock = hd_cut_low(lex->space, k, lex->state[k]);
    uint32_t *row = lex->least + k * stride;
    if (lex->stepped_count) {
        const uint32_t *before = lex->least + lex->stepped[lex->stepped_count - 1] * stride;
        for (uint32_t l = k + 1; l < lex->space->threads; l++)
            row[l] = clock[l] > before[l] ? clock[l] : before[l];
    } else {
        for (uint32_t l = k + 1; l < lex->space->threads; l++)
            row[l] = clock[l];
    }
    assert(!lex->stepped_count || lex->stepped[lex->stepped_count - 1] < k);
    assert(lex->stepped_count < lex->space->threads);
    lex->stepped[lex->stepped_count++] = k;
    return row;
}

/* Algorithm 21 */
static void reset(struct lex *lex, uint32_t k) {
    const uint32_t *least = update_least(lex, k);
    uint32_t threads = lex->space->threads;
    lex->compatible_until = threads;
    add_locks(lex, k);
    for (uint32_t l = k + 1; l < threads; l++) {
        lex->sum += lex->state[l] > least[l] ? lex->state[l] - least[l] : least[l] - lex->state[l];
        lex->state[l] = least[l];
        assert(least[l] <= lex->space->length[l]);
        if (lex->compatible_until == threads) {
            if (compatible(lex, l, lex->state[l]))
                add_locks(lex, l);
            else
                lex->compatible_until = l;
        }
    }
}

static void find_masks(struct lex *lex) {
    uint32_t sets = lex->loset->set_count;
    if (lex->loset->locks > MASK_LOCKS)
        return;
    lex->set_writing = HD_NEW_ARRAY(uint64_t, sets + 1);
    lex->set_reading = HD_NEW_ARRAY(uint64_t, sets + 1);
    for (uint32_t i = 0; i < sets; i++) {
        hd_order_set set = hd_order_sets_at(lex->loset->sets, i);
        for (uint32_t l = 0; l < set.count; l++) {
            uint64_t bit = UINT64_C(1) << hd_order_lock_number(set.locks[l]);
            if (hd_order_lock_reading(set.locks[l]))
                lex->set_reading[i] |= bit;
            else
                lex->set_writing[i] |= bit;
        }
    }
}

/* Algorithm 18 */
static int lex_enumerate(struct lex *lex, enum hd_cut_class class, bool careful,
                         hd_cut_visitor *visitor) {
    uint32_t threads = lex->space->threads;
    bool follows = class == HD_CUT_STRONGLY_FEASIBLE || class == HD_CUT_REACHABLE;
    bool previous = true, easy = class == HD_CUT_FEASIBLE;
    lex->compatible_until = threads;
    for (;;) {
        if (lex->compatible_until == threads &&
            (easy || (!careful && follows && previous && lex->sum <= 1) ||
             hd_cut_feasible_in_class(lex->reach, class, lex->state))) {
            previous = true;
            HD_COSTLY_ASSERT(hd_cut_seems_consistent(lex->space, lex->state) &&
                             hd_cut_compatible(lex->loset, lex->state));
            int why = hd_cut_emit(visitor, lex->state, 1);
            if (why)
                return why;
        } else {
            previous = false;
        }
        uint32_t k = propagate(lex);
        if (k == HD_ORDER_NONE)
            return 0;
        assert(k <= lex->compatible_until); /* else the conflict would still be there */
        reset(lex, k);
    }
}

int hd_cut_lex_loset(const hd_cut_loset *loset, enum hd_cut_class class, bool careful,
                     hd_cut_visitor *visitor) {
    const hd_cut_space *space = loset->space;
    assert(class != HD_CUT_CONSISTENT);
    struct lex lex = {.loset = loset, .space = space, .reach = hd_cut_reach_create(loset)};
    lex.state = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    lex.least = HD_NEW_ARRAY(uint32_t, (size_t)space->stride * space->threads + 1);
    lex.stepped = HD_NEW_ARRAY(uint32_t, space->threads + 1);
    lex.writing = HD_NEW_ARRAY(uint64_t, space->threads + 1);
    lex.reading = HD_NEW_ARRAY(uint64_t, space->threads + 1);
    find_masks(&lex);
    int why = lex_enumerate(&lex, class, careful, visitor);
    hd_cut_reach_free(lex.reach);
    free(lex.state);
    free(lex.least);
    free(lex.stepped);
    free(lex.writing);
    free(lex.reading);
    free(lex.set_writing);
    free(lex.set_reading);
    return why;
}
