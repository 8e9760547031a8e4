#include "predicate_diagram.h"

#include <string.h>

struct edge {
    uint32_t from, to; /* counts of the thread */
    uint32_t child;    /* node of the next level */
};

struct level {
    uint32_t nodes;
    hd_vec_u32 first; /* [node]: its first edge; and one more */
    HD_VEC(struct edge) edges;
    uint32_t *low; /* [node]: fewest events of this thread and those after it */
    int64_t *most; /* [node * sums + i]: of sum i */
};

struct hd_predicate_diagram {
    const hd_predicate_form *form;
    const hd_cut_space *space;
    const hd_predicate_term *term;
    const hd_predicate_slice *slice;
    struct level *levels; /* [thread], and one more of a single node: nothing is left */
    size_t sums, memory, used;
};

/* ---- Building ---- */

static const uint32_t *row_at(const hd_predicate_diagram *d, const uint32_t *slice, bool high,
                              uint32_t place, uint32_t count) {
    if (slice)
        return slice + (d->space->start[place] + count) * d->space->stride;
    return high ? hd_cut_high(d->space, place, count) : hd_cut_low(d->space, place, count);
}

static bool is_open(const hd_predicate_diagram *d, uint32_t place, uint32_t count) {
    return hd_bits_has(&d->term->allowed, d->space->start[place] + count) &&
           (!d->slice->low || row_at(d, d->slice->low, false, place, count)[place] == count);
}

/* The bounds of the threads after `place`, with it at a count; false if one has none. */
static bool narrow_bounds(const hd_predicate_diagram *d, const uint32_t *key, uint32_t place,
                          uint32_t count, uint32_t *child) {
    uint32_t left = d->space->threads - place;
    const uint32_t *low = row_at(d, d->slice->low, false, place, count) + place;
    const uint32_t *high = row_at(d, d->slice->high, true, place, count) + place;
    const uint32_t *key_high = key + left;
    bool any = true;
    for (uint32_t q = 1; q < left; q++) {
        child[q - 1] = low[q] > key[q] ? low[q] : key[q];
        child[left - 1 + q - 1] = high[q] < key_high[q] ? high[q] : key_high[q];
        any &= child[q - 1] <= child[left - 1 + q - 1];
    }
    return any;
}

static void expand_node(hd_predicate_diagram *d, uint32_t place, const uint32_t *key,
                        hd_cut_table *next, uint64_t *scratch) {
    struct level *level = &d->levels[place];
    uint32_t left = d->space->threads - place, last = HD_PREDICATE_NONE;
    hd_vec_push(&level->first, (uint32_t)level->edges.length);
    assert(key[0] <= key[left]);
    for (uint32_t c = key[0]; c <= key[left]; c++) {
        scratch[next->width - 1] = 0; /* the padding of an odd number of counts */
        bool added;
        if (!is_open(d, place, c) || !narrow_bounds(d, key, place, c, (uint32_t *)scratch))
            continue;
        uint32_t child = (uint32_t)hd_cut_table_add(next, scratch, &added);
        assert(child < next->count);
        if (last == child && level->edges.data[level->edges.length - 1].to + 1 == c)
            level->edges.data[level->edges.length - 1].to = c;
        else
            hd_vec_push(&level->edges, (struct edge){c, c, child});
        /* The edges of a node go up, and have no count in common. */
        assert(level->edges.length == *hd_vec_last(&level->first) + 1 ||
               hd_vec_last(&level->edges)[-1].to < hd_vec_last(&level->edges)->from);
        last = child;
    }
}

