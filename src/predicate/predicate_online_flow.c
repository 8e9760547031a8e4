/*
 * How large can a total become between two states?  What a thread adds changes at some of its
 * counts; each such count is a node that weighs as much as the total changes there, and needs
 * others: the one before it in its thread, and those that its event has heard of.  Where a thread
 * may not stop, a node needs the next one where it may.  A state is a closed set of nodes, and the
 * largest weight of a closed set is what all positive nodes weigh, less the minimum cut between
 * positive and negative nodes (Picard, 1976).  The cut is found by Dinic's algorithm.
 */
#include <stdlib.h>
#include <string.h>

#include "predicate_online_search.h"

enum { MOST_NODES = 1 << 14 };

struct node {
    uint32_t place, count;
    int64_t weight;
    bool passed; /* a thread may not stop there */
};

struct arc {
    uint32_t to, next; /* the next of the same node, + 1 */
    int64_t left;
};

struct network {
    HD_VEC(struct node) nodes;
    HD_VEC(struct arc) arcs; /* and back: pairs */
    hd_vec_u32 first_of;     /* [place], and one more: its first node */
    hd_vec_u32 head, level, next;
    hd_vec_u32 queue;
    int64_t base, positive, negative;
};

/* ---- Nodes ---- */

static void add_nodes(const struct hd_predicate_online_search *s,
                      const struct hd_predicate_total *total, uint32_t q, const uint32_t *low,
                      const uint32_t *high, struct network *net) {
    const hd_predicate_online *online = s->online;
    int64_t value = hd_predicate_online_total_at(&online->terms, total, q, low[q]);
    bool passed = false;
    net->base += value;
    for (uint32_t c = hd_predicate_online_next(online, q, low[q]); c <= high[q];
         c = hd_predicate_online_next(online, q, c)) {
        bool stops = hd_predicate_online_allows(s, q, c);
        int64_t now = stops ? hd_predicate_online_total_at(&online->terms, total, q, c) : value;
        if (stops != passed && now == value)
            continue;
        hd_vec_push(&net->nodes, (struct node){q, c, now - value, !stops});
        *(now > value ? &net->positive : &net->negative) += llabs(now - value);
        value = now;
        passed = !stops;
    }
}

/* The last node of a thread at or before a count; false if the thread has no such node. */
static bool find_node(const struct network *net, uint32_t place, uint32_t count, uint32_t *found) {
    uint32_t from = net->first_of.data[place], to = net->first_of.data[place + 1];
    uint32_t first = from;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (net->nodes.data[middle].count <= count)
            from = middle + 1;
        else
            to = middle;
    }
    *found = from - 1;
    return from > first;
}

/* ---- Arcs ---- */

static void add_arc(struct network *net, uint32_t from, uint32_t to, int64_t room) {
    hd_vec_push(&net->arcs, (struct arc){to, net->head.data[from], room});
    net->head.data[from] = (uint32_t)net->arcs.length;
    hd_vec_push(&net->arcs, (struct arc){from, net->head.data[to], 0});
    net->head.data[to] = (uint32_t)net->arcs.length;
}

static void add_arcs(const struct hd_predicate_online_search *s, const uint32_t *low,
                     struct network *net) {
    uint32_t nodes = (uint32_t)net->nodes.length, source = nodes, sink = nodes + 1, other;
    hd_vec_resize(&net->head, (size_t)nodes + 2);
    for (uint32_t i = 0; i < nodes; i++) {
        const struct node *node = &net->nodes.data[i];
        if (node->weight > 0)
            add_arc(net, source, i, node->weight);
        if (node->weight < 0)
            add_arc(net, i, sink, -node->weight);
        if (i > net->first_of.data[node->place])
            add_arc(net, i, i - 1, INT64_MAX);
        if (node->passed && i + 1 < net->first_of.data[node->place + 1])
            add_arc(net, i, i + 1, INT64_MAX);
        for (uint32_t r = 0; r < s->places; r++) {
            uint32_t heard = hd_predicate_online_clock(s->online, node->place, node->count, r);
            if (r != node->place && heard > low[r] && find_node(net, r, heard, &other))
                add_arc(net, i, other, INT64_MAX);
        }
    }
}

/* ---- The cut ---- */

