/*
 * The prefixes before the tails of cut_tails_nodes.h, which this includes, for the same
 * ELEMENT, UNIT and NAME.
 *
 * Prefixes that leave the same bounds to the others are one node, with one array of what
 * is stored of each of them: level by level, as in a diagram.  At the split every prefix
 * of a node goes with every tail of the same bounds: JOIN(f, prefixes, count, dropped) is
 * told so, and returns other than 0 to stop.  Where the arrays of a level would be too long, the
 * edges to it are taken in groups, one after the other, each as far as the split before the next.
 *
 * FILL(f, level, count, to, from, length) makes the array of the prefixes `from` with
 * thread `level` at this count, and says how many it put there; what it leaves out is
 * dropped, and only counted.
 */
#include "cut_tails_nodes.h"

struct NAME(edge) {
    uint32_t parent, count, child;
};

struct NAME(front) {
    hd_cut_table nodes; /* after a key: start and length of its array, prefixes dropped */
    ELEMENT *lists;
    HD_VEC(struct NAME(edge)) edges; /* into it */
};

struct NAME(fronts) {
    struct NAME(tails) tails;
    struct NAME(front) * levels; /* [0..split] */
    size_t most;                 /* elements of a level */
    void *user;
};

enum { NAME(FRONT_WORDS) = 3 };

static ELEMENT *NAME(new_list)(size_t length) {
    ELEMENT *list = aligned_alloc(64, (length * sizeof(ELEMENT) + 63) / 64 * 64);
    if (!list)
        abort();
    return list;
}

static size_t NAME(front_key)(const struct NAME(fronts) * f, uint32_t level) {
    return hd_cut_table_words(2 * (size_t)(f->tails.space->threads - level));
}

/* Between a node's key and the bounds of its level. */
static void NAME(load_bounds)(struct NAME(fronts) * f, uint32_t level, const uint64_t *record) {
    struct NAME(tails) *t = &f->tails;
    size_t left = t->space->threads - level, at = (size_t)level * t->space->stride + level;
    const uint32_t *key = (const uint32_t *)record;
    memcpy(t->low + at, key, left * sizeof *key);
    memcpy(t->high + at, key + left, left * sizeof *key);
}

static uint32_t NAME(add_node)(struct NAME(fronts) * f, uint32_t level) {
    struct NAME(tails) *t = &f->tails;
    size_t left = t->space->threads - level, at = (size_t)level * t->space->stride + level;
    uint32_t *key = (uint32_t *)t->key;
    bool added;
    memcpy(key, t->low + at, left * sizeof *key);
    memcpy(key + left, t->high + at, left * sizeof *key);
    return (uint32_t)hd_cut_table_add(&f->levels[level].nodes, t->key, &added);
}

static void NAME(start_group)(struct NAME(fronts) * f, uint32_t level) {
    hd_cut_table_clear(&f->levels[level].nodes, NAME(front_key)(f, level), NAME(FRONT_WORDS));
    hd_vec_clear(&f->levels[level].edges);
}

/* The arrays of a level, from those of the level before. */
static void NAME(fill_group)(struct NAME(fronts) * f, uint32_t level) {
    const struct NAME(front) *before = &f->levels[level - 1], *now = &f->levels[level];
    size_t start = 0;
    for (size_t n = 0; n < now->nodes.count; n++) {
        uint64_t *child = hd_cut_table_record(&now->nodes, n) + now->nodes.width;
        child[0] = start;
        start += child[1];
        child[1] = 0;
    }
    assert(start <= f->most);
    for (size_t i = 0; i < now->edges.length; i++) {
        const struct NAME(edge) *edge = &now->edges.data[i];
        const uint64_t *parent =
            hd_cut_table_record(&before->nodes, edge->parent) + before->nodes.width;
        uint64_t *child = hd_cut_table_record(&now->nodes, edge->child) + now->nodes.width;
        ELEMENT *to = now->lists + child[0] + child[1];
        size_t made = FILL(f, level - 1, edge->count, to, before->lists + parent[0], parent[1]);
        assert(made <= parent[1]);
        child[1] += made;
        child[2] += parent[2] + (parent[1] - made);
    }
}

