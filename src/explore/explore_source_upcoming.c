/*
 * What a search with source sets will ask its machine for next, as far as that is known: threads
 * that are still to be explored from the nodes of the path, deepest first.  The machine may have
 * these runs done at once (hd_machine.wishes).
 *
 * Guessed: that threads which are to be explored from a node, and do not meet each other, are
 * to be explored one after the other as well.  So they are where they all race with the same
 * step, as readers do with a writer.
 *
 * Only of searches with sets of one word, as hd_machine_wish has.
 */
#include "explore_source.h"

#if HD_EXPLORE_WORDS == 1

typedef struct gathering {
    const hd_explore_path *path;
    hd_machine_wish *list;
    uint32_t count, most;
    bool guesses;
} gathering;

/* Of some threads those whose operation in the node does not meet that of one of them. */
static uint64_t without_met(const gathering *g, uint32_t depth, uint64_t threads, uint32_t thread) {
    const hd_explore_path *path = g->path;
    uint64_t kept = 0;
    const hd_explore_operation *own =
        &path->operations.data[hd_explore_operation_at(path, thread, depth)];
    for (uint64_t rest = threads & ~HD_EXPLORE_BIT(thread); rest; rest &= rest - 1) {
        uint32_t other = (uint32_t)__builtin_ctzll(rest);
        const hd_explore_operation *theirs =
            &path->operations.data[hd_explore_operation_at(path, other, depth)];
        if (!hd_explore_dependent(path, own, theirs))
            kept |= HD_EXPLORE_BIT(other);
    }
    return kept;
}

/* The threads, one at a time, after the steps of `begun`; and after each, if guesses are
 * allowed, those that come later.  `asleep` are those that sleep there. */
static void add_threads(gathering *g, const hd_machine_wish *begun, uint64_t threads,
                        uint64_t enabled) {
    uint64_t asleep = begun->asleep;
    for (; threads && g->count < g->most; threads &= threads - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(threads);
        hd_machine_wish wish = *begun;
        wish.steps[wish.count++] = (hd_step){thread, 0};
        wish.asleep = without_met(g, begun->depth, asleep, thread);
        wish.guessed = begun->count > 0;
        g->list[g->count++] = wish;
        asleep |= HD_EXPLORE_BIT(thread);
        if (!g->guesses || wish.count == HD_MACHINE_WISHED)
            continue;
        uint64_t later = without_met(g, begun->depth, threads & (threads - 1), thread);
        uint64_t awake = enabled & ~wish.asleep & ~HD_EXPLORE_BIT(thread);
        wish.asleep |= awake & (0 - awake); /* will have been explored before them */
        add_threads(g, &wish, later, enabled);
    }
}

/* Those of a node that the machine was not told of. */
static void add_node(gathering *g, hd_explore_source_node *node, uint32_t depth) {
    uint64_t enabled = g->path->events.data[depth].enabled, taken = HD_EXPLORE_BIT(node->thread);
    uint64_t left = hd_explore_source_left(node, enabled) & ~taken & ~node->announced;
    if (!left)
        return;
    uint32_t from = g->count;
    hd_machine_wish begun = {.depth = depth, .asleep = node->sleep | taken | node->announced};
    assert(!(left & begun.asleep));
    add_threads(g, &begun, left, enabled);
    for (uint32_t i = from; i < g->count; i++)
        node->announced |= HD_EXPLORE_BIT(g->list[i].steps[0].thread);
}

/* What may come after the step that is being taken, which the machine knows of. */
static void add_after_step(gathering *g, const hd_explore_source_node *node, uint32_t depth) {
    uint64_t enabled = g->path->events.data[depth].enabled;
    uint64_t left = hd_explore_source_left(node, enabled) & ~HD_EXPLORE_BIT(node->thread);
    hd_machine_wish begun = {.depth = depth,
                             .count = 1,
                             .steps = {{node->thread, node->choice}},
                             .asleep = without_met(g, depth, node->sleep, node->thread)};
    uint64_t awake = enabled & ~begun.asleep & ~HD_EXPLORE_BIT(node->thread);
    begun.asleep |= awake & (0 - awake);
    add_threads(g, &begun, without_met(g, depth, left, node->thread), enabled);
}

uint32_t hd_explore_source_upcoming(void *searcher, bool guesses, hd_machine_wish *list,
                                    uint32_t most) {
    enum { NEAREST = 64 }; /* nodes that are looked at */
    hd_explore_source_search *source = searcher;
    const hd_explore_path *path = &source->search->path;
    gathering g = {.path = path, .list = list, .most = most, .guesses = guesses};
    size_t nodes = source->nodes.length, end = nodes > NEAREST ? nodes - NEAREST : 0;
    if (path->events.length != nodes)
        return 0;
    if (guesses && !source->nodes.data[nodes - 1].shared)
        add_after_step(&g, &source->nodes.data[nodes - 1], (uint32_t)nodes - 1);
    for (size_t i = nodes; i-- > end && g.count < most && !source->nodes.data[i].shared;)
        add_node(&g, &source->nodes.data[i], (uint32_t)i);
    assert(g.count <= most);
    return g.count;
}

#else

typedef int hd_explore_no_wishes; /* no file is empty */

#endif
