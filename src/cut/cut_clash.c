#include "cut_clash.h"

#include <stdlib.h>
#include <string.h>

#include "cut_simd.h"
#include "cut_table.h"
#include "cut_visit.h"

static const hd_cut_tails_size for_clashes = {700, 1500000};

/* ---- Pairs ---- */

HD_ASSERT_ONLY static bool lists_ascend(const hd_cut_clashes *clashes, size_t positions) {
    for (size_t at = 0; at < positions; at++)
        for (uint32_t i = clashes->first[at] + 1; i < clashes->first[at + 1]; i++)
            if (clashes->with[i - 1] >= clashes->with[i])
                return false;
    return true;
}

void hd_cut_clashes_init(hd_cut_clashes *clashes, const hd_cut_space *space,
                         const hd_cut_clash *pairs, size_t count) {
    size_t positions = space->start[space->threads];
    *clashes = (hd_cut_clashes){.space = space};
    clashes->first = HD_NEW_ARRAY(uint32_t, positions + 2);
    clashes->with = HD_NEW_ARRAY(uint32_t, 2 * count + 1);
    uint32_t *by_second = HD_NEW_ARRAY(uint32_t, 4 * count + 1), *from = by_second + 2 * count;
    uint32_t *first = clashes->first;
    for (size_t i = 0; i < count; i++) { /* both ways */
        first[pairs[i].a + 2]++;
        first[pairs[i].b + 2]++;
    }
    for (size_t i = 2; i <= positions; i++)
        first[i] += first[i - 1];
    uint32_t *end = HD_NEW_ARRAY(uint32_t, positions + 2);
    memcpy(end, first, (positions + 2) * sizeof *end);
    for (size_t i = 0; i < count; i++) { /* sorted by one, and then, stably, by the other */
        by_second[end[pairs[i].a + 1]] = pairs[i].b;
        from[end[pairs[i].a + 1]++] = pairs[i].a;
        by_second[end[pairs[i].b + 1]] = pairs[i].a;
        from[end[pairs[i].b + 1]++] = pairs[i].b;
    }
    for (size_t i = 0; i < 2 * count; i++)
        clashes->with[first[by_second[i] + 1]++] = from[i];
    assert(first[positions] == 2 * count);
    HD_COSTLY_ASSERT(lists_ascend(clashes, positions));
    free(end);
    free(by_second);
}

void hd_cut_clashes_release(hd_cut_clashes *clashes) {
    free(clashes->first);
    free(clashes->with);
    *clashes = (hd_cut_clashes){0};
}

/* ---- Bits ---- */

enum { WORD = 64, VECTOR = 4, VECTOR_BITS = 256 };
typedef uint64_t bits __attribute__((vector_size(32), aligned(8), may_alias));

static size_t words_of(size_t completions) {
    return (completions + VECTOR_BITS - 1) / VECTOR_BITS * VECTOR;
}

static void unite(uint64_t *restrict to, const uint64_t *restrict more, size_t words) {
    for (size_t i = 0; i < words; i++)
        to[i] |= more[i];
}

/* How many bits are in the union of these sets? */
HD_CUT_WIDEST static uint64_t count_union(const uint64_t *const *sets, size_t count, size_t words) {
    uint64_t found = 0;
    for (size_t i = 0; i < words; i += VECTOR) {
        bits all = *(const bits *)(sets[0] + i);
        for (size_t s = 1; s < count; s++)
            all |= *(const bits *)(sets[s] + i);
        for (int lane = 0; lane < VECTOR; lane++)
            found += (uint64_t)__builtin_popcountll(all[lane]);
    }
    return found;
}

/* ---- Prefixes and completions ---- */

typedef uint64_t lanes __attribute__((vector_size(16), may_alias));

struct clash_fronts;
static size_t fill_clashes(struct clash_fronts *f, uint32_t level, uint32_t count, lanes *to,
                           const lanes *from, size_t length);
static int join_clashes(struct clash_fronts *f, const lanes *prefixes, size_t count,
                        uint64_t dropped);

#define ELEMENT lanes
#define UNIT(t, p, c) ((t)->unit[p] * (uint64_t)(c))
#define NAME(name) clash_##name
#define FILL fill_clashes
#define JOIN join_clashes
#include "cut_fronts.h"

struct clash {
    const hd_cut_clashes *clashes;
    enum hd_cut_packing packing;
    hd_bits marked;        /* positions that the event at hand clashes with */
    hd_vec_u64 stored;     /* of nodes: completions that clash in themselves, and for each count
                              of their threads those that have it */
    uint64_t forgotten;    /* of the tails, when that was last looked at */
    hd_vec_u64 sets;       /* of the node at hand: what events of prefixes clash with */
    uint32_t *set_of;      /* [position]: its set + 1, NO_SET: it has none; 0: not made yet */
    hd_vec_u32 made;       /* positions with one */
    const uint64_t **each; /* [thread]: sets of the prefix at hand */
    const volatile int *stop;
    uint64_t states, clashing;
};

