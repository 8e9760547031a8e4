#include "explore_optimal_share.h"

#include <stdlib.h>

static const hd_explore_walk_state no_walk;

void hd_explore_optimal_share_leave(hd_explore_optimal_shared *shared) {
    while (shared && atomic_fetch_sub(&shared->users, 1) == 1) {
        hd_explore_optimal_shared *parent = shared->parent;
        hd_explore_tree_free(&shared->tree, shared->first);
        hd_explore_tree_release(&shared->tree);
        hd_vec_release(&shared->partial);
        pthread_mutex_destroy(&shared->lock);
        free(shared);
        shared = parent;
    }
}

/* The step is taken: from now on it sleeps, or if it failed until any other step. */
static void fall_asleep(hd_explore_optimal_shared *shared, hd_explore_tree_step step,
                        uint32_t choices, bool failed) {
    uint32_t done = 1;
    for (size_t i = 0; i < shared->partial.length; i++)
        done += shared->partial.data[i].thread == step.thread;
    assert(done <= choices || failed);
    step.operation = failed ? HD_EXPLORE_EVERYTHING : 0;
    if (failed || done < choices)
        hd_vec_push(&shared->partial, step);
    else
        shared->asleep |= HD_EXPLORE_BIT(step.thread);
}

/* ---- Giving ---- */

/* Makes a node shared whose first branch is being explored. */
static void share_node(hd_explore_optimal_search *optimal, uint32_t depth) {
    hd_explore_path *path = &optimal->search->path;
    const hd_explore_event *event = &path->events.data[depth];
    hd_explore_optimal_node *node = &optimal->nodes.data[depth];
    hd_explore_optimal_shared *shared = HD_NEW(hd_explore_optimal_shared);
    assert(!node->shared && event->thread == node->step.thread);
    assert(node->section == HD_EXPLORE_NONE && !node->all);
    shared->depth = depth;
    shared->unguided = node->unguided;
    shared->enabled = event->enabled;
    shared->asleep = node->asleep;
    shared->spread = node->spread;
    for (uint32_t i = node->first_partial; i < hd_explore_optimal_partial_end(optimal, depth);
         i++) {
        hd_explore_tree_step sleeper = optimal->partial.data[i];
        sleeper.operation = sleeper.operation == HD_EXPLORE_EVERYTHING ? HD_EXPLORE_EVERYTHING : 0;
        hd_vec_push(&shared->partial, sleeper);
    }
    fall_asleep(shared, node->step, node->choices, false);
    hd_explore_tree_init(&shared->tree, path);
    shared->first = hd_explore_tree_copy(&shared->tree, &optimal->tree,
                                         optimal->tree.branches.data[node->tree].next);
    hd_explore_tree_free(&optimal->tree, node->tree);
    node->tree = HD_EXPLORE_NONE;
    atomic_init(&shared->users, 1);
    pthread_mutex_init(&shared->lock, NULL);
    if (depth) {
        shared->parent = optimal->nodes.data[depth - 1].shared;
        assert(shared->parent && shared->parent->depth == depth - 1);
        shared->step = (hd_step){event[-1].thread, event[-1].choice};
        atomic_fetch_add(&shared->parent->users, 1);
    }
    node->shared = shared;
}

void hd_explore_optimal_share_give(hd_explore_optimal_search *optimal) {
    uint32_t depth = optimal->shared, end = (uint32_t)optimal->nodes.length - 1;
    while (depth < end &&
           optimal->tree.branches.data[optimal->nodes.data[depth].tree].next == HD_EXPLORE_NONE)
        depth++;
    if (depth >= end)
        return;
    for (; optimal->shared <= depth; optimal->shared++)
        share_node(optimal, optimal->shared);
    hd_explore_optimal_shared *shared = optimal->nodes.data[depth].shared;
    atomic_fetch_add(&shared->users, 1);
    hd_explore_give(optimal->search->crew, shared);
}

/* ---- Taking ---- */

