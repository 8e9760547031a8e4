#include "race_rings.h"

#include <stdlib.h>

/*
 *   Tarjan          here
 *   NUMBER          r.number, from 1 on; 0: not reached
 *   LOWLINK         r.low
 *   stack of points r.open; on it: component is NONE and number is not 0
 */
#define NONE UINT32_MAX

typedef struct rings {
    const hd_race_edge *edges;
    uint32_t *start; /* [lock]: its edges are start[lock] .. start[lock + 1] - 1 */
    uint32_t *next;  /* [lock]: the edge to look at next */
    uint32_t *number, *low;
    uint32_t *component;
    uint32_t reached, components;
    hd_vec_u32 open; /* locks without a component yet */
    hd_vec_u32 path; /* from a root to the lock in hand */
} rings;

static int compare_edges(const void *x, const void *y) {
    const hd_race_edge *a = x, *b = y;
    return (a->held > b->held) - (a->held < b->held);
}

static void enter_lock(rings *r, uint32_t lock) {
    r->number[lock] = r->low[lock] = ++r->reached;
    r->next[lock] = r->start[lock];
    hd_vec_push(&r->open, lock);
    hd_vec_push(&r->path, lock);
}

static void lower(rings *r, uint32_t lock, uint32_t to) {
    if (to < r->low[lock])
        r->low[lock] = to;
}

/* All edges of the lock were looked at. */
static void leave_lock(rings *r, uint32_t lock) {
    (void)hd_vec_pop(&r->path);
    if (r->path.length)
        lower(r, *hd_vec_last(&r->path), r->low[lock]);
    assert(r->low[lock] && r->low[lock] <= r->number[lock]);
    if (r->low[lock] != r->number[lock])
        return;
    uint32_t last;
    do {
        last = hd_vec_pop(&r->open);
        assert(r->component[last] == NONE && r->number[last] >= r->number[lock]);
        r->component[last] = r->components;
    } while (last != lock);
    r->components++;
}

/* A component gets its number when all that can be reached from it has one. */
HD_ASSERT_ONLY static bool is_backwards(const rings *r, size_t edges) {
    for (size_t i = 0; i < edges; i++)
        if (r->component[r->edges[i].wanted] > r->component[r->edges[i].held])
            return false;
    return true;
}

static void explore_from(rings *r, uint32_t root) {
    enter_lock(r, root);
    while (r->path.length) {
        uint32_t lock = *hd_vec_last(&r->path);
        if (r->next[lock] == r->start[lock + 1]) {
            leave_lock(r, lock);
            continue;
        }
        assert(r->component[lock] == NONE && r->edges[r->next[lock]].held == lock);
        uint32_t to = r->edges[r->next[lock]++].wanted;
        if (!r->number[to])
            enter_lock(r, to);
        else if (r->component[to] == NONE)
            lower(r, lock, r->number[to]);
    }
}

void hd_race_rings(hd_race_edges *edges, uint32_t count, uint32_t *component) {
    uint32_t *room = HD_NEW_ARRAY(uint32_t, (size_t)4 * count + 1);
    rings r = {.edges = edges->data,
               .start = room,
               .next = room + count + 1,
               .number = room + (size_t)2 * count + 1,
               .low = room + (size_t)3 * count + 1,
               .component = component};
    if (edges->length)
        qsort(edges->data, edges->length, sizeof *edges->data, compare_edges);
    for (size_t i = 0; i < edges->length; i++)
        r.start[edges->data[i].held + 1]++;
    for (uint32_t lock = 0; lock < count; lock++) {
        r.start[lock + 1] += r.start[lock];
        component[lock] = NONE;
    }
    for (uint32_t lock = 0; lock < count; lock++)
        if (!r.number[lock])
            explore_from(&r, lock);
    assert(!r.open.length && !r.path.length && r.reached == count);
    assert(r.components <= count);
    HD_COSTLY_ASSERT(is_backwards(&r, edges->length));
    hd_vec_release(&r.open);
    hd_vec_release(&r.path);
    free(room);
}
