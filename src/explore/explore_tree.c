#include "explore_tree.h"

#include <string.h>

void hd_explore_tree_init(hd_explore_tree *tree, hd_explore_path *path) {
    *tree = (hd_explore_tree){.path = path, .free_branch = HD_EXPLORE_NONE};
}

/* Was every tree of the pool given back? */
static bool all_branches_free(const hd_explore_tree *tree) {
    size_t free = 0;
    for (uint32_t branch = tree->free_branch; branch != HD_EXPLORE_NONE;
         branch = tree->branches.data[branch].next)
        free++;
    return free == tree->branches.length;
}

void hd_explore_tree_release(hd_explore_tree *tree) {
    HD_COSTLY_ASSERT(all_branches_free(tree));
    hd_vec_release(&tree->branches);
    hd_vec_release(&tree->sequence);
    hd_vec_release(&tree->operations);
    hd_vec_release(&tree->accesses);
    hd_map_release(&tree->by_hash);
}

/* ---- Operations ---- */

static bool same_accesses(const hd_explore_tree *tree, uint32_t operation,
                          const hd_machine_access *accesses, uint32_t count) {
    const hd_explore_tree_operation *known = &tree->operations.data[operation];
    const hd_machine_access *own = tree->accesses.data + known->start;
    bool same = known->count == count;
    for (uint32_t i = 0; i < count && same; i++)
        same = own[i].location == accesses[i].location && own[i].mode == accesses[i].mode;
    return same;
}