/* The other ways in which the first branch's operation can go, as add_choices has it. */
static void share_choices(hd_explore_optimal_search *optimal, hd_explore_optimal_shared *shared,
                          uint32_t choices) {
    hd_explore_tree_step step = shared->tree.branches.data[shared->first].step;
    if (shared->spread == step.thread + 1)
        return;
    shared->spread = step.thread + 1;
    hd_bits taken;
    hd_bits_init(&taken, choices);
    for (size_t i = 0; i < shared->partial.length; i++) {
        const hd_explore_tree_step *sleeper = &shared->partial.data[i];
        if (sleeper->thread == step.thread && sleeper->choice < choices)
            hd_bits_set(&taken, sleeper->choice);
    }
    uint32_t operation = optimal->search->path.next[step.thread];
    const hd_explore_operation *own = &optimal->search->path.operations.data[operation];
    step.operation = hd_explore_tree_intern(
        &shared->tree, optimal->search->path.accesses.data + own->accesses, own->count);
    hd_explore_tree_append_ways(&shared->tree, &shared->first, step, &taken);
    hd_bits_release(&taken);
}

/* What sleeps at the node in some of its ways, and goes on sleeping after a step of `thread` that
 * meets others. */
static void inherit_shared(hd_explore_optimal_search *optimal,
                           const hd_explore_optimal_shared *shared, uint32_t thread,
                           hd_explore_set met) {
    for (size_t i = 0; i < shared->partial.length; i++) {
        hd_explore_tree_step sleeper = shared->partial.data[i];
        if (sleeper.operation == HD_EXPLORE_EVERYTHING || sleeper.thread == thread ||
            hd_explore_set_has(met, sleeper.thread))
            continue;
        sleeper.operation = hd_explore_optimal_next(optimal, sleeper.thread).operation;
        hd_vec_push(&optimal->partial, sleeper);
    }
}

/* Whether the step fails, and so does not sleep as others do, must be known before another worker
 * takes another: it is taken with the lock held. */
static void take_first(hd_explore_optimal_search *optimal, hd_explore_optimal_node *node,
                       hd_explore_optimal_taken *taken) {
    hd_explore_path *path = &optimal->search->path;
    hd_explore_optimal_shared *shared = node->shared;
    shared->tree.path = path;
    hd_explore_tree_branch first = shared->tree.branches.data[shared->first];
    uint32_t thread = first.step.thread;
    assert(hd_explore_set_has(path->enabled & ~shared->asleep, thread));
    node->choices = hd_explore_next(path, thread)->choices;
    if (node->choices > 1)
        share_choices(optimal, shared, node->choices);
    taken->tree = hd_explore_tree_copy(&optimal->tree, &shared->tree, first.child);
    hd_explore_tree_free(&shared->tree, first.child);
    shared->tree.branches.data[shared->first].child = HD_EXPLORE_NONE;
    hd_explore_tree_remove_first(&shared->tree, &shared->first);
    node->step = hd_explore_optimal_next(optimal, thread);
    node->step.choice = first.step.choice;
    node->asleep = shared->asleep;
    node->unguided = atomic_load(&shared->users) == 1 ? shared->unguided : shared->asleep;
    hd_explore_set met = hd_explore_meets(path, thread);
    taken->asleep = node->asleep & ~HD_EXPLORE_BIT(thread);
    path->result->dependency_checks += hd_explore_set_count(taken->asleep);
    taken->asleep &= ~met;
    taken->first_partial = (uint32_t)optimal->partial.length;
    inherit_shared(optimal, shared, thread, met);
    path->machine->asleep = hd_explore_set_word(taken->asleep);
    taken->result = hd_explore_push(path, thread, node->step.choice);
    fall_asleep(shared, node->step, node->choices, taken->result != HD_MACHINE_WENT_ON);
}

bool hd_explore_optimal_share_take(hd_explore_optimal_search *optimal,
                                   hd_explore_optimal_taken *taken) {
    hd_explore_optimal_node *node = hd_vec_last(&optimal->nodes);
    hd_mem_lock(&node->shared->lock);
    bool left = node->shared->first != HD_EXPLORE_NONE;
    if (left)
        take_first(optimal, node, taken);
    hd_mem_unlock(&node->shared->lock);
    return left;
}

