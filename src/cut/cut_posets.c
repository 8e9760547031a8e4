#include "cut_posets.h"

#include <string.h>

struct change {
    size_t word;
    uint64_t before;
};

struct pair {
    uint32_t a, b; /* holds */
};

struct search {
    hd_cut_posets *posets;
    const hd_order_scope *scopes;
    hd_vec_u32 holds; /* of pairs: numbers of scopes; the index is the hold */
    size_t words;     /* of a row */
    uint64_t *before; /* row a, bit b: a's acquire comes before b's release */
    uint64_t *after;  /* row b, bit a: the same turned round */
    HD_VEC(struct pair) pairs;
    HD_VEC(struct change) trail; /* of `before`; those of `after` follow from it */
    hd_cut_ordered *ordered;     /* [pair]: as it was decided */
    hd_bits decided;
    int why;
};

static const hd_order_scope *scope_of(const struct search *s, uint32_t hold) {
    return &s->scopes[s->holds.data[hold]];
}

static bool has(const struct search *s, uint32_t a, uint32_t b) {
    return s->before[a * s->words + b / 64] >> b % 64 & 1;
}

static void set(struct search *s, uint32_t a, uint32_t b) {
    size_t word = a * s->words + b / 64;
    if (has(s, a, b))
        return;
    hd_vec_push(&s->trail, (struct change){word, s->before[word]});
    s->before[word] |= UINT64_C(1) << b % 64;
    s->after[b * s->words + a / 64] |= UINT64_C(1) << a % 64;
}

static void undo(struct search *s, size_t length) {
    while (s->trail.length > length) {
        struct change change = hd_vec_pop(&s->trail);
        uint64_t gone = s->before[change.word] & ~change.before;
        uint32_t a = (uint32_t)(change.word / s->words);
        uint32_t b = (uint32_t)(change.word % s->words * 64) + (uint32_t)__builtin_ctzll(gone);
        assert(__builtin_popcountll(gone) == 1);
        s->before[change.word] = change.before;
        s->after[b * s->words + a / 64] &= ~(UINT64_C(1) << a % 64);
    }
}

/* May i be released before j is acquired? */
static bool may(const struct search *s, uint32_t i, uint32_t j) {
    return scope_of(s, i)->release && !has(s, j, i);
}

/* What comes before i's release comes before all that j's acquire comes before. */
static void put_before(struct search *s, uint32_t i, uint32_t j) {
    for (size_t w = 0; w < s->words; w++)
        for (uint64_t as = s->after[i * s->words + w]; as; as &= as - 1) {
            uint32_t a = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(as);
            for (size_t v = 0; v < s->words; v++)
                for (uint64_t bs = s->before[j * s->words + v]; bs; bs &= bs - 1)
                    set(s, a, (uint32_t)(v * 64) + (uint32_t)__builtin_ctzll(bs));
        }
}

static bool goes_on(struct search *s) {
    if ((s->posets->stop && *s->posets->stop) || hd_clock_over() ||
        s->trail.length * sizeof *s->trail.data > s->posets->memory)
        s->posets->complete = false;
    return s->posets->complete && !s->why;
}

/* The pair that is left with the fewest ways; false if one has none. */
static bool choose(const struct search *s, size_t *chosen, bool *any) {
    int fewest = 3;
    *any = false;
    for (size_t i = 0; i < s->pairs.length && fewest > 1; i++) {
        if (hd_bits_has(&s->decided, i))
            continue;
        struct pair pair = s->pairs.data[i];
        int ways = may(s, pair.a, pair.b) + may(s, pair.b, pair.a);
        if (!ways)
            return false;
        if (ways < fewest) {
            fewest = ways;
            *chosen = i;
            *any = true;
        }
    }
    return true;
}

static void found(struct search *s) {
    hd_cut_count_add(&s->posets->count, 1);
    if (s->posets->take)
        s->why = s->posets->take(s->posets->context, s->ordered, s->pairs.length);
}

struct level {
    size_t pair, trail;
    int way; /* ways tried */
};

typedef HD_VEC(struct level) levels;

/* Goes down as far as pairs are left; false if this ends without a poset. */
static void descend(struct search *s, levels *stack) {
    size_t pair = 0;
    bool any;
    if (!choose(s, &pair, &any))
        return;
    if (any)
        hd_vec_push(stack, (struct level){pair, s->trail.length, 0});
    else
        found(s);
}

