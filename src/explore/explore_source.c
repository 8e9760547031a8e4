/*
 * Dynamic partial order reduction with source sets, and with persistent sets.
 *
 *   P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic partial order
 *   reduction, POPL 2014, Algorithm 1
 *   C. Flanagan, P. Godefroid: Dynamic partial-order reduction for model checking
 *   software, POPL 2005
 *
 *   paper            here
 *   Explore(E)       hd_explore_source: the node on top of the stack
 *   backtrack(E)     node.backtrack
 *   Sleep            node.sleep, to which explored threads are added
 *   I_[E'](v)        reversal.initials
 *
 * Beyond the paper: operations that can be disabled (locks, awaits) are races at
 * the end of a run too, as pending operations of blocked threads; a failing step
 * depends on everything, so it wakes everybody; a step may have choices.
 */
#include "explore_search.h"

/* The state before event i of the path, for node i. */
struct node {
    uint64_t enabled, running;
    uint64_t inherited; /* threads that slept when the node was opened */
    uint64_t sleep;     /* initially, and the threads explored from here, but for those
                           that failed: a failing step depends on every other */
    uint64_t explored;
    uint64_t backtrack;       /* threads to be explored from here */
    uint32_t thread;          /* being explored */
    uint32_t choice, choices; /* none yet: 0, 0 */
    bool failed;
};

struct source {
    hd_explore_search *search;
    HD_VEC(struct node) nodes;
    bool persistent; /* dpor instead of sdpor */
};

/* Persistent sets: the racing thread itself where it can be explored, else
 * somebody who leads to it.  A thread that slept from the start is not explored
 * here, so its races with others are not found here either: it will not do. */
static void add_persistent(struct node *node, const hd_explore_reversal *reversal) {
    uint64_t thread = UINT64_C(1) << reversal->thread;
    uint64_t candidates = node->enabled & ~node->inherited & thread;
    if (reversal->first_varies)
        candidates = 0; /* from there it may do something else */
    if (!candidates && reversal->initials & node->inherited)
        return;
    if (!candidates)
        candidates = reversal->initials;
    if (!(candidates & node->backtrack))
        node->backtrack |= candidates & (0 - candidates);
}

static void add_backtrack(void *context, const hd_explore_reversal *reversal) {
    struct source *source = context;
    struct node *node = &source->nodes.data[reversal->at];
    if (source->persistent)
        add_persistent(node, reversal);
    else if (!(reversal->initials & (node->backtrack | node->sleep)))
        node->backtrack |= reversal->initials & (0 - reversal->initials);
    assert(node->backtrack & node->enabled);
}

/* At any end of a run: races of blocked threads, and of operations whose
 * accesses depend on the state.  What such an operation does elsewhere may
 * depend on events that came only later in this run, so the whole run is used. */
static void add_at_end(struct source *source, uint64_t blocked) {
    hd_explore_path *path = &source->search->path;
    for (uint32_t i = 0; i < path->events.length; i++)
        if (path->events.data[i].varies || path->events.data[i].awaits)
            hd_explore_reversals(path, i, add_backtrack, source);
    for (; blocked; blocked &= blocked - 1)
        hd_explore_pending_reversals(&source->search->path, (uint32_t)__builtin_ctzll(blocked),
                                     add_backtrack, source);
}

/* A new node on top; false if the execution ends here. */
static bool open_node(struct source *source, uint64_t sleep) {
    hd_explore_search *search = source->search;
    struct node node = {.sleep = sleep, .inherited = sleep};
    node.enabled = hd_explore_enabled(search, &node.running);
    uint64_t awake = node.enabled & ~sleep;
    if (!awake || hd_explore_too_long(search)) {
        add_at_end(source, node.running & ~node.enabled);
        if (node.enabled && !awake)
            search->result->blocked++;
        else if (!node.enabled)
            hd_explore_ended(search, node.running ? HD_EXPLORE_DEADLOCK : HD_EXPLORE_COMPLETE);
        return false;
    }
    node.backtrack = awake & (0 - awake);
    hd_vec_push(&source->nodes, node);
    return true;
}

/* A step that failed: whatever the others would have done could come first. */
static void after_failure(struct source *source) {
    struct node *node = hd_vec_last(&source->nodes);
    add_at_end(source, 0);
    hd_explore_ended(source->search, HD_EXPLORE_VIOLATION);
    node->backtrack |= node->enabled;
    node->failed = true;
}

static void finish_thread(struct node *node) {
    uint64_t thread = UINT64_C(1) << node->thread;
    node->explored |= thread;
    if (!node->failed)
        node->sleep |= thread;
    node->failed = false;
}

/* Takes the node's next way on; false if there is none left. */
static bool choose(struct source *source) {
    struct node *node = hd_vec_last(&source->nodes);
    if (node->choice + 1 < node->choices) {
        node->choice++;
        return true;
    }
    if (node->choices)
        finish_thread(node);
    uint64_t next = node->backtrack & ~node->sleep & ~node->explored & node->enabled;
    if (!next)
        return false;
    hd_machine *machine = source->search->path.machine;
    hd_machine_operation operation;
    node->thread = (uint32_t)__builtin_ctzll(next);
    machine->type->next(machine, node->thread, &operation);
    node->choice = 0;
    node->choices = operation.choices;
    return true;
}

/* One step on from the node on top. */
static void advance(struct source *source) {
    hd_explore_search *search = source->search;
    struct node *node = hd_vec_last(&source->nodes);
    uint64_t sleep = hd_explore_still_asleep(search, node->sleep, node->thread);
    enum hd_machine_result result = hd_explore_push(&search->path, node->thread, node->choice);
    const hd_explore_event *event = hd_vec_last(&search->path.events);
    if (!event->varies && !event->awaits)
        hd_explore_reversals(&search->path, (uint32_t)search->path.events.length - 1, add_backtrack,
                             source);
    if (result == HD_MACHINE_FAILED)
        after_failure(source);
    else if (open_node(source, sleep))
        return;
    hd_explore_pop(&search->path);
}

void hd_explore_source(hd_explore_search *search) {
    struct source source = {.search = search,
                            .persistent = search->options->algorithm == HD_EXPLORE_DPOR};
    open_node(&source, 0);
    while (source.nodes.length) {
        if (!search->stop && choose(&source)) {
            advance(&source);
            continue;
        }
        source.nodes.length--;
        if (source.nodes.length)
            hd_explore_pop(&search->path);
    }
    hd_vec_release(&source.nodes);
}
