/*
 * Wakeup trees (P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic
 * partial order reduction, POPL 2014): what is still to be explored from a node of
 * the search, as a tree of steps.
 *
 *   paper                 here
 *   wut(E)                a list of branches, by the number of its first; the search
 *                         keeps that for each node.  Branches are in order, the first
 *                         being explored
 *   v                     tree->sequence: filled by the search, used up when inserted
 *   insert_[E](v, wut)    hd_explore_tree_insert
 *   WI_[E](v)             hd_explore_tree_initial: a step that v can begin with, or that
 *                         is independent of all of it
 *
 * All trees of a search are in one pool.  The operations of their steps are interned:
 * a tree outlives the part of the path that it was made from.
 *
 * The tree of a node in a section (explore_section.h) begins with what the walk will
 * take from there.  That part is never written down; a sequence that is inserted
 * follows the walk as it follows any branch.  What then does not fit is kept in branches
 * marked as `walked`, which wait for the walk to come by.
 */
#ifndef HD_EXPLORE_TREE_H
#define HD_EXPLORE_TREE_H

#include "explore_reverse.h"
#include "explore_section.h"

/* Operation of a step that fails: depends on every other. */
#define HD_EXPLORE_EVERYTHING (UINT32_MAX - 1)

/* A step of a wakeup tree or of a sequence. */
typedef struct hd_explore_tree_step {
    uint32_t thread;
    uint32_t choice;
    uint32_t operation; /* its accesses, interned */
} hd_explore_tree_step;

/* A branch of a wakeup tree: linked by number, from a pool with a free list. */
typedef struct hd_explore_tree_branch {
    hd_explore_tree_step step;
    uint32_t child, next;
    bool walked; /* the walk through a section will come to it */
} hd_explore_tree_branch;

/* A step of the sequence, and its event; HD_EXPLORE_NONE: it has none. */
typedef struct hd_explore_tree_item {
    hd_explore_tree_step step;
    uint32_t event;
} hd_explore_tree_item;

/* The accesses of an operation, once for all that have the same. */
typedef struct hd_explore_tree_operation {
    uint64_t reads, writes; /* signatures */
    uint32_t start, count;
} hd_explore_tree_operation;

typedef struct hd_explore_tree {
    hd_explore_path *path;
    HD_VEC(hd_explore_tree_branch) branches;
    uint32_t free_branch;
    HD_VEC(hd_explore_tree_item) sequence; /* v */
    HD_VEC(hd_explore_tree_operation) operations;
    HD_VEC(hd_machine_access) accesses; /* of the interned operations */
    hd_map by_hash;                     /* hash of accesses -> operation + 1 */
} hd_explore_tree;

void hd_explore_tree_init(hd_explore_tree *tree, hd_explore_path *path);
void hd_explore_tree_release(hd_explore_tree *tree);

/* ---- Operations ---- */

uint32_t hd_explore_tree_intern(hd_explore_tree *tree, const hd_machine_access *accesses,
                                uint32_t count);

/* An operation of the path, by its number there. */
static inline uint32_t hd_explore_tree_intern_at(hd_explore_tree *tree, uint32_t number) {
    hd_explore_path *path = tree->path;
    hd_explore_operation *operation = &path->operations.data[number];
    if (!operation->interned)
        operation->interned =
            1 + hd_explore_tree_intern(tree, path->accesses.data + operation->accesses,
                                       operation->count);
    return operation->interned - 1;
}

static inline bool hd_explore_tree_dependent(const hd_explore_tree *tree, uint32_t a, uint32_t b) {
    if (a == HD_EXPLORE_EVERYTHING || b == HD_EXPLORE_EVERYTHING)
        return true;
    assert(a < tree->operations.length && b < tree->operations.length);
    const hd_explore_tree_operation *first = &tree->operations.data[a];
    const hd_explore_tree_operation *second = &tree->operations.data[b];
    tree->path->result->dependency_checks++;
    if (!((first->writes & (second->reads | second->writes)) | (first->reads & second->writes)))
        return false;
    return hd_machine_dependent(tree->accesses.data + first->start, first->count,
                                tree->accesses.data + second->start, second->count);
}

/* ---- The sequence ---- */

