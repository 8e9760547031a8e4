/*
 * The nodes of cut_tails.c for one type of what is stored: ELEMENT is the type, UNIT(t, p, c)
 * what thread p at count c adds to it, NAME makes a name of this type.
 */
#ifndef TAIL_WORDS
#define TAIL_WORDS 3
#endif

struct NAME(tails) {
    const hd_cut_space *space;
    uint32_t split;
    uint32_t *low, *high; /* [level * stride] */
    hd_cut_table *nodes;  /* [level]; after a key: where its array starts, its length, and
                             a word of the user's, zero at first */
    uint64_t *key;
    ELEMENT *elements;
    size_t used, room, most; /* of elements */
    uint64_t forgotten;      /* how often all nodes were */
    const int16_t *value;    /* of sums */
    ELEMENT unit[16];        /* of packed states */
};

static ELEMENT *NAME(reserve)(struct NAME(tails) * t, size_t more) {
    if (t->used + more > t->room) {
        t->room = t->room * 2 > t->used + more ? t->room * 2 : t->used + more;
        ELEMENT *grown = aligned_alloc(64, (t->room * sizeof(ELEMENT) + 63) / 64 * 64);
        if (!grown)
            abort();
        if (t->used)
            memcpy(grown, t->elements, t->used * sizeof(ELEMENT));
        free(t->elements);
        t->elements = grown;
    }
    return t->elements + t->used;
}

static void NAME(narrow)(struct NAME(tails) * t, uint32_t level, uint32_t count) {
    uint32_t stride = t->space->stride;
    const uint32_t *low = t->low + (size_t)level * stride, *high = t->high + (size_t)level * stride;
    hd_cut_narrow(t->low + (size_t)(level + 1) * stride, t->high + (size_t)(level + 1) * stride,
                  low, high, hd_cut_low(t->space, level, count),
                  hd_cut_high(t->space, level, count), level + 1, stride);
}

/* The last thread: its counts one after the other. */
static void NAME(make_run)(struct NAME(tails) * t, uint32_t level) {
    uint32_t from = t->low[(size_t)level * t->space->stride + level];
    uint32_t to = t->high[(size_t)level * t->space->stride + level];
    ELEMENT *end = NAME(reserve)(t, to - from + 1);
    for (uint32_t c = from; c <= to; c++)
        *end++ = UNIT(t, level, c);
    t->used += to - from + 1;
}

/* The last two threads: too little to look anything up. */
static void NAME(make_pair)(struct NAME(tails) * t, uint32_t level) {
    const hd_cut_space *space = t->space;
    const uint32_t *low = t->low + (size_t)level * space->stride + level;
    const uint32_t *high = t->high + (size_t)level * space->stride + level;
    ELEMENT *end = NAME(reserve)(t, ((size_t)high[0] - low[0] + 1) * (high[1] - low[1] + 1));
    ELEMENT *first = end;
    for (uint32_t c = low[0]; c <= high[0]; c++) {
        uint32_t from = hd_cut_low(space, level, c)[level + 1];
        uint32_t to = hd_cut_high(space, level, c)[level + 1];
        const ELEMENT more = UNIT(t, level, c);
        from = from > low[1] ? from : low[1];
        to = to < high[1] ? to : high[1];
        assert(from <= to);
        for (uint32_t d = from; d <= to; d++)
            *end++ = UNIT(t, level + 1, d) + more;
    }
    t->used += (size_t)(end - first);
}

/* A child's array, with one thread more. */
static void NAME(shift)(ELEMENT *restrict to, const ELEMENT *restrict child, size_t length,
                        const ELEMENT more) {
    for (size_t i = 0; i < length; i++)
        to[i] = child[i] + more;
}

