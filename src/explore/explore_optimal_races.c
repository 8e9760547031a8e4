/*
 * What the races of an execution leave to be explored: the half of Algorithm 2 for
 * maximal executions (Abdulla et al., POPL 2014; the other is explore_optimal.c).
 *
 *   paper                     here
 *   v = notdep(e, E).p        hd_explore_tree_reversal, found by explore_reverse.h
 *   sleep(E') and WI(v)       was_explored
 *   insert_[E'](v, wut(E'))   insert
 *
 * Races are taken from the whole execution, all of them, at every maximal
 * execution; those of threads that are blocked at its end too.
 */
#include "explore_optimal_share.h"
#include "explore_without.h"

/* Does a thread sleep that could begin the sequence?  Then it was explored.  One that is
 * independent of all of it could, unless the sequences that would have woken it up were left to
 * what is explored here anyway, after a section was taken back. */
static bool was_explored(hd_explore_optimal_search *optimal, uint32_t depth) {
    const hd_explore_optimal_node *node = &optimal->nodes.data[depth];
    hd_explore_tree *tree = &optimal->tree;
    HD_EXPLORE_EACH(rest, node->asleep) {
        uint32_t thread = hd_explore_set_first(rest);
        uint32_t operation = hd_explore_operation_at(tree->path, thread, depth);
        hd_explore_tree_step sleeper = {thread, 0, hd_explore_tree_intern_at(tree, operation)};
        if (hd_explore_set_has(node->unguided, thread) &&
            hd_explore_tree_first_of(tree, thread) == tree->sequence.length)
            continue;
        if (hd_explore_tree_initial(tree, &sleeper, true))
            return true;
    }
    uint32_t end = hd_explore_optimal_partial_end(optimal, depth);
    for (uint32_t i = node->first_partial; i < end; i++) {
        const hd_explore_tree_step *sleeper = &optimal->partial.data[i];
        if (hd_explore_tree_first_of(tree, sleeper->thread) < tree->sequence.length &&
            hd_explore_tree_initial(tree, sleeper, false))
            return true;
    }
    return false;
}

/* The sequence, at a node, unless it was explored from there. */
static void insert_sequence(hd_explore_optimal_search *optimal, uint32_t depth) {
    hd_explore_optimal_node *node = &optimal->nodes.data[depth];
    const hd_explore_section *section = NULL;
    assert(optimal->tree.sequence.length);
    if (node->shared) {
        hd_explore_optimal_share_insert(optimal, depth);
        return;
    }
    if (was_explored(optimal, depth))
        return;
    if (node->section != HD_EXPLORE_NONE)
        section = &optimal->sections.data[node->section];
    hd_explore_tree_insert(&optimal->tree, &node->tree, node->taken == HD_EXPLORE_NONE, section,
                           node->walk);
}

/* ---- Races ---- */

static bool reversal_wanted(void *context, uint32_t at, hd_explore_set initials) {
    const hd_explore_optimal_search *optimal = context;
    const hd_explore_optimal_node *node = &optimal->nodes.data[at];
    hd_explore_set asleep =
        node->shared ? hd_explore_optimal_share_asleep(node->shared) : node->asleep;
    return !hd_explore_set_any(asleep & initials);
}

static void insert_reversal(void *context, const hd_explore_reversal *reversal) {
    hd_explore_optimal_search *optimal = context;
    const hd_explore_operation *moved = &reversal->operation;
    const hd_explore_optimal_node *node = &optimal->nodes.data[reversal->at];
    assert(reversal->at < optimal->nodes.length && reversal->thread != node->step.thread);
    /* What fails in one way need not in the others. */
    uint32_t first = reversal->fails ? reversal->choice : 0;
    uint32_t end = reversal->fails ? first + 1 : moved->choices;
    for (uint32_t choice = first;
         choice < end && (choice == first || !hd_explore_is_over(optimal->search)); choice++) {
        hd_explore_tree_reversal(&optimal->tree, reversal, choice);
        /* An operation whose accesses vary may, where it is moved to, have nothing to do
         * with the event that was removed. */
        if (!reversal->fails && (moved->varies || moved->awaits) &&
            hd_explore_tree_initial(&optimal->tree, &node->step, false))
            return;
        insert_sequence(optimal, reversal->at);
    }
}

void hd_explore_optimal_races_init(hd_explore_optimal_search *optimal) {
    optimal->reverser = (hd_explore_reverser){.path = &optimal->search->path,
                                              .wanted = reversal_wanted,
                                              .reverse = insert_reversal,
                                              .context = optimal};
}

void hd_explore_optimal_races(hd_explore_optimal_search *optimal, hd_explore_set pending) {
    hd_explore_path *path = &optimal->search->path;
    uint32_t length = (uint32_t)path->events.length;
    assert(optimal->fresh <= length);
    for (uint32_t i = HD_EXPLORE_CURE(2) ? 0 : optimal->fresh; i < length; i++)
        if (path->events.data[i].race_count || hd_explore_taken(path, i)->awaits) {
            hd_explore_reversals(&optimal->reverser, i);
            if (hd_explore_is_over(optimal->search))
                return;
        }
    HD_EXPLORE_EACH(rest, pending) {
        if (hd_explore_is_over(optimal->search))
            break;
        hd_explore_pending_reversals(&optimal->reverser, hd_explore_set_first(rest));
    }
    optimal->fresh = length;
}

/* ---- Failures ---- */

/* The last step failed.  Whatever another thread would have done could come first; and
 * where that does not touch what failed, it fails after it. */
static void insert_before_failure(hd_explore_optimal_search *optimal, uint32_t depth,
                                  hd_explore_tree_step other) {
    hd_explore_tree *tree = &optimal->tree;
    hd_explore_tree_step failed = optimal->nodes.data[depth].step;
    uint32_t operation = hd_explore_tree_intern_at(tree, tree->path->next[failed.thread]);
    bool fails = !hd_explore_tree_dependent(tree, operation, other.operation);
    failed.operation = HD_EXPLORE_EVERYTHING;
    hd_vec_clear(&tree->sequence);
    hd_vec_push(&tree->sequence, (hd_explore_tree_item){other, HD_EXPLORE_NONE});
    if (fails)
        hd_vec_push(&tree->sequence, (hd_explore_tree_item){failed, HD_EXPLORE_NONE});
    insert_sequence(optimal, depth);
}

void hd_explore_optimal_failed(hd_explore_optimal_search *optimal) {
    hd_explore_path *path = &optimal->search->path;
    uint32_t depth = (uint32_t)optimal->nodes.length - 1;
    hd_explore_optimal_node *node = &optimal->nodes.data[depth];
    assert(path->events.length == optimal->nodes.length);
    assert(hd_vec_last(&path->events)->thread == node->step.thread);
    hd_explore_set others = path->enabled & ~node->asleep & ~HD_EXPLORE_BIT(node->step.thread);
    HD_EXPLORE_EACH(rest, others) {
        hd_explore_tree_step step = hd_explore_optimal_next(optimal, hd_explore_set_first(rest));
        uint32_t choices = hd_explore_next(path, step.thread)->choices;
        for (step.choice = 0;
             step.choice < choices && (!step.choice || !hd_explore_is_over(optimal->search));
             step.choice++)
            insert_before_failure(optimal, depth, step);
    }
    node->failed = !node->shared;
}