static bool find_levels(struct network *net, uint32_t source, uint32_t sink) {
    memset(net->level.data, 0, net->level.length * sizeof *net->level.data);
    hd_vec_clear(&net->queue);
    hd_vec_push(&net->queue, source);
    net->level.data[source] = 1;
    for (size_t i = 0; i < net->queue.length; i++) {
        uint32_t at = net->queue.data[i];
        for (uint32_t a = net->head.data[at]; a; a = net->arcs.data[a - 1].next) {
            const struct arc *arc = &net->arcs.data[a - 1];
            if (arc->left > 0 && !net->level.data[arc->to]) {
                net->level.data[arc->to] = net->level.data[at] + 1;
                hd_vec_push(&net->queue, arc->to);
            }
        }
    }
    return net->level.data[sink] != 0;
}

/* One way from the source to the sink, by arcs to the next level; what it carried, 0 if there is
 * none left.  The queue is its arcs. */
static int64_t push_way(struct network *net, uint32_t source, uint32_t sink) {
    uint32_t at = source;
    hd_vec_clear(&net->queue);
    while (at != sink) {
        uint32_t a = net->next.data[at];
        while (a && !(net->arcs.data[a - 1].left > 0 &&
                      net->level.data[net->arcs.data[a - 1].to] == net->level.data[at] + 1))
            a = net->arcs.data[a - 1].next;
        net->next.data[at] = a;
        if (a) {
            hd_vec_push(&net->queue, a - 1);
            at = net->arcs.data[a - 1].to;
        } else if (at == source) {
            return 0;
        } else { /* a dead end: back, and not there again */
            uint32_t last = hd_vec_pop(&net->queue);
            at = net->arcs.data[last ^ 1].to;
            net->next.data[at] = net->arcs.data[net->next.data[at] - 1].next;
        }
    }
    int64_t most = INT64_MAX;
    for (size_t i = 0; i < net->queue.length; i++) {
        int64_t left = net->arcs.data[net->queue.data[i]].left;
        most = left < most ? left : most;
    }
    for (size_t i = 0; i < net->queue.length; i++) {
        struct arc *arc = &net->arcs.data[net->queue.data[i]];
        arc->left -= arc->left == INT64_MAX ? 0 : most;
        net->arcs.data[net->queue.data[i] ^ 1].left +=
            net->arcs.data[net->queue.data[i] ^ 1].left == INT64_MAX ? 0 : most;
    }
    return most;
}

static int64_t find_cut(struct network *net, uint32_t source, uint32_t sink) {
    int64_t cut = 0, more;
    hd_vec_resize(&net->level, net->head.length);
    hd_vec_resize(&net->next, net->head.length);
    while (find_levels(net, source, sink)) {
        memcpy(net->next.data, net->head.data, net->head.length * sizeof *net->head.data);
        while ((more = push_way(net, source, sink)) > 0)
            cut += more;
    }
    return cut;
}

bool hd_predicate_online_flow(const struct hd_predicate_online_search *s,
                              const struct hd_predicate_total *total, const uint32_t *low,
                              const uint32_t *high) {
    static const int64_t largest = INT64_MAX / 4;
    struct network net = {0};
    for (uint32_t q = 0; q < s->places && net.nodes.length < MOST_NODES; q++) {
        hd_vec_push(&net.first_of, (uint32_t)net.nodes.length);
        add_nodes(s, total, q, low, high, &net);
    }
    bool small = net.first_of.length == s->places && net.nodes.length < MOST_NODES &&
                 net.positive < largest && net.negative < largest;
    hd_vec_push(&net.first_of, (uint32_t)net.nodes.length);
    bool enough = !small || net.base >= total->least;
    if (!enough && net.base + net.positive >= total->least) {
        uint32_t nodes = (uint32_t)net.nodes.length;
        add_arcs(s, low, &net);
        enough = net.base + net.positive - find_cut(&net, nodes, nodes + 1) >= total->least;
    }
    hd_vec_release(&net.nodes);
    hd_vec_release(&net.arcs);
    hd_vec_release(&net.first_of);
    hd_vec_release(&net.head);
    hd_vec_release(&net.level);
    hd_vec_release(&net.next);
    hd_vec_release(&net.queue);
    return enough;
}
