/*
 * nondet as published (guarantee N3) against the same graphs built naively: edges in a
 * matrix, closed by Floyd and Warshall, induced edges until there are no more, the
 * lock abstraction graph as a matrix of its own, and all 2^d choice graphs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nondet/nondet.h"
#include "support_brute.h"
#include "support_nondet.h"
#include "support_random.h"

enum { EVENTS = 32, SCOPES = 32, PAIRS = 10 };

typedef struct scope {
    uint32_t lock, thread, acquire, release; /* release is 0 if none exists */
    bool reading;
} scope;

typedef struct matrix {
    bool at[EVENTS + 1][EVENTS + 1];
} matrix;

typedef struct graph {
    const hd_trace *trace;
    const support_brute *brute;
    uint32_t length;
    scope scopes[SCOPES];
    uint32_t scope_count;
    bool kept[EVENTS + 1];
    matrix edges;
    uint32_t order_edges[16][2], order_count;
    uint32_t choices[SCOPES * SCOPES][2], choice_count;
} graph;

typedef struct columns {
    uint64_t cyclic, no_choice, with_choice, feasible;
    double possible;
    bool too_many; /* choices for 2^d graphs */
} columns;

static unsigned long with_choice, refuted_by_choice, too_many, cyclic, no_choice;

static const heddle_event *at(const graph *g, uint32_t n) {
    return hd_trace_event(g->trace, n);
}

/* ---- Scopes ---- */

static bool is_acquire(const heddle_event *e) {
    return hd_trace_acquires(e) && !(e->flags & HEDDLE_REENTRANT);
}

static bool is_release(const heddle_event *e) {
    return hd_trace_releases(e) && !(e->flags & HEDDLE_REENTRANT);
}

static void find_scopes(graph *g) {
    g->scope_count = 0;
    for (uint32_t a = 1; a <= g->length; a++) {
        if (!is_acquire(at(g, a)))
            continue;
        scope s = {at(g, a)->object, at(g, a)->thread, a, 0, hd_trace_is_shared(at(g, a))};
        for (uint32_t b = g->length; b > a; b--)
            if (is_release(at(g, b)) && at(g, b)->thread == s.thread && at(g, b)->object == s.lock)
                s.release = b; /* the first one behind it */
        g->scopes[g->scope_count++] = s;
    }
}

/* Where it ends among the events kept. */
static uint32_t end_of(const graph *g, const scope *s) {
    uint32_t last = 0;
    if (s->release && g->kept[s->release])
        return s->release;
    for (uint32_t e = 1; e <= g->length; e++)
        if (g->kept[e] && at(g, e)->thread == s->thread)
            last = e;
    return last;
}

static bool conflict(const graph *g, const scope *a, const scope *b) {
    return g->kept[a->acquire] && g->kept[b->acquire] && a->lock == b->lock &&
           a->thread != b->thread && !(a->reading && b->reading);
}

static bool is_inside(const scope *s, uint32_t event, uint32_t thread) {
    return s->thread == thread && s->acquire < event && (!s->release || event < s->release);
}

/* ---- Edges ---- */

static void close_matrix(matrix *m, uint32_t length) {
    for (uint32_t k = 1; k <= length; k++)
        for (uint32_t i = 1; i <= length; i++)
            for (uint32_t j = 1; j <= length && m->at[i][k]; j++)
                m->at[i][j] |= m->at[k][j];
}

static bool has_cycle(const matrix *m, uint32_t length) {
    for (uint32_t i = 1; i <= length; i++)
        if (m->at[i][i])
            return true;
    return false;
}

static bool is_couple(const graph *g, uint32_t a, uint32_t b) {
    bool reads = hd_trace_reads(at(g, b)) || at(g, b)->kind == HEDDLE_TRYFAIL;
    return reads && support_brute_saw(g->brute, b) == a;
}

static void base_edges(graph *g, uint32_t writer, uint32_t read) {
    memset(&g->edges, 0, sizeof g->edges);
    for (uint32_t a = 1; a <= g->length; a++)
        for (uint32_t b = 1; b <= g->length; b++)
            g->edges.at[a][b] = g->kept[a] && g->kept[b] &&
                                (support_brute_must(g->brute, a, b) ||
                                 (is_couple(g, a, b) && !(a == writer && b == read)));
}

/* Events kept where the writer is dropped; false if the read needs it. */
static bool drop(graph *g, uint32_t writer, uint32_t read) {
    for (uint32_t e = 1; e <= g->length; e++)
        g->kept[e] = true;
    base_edges(g, writer, read);
    matrix m = g->edges;
    close_matrix(&m, g->length);
    for (uint32_t e = 1; e <= g->length; e++)
        g->kept[e] = e != writer && !m.at[writer][e];
    return g->kept[read];
}

