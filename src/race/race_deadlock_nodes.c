#include "race_deadlock_nodes.h"

#include <stdlib.h>

#include "race_rings.h"

struct acquire {
    struct hd_race_node node;
    uint32_t event;
};

static int compare_acquires(const void *x, const void *y) {
    const struct acquire *a = x, *b = y;
    const uint32_t one[] = {a->node.thread, a->node.lock,     a->node.reading,
                            a->node.held,   a->node.location, a->event};
    const uint32_t other[] = {b->node.thread, b->node.lock,     b->node.reading,
                              b->node.held,   b->node.location, b->event};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (one[i] != other[i])
            return one[i] < other[i] ? -1 : 1;
    return 0;
}

static bool is_same(const struct hd_race_node *a, const struct hd_race_node *b) {
    return a->thread == b->thread && a->lock == b->lock && a->reading == b->reading &&
           a->held == b->held && a->location == b->location;
}

typedef HD_VEC(struct acquire) acquire_list;

/* A thread that holds nothing makes no other wait, and a try does not wait; what it took is held
 * like anything else. */
static void gather_acquires(const hd_order_space *space, acquire_list *all) {
    const hd_order_scopes *scopes = space->scopes;
    for (uint32_t i = 0; i < scopes->count; i++) {
        const hd_order_scope *scope = &scopes->scopes[i];
        uint32_t held = hd_order_held_before(&space->order->held, scope->acquire);
        const heddle_event *event = hd_order_event(space, scope->acquire);
        if (held && hd_trace_waits_for_lock(event))
            hd_vec_push(all, (struct acquire){{scope->thread, scope->lock, held, event->location,
                                               scope->reading, 0, 0},
                                              scope->acquire});
    }
}

static hd_order_set held_at(const hd_order_space *space, const struct hd_race_node *node) {
    return hd_order_sets_at(&space->order->held.sets, node->held);
}

static void find_rings(const hd_order_space *space, const acquire_list *all, uint32_t *component) {
    hd_race_edges edges = {0};
    hd_map seen = {0};
    for (size_t i = 0; i < all->length; i++) {
        const struct hd_race_node *node = &all->data[i].node;
        bool added;
        hd_map_at(&seen, (uint64_t)node->held << 32 | node->lock, &added);
        hd_order_set held = held_at(space, node);
        for (uint32_t j = 0; added && j < held.count; j++)
            hd_vec_push(&edges, (hd_race_edge){hd_order_lock_number(held.locks[j]), node->lock});
    }
    hd_race_rings(&edges, space->index->locks.count, component);
    hd_map_release(&seen);
    hd_vec_release(&edges);
}

static bool is_in_ring(const hd_order_space *space, const struct hd_race_node *node,
                       const uint32_t *component) {
    hd_order_set held = held_at(space, node);
    for (uint32_t j = 0; j < held.count; j++)
        if (component[hd_order_lock_number(held.locks[j])] == component[node->lock])
            return true;
    return false;
}

/* Acquires that can be in a cycle; the others are dropped. */
static void keep_rings(const hd_order_space *space, acquire_list *all) {
    uint32_t *component = HD_NEW_ARRAY(uint32_t, (size_t)space->index->locks.count + 1);
    size_t kept = 0;
    find_rings(space, all, component);
    for (size_t i = 0; i < all->length; i++)
        if (is_in_ring(space, &all->data[i].node, component))
            all->data[kept++] = all->data[i];
    all->length = kept;
    free(component);
}

void hd_race_nodes_make(const hd_order_space *space, hd_race_nodes *nodes, hd_vec_u32 *events) {
    acquire_list all = {0};
    gather_acquires(space, &all);
    keep_rings(space, &all);
    if (all.length)
        qsort(all.data, all.length, sizeof *all.data, compare_acquires);
    for (uint32_t i = 0; i < all.length; i++) {
        struct hd_race_node node = all.data[i].node;
        node.start = i;
        if (!nodes->length || !is_same(hd_vec_last(nodes), &node))
            hd_vec_push(nodes, node);
        else
            assert(*hd_vec_last(events) < all.data[i].event); /* in their order */
        hd_vec_last(nodes)->count++;
        hd_vec_push(events, all.data[i].event);
        assert(hd_vec_last(nodes)->start + hd_vec_last(nodes)->count == events->length);
    }
    hd_vec_release(&all);
}
