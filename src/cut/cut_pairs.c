#include "cut_pairs.h"

#include <string.h>

#include "cut_table.h"

enum { WORD = 64 };

/* ---- Bits ---- */

static void clear_range(uint64_t *words, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        words[i / WORD] &= ~(UINT64_C(1) << i % WORD);
}

static void set_range(uint64_t *words, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to;) {
        if (i % WORD == 0 && to - i >= WORD) {
            words[i / WORD] = UINT64_MAX;
            i += WORD;
        } else {
            words[i / WORD] |= UINT64_C(1) << i % WORD;
            i++;
        }
    }
}

/* ---- Rows ---- */

struct builder {
    hd_cut_pairs *pairs;
    enum hd_cut_class class;
    hd_cut_normal *normal; /* of the viable class */
    bool cyclic;           /* the normal loset has a cycle: nothing is viable */
    uint64_t **conflicts;  /* [set]: the counts of all threads that conflict with it, or NULL */
    uint32_t *open;
    uint64_t *row; /* in the making */
    bool late;     /* the clock is over: what is made is void */
};

static uint32_t clock_at(const struct builder *b, uint32_t place, uint32_t count, uint32_t other) {
    if (b->normal)
        return hd_cut_normal_at(b->normal, place, count, other);
    return hd_cut_low(b->pairs->loset->space, place, count)[other];
}

/* The counts of q that are consistent with count c of p. */
static void allow_consistent(struct builder *b, uint32_t p, uint32_t c, uint32_t q) {
    uint32_t least = clock_at(b, p, c, q), from = least, to = b->pairs->loset->space->length[q] + 1;
    while (from < to) { /* the first count of q that needs more of p */
        uint32_t middle = from + (to - from) / 2;
        if (clock_at(b, q, middle, p) <= c)
            from = middle + 1;
        else
            to = middle;
    }
    assert(from > least); /* some count of q goes with every count of p */
    set_range(b->row + b->pairs->word[q], least, from);
}

static bool is_late(struct builder *b) {
    return b->late = b->late || hd_clock_over();
}

static const uint64_t *conflicts_of(struct builder *b, uint32_t set) {
    const hd_cut_loset *loset = b->pairs->loset;
    const hd_cut_space *space = loset->space;
    if (b->conflicts[set])
        return b->conflicts[set];
    uint64_t *bits = HD_NEW_ARRAY(uint64_t, b->pairs->word[space->threads]);
    for (uint32_t q = 0; q < space->threads; q++)
        for (uint32_t d = 0; d <= space->length[q] && !is_late(b); d++)
            if (hd_cut_conflict(loset, set, hd_cut_held(loset, q, d)))
                bits[b->pairs->word[q] + d / WORD] |= UINT64_C(1) << d % WORD;
    return b->conflicts[set] = bits;
}

static void forbid_conflicts(struct builder *b, uint32_t p, uint32_t c) {
    uint32_t set = hd_cut_held(b->pairs->loset, p, c);
    if (!set)
        return;
    const uint64_t *conflicts = conflicts_of(b, set);
    size_t from = b->pairs->word[p + 1], to = b->pairs->word[b->pairs->loset->space->threads];
    for (size_t i = from; i < to; i++)
        b->row[i] &= ~conflicts[i];
}

/* How many events of q are before the end of a hold in the normal loset. */
static uint32_t before_end(const struct builder *b, const hd_cut_hold *hold, uint32_t q) {
    uint32_t length = b->pairs->loset->space->length[hold->place];
    return clock_at(b, hold->place, hold->release <= length ? hold->release : length, q);
}

/* Hold I of p is open: q must not have released a conflicting J that need not
 * have started before I ends. */
static void limit_released(struct builder *b, const hd_cut_hold *i, uint32_t q) {
    const hd_cut_loset *loset = b->pairs->loset;
    uint32_t known = before_end(b, i, q), last = loset->space->length[q];
    for (uint32_t h = loset->first_hold[q]; h < loset->first_hold[q + 1]; h++) {
        const hd_cut_hold *j = &loset->holds[h];
        assert(j->place == q && (h == loset->first_hold[q] || j[-1].acquire < j->acquire));
        if (j->acquire > known && hd_cut_holds_conflict(i, j) && j->release <= last) {
            clear_range(b->row + b->pairs->word[q], j->release, last + 1);
            return; /* the first to be acquired is the first to be released */
        }
    }
}