static void order_edge(graph *g, uint32_t y, uint32_t x) {
    g->edges.at[y][x] = true;
    g->order_edges[g->order_count][0] = y;
    g->order_edges[g->order_count++][1] = x;
}

/* a before b, for every pair of scopes; false if program order is against it. */
static bool order_pair(graph *g, uint32_t a, uint32_t b) {
    if (at(g, a)->thread == at(g, b)->thread)
        return a < b;
    order_edge(g, a, b);
    for (uint32_t i = 0; i < g->scope_count; i++)
        for (uint32_t j = 0; j < g->scope_count; j++)
            if (conflict(g, &g->scopes[i], &g->scopes[j]) &&
                is_inside(&g->scopes[i], a, at(g, a)->thread) &&
                is_inside(&g->scopes[j], b, at(g, b)->thread))
                order_edge(g, end_of(g, &g->scopes[i]), g->scopes[j].acquire);
    return true;
}

/* Induced edges until there are no more; `m` is the closure then. */
static void induce(graph *g, matrix *m) {
    bool more = true;
    while (more) {
        more = false;
        *m = g->edges;
        close_matrix(m, g->length);
        for (uint32_t i = 0; i < g->scope_count; i++)
            for (uint32_t j = 0; j < g->scope_count; j++) {
                const scope *a = &g->scopes[i], *b = &g->scopes[j];
                if (!conflict(g, a, b) || !m->at[a->acquire][end_of(g, b)] ||
                    g->edges.at[end_of(g, a)][b->acquire])
                    continue;
                g->edges.at[end_of(g, a)][b->acquire] = true;
                more = true;
            }
    }
}

/* ---- Choices ---- */

static bool is_unordered(const graph *g, const matrix *m, const scope *a, const scope *b) {
    return conflict(g, a, b) && !m->at[a->acquire][end_of(g, b)] &&
           !m->at[b->acquire][end_of(g, a)];
}

/* The vertex of an event in the lock abstraction graph: the first event of its
 * scopes, where they overlap those of all. */
static void find_vertices(const graph *g, uint32_t *vertex) {
    for (uint32_t e = 1; e <= g->length; e++)
        vertex[e] = e;
    for (uint32_t round = 0; round <= g->scope_count; round++)
        for (uint32_t i = 0; i < g->scope_count; i++) {
            const scope *s = &g->scopes[i];
            uint32_t least = s->acquire;
            if (!g->kept[s->acquire])
                continue;
            for (uint32_t e = s->acquire; e <= end_of(g, s); e++)
                if (at(g, e)->thread == s->thread && vertex[e] < least)
                    least = vertex[e];
            for (uint32_t e = s->acquire; e <= end_of(g, s); e++)
                if (at(g, e)->thread == s->thread)
                    vertex[e] = least;
        }
}

static void find_choices(graph *g, const matrix *m) {
    uint32_t vertex[EVENTS + 1];
    matrix walks = {0};
    find_vertices(g, vertex);
    for (uint32_t a = 1; a <= g->length; a++) {
        walks.at[vertex[a]][vertex[a]] = true;
        for (uint32_t b = 1; b <= g->length; b++)
            if (g->edges.at[a][b])
                walks.at[vertex[a]][vertex[b]] = true;
    }
    for (uint32_t i = 0; i < g->scope_count; i++)
        for (uint32_t j = 0; j < g->scope_count; j++)
            if (is_unordered(g, m, &g->scopes[i], &g->scopes[j]))
                walks.at[vertex[g->scopes[i].acquire]][vertex[g->scopes[j].acquire]] = true;
    close_matrix(&walks, g->length);
    g->choice_count = 0;
    for (uint32_t i = 0; i < g->scope_count; i++)
        for (uint32_t j = i + 1; j < g->scope_count; j++) {
            uint32_t a = vertex[g->scopes[i].acquire], b = vertex[g->scopes[j].acquire];
            bool on_walk = false;
            for (uint32_t k = 0; k < g->order_count; k++) {
                uint32_t y = vertex[g->order_edges[k][0]], x = vertex[g->order_edges[k][1]];
                on_walk |= (walks.at[x][a] && walks.at[b][y]) || (walks.at[x][b] && walks.at[a][y]);
            }
            if (!on_walk || !is_unordered(g, m, &g->scopes[i], &g->scopes[j]))
                continue;
            g->choices[g->choice_count][0] = i;
            g->choices[g->choice_count++][1] = j;
        }
}

static bool is_acyclic(const graph *g, uint32_t combination) {
    matrix m = g->edges;
    for (uint32_t k = 0; k < g->choice_count; k++) {
        bool turned = combination >> k & 1;
        const scope *a = &g->scopes[g->choices[k][turned]];
        const scope *b = &g->scopes[g->choices[k][!turned]];
        m.at[end_of(g, a)][b->acquire] = true;
    }
    close_matrix(&m, g->length);
    return !has_cycle(&m, g->length);
}

