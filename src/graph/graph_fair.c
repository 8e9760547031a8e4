/*
 * Fair cycles: strongly connected components (Tarjan 1972), of which the states are taken out in
 * which a thread can go on that takes no step there, until nothing is left to take out (Emerson,
 * Lei 1987).
 */
#include "graph_fair.h"

#include <stdlib.h>

enum { OUTSIDE = 0 };

/* A node that the walk is at, and its next edge. */
typedef struct visit_at {
    uint32_t node;
    size_t edge;
} visit_at;

/* Nodes of the vector from `first` on. */
typedef struct part {
    size_t first;
    uint32_t count;
} part;

typedef struct fair {
    uint32_t lowest;
    uint32_t part;
    uint64_t threads;
    bool writes;
} fair;

typedef struct finder {
    const hd_graph *graph;
    uint32_t *part_of;     /* of nodes; OUTSIDE: it is in none */
    uint32_t *number;      /* in the order of the walk, from 1; 0: not there yet */
    uint32_t *low;         /* the lowest that is reached from there */
    uint32_t *from;        /* of nodes: the edge by which a search came, + 1; 0: it did not */
    uint32_t *origin;      /* and the node */
    uint32_t parts, count; /* numbers given */
    HD_VEC(visit_at) walk;
    hd_vec_u32 stack; /* nodes of components that are not complete */
    hd_vec_u32 nodes; /* of parts that are still to do */
    HD_VEC(part) todo;
    HD_VEC(fair) found;
    hd_vec_u32 queue;
} finder;

void hd_graph_release(hd_graph *graph) {
    hd_vec_release(&graph->nodes);
    hd_vec_release(&graph->edges);
}

static bool is_inside(const finder *f, uint32_t node, const hd_graph_edge *edge) {
    return edge->only && f->part_of[edge->to] == f->part_of[node];
}

/* ---- Sets ---- */

static uint64_t bit_of(const hd_graph_edge *edge) {
    return UINT64_C(1) << edge->thread;
}

/* Does it go on in vain? */
static bool is_vain(const finder *f, uint64_t threads, bool writes) {
    return !writes || threads & f->graph->can_end;
}

/* A component, which is on the stack from `first` on, is a part of its own now.  Is it fair?  Else
 * it is a part to do, without the states that are not. */
static void close_component(finder *f, size_t first) {
    const hd_graph_node *nodes = f->graph->nodes.data;
    uint32_t number = ++f->parts, lowest = UINT32_MAX;
    uint64_t enabled = 0, taken = 0;
    bool writes = false;
    for (size_t i = first; i < f->stack.length; i++)
        f->part_of[f->stack.data[i]] = number;
    for (size_t i = first; i < f->stack.length; i++) {
        uint32_t node = f->stack.data[i];
        lowest = node < lowest ? node : lowest;
        enabled |= nodes[node].enabled;
        for (size_t e = nodes[node].first; e < nodes[node + 1].first; e++) {
            const hd_graph_edge *edge = &f->graph->edges.data[e];
            if (is_inside(f, node, edge)) {
                taken |= bit_of(edge);
                writes |= edge->writes;
            }
        }
    }
    if (taken && !(enabled & ~taken)) {
        if (is_vain(f, taken, writes))
            hd_vec_push(&f->found, (fair){lowest, number, taken, writes});
    } else if (taken) {
        size_t begin = f->nodes.length;
        for (size_t i = first; i < f->stack.length; i++) {
            uint32_t node = f->stack.data[i];
            if (nodes[node].enabled & ~taken)
                f->part_of[node] = OUTSIDE;
            else
                hd_vec_push(&f->nodes, node);
        }
        if (f->nodes.length > begin)
            hd_vec_push(&f->todo, (part){begin, (uint32_t)(f->nodes.length - begin)});
    }
    f->stack.length = first;
}

/* ---- Components ---- */

static void enter(finder *f, uint32_t node) {
    f->number[node] = f->low[node] = ++f->count;
    hd_vec_push(&f->stack, node);
    hd_vec_push(&f->walk, (visit_at){node, f->graph->nodes.data[node].first});
}

/* Where the stack has the node; it is near the end. */
static size_t place_of(const finder *f, uint32_t node) {
    size_t at = f->stack.length;
    while (f->stack.data[--at] != node)
        ;
    return at;
}

static void leave(finder *f) {
    uint32_t node = hd_vec_pop(&f->walk).node;
    if (f->walk.length) {
        uint32_t before = hd_vec_last(&f->walk)->node;
        if (f->low[node] < f->low[before])
            f->low[before] = f->low[node];
    }
    if (f->low[node] == f->number[node])
        close_component(f, place_of(f, node));
}

/* All that is reached from there in the part.  A node that has left the stack is in another. */
static void walk_from(finder *f, uint32_t start) {
    enter(f, start);
    while (f->walk.length && !hd_clock_over()) {
        visit_at *at = hd_vec_last(&f->walk);
        uint32_t node = at->node;
        if (at->edge == f->graph->nodes.data[node + 1].first) {
            leave(f);
            continue;
        }
        const hd_graph_edge *edge = &f->graph->edges.data[at->edge++];
        if (!is_inside(f, node, edge))
            continue;
        if (!f->number[edge->to])
            enter(f, edge->to);
        else if (f->number[edge->to] < f->low[node])
            f->low[node] = f->number[edge->to];
    }
}