/* The record of the bounds at this level, until another is asked for. */
static uint64_t *NAME(find)(struct NAME(tails) * t, uint32_t level) {
    uint32_t left = t->space->threads - level;
    const uint32_t *low = t->low + (size_t)level * t->space->stride + level;
    const uint32_t *high = t->high + (size_t)level * t->space->stride + level;
    hd_cut_table *nodes = &t->nodes[level];
    uint32_t *key = (uint32_t *)t->key;
    key[2 * (size_t)left - 1] = key[2 * (size_t)left] = 0;
    memcpy(key, low, left * sizeof *key);
    memcpy(key + left, high, left * sizeof *key);
    bool added;
    size_t node = hd_cut_table_add(nodes, t->key, &added);
    uint64_t *record = hd_cut_table_record(nodes, node) + nodes->width;
    if (!added)
        return record;
    size_t from = t->used;
    if (left <= 2) {
        if (left == 2)
            NAME(make_pair)(t, level);
        else
            NAME(make_run)(t, level);
    } else {
        /* Children may make arrays of their own, so this one is put together after them. */
        size_t parts = high[0] - low[0] + 1, total = 0;
        size_t *part = HD_NEW_ARRAY(size_t, 2 * parts);
        for (size_t i = 0; i < parts; i++) {
            NAME(narrow)(t, level, low[0] + (uint32_t)i);
            memcpy(&part[2 * i], NAME(find)(t, level + 1), 2 * sizeof *part);
            total += part[2 * i + 1];
        }
        ELEMENT *to = NAME(reserve)(t, total);
        from = t->used;
        for (size_t i = 0; i < parts; i++) {
            NAME(shift)
            (to, t->elements + part[2 * i], part[2 * i + 1], UNIT(t, level, low[0] + (uint32_t)i));
            to += part[2 * i + 1];
        }
        t->used += total;
        free(part);
    }
    record = hd_cut_table_record(nodes, node) + nodes->width; /* the table may have moved */
    assert(t->used > from);                                   /* every prefix has a completion */
    record[0] = from;
    record[1] = t->used - from;
    return record;
}

/* The array of the prefix at hand, at the level of the split. */
static const ELEMENT *NAME(tail)(struct NAME(tails) * t, size_t *length, uint64_t **word) {
    if (t->used > t->most) {
        t->used = 0;
        t->forgotten++;
        for (uint32_t p = t->split; p < t->space->threads; p++)
            hd_cut_table_clear(&t->nodes[p], t->nodes[p].width, TAIL_WORDS);
    }
    uint64_t *record = NAME(find)(t, t->split);
    *length = record[1];
    *word = record + 2;
    return t->elements + record[0];
}

static void NAME(init)(struct NAME(tails) * t, const hd_cut_space *space, const uint32_t *least,
                       const uint32_t *most, const hd_cut_tails_size *size) {
    size_t rows = (size_t)space->stride * (space->threads + 1);
    *t = (struct NAME(tails)){.space = space, .most = size->bytes / sizeof(ELEMENT)};
    t->low = HD_NEW_ARRAY(uint32_t, 2 * rows);
    t->high = t->low + rows;
    memcpy(t->low, least, space->stride * sizeof *least);
    memcpy(t->high, most, space->stride * sizeof *most);
    t->split = hd_cut_tails_split(space, least, most, size->tails);
    t->nodes = HD_NEW_ARRAY(hd_cut_table, space->threads);
    t->key = HD_NEW_ARRAY(uint64_t, space->threads + 2);
    for (uint32_t p = t->split; p < space->threads; p++)
        hd_cut_table_init(&t->nodes[p], hd_cut_table_words(2 * (size_t)(space->threads - p)),
                          TAIL_WORDS);
    NAME(reserve)(t, t->most + t->most / 4 + 64);
}

static void NAME(release)(struct NAME(tails) * t) {
    for (uint32_t p = t->split; p < t->space->threads; p++)
        hd_cut_table_release(&t->nodes[p]);
    free(t->nodes);
    free(t->key);
    free(t->low);
    free(t->elements);
}
