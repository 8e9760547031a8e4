/*
 * Remote events from vector clocks: Chang, "Predicate Detection for Parallel
 * Computations", Algorithm 12.
 *
 *   paper        here
 *   R(e)         hd_cut_covers_into
 *   RCandidate   candidates
 *   d            the event before e in its thread
 *
 * An event whose row is that of the event before it has no candidates, and is
 * passed over.  The edges out of an event, which the ideal tree needs, are the
 * same edges turned round.
 */
#include "cut_covers.h"

typedef HD_VEC(hd_cut_cover) cover_vec;

static bool is_after(const hd_cut_space *space, const hd_cut_cover *a, const hd_cut_cover *b) {
    return hd_cut_low(space, a->place, a->count)[b->place] >= b->count;
}

/* Line 8: r happened before no other candidate.  The one that the last such r happened before is
 * asked first, then those that follow it: where thousands of candidates are in a row, one of these
 * is after r. */
static bool is_direct(const hd_cut_space *space, const cover_vec *candidates, size_t which,
                      size_t *first) {
    const hd_cut_cover *r = &candidates->data[which];
    size_t i = *first;
    for (size_t asked = 0; asked < candidates->length; asked++) {
        if (i != which && is_after(space, &candidates->data[i], r)) {
            *first = i;
            return false;
        }
        i = i + 1 < candidates->length ? i + 1 : 0;
    }
    return true;
}

static void locate_remote_events(const hd_cut_space *space, uint32_t place, uint32_t count,
                                 cover_vec *candidates, cover_vec *into) {
    const uint32_t *before = hd_cut_low(space, place, count - 1);
    const uint32_t *clock = hd_cut_low(space, place, count);
    if (before == clock)
        return;
    hd_vec_clear(candidates);
    for (uint32_t q = 0; q < space->threads; q++)
        if (q != place && clock[q] != before[q])
            hd_vec_push(candidates, (hd_cut_cover){q, clock[q]});
    size_t before_them = into->length, first = 0;
    for (size_t i = 0; i < candidates->length; i++)
        if (is_direct(space, candidates, i, &first))
            hd_vec_push(into, candidates->data[i]);
    assert(!candidates->length || into->length > before_them);
    (void)before_them;
}

/* Is the clock of each event that of the one before it in its thread, and those at the other ends
 * of its edges with all that is before them? */
HD_ASSERT_ONLY static bool covers_make_clocks(const hd_cut_covers *covers) {
    const hd_cut_space *space = covers->space;
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = 1; c <= space->length[p]; c++) {
            hd_cut_cover_list into = hd_cut_covers_into(covers, space->start[p] + c);
            for (uint32_t q = 0; q < space->threads; q++) {
                uint32_t known = hd_cut_low(space, p, c - 1)[q];
                for (uint32_t i = 0; i < into.count; i++) {
                    const hd_cut_cover *r = &into.covers[i];
                    uint32_t more =
                        r->place == q ? r->count : hd_cut_low(space, r->place, r->count)[q];
                    known = more > known ? more : known;
                }
                if (q != p && known != hd_cut_low(space, p, c)[q])
                    return false;
            }
        }
    return true;
}

/* The same edges by their other end: counting sort. */
static void turn_round(hd_cut_covers *covers, size_t edges) {
    const hd_cut_space *space = covers->space;
    size_t positions = space->start[space->threads];
    covers->out = HD_NEW_ARRAY(hd_cut_cover, edges + 1);
    covers->out_start = HD_NEW_ARRAY(uint32_t, positions + 2);
    for (size_t i = 0; i < edges; i++)
        covers->out_start[space->start[covers->into[i].place] + covers->into[i].count + 1]++;
    for (size_t i = 0; i <= positions; i++)
        covers->out_start[i + 1] += covers->out_start[i];
    assert(covers->out_start[positions + 1] == edges);
    uint32_t *next = HD_NEW_ARRAY(uint32_t, positions + 1);
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = 1; c <= space->length[p]; c++) {
            hd_cut_cover_list list = hd_cut_covers_into(covers, space->start[p] + c);
            for (uint32_t i = 0; i < list.count; i++) {
                size_t from = space->start[list.covers[i].place] + list.covers[i].count;
                assert(next[from] < covers->out_start[from + 1] - covers->out_start[from]);
                covers->out[covers->out_start[from] + next[from]++] = (hd_cut_cover){p, c};
            }
        }
    free(next);
}

void hd_cut_covers_init(hd_cut_covers *covers, const hd_cut_space *space) {
    *covers = (hd_cut_covers){.space = space};
    cover_vec candidates = {0}, into = {0};
    hd_vec_reserve(&into, 1); /* there is always an array, if an empty one */
    covers->into_start = HD_NEW_ARRAY(uint32_t, space->start[space->threads] + 2);
    for (uint32_t p = 0; p < space->threads; p++) {
        covers->into_start[space->start[p]] = (uint32_t)into.length;
        for (uint32_t c = 0; c <= space->length[p]; c++) {
            if (c)
                locate_remote_events(space, p, c, &candidates, &into);
            covers->into_start[space->start[p] + c + 1] = (uint32_t)into.length;
        }
    }
    hd_vec_release(&candidates);
    covers->into = into.data;
    turn_round(covers, into.length);
    HD_COSTLY_ASSERT(covers_make_clocks(covers));
}

void hd_cut_covers_release(hd_cut_covers *covers) {
    free(covers->into_start);
    free(covers->out_start);
    free(covers->into);
    free(covers->out);
    *covers = (hd_cut_covers){0};
}