static bool find_all(finder *f) {
    uint32_t size = hd_graph_size(f->graph);
    f->parts = 1;
    for (uint32_t i = 0; i < size; i++) {
        f->part_of[i] = 1;
        hd_vec_push(&f->nodes, i);
    }
    hd_vec_push(&f->todo, (part){0, size});
    while (f->todo.length) {
        part now = hd_vec_pop(&f->todo);
        uint32_t of = ++f->parts;
        hd_vec_u32 list = {0};
        for (uint32_t i = 0; i < now.count; i++) {
            uint32_t node = f->nodes.data[now.first + i];
            hd_vec_push(&list, node);
            f->part_of[node] = of;
            f->number[node] = 0;
        }
        f->nodes.length = now.first; /* it is the last one */
        f->count = 0;
        for (size_t i = 0; i < list.length && !hd_clock_over(); i++)
            if (!f->number[list.data[i]])
                walk_from(f, list.data[i]);
        hd_vec_release(&list);
        if (hd_clock_over())
            return false;
    }
    return true;
}

/* ---- A cycle ---- */

static const hd_graph_edge *edge_at(const finder *f, uint32_t edge) {
    return &f->graph->edges.data[edge];
}

/* The shortest way from there, in the part, to the node; with UINT32_MAX for it, to an edge of one
 * of the threads, and over it.  Adds its steps; the node that it leads to. */
static uint32_t go(finder *f, uint32_t start, uint32_t goal, uint64_t threads, hd_steps *steps) {
    const hd_graph_node *nodes = f->graph->nodes.data;
    uint32_t last = UINT32_MAX, edge_last = 0;
    hd_vec_clear(&f->queue);
    hd_vec_push(&f->queue, start);
    f->origin[start] = start;
    for (size_t i = 0; i < f->queue.length && last == UINT32_MAX; i++) {
        uint32_t node = f->queue.data[i];
        for (size_t e = nodes[node].first; e < nodes[node + 1].first; e++) {
            const hd_graph_edge *edge = edge_at(f, (uint32_t)e);
            if (!is_inside(f, node, edge))
                continue;
            if (goal == UINT32_MAX ? (bit_of(edge) & threads) != 0 : edge->to == goal) {
                last = node;
                edge_last = (uint32_t)e;
                break;
            }
            if (f->origin[edge->to] == UINT32_MAX) {
                f->origin[edge->to] = node;
                f->from[edge->to] = (uint32_t)e;
                hd_vec_push(&f->queue, edge->to);
            }
        }
    }
    assert(last != UINT32_MAX); /* the part is strongly connected */
    size_t begin = steps->length;
    hd_vec_push(steps, (hd_step){edge_at(f, edge_last)->thread, 0});
    for (uint32_t at = last; at != start; at = f->origin[at])
        hd_vec_push(steps, (hd_step){edge_at(f, f->from[at])->thread, 0});
    for (size_t a = begin, b = steps->length; a + 1 < b; a++) {
        hd_step swapped = steps->data[a];
        steps->data[a] = steps->data[--b];
        steps->data[b] = swapped;
    }
    for (size_t i = 0; i < f->queue.length; i++)
        f->origin[f->queue.data[i]] = UINT32_MAX;
    return edge_at(f, edge_last)->to;
}

static void make_cycle(finder *f, const fair *it, hd_steps *steps) {
    uint64_t left = it->threads;
    uint32_t at = it->lowest;
    hd_vec_clear(steps);
    while (left) {
        size_t begin = steps->length;
        at = go(f, at, UINT32_MAX, left, steps);
        for (size_t i = begin; i < steps->length; i++)
            left &= ~(UINT64_C(1) << steps->data[i].thread);
    }
    if (at != it->lowest)
        go(f, at, it->lowest, 0, steps);
}

static int by_lowest(const void *a, const void *b) {
    uint32_t x = ((const fair *)a)->lowest, y = ((const fair *)b)->lowest;
    return (x > y) - (x < y);
}

static void show_all(finder *f, hd_graph_round *visit, void *context) {
    hd_steps steps = {0};
    int stop = 0;
    if (f->found.length)
        qsort(f->found.data, f->found.length, sizeof *f->found.data, by_lowest);
    for (size_t i = 0; i < f->found.length && !stop; i++) {
        make_cycle(f, &f->found.data[i], &steps);
        stop = visit(context, f->found.data[i].lowest, &steps, f->found.data[i].writes);
    }
    hd_vec_release(&steps);
}

bool hd_graph_fair(const hd_graph *graph, hd_graph_round *visit, void *context) {
    size_t size = graph->nodes.length;
    finder f = {.graph = graph,
                .part_of = HD_NEW_ARRAY(uint32_t, size),
                .number = HD_NEW_ARRAY(uint32_t, size),
                .low = HD_NEW_ARRAY(uint32_t, size),
                .from = HD_NEW_ARRAY(uint32_t, size),
                .origin = HD_NEW_ARRAY(uint32_t, size)};
    memset(f.origin, 0xff, size * sizeof *f.origin);
    bool all = find_all(&f);
    show_all(&f, visit, context);
    free(f.part_of);
    free(f.number);
    free(f.low);
    free(f.from);
    free(f.origin);
    hd_vec_release(&f.walk);
    hd_vec_release(&f.stack);
    hd_vec_release(&f.nodes);
    hd_vec_release(&f.todo);
    hd_vec_release(&f.found);
    hd_vec_release(&f.queue);
    return all;
}