#define NO_SET UINT32_MAX

/* The part of the list of what a position clashes with that is from..to-1. */
static uint32_t list_part(const hd_cut_clashes *clashes, size_t position, size_t from, size_t to,
                          const uint32_t **list) {
    uint32_t at = clashes->first[position], end = clashes->first[position + 1], count = 0;
    while (at < end && clashes->with[at] < from)
        at++;
    while (at + count < end && clashes->with[at + count] < to)
        count++;
    *list = clashes->with + at;
    return count;
}

/* Prefixes that clash with the new event are left out. */
static size_t fill_clashes(struct clash_fronts *f, uint32_t level, uint32_t count, lanes *to,
                           const lanes *from, size_t length) {
    struct clash *s = f->user;
    const hd_cut_space *space = f->tails.space;
    const lanes more = UNIT(&f->tails, level, count);
    const uint32_t *list;
    uint32_t clashes =
        list_part(s->clashes, space->start[level] + count, 0, space->start[level], &list);
    size_t made = 0;
    if (!clashes) {
        clash_shift(to, from, length, more);
        return length;
    }
    for (uint32_t i = 0; i < clashes; i++)
        hd_bits_set(&s->marked, list[i]);
    for (size_t i = 0; i < length; i++) {
        bool clean = true;
        for (uint32_t p = 0; p < level && clean; p++)
            clean = !hd_bits_has(
                &s->marked, space->start[p] + hd_cut_packed_count(
                                                  s->packing, (const hd_cut_packed *)&from[i], p));
        if (clean)
            to[made++] = from[i] + more;
    }
    for (uint32_t i = 0; i < clashes; i++)
        hd_bits_unset(&s->marked, list[i]);
    return made;
}

/* Where the sets of a node have that of a count; `bounds` are of the split. */
static size_t set_at(const struct clash_tails *t, uint32_t place, uint32_t count) {
    size_t at = 1, row = (size_t)t->split * t->space->stride;
    assert(count >= t->low[row + place] && count <= t->high[row + place]);
    for (uint32_t p = t->split; p < place; p++)
        at += t->high[row + p] - t->low[row + p] + 1;
    return at + count - t->low[row + place];
}

/* The place of a position, after the split, if its count is within bounds. */
static bool within(const struct clash_tails *t, uint32_t position, uint32_t *place,
                   uint32_t *count) {
    size_t row = (size_t)t->split * t->space->stride;
    uint32_t p = t->split;
    while (position >= t->space->start[p + 1])
        p++;
    assert(p < t->space->threads && position >= t->space->start[p]);
    *place = p;
    *count = (uint32_t)(position - t->space->start[p]);
    return *count >= t->low[row + p] && *count <= t->high[row + p];
}

/* Unites with `to` the completions that clash with a position, by threads from `from` on. */
static bool unite_clashes(const struct clash *s, const struct clash_tails *t, size_t position,
                          uint32_t from, const uint64_t *stored, size_t words, uint64_t *to) {
    const uint32_t *list;
    uint32_t count = list_part(s->clashes, position, t->space->start[from],
                               t->space->start[t->space->threads], &list),
             place, at;
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        if (within(t, list[i], &place, &at)) {
            unite(to, stored + set_at(t, place, at) * words, words);
            any = true;
        }
    return any;
}

static bool clashes_within(const hd_cut_clashes *clashes, size_t from, size_t to) {
    return clashes->first[from] < clashes->first[to + 1];
}

/* The sets of a node: in which completions is a thread at a count, and which clash in
 * themselves? */
static uint64_t store_sets(struct clash *s, const struct clash_tails *t, const lanes *tail,
                           size_t length) {
    const hd_cut_space *space = t->space;
    uint32_t last = space->threads - 1;
    size_t words = words_of(length), row = (size_t)t->split * space->stride, start;
    size_t sets = set_at(t, last, t->high[row + last]) + 1;
    start = s->stored.length;
    hd_vec_resize(&s->stored, start + sets * words);
    uint64_t *stored = s->stored.data + start;
    for (uint32_t p = t->split; p <= last; p++) {
        if (!clashes_within(s->clashes, space->start[p] + t->low[row + p],
                            space->start[p] + t->high[row + p]))
            continue; /* it will not be asked for */
        uint64_t *first = stored + set_at(t, p, t->low[row + p]) * words;
        for (size_t i = 0; i < length; i++) {
            uint32_t count = hd_cut_packed_count(s->packing, (const hd_cut_packed *)&tail[i], p) -
                             t->low[row + p];
            first[count * words + i / WORD] |= UINT64_C(1) << i % WORD;
        }
    }
    uint64_t *both = HD_NEW_ARRAY(uint64_t, words);
    for (uint32_t p = t->split; p < last; p++)
        for (uint32_t c = t->low[row + p]; c <= t->high[row + p]; c++) {
            memset(both, 0, words * sizeof *both);
            const uint64_t *own = stored + set_at(t, p, c) * words;
            if (!unite_clashes(s, t, space->start[p] + c, p + 1, stored, words, both))
                continue;
            for (size_t i = 0; i < words; i++)
                stored[i] |= own[i] & both[i];
        }
    free(both);
    return start;
}

