/*
 * BFS: all consistent states, those with fewer events first.
 *
 * Cooper and Marzullo, "Consistent Detection of Global Predicates"; each state
 * once as in Garg, "Enumerating Global States of a Distributed Computation": a
 * state is made only from that state which lacks its last event in a fixed order
 * of all events, here their order in the trace.  So no state is looked up.
 *
 *   paper                      here
 *   the set of a level         level.states, `threads` counts each
 *   the order of all events    numbers of events in the trace
 *
 * Time: the square of the threads for each state.  Memory: the states of two
 * levels, each with the number of its last event.
 */
#include <string.h>

#include "cut_visit.h"

/* States of one level: `width` numbers each, the last event's number first. */
struct level {
    hd_vec_u32 states;
};

struct bfs {
    const hd_cut_space *space;
    const uint32_t *least, *most;
    size_t width;
    uint64_t events; /* of each state of the level at hand */
    struct level now, next;
};

static uint64_t count_events(const hd_cut_space *space, const uint32_t *state) {
    uint64_t events = 0;
    for (uint32_t p = 0; p < space->threads; p++)
        events += state[p];
    return events;
}

/* The last event that the state has beyond the least one; 0 if it has none. */
HD_ASSERT_ONLY static uint32_t last_event(const struct bfs *bfs, const uint32_t *state) {
    uint32_t last = 0;
    for (uint32_t p = 0; p < bfs->space->threads; p++)
        if (state[p] > bfs->least[p] && hd_cut_event(bfs->space, p, state[p]) > last)
            last = hd_cut_event(bfs->space, p, state[p]);
    return last;
}

/* The states that this one makes go to the next level. */
static void bfs_expand(struct bfs *bfs, const uint32_t *entry) {
    const uint32_t *state = entry + 1;
    for (uint32_t p = 0; p < bfs->space->threads; p++) {
        if (state[p] >= bfs->most[p])
            continue;
        uint32_t event = hd_cut_event(bfs->space, p, state[p] + 1);
        assert(event != entry[0]); /* which is in the state */
        if (event < entry[0] || !hd_cut_enabled(bfs->space, state, p))
            continue;
        hd_vec_u32 *states = &bfs->next.states;
        hd_vec_reserve(states, states->length + bfs->width);
        uint32_t *made = states->data + states->length;
        memcpy(made, entry, bfs->width * sizeof *made);
        made[0] = event;
        made[1 + p]++;
        states->length += bfs->width;
    }
}

static int visit_level(struct bfs *bfs, size_t memory, hd_cut_visitor *visitor) {
    for (size_t i = 0; i < bfs->now.states.length; i += bfs->width) {
        const uint32_t *entry = bfs->now.states.data + i;
        HD_COSTLY_ASSERT(hd_cut_is_between(bfs->space, bfs->least, entry + 1, bfs->most));
        HD_COSTLY_ASSERT(count_events(bfs->space, entry + 1) == bfs->events);
        HD_COSTLY_ASSERT(last_event(bfs, entry + 1) == entry[0]);
        int why = hd_cut_emit(visitor, entry + 1, 1);
        if (why)
            return why;
        bfs_expand(bfs, entry);
        if ((bfs->now.states.capacity + bfs->next.states.capacity) * sizeof *entry > memory)
            return HD_CUT_LIMITED;
    }
    return 0;
}

int hd_cut_bfs(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
               size_t memory, hd_cut_visitor *visitor) {
    struct bfs bfs = {
        .space = space, .least = least, .most = most, .width = (size_t)space->threads + 1};
    hd_vec_resize(&bfs.now.states, bfs.width);
    memcpy(bfs.now.states.data + 1, least, space->threads * sizeof *least);
    bfs.events = count_events(space, least);
    int why = 0;
    while (bfs.now.states.length && (why = visit_level(&bfs, memory, visitor)) == 0) {
        struct level done = bfs.now;
        bfs.now = bfs.next;
        bfs.next = done;
        hd_vec_clear(&bfs.next.states);
        bfs.events++;
        /* The greatest state ends the search: it is the only one of the last level. */
        assert(!bfs.now.states.length || bfs.events <= count_events(space, most));
    }
    hd_vec_release(&bfs.now.states);
    hd_vec_release(&bfs.next.states);
    return why;
}