static bool build_level(hd_predicate_diagram *d, uint32_t place, hd_cut_table *now,
                        hd_cut_table *next, uint64_t *scratch) {
    struct level *level = &d->levels[place];
    uint32_t left = d->space->threads - place;
    size_t width = hd_cut_table_words(2 * (size_t)(left - 1));
    hd_cut_table_clear(next, width ? width : 1, 0);
    level->nodes = (uint32_t)now->count;
    for (uint32_t i = 0; i < level->nodes; i++) {
        expand_node(d, place, (const uint32_t *)hd_cut_table_record(now, i), next, scratch);
        size_t bytes = level->edges.capacity * sizeof(struct edge) + hd_cut_table_bytes(now) +
                       hd_cut_table_bytes(next) + (size_t)level->nodes * (d->sums + 2) * 8;
        if (d->used + bytes > d->memory)
            return false;
    }
    hd_vec_push(&level->first, (uint32_t)level->edges.length);
    assert(level->first.length == (size_t)level->nodes + 1);
    d->used += level->edges.capacity * sizeof(struct edge) + (size_t)level->nodes * 16;
    return true;
}

/* From the last thread back: least events and largest sums. */
static void sum_up(hd_predicate_diagram *d, uint32_t place) {
    struct level *level = &d->levels[place], *next = level + 1;
    level->low = HD_NEW_ARRAY(uint32_t, level->nodes + 1);
    level->most = HD_NEW_ARRAY(int64_t, (size_t)level->nodes * d->sums + 1);
    for (uint32_t n = 0; n < level->nodes; n++) {
        uint32_t low = HD_PREDICATE_NONE;
        for (size_t i = 0; i < d->sums; i++)
            level->most[n * d->sums + i] = INT64_MIN / 2;
        for (uint32_t e = level->first.data[n]; e < level->first.data[n + 1]; e++) {
            const struct edge *edge = &level->edges.data[e];
            assert(edge->from <= edge->to && edge->child < next->nodes);
            uint32_t events = next->low[edge->child];
            if (events != HD_PREDICATE_NONE && edge->from + events < low)
                low = edge->from + events;
            for (size_t i = 0; i < d->sums; i++) {
                const int64_t *value =
                    d->form->sums.data[d->term->sums.data[i]].value + d->space->start[place];
                int64_t *most = &level->most[n * d->sums + i];
                for (uint32_t c = edge->from; c <= edge->to; c++) {
                    int64_t sum = value[c] + next->most[edge->child * d->sums + i];
                    *most = sum > *most ? sum : *most;
                }
            }
        }
        level->low[n] = low;
    }
}

hd_predicate_diagram *hd_predicate_diagram_create(const hd_predicate_form *form,
                                                  const hd_predicate_term *term,
                                                  const hd_predicate_slice *slice, size_t memory) {
    hd_predicate_diagram *d = HD_NEW(hd_predicate_diagram);
    const hd_cut_space *space = &form->instance->space;
    uint32_t threads = space->threads;
    *d = (hd_predicate_diagram){form, space, term, slice, NULL, term->sums.length, memory, 0};
    d->levels = HD_NEW_ARRAY(struct level, threads + 1);
    hd_cut_table now, next;
    size_t width = hd_cut_table_words(2 * (size_t)threads) + 1;
    uint64_t *scratch = HD_NEW_ARRAY(uint64_t, width + 1);
    hd_cut_table_init(&now, hd_cut_table_words(2 * (size_t)threads) + !threads, 0);
    hd_cut_table_init(&next, 1, 0);
    memcpy(scratch, slice->least, threads * sizeof *slice->least);
    memcpy((uint32_t *)scratch + threads, slice->most, threads * sizeof *slice->most);
    bool added, good = true;
    hd_cut_table_add(&now, scratch, &added);
    memset(scratch, 0, width * sizeof *scratch);
    for (uint32_t p = 0; p < threads && good; p++) {
        good = build_level(d, p, &now, &next, scratch);
        hd_cut_table done = now;
        now = next;
        next = done;
    }
    assert(!good || now.count <= 1); /* nothing is left of all states alike */
    hd_cut_table_release(&now);
    hd_cut_table_release(&next);
    free(scratch);
    if (!good) {
        hd_predicate_diagram_free(d);
        return NULL;
    }
    d->levels[threads].nodes = 1;
    d->levels[threads].low = HD_NEW_ARRAY(uint32_t, 1);
    d->levels[threads].most = HD_NEW_ARRAY(int64_t, d->sums + 1);
    for (uint32_t p = threads; p-- > 0;)
        sum_up(d, p);
    return d;
}