static uint64_t hash_accesses(const hd_machine_access *accesses, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash ^= (uint64_t)accesses[i].location << 8 | accesses[i].mode;
        hash *= UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

static uint32_t intern_new(hd_explore_tree *tree, const hd_machine_access *accesses,
                           uint32_t count) {
    hd_explore_tree_operation fresh = {.start = (uint32_t)tree->accesses.length, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bit = UINT64_C(1) << (accesses[i].location & 63);
        if (accesses[i].mode & HD_MACHINE_WRITES)
            fresh.writes |= bit;
        else
            fresh.reads |= bit;
        hd_vec_push(&tree->accesses, accesses[i]);
    }
    hd_vec_push(&tree->operations, fresh);
    return (uint32_t)tree->operations.length - 1;
}

uint32_t hd_explore_tree_intern(hd_explore_tree *tree, const hd_machine_access *accesses,
                                uint32_t count) {
    for (uint64_t hash = hash_accesses(accesses, count);; hash++) {
        uint32_t *entry = hd_map_at(&tree->by_hash, hash, NULL);
        if (!*entry)
            *entry = intern_new(tree, accesses, count) + 1;
        else if (!same_accesses(tree, *entry - 1, accesses, count))
            continue;
        return *entry - 1;
    }
}

/* ---- The sequence ---- */

void hd_explore_tree_reversal(hd_explore_tree *tree, const hd_explore_reversal *reversal,
                              uint32_t choice) {
    const hd_explore_path *path = tree->path;
    const hd_explore_operation *moved = &reversal->operation;
    hd_vec_clear(&tree->sequence);
    for (size_t i = 0; i < reversal->kept.length; i++) {
        uint32_t event = reversal->kept.data[i];
        assert(event > reversal->at && (i == 0 || reversal->kept.data[i - 1] < event));
        const hd_explore_event *about = &path->events.data[event];
        hd_explore_tree_step step = {about->thread, about->choice,
                                     hd_explore_tree_intern_at(tree, about->operation)};
        hd_vec_push(&tree->sequence, (hd_explore_tree_item){step, event});
    }
    uint32_t operation =
        reversal->fails
            ? HD_EXPLORE_EVERYTHING
            : hd_explore_tree_intern(tree, path->accesses.data + moved->accesses, moved->count);
    hd_explore_tree_item last = {{reversal->thread, choice, operation}, HD_EXPLORE_NONE};
    hd_vec_push(&tree->sequence, last);
}

static void remove_first_of(hd_explore_tree *tree, uint32_t thread) {
    size_t place = hd_explore_tree_first_of(tree, thread);
    size_t rest = tree->sequence.length - place;
    if (!rest)
        return;
    memmove(tree->sequence.data + place, tree->sequence.data + place + 1,
            (rest - 1) * sizeof *tree->sequence.data);
    tree->sequence.length--;
}

/* ---- Wakeup trees ---- */

static uint32_t new_branch(hd_explore_tree *tree, hd_explore_tree_step step) {
    assert(step.thread < tree->path->threads);
    assert(step.operation == HD_EXPLORE_EVERYTHING || step.operation < tree->operations.length);
    uint32_t number = tree->free_branch;
    if (number == HD_EXPLORE_NONE) {
        number = (uint32_t)tree->branches.length;
        hd_vec_push(&tree->branches, (hd_explore_tree_branch){0});
    } else
        tree->free_branch = tree->branches.data[number].next;
    tree->branches.data[number] =
        (hd_explore_tree_branch){step, HD_EXPLORE_NONE, HD_EXPLORE_NONE, false};
    return number;
}

static void free_branch(hd_explore_tree *tree, uint32_t number) {
    assert(tree->branches.data[number].child == HD_EXPLORE_NONE);
    assert(number != tree->free_branch);
    tree->branches.data[number].next = tree->free_branch;
    tree->free_branch = number;
}

void hd_explore_tree_free(hd_explore_tree *tree, uint32_t first) {
    while (first != HD_EXPLORE_NONE) {
        uint32_t next = tree->branches.data[first].next;
        hd_explore_tree_free(tree, tree->branches.data[first].child);
        tree->branches.data[first].child = HD_EXPLORE_NONE;
        free_branch(tree, first);
        first = next;
    }
}

/* A list of branches, given by its owner: a branch whose children it is, or HD_EXPLORE_NONE
 * for the whole tree. */
static uint32_t *list_of(hd_explore_tree *tree, uint32_t *first, uint32_t owner) {
    return owner == HD_EXPLORE_NONE ? first : &tree->branches.data[owner].child;
}

static uint32_t append_step(hd_explore_tree *tree, uint32_t *first, uint32_t owner,
                            hd_explore_tree_step step) {
    uint32_t number = new_branch(tree, step);
    uint32_t *list = list_of(tree, first, owner);
    while (*list != HD_EXPLORE_NONE)
        list = &tree->branches.data[*list].next;
    *list = number;
    return number;
}

/* Is there a branch with this step, other than one that waits for the walk? */
static bool has_branch(const hd_explore_tree *tree, uint32_t list,
                       const hd_explore_tree_step *step) {
    for (; list != HD_EXPLORE_NONE; list = tree->branches.data[list].next) {
        const hd_explore_tree_branch *branch = &tree->branches.data[list];
        if (!branch->walked && branch->step.thread == step->thread &&
            branch->step.choice == step->choice)
            return true;
    }
    return false;
}

/* The siblings in a wakeup tree are different steps: a sequence that begins with a branch's step
 * follows that branch. */
static void append_sequence(hd_explore_tree *tree, uint32_t *first, uint32_t owner) {
    assert(tree->sequence.length);
    HD_COSTLY_ASSERT(!has_branch(tree, *list_of(tree, first, owner), &tree->sequence.data[0].step));
    for (size_t i = 0; i < tree->sequence.length; i++)
        owner = append_step(tree, first, owner, tree->sequence.data[i].step);
}

void hd_explore_tree_append(hd_explore_tree *tree, uint32_t *first, hd_explore_tree_step step) {
    HD_COSTLY_ASSERT(!has_branch(tree, *first, &step));
    append_step(tree, first, HD_EXPLORE_NONE, step);
}

void hd_explore_tree_append_ways(hd_explore_tree *tree, uint32_t *first, hd_explore_tree_step step,
                                 hd_bits *taken) {
    uint32_t last = HD_EXPLORE_NONE;
    for (uint32_t i = *first; i != HD_EXPLORE_NONE; i = tree->branches.data[i].next) {
        const hd_explore_tree_step *other = &tree->branches.data[i].step;
        if (other->thread == step.thread && other->choice < taken->length)
            hd_bits_set(taken, other->choice);
        last = i;
    }
    for (step.choice = 0; step.choice < taken->length; step.choice++) {
        if (hd_bits_has(taken, step.choice))
            continue;
        uint32_t number = new_branch(tree, step);
        *(last == HD_EXPLORE_NONE ? first : &tree->branches.data[last].next) = number;
        last = number;
    }
}

void hd_explore_tree_prepend(hd_explore_tree *tree, uint32_t *first, hd_explore_tree_step step) {
    HD_COSTLY_ASSERT(!has_branch(tree, *first, &step));
    uint32_t number = new_branch(tree, step);
    tree->branches.data[number].next = *first;
    *first = number;
}

void hd_explore_tree_drop_walked(hd_explore_tree *tree, uint32_t *first) {
    uint32_t last = HD_EXPLORE_NONE;
    for (uint32_t branch = *first, next; branch != HD_EXPLORE_NONE; branch = next) {
        next = tree->branches.data[branch].next;
        if (!tree->branches.data[branch].walked) {
            last = branch;
            continue;
        }
        *(last == HD_EXPLORE_NONE ? first : &tree->branches.data[last].next) = next;
        tree->branches.data[branch].next = HD_EXPLORE_NONE;
        hd_explore_tree_free(tree, branch);
    }
}

void hd_explore_tree_remove_first(hd_explore_tree *tree, uint32_t *first) {
    uint32_t removed = *first;
    assert(removed != HD_EXPLORE_NONE && !tree->branches.data[removed].walked);
    *first = tree->branches.data[removed].next;
    free_branch(tree, removed);
}

uint32_t hd_explore_tree_count(const hd_explore_tree *tree, uint32_t first) {
    uint32_t count = 0;
    for (; first != HD_EXPLORE_NONE; first = tree->branches.data[first].next)
        count += !tree->branches.data[first].walked;
    return count;
}

/* ---- From one pool to another ---- */

static uint32_t intern_of(hd_explore_tree *to, const hd_explore_tree *from, uint32_t operation) {
    if (operation == HD_EXPLORE_EVERYTHING)
        return operation;
    const hd_explore_tree_operation *known = &from->operations.data[operation];
    return hd_explore_tree_intern(to, from->accesses.data + known->start, known->count);
}

uint32_t hd_explore_tree_copy(hd_explore_tree *to, const hd_explore_tree *from, uint32_t first) {
    uint32_t copy = HD_EXPLORE_NONE, last = HD_EXPLORE_NONE;
    for (; first != HD_EXPLORE_NONE; first = from->branches.data[first].next) {
        const hd_explore_tree_branch *branch = &from->branches.data[first];
        hd_explore_tree_step step = branch->step;
        assert(!branch->walked);
        step.operation = intern_of(to, from, step.operation);
        uint32_t number = new_branch(to, step);
        uint32_t child = hd_explore_tree_copy(to, from, branch->child);
        to->branches.data[number].child = child;
        *(last == HD_EXPLORE_NONE ? &copy : &to->branches.data[last].next) = number;
        last = number;
    }
    return copy;
}

void hd_explore_tree_hand_over(hd_explore_tree *to, hd_explore_tree *from) {
    assert(to->path == from->path);
    hd_vec_clear(&to->sequence);
    for (size_t i = 0; i < from->sequence.length; i++) {
        hd_explore_tree_item item = from->sequence.data[i];
        item.step.operation = intern_of(to, from, item.step.operation);
        hd_vec_push(&to->sequence, item);
    }
    hd_vec_clear(&from->sequence);
}

/* ---- Walks ---- */

/* The branch that waits for the walk to take a thread's step, HD_EXPLORE_NONE if none exists. */
static uint32_t walked_branch(const hd_explore_tree *tree, uint32_t list, uint32_t thread) {
    while (list != HD_EXPLORE_NONE &&
           !(tree->branches.data[list].walked && tree->branches.data[list].step.thread == thread))
        list = tree->branches.data[list].next;
    return list;
}

uint32_t hd_explore_tree_take_walked(hd_explore_tree *tree, uint32_t *first, uint32_t thread) {
    uint32_t waiting = walked_branch(tree, *first, thread);
    if (waiting == HD_EXPLORE_NONE)
        return HD_EXPLORE_NONE;
    uint32_t below = tree->branches.data[waiting].child;
    tree->branches.data[waiting].child = HD_EXPLORE_NONE;
    while (*first != waiting)
        first = &tree->branches.data[*first].next;
    *first = tree->branches.data[waiting].next;
    free_branch(tree, waiting);
    return below;
}

/* ---- Inserting the sequence ---- */

/* The branch of a list that the sequence can follow, HD_EXPLORE_NONE if none exists. */
static uint32_t matching_branch(const hd_explore_tree *tree, uint32_t list) {
    for (; list != HD_EXPLORE_NONE; list = tree->branches.data[list].next)
        if (!tree->branches.data[list].walked &&
            hd_explore_tree_initial(tree, &tree->branches.data[list].step, false))
            break;
    return list;
}

/* The step that the walk will take and that the sequence can follow, with the
 * state after it; false if none exists. */
static bool matching_walk(const hd_explore_tree *tree, const hd_explore_section *section,
                          hd_explore_walk_state *walk, hd_explore_tree_step *step) {
    hd_explore_walk_state after;
    uint32_t operation;
    while (hd_explore_walk_next(section, walk, &operation, &after)) {
        *step =
            (hd_explore_tree_step){section->threads[operation], 0, section->interned[operation]};
        if (hd_explore_tree_initial(tree, step, false)) {
            *walk = after;
            return true;
        }
    }
    return false;
}

void hd_explore_tree_insert(hd_explore_tree *tree, uint32_t *first, bool exploring,
                            const hd_explore_section *section, hd_explore_walk_state walk) {
    uint32_t owner = HD_EXPLORE_NONE;
    assert(!exploring || *first != HD_EXPLORE_NONE);
    while (tree->sequence.length) {
        hd_explore_tree_step step;
        uint32_t list = *list_of(tree, first, owner), branch;
        if (section && matching_walk(tree, section, &walk, &step)) {
            branch = walked_branch(tree, list, step.thread);
            if (branch == HD_EXPLORE_NONE) {
                branch = append_step(tree, first, owner, step);
                tree->branches.data[branch].walked = true;
            }
            remove_first_of(tree, step.thread);
            owner = branch;
            if (!walk.remaining)
                return; /* a leaf: whatever can follow it will be found from there */
            continue;
        }
        section = NULL;
        /* The first branch is being explored, and what it leads to was reversed. */
        if (owner == HD_EXPLORE_NONE && exploring)
            list = tree->branches.data[list].next;
        branch = matching_branch(tree, list);
        if (branch == HD_EXPLORE_NONE) {
            append_sequence(tree, first, owner);
            return;
        }
        remove_first_of(tree, tree->branches.data[branch].step.thread);
        owner = branch;
        if (tree->branches.data[branch].child == HD_EXPLORE_NONE)
            return; /* a leaf */
    }
}