/* The other way round: holds of q that are not to be open, because p has released
 * a conflicting hold at or before count c. */
static void forbid_open(struct builder *b, uint32_t p, uint32_t c, uint32_t q) {
    const hd_cut_loset *loset = b->pairs->loset;
    for (uint32_t h = loset->first_hold[q]; h < loset->first_hold[q + 1] && !is_late(b); h++) {
        const hd_cut_hold *i = &loset->holds[h];
        uint32_t j = hd_cut_last_hold(loset, i->lock, p, c, i->reading);
        while (j != HD_ORDER_NONE && loset->holds[j].release > c) {
            j = loset->holds[j].before;
            if (j != HD_ORDER_NONE && i->reading)
                j = loset->holds[j].writer;
        }
        assert(j == HD_ORDER_NONE || hd_cut_holds_conflict(i, &loset->holds[j]));
        if (j != HD_ORDER_NONE && loset->holds[j].acquire > before_end(b, i, p))
            clear_range(b->row + b->pairs->word[q], i->acquire, i->release);
    }
}

static void limit_viable(struct builder *b, uint32_t p, uint32_t c) {
    const hd_cut_loset *loset = b->pairs->loset;
    uint32_t open = hd_cut_open_holds(loset, p, c, b->open);
    for (uint32_t q = p + 1; q < loset->space->threads; q++) {
        for (uint32_t i = 0; i < open && !is_late(b); i++)
            limit_released(b, &loset->holds[b->open[i]], q);
        forbid_open(b, p, c, q);
    }
}

static void make_row(struct builder *b, uint32_t p, uint32_t c) {
    uint32_t threads = b->pairs->loset->space->threads;
    memset(b->row, 0, b->pairs->word[threads] * sizeof *b->row);
    for (uint32_t q = p + 1; q < threads; q++)
        allow_consistent(b, p, c, q);
    if (b->class != HD_CUT_CONSISTENT)
        forbid_conflicts(b, p, c);
    if (b->class == HD_CUT_VIABLE)
        limit_viable(b, p, c);
}

static void allow_counts(struct builder *b) {
    hd_cut_pairs *pairs = b->pairs;
    const hd_cut_space *space = pairs->loset->space;
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = 0; c <= space->length[p]; c++)
            if (b->class != HD_CUT_LOCK_FREE || !hd_cut_held(pairs->loset, p, c))
                set_range(pairs->all + pairs->word[p], c, c + 1);
    if (b->cyclic)
        memset(pairs->all, 0, pairs->word[space->threads] * sizeof *pairs->all);
}

static bool make_rows(struct builder *b, size_t limit, hd_error *error) {
    hd_cut_pairs *pairs = b->pairs;
    const hd_cut_space *space = pairs->loset->space;
    size_t words = pairs->word[space->threads], used = 0;
    hd_vec_u64 rows = {HD_NEW_ARRAY(uint64_t, words + 1), 0, words + 1};
    bool fits = true;
    for (uint32_t p = 0; p < space->threads && fits; p++)
        for (uint32_t c = 0; c <= space->length[p] && fits; c++) {
            if (is_late(b))
                break;
            make_row(b, p, c);
            if (!c || memcmp(rows.data + (used - 1) * words, b->row, words * sizeof *b->row) != 0) {
                fits = (used + 1) * words * sizeof *b->row <= limit;
                hd_vec_reserve(&rows, (used + 1) * words);
                memcpy(rows.data + used * words, b->row, words * sizeof *b->row);
                used++;
            }
            assert(used);
            pairs->row_of[space->start[p] + c] = (uint32_t)used - 1;
        }
    pairs->rows = rows.data;
    if (b->late)
        return hd_error_set(error, "no time is left for the pairs of counts");
    return fits || hd_error_set(error,
                                "the pairs of counts of %zu events take more than the limit of "
                                "%zu bytes",
                                space->start[space->threads] - space->threads, limit);
}