static void run(struct search *s) {
    levels stack = {0};
    descend(s, &stack);
    while (stack.length && goes_on(s)) {
        struct level *level = hd_vec_last(&stack);
        struct pair pair = s->pairs.data[level->pair];
        undo(s, level->trail);
        hd_bits_unset(&s->decided, level->pair);
        if (level->way == 2) {
            stack.length--;
            continue;
        }
        uint32_t first = level->way ? pair.b : pair.a, second = level->way ? pair.a : pair.b;
        level->way++;
        if (!may(s, first, second))
            continue;
        put_before(s, first, second);
        hd_bits_set(&s->decided, level->pair);
        s->ordered[level->pair] =
            (hd_cut_ordered){scope_of(s, first)->acquire, scope_of(s, second)->acquire};
        descend(s, &stack);
    }
    hd_vec_release(&stack);
}

/* ---- What is there to begin with ---- */

static uint32_t hold_of(struct search *s, uint32_t *hold, uint32_t scope) {
    if (hold[scope] == HD_ORDER_NONE) {
        hold[scope] = (uint32_t)s->holds.length;
        hd_vec_push(&s->holds, scope);
    }
    return hold[scope];
}

static void find_pairs(struct search *s, const hd_order_scopes *scopes) {
    uint32_t *hold = HD_NEW_ARRAY(uint32_t, (size_t)scopes->count + 1);
    memset(hold, 0xff, ((size_t)scopes->count + 1) * sizeof *hold);
    for (uint32_t lock = 0; lock < scopes->by_lock.count && goes_on(s); lock++) {
        const uint32_t *list = hd_trace_list(&scopes->by_lock, lock);
        uint32_t count = hd_trace_list_length(&scopes->by_lock, lock);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = i + 1; j < count; j++)
                if (hd_order_scope_conflicts(&scopes->scopes[list[i]], &scopes->scopes[list[j]]))
                    hd_vec_push(&s->pairs, (struct pair){hold_of(s, hold, list[i]),
                                                         hold_of(s, hold, list[j])});
    }
    free(hold);
}

static bool is_before(const hd_order *order, const hd_order_scope *a, const hd_order_scope *b) {
    return b->release && (a == b || hd_order_before(order, HD_ORDER_LOSET, a->acquire, b->release));
}

static void find_order(struct search *s, const hd_order *order) {
    uint32_t count = (uint32_t)s->holds.length;
    for (uint32_t a = 0; a < count && goes_on(s); a++)
        for (uint32_t b = 0; b < count; b++)
            if (is_before(order, scope_of(s, a), scope_of(s, b)))
                set(s, a, b);
    hd_vec_clear(&s->trail);
}

bool hd_cut_posets_find(hd_order *order, hd_cut_posets *posets, hd_error *error) {
    posets->complete = true;
    if (!hd_order_need(order, HD_ORDER_LOSET_CLOCKS | HD_ORDER_SCOPES, posets->memory, error))
        return false;
    struct search s = {.posets = posets, .scopes = order->scopes.scopes};
    find_pairs(&s, &order->scopes);
    s.words = s.holds.length / 64 + 1;
    posets->pairs = s.pairs.length;
    size_t cells = s.holds.length * s.words;
    bool fits = cells <= posets->memory / 32 || !cells;
    if (!fits)
        hd_error_set(error, "%zu holds that conflict are too many for the memory", s.holds.length);
    if (fits) {
        s.before = HD_NEW_ARRAY(uint64_t, cells + 1);
        s.after = HD_NEW_ARRAY(uint64_t, cells + 1);
        s.ordered = HD_NEW_ARRAY(hd_cut_ordered, s.pairs.length + 1);
        hd_bits_init(&s.decided, s.pairs.length + 1);
        find_order(&s, order);
        if (goes_on(&s))
            run(&s);
        posets->complete &= !s.why;
        hd_bits_release(&s.decided);
    }
    free(s.before);
    free(s.after);
    free(s.ordered);
    hd_vec_release(&s.holds);
    hd_vec_release(&s.pairs);
    hd_vec_release(&s.trail);
    return fits;
}
