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
 *   I_[E'](v)        initials
 *
 * Beyond the paper: operations that can be disabled (locks, awaits) are races at
 * the end of a run too, as pending operations of blocked threads; a failing step
 * depends on everything, so it wakes everybody; a step may have choices.
 */
#include "explore_search.h"
#include "explore_without.h"

/* The state before event i of the path, for node i. */
struct node {
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
    hd_vec_u32 late; /* events whose races are looked at only at the end of a run */
    hd_explore_reverser awaits;
    bool persistent; /* dpor instead of sdpor */
};

/* Persistent sets: the racing thread itself where it can be explored, else everybody.
 * A thread that slept from the start is not explored here, so its races with others
 * are not found here either; one whose first operation varies may do something else
 * from here. */
static void add_persistent(struct node *node, uint64_t enabled, uint32_t thread,
                           bool first_varies) {
    uint64_t bit = HD_EXPLORE_BIT(thread);
    node->backtrack |= !first_varies && enabled & ~node->inherited & bit ? bit : enabled;
}

static void add_initials(struct node *node, uint64_t initials) {
    if (!(initials & (node->backtrack | node->sleep)))
        node->backtrack |= initials & (0 - initials);
}

/* ---- Races of single operations ---- */

/* The second half of races: an event of the path, or a blocked operation. */
struct second {
    const hd_explore_operation *operation;
    uint32_t end;      /* its event, or the length of the path */
    uint32_t previous; /* number of its thread's event before it */
};

/* Would the operation of the second half be the same before event `at`, and
 * independent of all that stays without that event?  Its accesses may vary; it
 * commutes with what stays iff the one that it is there does. */
static bool commutes(hd_explore_path *path, const struct second *second, uint32_t at) {
    uint32_t thread = second->operation->thread;
    const hd_explore_operation *there =
        &path->operations.data[hd_explore_operation_at(path, thread, at)];
    for (uint32_t k = at + 1; k < path->events.length; k++) {
        if (k == second->end || hd_explore_before(path, at, k))
            continue;
        path->result->dependency_checks++;
        if (hd_explore_dependent(path, there, hd_explore_taken(path, k)))
            return false;
    }
    return true;
}

static bool first_varies(const hd_explore_path *path, const struct second *second, uint32_t at) {
    const hd_explore_operation *operation = second->operation;
    for (uint32_t number = second->previous; number > at + 1;
         number = path->events.data[number - 1].previous)
        operation = hd_explore_taken(path, number - 1);
    return operation->varies || operation->awaits;
}

static void add_race(struct source *source, const struct second *second, hd_explore_race race) {
    hd_explore_path *path = &source->search->path;
    struct node *node = &source->nodes.data[race.event];
    uint64_t thread = HD_EXPLORE_BIT(second->operation->thread);
    uint64_t known = node->backtrack | node->sleep;
    if (source->persistent) {
        add_persistent(node, path->events.data[race.event].enabled, second->operation->thread,
                       first_varies(path, second, race.event));
        return;
    }
    bool varies = second->operation->varies && !race.of_failure && HD_EXPLORE_CURE(1);
    bool initial = race.others <= race.event;
    if (!varies && initial && known & thread)
        return;
    uint64_t initials = hd_explore_initials(path, race.event, second->end);
    if (initials & known)
        return;
    if (varies)
        initial = second->previous <= race.event && commutes(path, second, race.event);
    if (initial)
        initials |= thread;
    add_initials(node, initials);
}

static void add_races_of(struct source *source, uint32_t number) {
    hd_explore_path *path = &source->search->path;
    const hd_explore_event *event = &path->events.data[number];
    struct second second = {hd_explore_taken(path, number), number, event->previous};
    for (uint32_t i = 0; i < event->race_count; i++)
        add_race(source, &second, path->races.data[event->races + i]);
}

static void add_pending_races(struct source *source, uint32_t thread) {
    hd_explore_path *path = &source->search->path;
    struct second second = {hd_explore_next(path, thread), (uint32_t)path->events.length,
                            path->last_event[thread]};
    uint32_t start = hd_explore_pending_races(path, thread);
    for (uint32_t i = start; i < path->races.length; i++)
        add_race(source, &second, path->races.data[i]);
    path->races.length = start;
}

/* ---- Races of awaits ---- */

static bool await_wanted(void *context, uint32_t at, uint64_t initials) {
    const struct source *source = context;
    const struct node *node = &source->nodes.data[at];
    return source->persistent || !(initials & (node->backtrack | node->sleep));
}

static void add_await(void *context, const hd_explore_reversal *reversal) {
    struct source *source = context;
    struct node *node = &source->nodes.data[reversal->at];
    if (source->persistent)
        add_persistent(node, source->search->path.events.data[reversal->at].enabled,
                       reversal->thread, reversal->first_varies);
    else
        add_initials(node, reversal->initials);
}

/* ---- The search ---- */

/* At any end of a run: races of blocked threads, and of operations whose
 * accesses depend on the state.  What such an operation does elsewhere may
 * depend on events that came only later in this run, so the whole run is used. */
static void add_at_end(struct source *source, uint64_t blocked) {
    hd_explore_path *path = &source->search->path;
    for (size_t i = 0; i < source->late.length; i++) {
        uint32_t number = source->late.data[i];
        if (hd_explore_taken(path, number)->awaits)
            hd_explore_reversals(&source->awaits, number);
        else
            add_races_of(source, number);
    }
    if (!HD_EXPLORE_CURE(5))
        return;
    for (; blocked; blocked &= blocked - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(blocked);
        if (hd_explore_next(path, thread)->awaits)
            hd_explore_pending_reversals(&source->awaits, thread);
        else
            add_pending_races(source, thread);
    }
}

/* A new node on top; false if the execution ends here. */
static bool open_node(struct source *source, uint64_t sleep) {
    hd_explore_search *search = source->search;
    hd_explore_path *path = &search->path;
    uint64_t awake = path->enabled & ~sleep;
    if (!awake || hd_explore_too_long(search)) {
        add_at_end(source, path->running & ~path->enabled);
        if (path->enabled && !awake)
            search->result->blocked++;
        else if (!path->enabled)
            hd_explore_ended(search, path->running ? HD_EXPLORE_DEADLOCK : HD_EXPLORE_COMPLETE);
        return false;
    }
    struct node node = {.sleep = sleep, .inherited = sleep, .backtrack = awake & (0 - awake)};
    hd_vec_push(&source->nodes, node);
    return true;
}

/* A step that failed: whatever the others would have done could come first. */
static void after_failure(struct source *source) {
    struct node *node = hd_vec_last(&source->nodes);
    add_at_end(source, source->search->path.running & ~source->search->path.enabled);
    hd_explore_ended(source->search, HD_EXPLORE_VIOLATION);
    node->backtrack |= hd_vec_last(&source->search->path.events)->enabled;
    node->failed = true;
}

static void finish_thread(struct node *node) {
    uint64_t thread = HD_EXPLORE_BIT(node->thread);
    node->explored |= thread;
    if (!node->failed)
        node->sleep |= thread;
    node->failed = false;
}

/* Takes the node's next way on; false if there is none left. */
static bool choose(struct source *source) {
    hd_explore_path *path = &source->search->path;
    struct node *node = hd_vec_last(&source->nodes);
    if (node->choice + 1 < node->choices) {
        node->choice++;
        return true;
    }
    if (node->choices)
        finish_thread(node);
    uint64_t next = node->backtrack & ~node->sleep & ~node->explored & path->enabled;
    if (!next)
        return false;
    node->thread = (uint32_t)__builtin_ctzll(next);
    node->choice = 0;
    node->choices = hd_explore_next(path, node->thread)->choices;
    return true;
}

static void back(struct source *source) {
    hd_explore_path *path = &source->search->path;
    hd_explore_pop(path);
    while (source->late.length && *hd_vec_last(&source->late) >= path->events.length)
        source->late.length--;
}

/* One step on from the node on top. */
static void advance(struct source *source) {
    hd_explore_search *search = source->search;
    hd_explore_path *path = &search->path;
    const struct node *node = hd_vec_last(&source->nodes);
    uint64_t sleep = node->sleep & ~HD_EXPLORE_BIT(node->thread);
    if (sleep) {
        search->result->dependency_checks += (uint64_t)__builtin_popcountll(sleep);
        sleep &= ~hd_explore_meets(path, node->thread);
    }
    uint32_t number = (uint32_t)path->events.length;
    enum hd_machine_result result = hd_explore_push(path, node->thread, node->choice);
    const hd_explore_operation *operation = hd_explore_taken(path, number);
    if (operation->awaits || (operation->varies && hd_vec_last(&path->events)->race_count))
        hd_vec_push(&source->late, number);
    else
        add_races_of(source, number);
    if (result == HD_MACHINE_FAILED)
        after_failure(source);
    else if (open_node(source, sleep))
        return;
    back(source);
}

void hd_explore_source(hd_explore_search *search) {
    struct source source = {.search = search,
                            .persistent = search->options->algorithm == HD_EXPLORE_DPOR};
    source.awaits = (hd_explore_reverser){.path = &search->path,
                                          .wanted = await_wanted,
                                          .reverse = add_await,
                                          .context = &source};
    open_node(&source, 0);
    while (source.nodes.length) {
        if (!search->stop && choose(&source)) {
            advance(&source);
            continue;
        }
        source.nodes.length--;
        if (source.nodes.length)
            back(&source);
    }
    hd_vec_release(&source.nodes);
    hd_vec_release(&source.late);
    hd_explore_reverser_release(&source.awaits);
}