void hd_predicate_diagram_free(hd_predicate_diagram *d) {
    if (!d)
        return;
    for (uint32_t p = 0; p <= d->space->threads; p++) {
        hd_vec_release(&d->levels[p].first);
        hd_vec_release(&d->levels[p].edges);
        free(d->levels[p].low);
        free(d->levels[p].most);
    }
    free(d->levels);
    free(d);
}

uint64_t hd_predicate_diagram_nodes(const hd_predicate_diagram *d) {
    uint64_t nodes = 0;
    for (uint32_t p = 0; p < d->space->threads; p++)
        nodes += d->levels[p].nodes;
    return nodes;
}

/* ---- The least solution ---- */

struct walk {
    hd_predicate_diagram *d;
    hd_predicate_control *control;
    uint32_t *state, *best;
    int64_t *partial; /* [level * sums] */
    uint64_t best_events;
    bool found;
    unsigned ticks;
};

HD_ASSERT_ONLY static uint64_t events_of(const hd_cut_space *space, const uint32_t *state) {
    uint64_t events = 0;
    for (uint32_t p = 0; p < space->threads; p++)
        events += state[p];
    return events;
}

static bool diagram_descend(struct walk *w, uint32_t place, uint32_t node, uint64_t events) {
    const hd_predicate_diagram *d = w->d;
    const struct level *level = &d->levels[place];
    const int64_t *partial = w->partial + place * d->sums;
    if (level->low[node] == HD_PREDICATE_NONE ||
        (w->found && events + level->low[node] >= w->best_events))
        return true;
    for (size_t i = 0; i < d->sums; i++)
        if (partial[i] + level->most[node * d->sums + i] <
            d->form->sums.data[d->term->sums.data[i]].least)
            return true;
    w->control->states++;
    if (++w->ticks % (1U << 14) == 0 && !hd_predicate_go_on(w->control))
        return false;
    if (place == d->space->threads) {
        HD_COSTLY_ASSERT(hd_cut_seems_consistent(d->space, w->state));
        assert(!w->found || events < w->best_events);
        assert(events == events_of(d->space, w->state));
        w->found = true;
        w->best_events = events;
        memcpy(w->best, w->state, place * sizeof *w->best);
        return true;
    }
    for (uint32_t e = level->first.data[node]; e < level->first.data[node + 1]; e++) {
        const struct edge *edge = &level->edges.data[e];
        for (uint32_t c = edge->from; c <= edge->to; c++) {
            for (size_t i = 0; i < d->sums; i++)
                w->partial[(place + 1) * d->sums + i] =
                    partial[i] +
                    d->form->sums.data[d->term->sums.data[i]].value[d->space->start[place] + c];
            w->state[place] = c;
            if (!diagram_descend(w, place + 1, edge->child, events + c))
                return false;
        }
    }
    return true;
}

bool hd_predicate_diagram_least(hd_predicate_diagram *d, hd_predicate_control *control,
                                uint32_t *best, bool found) {
    uint32_t threads = d->space->threads;
    struct walk w = {.d = d, .control = control, .best = best, .found = found};
    uint32_t *before = HD_NEW_ARRAY(uint32_t, 2 * (size_t)d->space->stride + 2);
    w.state = before + d->space->stride + 1;
    w.partial = HD_NEW_ARRAY(int64_t, (threads + 1) * d->sums + 1);
    memcpy(before, best, threads * sizeof *best);
    for (uint32_t p = 0; found && p < threads; p++)
        w.best_events += best[p];
    w.best_events += found; /* of the same size, one that is lexically less will do */
    diagram_descend(&w, 0, 0, 0);
    if (found && hd_predicate_less(d->space, before, best))
        memcpy(best, before, threads * sizeof *best);
    free(before);
    free(w.partial);
    return w.found;
}

/* ---- How many ---- */

__extension__ typedef unsigned __int128 number;

/* The values of all sums over the completions of a node, and how many have them. */
struct tally {
    hd_vec_u64 records; /* sums, then two words of the number */
};