/* What of the node's completions clashes with an event of a prefix; NULL: nothing. */
static const uint64_t *set_of(struct clash *s, const struct clash_tails *t, size_t position,
                              const uint64_t *stored, size_t words) {
    uint32_t number = s->set_of[position];
    if (!number) {
        size_t at = s->sets.length;
        assert(at + words <= s->sets.capacity);
        s->sets.length += words;
        memset(s->sets.data + at, 0, words * sizeof *s->sets.data);
        bool any = unite_clashes(s, t, position, t->split, stored, words, s->sets.data + at);
        if (!any)
            s->sets.length = at;
        number = any ? (uint32_t)(at / words) + 1 : NO_SET;
        s->set_of[position] = number;
        hd_vec_push(&s->made, (uint32_t)position);
    }
    assert(number == NO_SET || number * words <= s->sets.length);
    return number == NO_SET ? NULL : s->sets.data + (number - 1) * words;
}

static int join_clashes(struct clash_fronts *f, const lanes *prefixes, size_t count,
                        uint64_t dropped) {
    struct clash *s = f->user;
    struct clash_tails *t = &f->tails;
    if ((s->stop && *s->stop) || hd_clock_over())
        return HD_CUT_STOPPED;
    size_t length;
    uint64_t *word;
    if (s->stored.length * sizeof *s->stored.data > t->most * sizeof(lanes))
        t->used = t->most + 1; /* forget them together with the completions */
    const lanes *tail = clash_tail(t, &length, &word);
    if (t->forgotten != s->forgotten)
        hd_vec_clear(&s->stored);
    s->forgotten = t->forgotten;
    s->states += (count + dropped) * length;
    s->clashing += dropped * length;
    if (!count)
        return 0;
    if (!*word)
        *word = store_sets(s, t, tail, length) + 1;
    size_t words = words_of(length);
    assert(*word - 1 + words <= s->stored.length); /* it was not forgotten */
    const uint64_t *stored = s->stored.data + (*word - 1);
    hd_vec_clear(&s->sets);
    hd_vec_reserve(&s->sets, t->space->start[t->split] * words);
    for (size_t i = 0; i < count; i++) {
        size_t sets = 0;
        s->each[sets++] = stored;
        for (uint32_t p = 0; p < t->split; p++) {
            uint32_t c = hd_cut_packed_count(s->packing, (const hd_cut_packed *)&prefixes[i], p);
            const uint64_t *set = set_of(s, t, t->space->start[p] + c, stored, words);
            if (set)
                s->each[sets++] = set;
        }
        uint64_t found = count_union(s->each, sets, words);
        assert(found <= length); /* no bit after the last completion */
        s->clashing += found;
    }
    assert(s->clashing <= s->states);
    for (size_t i = 0; i < s->made.length; i++)
        s->set_of[s->made.data[i]] = 0;
    hd_vec_clear(&s->made);
    return 0;
}

int hd_cut_clash_count(const hd_cut_clashes *clashes, const uint32_t *least, const uint32_t *most,
                       const hd_cut_tails_size *size, const volatile int *stop, uint64_t *states,
                       uint64_t *clashing) {
    const hd_cut_space *space = clashes->space;
    struct clash s = {.clashes = clashes, .packing = hd_cut_packing_of(space), .stop = stop};
    struct clash_fronts f = {.user = &s};
    assert(space->threads && s.packing != HD_CUT_UNPACKED);
    hd_bits_init(&s.marked, space->start[space->threads] + 1);
    s.set_of = HD_NEW_ARRAY(uint32_t, space->start[space->threads] + 1);
    s.each = HD_NEW_ARRAY(const uint64_t *, space->threads + 1);
    clash_fronts_init(&f, space, least, most, size ? size : &for_clashes);
    for (uint32_t p = 0; p < space->threads; p++) {
        hd_cut_packed unit = hd_cut_packed_unit(s.packing, p);
        memcpy(&f.tails.unit[p], &unit, sizeof unit);
    }
    int why = clash_fronts_run(&f, (lanes){0, 0});
    clash_fronts_release(&f);
    hd_bits_release(&s.marked);
    hd_vec_release(&s.stored);
    hd_vec_release(&s.sets);
    hd_vec_release(&s.made);
    free(s.set_of);
    free(s.each);
    *states += s.states;
    *clashing += s.clashing;
    return why;
}