static int NAME(join_all)(struct NAME(fronts) * f) {
    const struct NAME(front) *front = &f->levels[f->tails.split];
    int why = 0;
    for (size_t n = 0; n < front->nodes.count && !why; n++) {
        const uint64_t *record = hd_cut_table_record(&front->nodes, n);
        NAME(load_bounds)(f, f->tails.split, record);
        record += front->nodes.width;
        why = JOIN(f, front->lists + record[0], record[1], record[2]);
    }
    return why;
}

/* From the nodes of a level on to the split. */
static int NAME(go_on)(struct NAME(fronts) * f, uint32_t level) {
    struct NAME(tails) *t = &f->tails;
    if (level == t->split)
        return NAME(join_all)(f);
    const struct NAME(front) *now = &f->levels[level];
    struct NAME(front) *next = &f->levels[level + 1];
    const uint32_t *stretch = t->space->stretch + t->space->start[level];
    size_t planned = 0, own = (size_t)level * t->space->stride + level;
    NAME(start_group)(f, level + 1);
    for (uint32_t n = 0; n < now->nodes.count; n++) {
        const uint64_t *record = hd_cut_table_record(&now->nodes, n);
        size_t length = record[now->nodes.width + 1];
        NAME(load_bounds)(f, level, record);
        const uint32_t from = t->low[own], to = t->high[own];
        uint32_t child = 0;
        for (uint32_t c = from, same = from; c <= to; c++) {
            bool full = planned && planned + length > f->most;
            if (full) {
                NAME(fill_group)(f, level + 1);
                int why = NAME(go_on)(f, level + 1);
                if (why)
                    return why;
                NAME(start_group)(f, level + 1);
                planned = 0;
            }
            if (c == from || c > same || full) { /* else it leaves the same as the count before */
                NAME(narrow)(t, level, c);
                child = NAME(add_node)(f, level + 1);
                same = stretch[c];
            }
            hd_cut_table_record(&next->nodes, child)[next->nodes.width + 1] += length;
            hd_vec_push(&next->edges, ((struct NAME(edge)){n, c, child}));
            planned += length;
        }
    }
    NAME(fill_group)(f, level + 1);
    return NAME(go_on)(f, level + 1);
}

static void NAME(fronts_init)(struct NAME(fronts) * f, const hd_cut_space *space,
                              const uint32_t *least, const uint32_t *most,
                              const hd_cut_tails_size *size) {
    NAME(init)(&f->tails, space, least, most, size);
    f->most = size->bytes / sizeof(ELEMENT) / 16 + 1;
    f->levels = HD_NEW_ARRAY(struct NAME(front), f->tails.split + 1);
    for (uint32_t level = 0; level <= f->tails.split; level++) {
        hd_cut_table_init(&f->levels[level].nodes, NAME(front_key)(f, level), NAME(FRONT_WORDS));
        f->levels[level].lists = NAME(new_list)(level ? f->most : 1);
    }
}

/* One prefix, of no thread, and all that comes of it. */
static int NAME(fronts_run)(struct NAME(fronts) * f, ELEMENT nothing) {
    uint32_t root = NAME(add_node)(f, 0);
    uint64_t *record = hd_cut_table_record(&f->levels[0].nodes, root) + f->levels[0].nodes.width;
    record[1] = 1;
    f->levels[0].lists[0] = nothing;
    return NAME(go_on)(f, 0);
}

static void NAME(fronts_release)(struct NAME(fronts) * f) {
    for (uint32_t level = 0; level <= f->tails.split; level++) {
        hd_cut_table_release(&f->levels[level].nodes);
        hd_vec_release(&f->levels[level].edges);
        free(f->levels[level].lists);
    }
    free(f->levels);
    NAME(release)(&f->tails);
}
