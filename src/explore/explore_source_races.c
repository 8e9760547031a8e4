/*
 * What the races of an execution leave to be explored, with source sets and with
 * persistent sets: the half of Algorithm 1 that finds races (Abdulla et al., POPL 2014;
 * the other is explore_source.c).
 *
 *   paper            here
 *   backtrack(E')    node.backtrack, or that of the shared node
 *   I_[E'](v)        initials
 *
 * Beyond the paper: operations that can be disabled (locks, awaits) are races at
 * the end of a run too, as pending operations of blocked threads.
 */
#include "explore_share.h"
#include "explore_without.h"

/* Persistent sets: the racing thread itself where it can be explored, else every one.
 * A thread that slept from the start is not explored here, so its races with others
 * are not found here either; one whose first operation varies may do something else
 * from here. */
static void add_persistent(hd_explore_source_node *node, hd_explore_set enabled, uint32_t thread,
                           bool first_varies) {
    hd_explore_set bit = HD_EXPLORE_BIT(thread);
    bool alone = !first_varies && hd_explore_set_any(enabled & ~node->inherited & bit);
    node->backtrack |= alone ? bit : enabled;
    assert(!hd_explore_set_any(node->backtrack & ~enabled));
}

/* A thread that cannot go on there begins nothing; if only such are left, any may. */
static void add_initials(hd_explore_source_node *node, hd_explore_set enabled,
                         hd_explore_set initials) {
    if (hd_explore_set_any(initials & (node->backtrack | node->sleep)))
        return;
    initials &= enabled;
    node->backtrack |= hd_explore_set_any(initials) ? hd_explore_set_lowest(initials) : enabled;
    assert(!hd_explore_set_any(node->backtrack & ~enabled));
}

void hd_explore_source_add(const hd_explore_source_search *source, hd_explore_source_node *node,
                           hd_explore_set enabled, const hd_explore_source_addition *addition) {
    if (source->persistent)
        add_persistent(node, enabled, addition->thread, addition->first_varies);
    else
        add_initials(node, enabled, addition->initials);
}

static void add_at_node(hd_explore_source_search *source, uint32_t at,
                        const hd_explore_source_addition *addition) {
    hd_explore_source_node *node = &source->nodes.data[at];
    assert(at < source->nodes.length && at < source->search->path.events.length);
    if (node->shared)
        hd_explore_share_add(source, node->shared, addition);
    else
        hd_explore_source_add(source, node, source->search->path.events.data[at].enabled, addition);
}

static hd_explore_set known_at(const hd_explore_source_search *source, uint32_t at) {
    const hd_explore_source_node *node = &source->nodes.data[at];
    return node->shared ? hd_explore_share_known(node->shared) : node->backtrack | node->sleep;
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

static void add_race(hd_explore_source_search *source, const struct second *second,
                     const hd_explore_race *race) {
    hd_explore_path *path = &source->search->path;
    hd_explore_source_addition addition = {.thread = second->operation->thread};
    assert(race->event < second->end);
    assert(path->events.data[race->event].thread != addition.thread);
    if (source->persistent) {
        addition.first_varies = first_varies(path, second, race->event);
        add_at_node(source, race->event, &addition);
        return;
    }
    hd_explore_set known = known_at(source, race->event);
    hd_explore_set thread = HD_EXPLORE_BIT(second->operation->thread);
    bool varies = second->operation->varies && !race->of_failure && HD_EXPLORE_CURE(1);
    bool initial = race->others <= race->event;
    if (!varies && initial && hd_explore_set_any(known & thread))
        return;
    hd_explore_set initials = hd_explore_initials(path, race->event, second->end, known);
    if (hd_explore_set_any(initials & known))
        return;
    if (varies)
        initial = second->previous <= race->event && commutes(path, second, race->event);
    addition.initials = initial ? initials | thread : initials;
    add_at_node(source, race->event, &addition);
}

void hd_explore_source_races(hd_explore_source_search *source, uint32_t number) {
    hd_explore_path *path = &source->search->path;
    const hd_explore_event *event = &path->events.data[number];
    struct second second = {hd_explore_taken(path, number), number, event->previous};
    for (uint32_t i = 0; i < event->race_count; i++) {
        const hd_explore_race *race = &path->races.data[event->races + i];
        if (race->fixed)
            continue;
        if (!event->section || path->events.data[race->event].section != event->section)
            add_race(source, &second, race);
    }
}

static void add_pending_races(hd_explore_source_search *source, uint32_t thread) {
    hd_explore_path *path = &source->search->path;
    struct second second = {hd_explore_next(path, thread), (uint32_t)path->events.length,
                            path->last_event[thread]};
    uint32_t start = hd_explore_pending_races(path, thread);
    for (uint32_t i = start; i < path->races.length; i++)
        add_race(source, &second, &path->races.data[i]);
    path->races.length = start;
}

/* ---- Races of awaits ---- */

static bool await_wanted(void *context, uint32_t at, hd_explore_set initials) {
    const hd_explore_source_search *source = context;
    return source->persistent || !hd_explore_set_any(initials & known_at(source, at));
}

static void add_await(void *context, const hd_explore_reversal *reversal) {
    hd_explore_source_addition addition = {reversal->thread, reversal->first_varies,
                                           reversal->initials};
    add_at_node(context, reversal->at, &addition);
}

static bool await_leaves(void *context) {
    return hd_explore_leaves(((hd_explore_source_search *)context)->search);
}

void hd_explore_source_races_init(hd_explore_source_search *source) {
    source->awaits = (hd_explore_reverser){.path = &source->search->path,
                                           .wanted = await_wanted,
                                           .reverse = add_await,
                                           .leaves = await_leaves,
                                           .context = source};
}

/* ---- All of a run ---- */

void hd_explore_source_races_at_end(hd_explore_source_search *source, hd_explore_set pending) {
    hd_explore_path *path = &source->search->path;
    for (size_t i = 0; i < source->late.length; i++) {
        uint32_t number = source->late.data[i];
        if (hd_explore_taken(path, number)->awaits)
            hd_explore_reversals(&source->awaits, number);
        else
            hd_explore_source_races(source, number);
        if (hd_explore_is_over(source->search))
            return;
    }
    if (!HD_EXPLORE_CURE(5))
        return;
    HD_EXPLORE_EACH(rest, pending) {
        uint32_t thread = hd_explore_set_first(rest);
        if (hd_explore_next(path, thread)->held)
            continue; /* it could not have come earlier */
        if (hd_explore_next(path, thread)->awaits)
            hd_explore_pending_reversals(&source->awaits, thread);
        else
            add_pending_races(source, thread);
        if (hd_explore_is_over(source->search))
            return;
    }
}