/* ---- Witnesses ---- */

static void count_choices(graph *g, const matrix *m, columns *c) {
    find_choices(g, m);
    if (!g->choice_count) {
        c->no_choice++;
        c->feasible++;
        return;
    }
    c->with_choice++;
    if (g->choice_count > PAIRS) {
        c->too_many = true;
        return;
    }
    c->possible += (double)(UINT32_C(1) << g->choice_count);
    bool found = false;
    for (uint32_t i = 0; i < UINT32_C(1) << g->choice_count && !found; i++)
        found = is_acyclic(g, i);
    c->feasible += found;
    refuted_by_choice += !found;
}

/* False if the witness cannot be, before any graph. */
static bool set_up(graph *g, enum hd_witness_order order, uint32_t w, uint32_t r, uint32_t c) {
    g->order_count = 0;
    for (uint32_t e = 1; e <= g->length; e++)
        g->kept[e] = true;
    if (order == HD_WITNESS_WCR) {
        if (!c)
            return false;
        base_edges(g, w, r);
        return (!w || order_pair(g, w, c)) && (!r || order_pair(g, c, r)) &&
               (!w || !r || order_pair(g, w, r));
    }
    if (!w || !r || (order == HD_WITNESS_CR && !drop(g, w, r)) || (c && !g->kept[c]))
        return false;
    base_edges(g, w, r);
    if (c && !order_pair(g, c, r))
        return false;
    return order == HD_WITNESS_CR || (order_pair(g, r, w) && (!c || order_pair(g, c, w)));
}

static void count_witness(graph *g, enum hd_witness_order order, uint32_t w, uint32_t r, uint32_t c,
                          columns *sums) {
    matrix m;
    bool possible = set_up(g, order, w, r, c);
    if (possible) {
        induce(g, &m);
        possible = !has_cycle(&m, g->length);
    }
    if (possible)
        count_choices(g, &m, sums);
    else
        sums->cyclic++;
}

static void count_read(graph *g, uint32_t read, uint32_t variable, columns *sums) {
    uint32_t writer = support_nondet_writer(g->trace, read, variable);
    for (uint32_t c = 0; c <= g->length; c++)
        for (int order = 0; order < 3; order++)
            if (support_nondet_challenges(g->trace, read, variable, c))
                count_witness(g, (enum hd_witness_order)order, writer, read, c, sums);
}

static bool check(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    if (hd_trace_length(trace) > EVENTS)
        return true;
    support_brute *brute = support_brute_create(trace);
    graph g = {.trace = trace, .brute = brute, .length = hd_trace_length(trace)};
    columns c = {0};
    hd_nondet_options options;
    hd_nondet_result result;
    hd_error error = {""};
    find_scopes(&g);
    for (uint32_t read = 1; read <= g.length; read++)
        count_read(&g, read, 0, &c);
    for (uint32_t v = 0; v < trace->tables.names[HEDDLE_CLASS_VARIABLE].length; v++)
        count_read(&g, 0, v, &c);
    hd_nondet_options_init(&options);
    options.paper = options.count_only = true;
    bool good = hd_nondet_run(trace, &options, &result, NULL, NULL, &error);
    const hd_nondet_counts *w = &result.witnesses;
    char *possible = hd_nondet_possible_graphs(&result);
    if (!good)
        snprintf(why, why_size, "%s", error.text);
    else if (w->cyclic != c.cyclic || w->no_choice != c.no_choice ||
             w->with_choice != c.with_choice || w->unknown ||
             (!c.too_many && (w->feasible != c.feasible || strtod(possible, NULL) != c.possible))) {
        good = false;
        snprintf(why, why_size,
                 "%lu cyclic, %lu no choice, %lu with choice, %lu feasible, %s graphs; expected "
                 "%lu, %lu, %lu, %lu, %g",
                 (unsigned long)w->cyclic, (unsigned long)w->no_choice,
                 (unsigned long)w->with_choice, (unsigned long)w->feasible, possible,
                 (unsigned long)c.cyclic, (unsigned long)c.no_choice, (unsigned long)c.with_choice,
                 (unsigned long)c.feasible, c.possible);
    }
    cyclic += c.cyclic;
    no_choice += c.no_choice;
    with_choice += c.with_choice;
    too_many += c.too_many;
    free(possible);
    hd_nondet_result_release(&result);
    support_brute_free(brute);
    return good;
}

/* ---- Figure 6 with some edges left out: choices that are cycles both ways, or not ---- */