/* v = notdep(removed, E).p of a reversal, with one way of the operation that is moved. */
void hd_explore_tree_reversal(hd_explore_tree *tree, const hd_explore_reversal *reversal,
                              uint32_t choice);

/* Does item i of the sequence come after item j < i in happens-before? */
static inline bool hd_explore_tree_item_before(const hd_explore_tree *tree, size_t j, size_t i) {
    const hd_explore_tree_item *a = &tree->sequence.data[j], *b = &tree->sequence.data[i];
    assert(j < i && i < tree->sequence.length);
    assert(b->event == HD_EXPLORE_NONE || a->event < b->event);
    if (b->event != HD_EXPLORE_NONE)
        return hd_explore_before(tree->path, a->event, b->event);
    return a->step.thread == b->step.thread ||
           hd_explore_tree_dependent(tree, a->step.operation, b->step.operation);
}

/* Index of the first step of a thread in the sequence; its length if none exists. */
static inline size_t hd_explore_tree_first_of(const hd_explore_tree *tree, uint32_t thread) {
    size_t i = 0;
    while (i < tree->sequence.length && tree->sequence.data[i].step.thread != thread)
        i++;
    return i;
}

/* WI_[E](v): is the step, or with `any_choice` its thread's in any way, a weak initial? */
static inline bool hd_explore_tree_initial(const hd_explore_tree *tree,
                                           const hd_explore_tree_step *step, bool any_choice) {
    size_t place = hd_explore_tree_first_of(tree, step->thread);
    bool initial = true;
    if (place < tree->sequence.length) {
        initial = any_choice || step->choice == tree->sequence.data[place].step.choice;
        for (size_t j = 0; j < place && initial; j++)
            initial = !hd_explore_tree_item_before(tree, j, place);
        return initial;
    }
    for (size_t j = 0; j < tree->sequence.length && initial; j++)
        initial = !hd_explore_tree_dependent(tree, step->operation,
                                             tree->sequence.data[j].step.operation);
    return initial;
}

/* ---- Trees, by the number of their first branch ---- */

/* Inserts the sequence.  `exploring`: the first branch is being explored, not the next
 * step of the walk.  `section`: that the node is in, with what is left of the walk there;
 * NULL: none. */
void hd_explore_tree_insert(hd_explore_tree *tree, uint32_t *first, bool exploring,
                            const hd_explore_section *section, hd_explore_walk_state walk);

/* Adds a branch of one step after the others. */
void hd_explore_tree_append(hd_explore_tree *tree, uint32_t *first, hd_explore_tree_step step);

/* Adds a branch for each way of the step that is neither in `taken` nor has a branch; these are in
 * `taken` after it. */
void hd_explore_tree_append_ways(hd_explore_tree *tree, uint32_t *first, hd_explore_tree_step step,
                                 hd_bits *taken);

/* Adds a branch of one step before the others. */
void hd_explore_tree_prepend(hd_explore_tree *tree, uint32_t *first, hd_explore_tree_step step);

/* Removes what waits for the walk. */
void hd_explore_tree_drop_walked(hd_explore_tree *tree, uint32_t *first);

/* Removes the first branch, below which there is nothing more. */
void hd_explore_tree_remove_first(hd_explore_tree *tree, uint32_t *first);

/* Removes the branch that waits for the walk to take a thread's step; the tree below it,
 * HD_EXPLORE_NONE if there is no such branch. */
uint32_t hd_explore_tree_take_walked(hd_explore_tree *tree, uint32_t *first, uint32_t thread);

void hd_explore_tree_free(hd_explore_tree *tree, uint32_t first);

/* The branches from `first` on as a tree of another pool, whose number is returned.  None of them
 * may wait for a walk. */
uint32_t hd_explore_tree_copy(hd_explore_tree *to, const hd_explore_tree *from, uint32_t first);

/* Makes the sequence of one pool that of another.  Both must be of the same path. */
void hd_explore_tree_hand_over(hd_explore_tree *to, hd_explore_tree *from);

/* How many branches there are, but for those that wait for the walk. */
uint32_t hd_explore_tree_count(const hd_explore_tree *tree, uint32_t first);

#endif