static bool add_tally(hd_cut_table *table, const hd_predicate_diagram *d, uint32_t place,
                      uint32_t count, const struct tally *child, uint64_t *key) {
    size_t size = d->sums + 2, width = d->sums ? d->sums : 1;
    for (size_t r = 0; r < child->records.length; r += size) {
        const uint64_t *record = child->records.data + r;
        bool added;
        key[0] = 0;
        for (size_t i = 0; i < d->sums; i++)
            key[i] = record[i] + (uint64_t)d->form->sums.data[d->term->sums.data[i]]
                                     .value[d->space->start[place] + count];
        uint64_t *to = hd_cut_table_record(table, hd_cut_table_add(table, key, &added)) + width;
        number more, sum;
        memcpy(&more, record + d->sums, sizeof more);
        memcpy(&sum, to, sizeof sum);
        if (__builtin_add_overflow(sum, more, &sum))
            return false;
        memcpy(to, &sum, sizeof sum);
    }
    return true;
}

static bool tally_node(const hd_predicate_diagram *d, uint32_t place, uint32_t node,
                       const struct tally *children, struct tally *to, hd_cut_table *table,
                       uint64_t *key) {
    const struct level *level = &d->levels[place];
    size_t width = d->sums ? d->sums : 1;
    hd_cut_table_clear(table, width, 2);
    for (uint32_t e = level->first.data[node]; e < level->first.data[node + 1]; e++) {
        const struct edge *edge = &level->edges.data[e];
        for (uint32_t c = edge->from; c <= edge->to; c++)
            if (!add_tally(table, d, place, c, &children[edge->child], key))
                return false;
    }
    assert((table->count == 0) == (level->low[node] == HD_PREDICATE_NONE)); /* a dead end */
    for (size_t r = 0; r < table->count; r++) {
        const uint64_t *record = hd_cut_table_record(table, r);
        for (size_t i = 0; i < d->sums; i++)
            hd_vec_push(&to->records, record[i]);
        hd_vec_push(&to->records, record[width]);
        hd_vec_push(&to->records, record[width + 1]);
    }
    return true;
}

static void free_tallies(struct tally *tallies, uint32_t count) {
    for (uint32_t i = 0; tallies && i < count; i++)
        hd_vec_release(&tallies[i].records);
    free(tallies);
}

static void add_solutions(const hd_predicate_diagram *d, const struct tally *root,
                          hd_cut_count *count) {
    size_t size = d->sums + 2;
    for (size_t r = 0; r < root->records.length; r += size) {
        const uint64_t *record = root->records.data + r;
        bool is = true;
        for (size_t i = 0; i < d->sums; i++)
            is &= (int64_t)record[i] >= d->form->sums.data[d->term->sums.data[i]].least;
        if (is)
            hd_cut_count_add_product(count, record + d->sums, 2, 1);
    }
}

bool hd_predicate_diagram_count(hd_predicate_diagram *d, size_t memory, hd_cut_count *count) {
    uint32_t threads = d->space->threads, below = 1;
    struct tally *children = HD_NEW_ARRAY(struct tally, 1), *now = NULL;
    uint64_t *key = HD_NEW_ARRAY(uint64_t, d->sums + 1);
    hd_cut_table table;
    bool good = true;
    hd_cut_table_init(&table, d->sums ? d->sums : 1, 2);
    for (size_t i = 0; i < d->sums; i++)
        hd_vec_push(&children->records, 0);
    hd_vec_push(&children->records, 1);
    hd_vec_push(&children->records, 0);
    for (uint32_t p = threads; p-- > 0 && good;) {
        size_t used = 0;
        now = HD_NEW_ARRAY(struct tally, d->levels[p].nodes + 1);
        for (uint32_t n = 0; n < d->levels[p].nodes && good; n++) {
            good = tally_node(d, p, n, children, &now[n], &table, key);
            used += now[n].records.capacity * sizeof(uint64_t);
            good = good && used <= memory;
        }
        free_tallies(children, below);
        children = now;
        below = d->levels[p].nodes;
    }
    assert(!good || below == 1); /* the root */
    if (good && below)
        add_solutions(d, &children[0], count);
    free_tallies(children, below);
    hd_cut_table_release(&table);
    free(key);
    return good;
}