static void add_event(hd_trace *trace, hd_random *random, const char *thread, enum heddle_kind kind,
                      enum heddle_class class, const char *object) {
    bool message = kind == HEDDLE_SEND || kind == HEDDLE_RECV;
    if (message && hd_random_chance(random, 60))
        return; /* a send without its recv, or a recv of an initial unit */
    hd_trace_append(
        trace, (heddle_event){.thread = hd_trace_name(trace, HEDDLE_CLASS_THREAD, "%s", thread),
                              .kind = (uint8_t)kind,
                              .object = hd_trace_name(trace, class, "%s", object)});
}

static void draw_figure(hd_trace *trace, hd_random *random) {
    static const struct {
        const char *thread;
        enum heddle_kind kind;
        enum heddle_class class;
        const char *object;
    } events[] = {
        {"m", HEDDLE_WRITE, HEDDLE_CLASS_VARIABLE, "v"},
        {"m", HEDDLE_FORK, HEDDLE_CLASS_THREAD, "x"},
        {"t1", HEDDLE_ACQUIRE, HEDDLE_CLASS_LOCK, "l1"},
        {"t1", HEDDLE_SEND, HEDDLE_CLASS_CHANNEL, "q13"},
        {"t1", HEDDLE_SEND, HEDDLE_CLASS_CHANNEL, "q14"},
        {"x", HEDDLE_READ, HEDDLE_CLASS_VARIABLE, "v"},
        {"x", HEDDLE_SEND, HEDDLE_CLASS_CHANNEL, "x1"},
        {"x", HEDDLE_SEND, HEDDLE_CLASS_CHANNEL, "x2"},
        {"t1", HEDDLE_RECV, HEDDLE_CLASS_CHANNEL, "x1"},
        {"t1", HEDDLE_RELEASE, HEDDLE_CLASS_LOCK, "l1"},
        {"t2", HEDDLE_ACQUIRE, HEDDLE_CLASS_LOCK, "l1"},
        {"t2", HEDDLE_SEND, HEDDLE_CLASS_CHANNEL, "q23"},
        {"t2", HEDDLE_SEND, HEDDLE_CLASS_CHANNEL, "q24"},
        {"t2", HEDDLE_RECV, HEDDLE_CLASS_CHANNEL, "x2"},
        {"t2", HEDDLE_RELEASE, HEDDLE_CLASS_LOCK, "l1"},
        {"t3", HEDDLE_ACQUIRE, HEDDLE_CLASS_LOCK, "l2"},
        {"t3", HEDDLE_SEND, HEDDLE_CLASS_CHANNEL, "y3"},
        {"t3", HEDDLE_RECV, HEDDLE_CLASS_CHANNEL, "q13"},
        {"t3", HEDDLE_RECV, HEDDLE_CLASS_CHANNEL, "q23"},
        {"t3", HEDDLE_RELEASE, HEDDLE_CLASS_LOCK, "l2"},
        {"t4", HEDDLE_ACQUIRE, HEDDLE_CLASS_LOCK, "l2"},
        {"t4", HEDDLE_SEND, HEDDLE_CLASS_CHANNEL, "y4"},
        {"t4", HEDDLE_RECV, HEDDLE_CLASS_CHANNEL, "q14"},
        {"t4", HEDDLE_RECV, HEDDLE_CLASS_CHANNEL, "q24"},
        {"t4", HEDDLE_RELEASE, HEDDLE_CLASS_LOCK, "l2"},
        {"y", HEDDLE_RECV, HEDDLE_CLASS_CHANNEL, "y3"},
        {"y", HEDDLE_RECV, HEDDLE_CLASS_CHANNEL, "y4"},
        {"y", HEDDLE_WRITE, HEDDLE_CLASS_VARIABLE, "v"},
    };
    hd_trace_init(trace);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        add_event(trace, random, events[i].thread, events[i].kind, events[i].class,
                  events[i].object);
}

/* The trace that was drawn for the case only stands for its seed. */
static bool check_figure(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)trace;
    hd_trace figure;
    hd_error error = {""};
    draw_figure(&figure, random);
    bool good = hd_trace_check_all(&figure, &error);
    if (good)
        good = check(&figure, random, why, why_size);
    else
        snprintf(why, why_size, "%s", error.text);
    hd_trace_release(&figure);
    return good;
}

SUPPORT_SUITE(random_paper) {
    const unsigned locks = SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_TRYFAIL | SUPPORT_RMW;
    const support_property properties[] = {
        {"paper equals naive graphs", {4, 16, 3, 2, SUPPORT_ALL}, check},
        {"paper on locks equals naive graphs", {4, 20, 2, 2, locks}, check},
        {"paper on many threads equals naive graphs", {16, 20, 2, 2, SUPPORT_LOCKS}, check},
        {"paper on figure 6 equals naive graphs", {1, 1, 1, 1, 0}, check_figure},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# %lu cyclic, %lu no choice, %lu with choice (%lu of them infeasible), %lu traces with "
           "too many choices\n",
           cyclic, no_choice, with_choice, refuted_by_choice, too_many);
    return status;
}