/* ---- Inserting ---- */

/* As was_explored has it, of all that was taken. */
static bool was_taken(hd_explore_optimal_search *optimal, const hd_explore_optimal_shared *shared) {
    hd_explore_tree *tree = &optimal->tree;
    HD_EXPLORE_EACH(rest, shared->asleep) {
        uint32_t thread = hd_explore_set_first(rest);
        uint32_t operation = hd_explore_operation_at(tree->path, thread, shared->depth);
        hd_explore_tree_step sleeper = {thread, 0, hd_explore_tree_intern_at(tree, operation)};
        if (hd_explore_set_has(shared->unguided, thread) &&
            hd_explore_tree_first_of(tree, thread) == tree->sequence.length)
            continue;
        if (hd_explore_tree_initial(tree, &sleeper, true))
            return true;
    }
    for (size_t i = 0; i < shared->partial.length; i++)
        if (hd_explore_tree_first_of(tree, shared->partial.data[i].thread) <
                tree->sequence.length &&
            hd_explore_tree_initial(tree, &shared->partial.data[i], false))
            return true;
    return false;
}

void hd_explore_optimal_share_insert(hd_explore_optimal_search *optimal, uint32_t depth) {
    hd_explore_optimal_shared *shared = optimal->nodes.data[depth].shared;
    hd_mem_lock(&shared->lock);
    if (!was_taken(optimal, shared)) {
        shared->tree.path = optimal->tree.path;
        hd_explore_tree_hand_over(&shared->tree, &optimal->tree);
        hd_explore_tree_insert(&shared->tree, &shared->first, false, NULL, no_walk);
    }
    hd_mem_unlock(&shared->lock);
}

/* ---- Going to one ---- */

static void leave_way(hd_explore_optimal_search *optimal) {
    hd_explore_path *path = &optimal->search->path;
    while (path->events.length)
        hd_explore_pop(path);
    while (optimal->nodes.length)
        hd_explore_optimal_share_leave(hd_vec_pop(&optimal->nodes).shared);
    hd_explore_stray(optimal->search);
}

/* Takes the step to the next node, if the path has come to the state of this one. */
static bool follow(hd_explore_optimal_search *optimal, hd_explore_optimal_node *node,
                   const hd_step *step) {
    hd_explore_path *path = &optimal->search->path;
    if (hd_explore_set_any(path->enabled ^ node->shared->enabled))
        return false;
    if (!step)
        return true;
    if (step->thread >= path->threads || !hd_explore_set_has(path->enabled, step->thread))
        return false;
    node->step = hd_explore_optimal_next(optimal, step->thread);
    node->step.choice = step->choice;
    node->choices = hd_explore_next(path, step->thread)->choices;
    path->machine->asleep = 0;
    return step->choice < node->choices &&
           hd_explore_push(path, step->thread, step->choice) == HD_MACHINE_WENT_ON;
}

void hd_explore_optimal_share_go_to(hd_explore_optimal_search *optimal,
                                    hd_explore_optimal_shared *shared) {
    uint32_t depth = shared->depth;
    assert(!optimal->nodes.length && !optimal->partial.length);
    hd_vec_resize(&optimal->nodes, depth + 1);
    for (uint32_t i = depth + 1; i-- > 0; shared = shared->parent) {
        optimal->nodes.data[i] =
            (hd_explore_optimal_node){.shared = shared,
                                      .tree = HD_EXPLORE_NONE,
                                      .section = HD_EXPLORE_NONE,
                                      .taken = HD_EXPLORE_NONE,
                                      .since = optimal->search->result->executions};
        if (i < depth)
            atomic_fetch_add(&shared->users, 1);
    }
    optimal->shared = depth + 1;
    optimal->fresh = 0;
    for (uint32_t i = 0; i <= depth; i++) {
        hd_explore_optimal_node *node = &optimal->nodes.data[i];
        if (!follow(optimal, node, i < depth ? &node[1].shared->step : NULL)) {
            leave_way(optimal);
            return;
        }
    }
}