/* May thread q be at d while p is at c, by the definition of the class? */
static bool goes_with(const struct builder *b, uint32_t p, uint32_t c, uint32_t q, uint32_t d) {
    const hd_cut_loset *loset = b->pairs->loset;
    return hd_cut_low(loset->space, p, c)[q] <= d && hd_cut_low(loset->space, q, d)[p] <= c &&
           (b->class == HD_CUT_CONSISTENT ||
            !hd_cut_conflict(loset, hd_cut_held(loset, p, c), hd_cut_held(loset, q, d)));
}

/* Do the rows say of each pair of counts what the class does?  Viable states are fewer than
 * feasible ones. */
HD_ASSERT_ONLY static bool rows_say_class(const struct builder *b) {
    enum { MOST_POSITIONS = 128 };
    const hd_cut_space *space = b->pairs->loset->space;
    if (space->start[space->threads] > MOST_POSITIONS || b->cyclic)
        return true;
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = 0; c <= space->length[p]; c++) {
            const uint64_t *row = hd_cut_pairs_row(b->pairs, p, c);
            for (uint32_t q = p + 1; q < space->threads; q++)
                for (uint32_t d = 0; d <= space->length[q]; d++) {
                    bool has = row[b->pairs->word[q] + d / WORD] >> d % WORD & 1;
                    bool may = goes_with(b, p, c, q, d);
                    if (b->class == HD_CUT_VIABLE ? has && !may : has != may)
                        return false;
                }
        }
    return true;
}

static void find_stretches(hd_cut_pairs *pairs) {
    const hd_cut_space *space = pairs->loset->space;
    for (uint32_t p = 0; p < space->threads; p++) {
        const size_t at = space->start[p];
        for (uint32_t c = space->length[p] + 1; c-- > 0;)
            pairs->stretch[at + c] =
                c < space->length[p] && pairs->row_of[at + c] == pairs->row_of[at + c + 1]
                    ? pairs->stretch[at + c + 1]
                    : c;
    }
}

static void start_builder(struct builder *b) {
    const hd_cut_loset *loset = b->pairs->loset;
    b->conflicts = HD_NEW_ARRAY(uint64_t *, loset->set_count + 1);
    b->open = HD_NEW_ARRAY(uint32_t, loset->most_held + 1);
    b->row = HD_NEW_ARRAY(uint64_t, b->pairs->word[loset->space->threads] + 1);
    if (b->class == HD_CUT_VIABLE) {
        b->normal = hd_cut_normal_create(loset);
        b->cyclic = !hd_cut_normal_whole(b->normal);
    }
}

static void finish_builder(struct builder *b) {
    for (uint32_t i = 0; i < b->pairs->loset->set_count; i++)
        free(b->conflicts[i]);
    free(b->conflicts);
    free(b->open);
    free(b->row);
    hd_cut_normal_free(b->normal);
}

bool hd_cut_pairs_init(hd_cut_pairs *pairs, const hd_cut_loset *loset, enum hd_cut_class class,
                       size_t limit, hd_error *error) {
    const hd_cut_space *space = loset->space;
    assert(class <= HD_CUT_VIABLE);
    *pairs = (hd_cut_pairs){.loset = loset};
    pairs->word = HD_NEW_ARRAY(size_t, space->threads + 1);
    for (uint32_t p = 0; p < space->threads; p++)
        pairs->word[p + 1] = pairs->word[p] + space->length[p] / WORD + 1;
    size_t positions = space->start[space->threads];
    pairs->row_of = HD_NEW_ARRAY(uint32_t, positions + 1);
    pairs->stretch = HD_NEW_ARRAY(uint32_t, positions + 1);
    pairs->all = HD_NEW_ARRAY(uint64_t, pairs->word[space->threads] + 1);
    struct builder b = {.pairs = pairs, .class = class};
    start_builder(&b);
    allow_counts(&b);
    bool fits = make_rows(&b, limit, error);
    HD_COSTLY_ASSERT(!fits || rows_say_class(&b));
    if (fits)
        find_stretches(pairs);
    finish_builder(&b);
    if (!fits)
        hd_cut_pairs_release(pairs);
    return fits;
}

void hd_cut_pairs_release(hd_cut_pairs *pairs) {
    free(pairs->word);
    free(pairs->row_of);
    free(pairs->rows);
    free(pairs->stretch);
    free(pairs->all);
    *pairs = (hd_cut_pairs){0};
}
