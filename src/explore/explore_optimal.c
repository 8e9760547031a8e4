/*
 * Optimal dynamic partial order reduction, with wakeup trees.
 *
 *   P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic partial order
 *   reduction, POPL 2014, Algorithm 2
 *
 *   paper                 here
 *   wut(E)                node.tree: branches in order, the first being explored
 *   insert_[E](v, wut)    insert_sequence
 *   WI_[E](v)             weakly_initial: a step that v can begin with, or that is
 *                         independent of all of it
 *   sleep(E)              the node's sleepers, with the operations they would take
 *
 * Races are taken from the whole execution, all of them, at every maximal
 * execution; those of threads that are blocked at its end too.
 */
#include <stdlib.h>
#include <string.h>

#include "explore_search.h"

#define NONE UINT32_MAX

/* A step of a wakeup tree or of a sequence. */
struct step {
    uint32_t thread;
    uint32_t choice;    /* NONE: whichever (of a sleeper) */
    uint32_t operation; /* its accesses, interned */
};

/* A branch of a wakeup tree: linked by number, from a pool with a free list. */
struct branch {
    struct step step;
    uint32_t child, next;
};

struct node {
    uint64_t enabled, running;
    uint64_t asleep;        /* threads of which every choice sleeps */
    uint32_t first_sleeper; /* in optimal.sleepers, up to those of the next node */
    uint32_t tree;          /* first branch */
    uint32_t choices;       /* of the first branch's operation, once it is entered */
    bool failed;            /* the first branch's step failed */
};

/* The accesses of an operation, once for all that have the same. */
struct interned {
    uint32_t start, count;
};

struct optimal {
    hd_explore_search *search;
    HD_VEC(struct node) nodes;
    HD_VEC(struct step) sleepers;
    HD_VEC(struct branch) branches;
    uint32_t free_branch;
    HD_VEC(struct interned) operations;
    HD_VEC(hd_machine_access) accesses; /* of the interned operations */
    hd_map by_hash;                     /* hash of accesses -> operation + 1 */
    HD_VEC(struct step) sequence;       /* v of the reversal in hand */
    hd_vec_u32 events;                  /* the path's event of each step; NONE: the mover */
};

/* ---- Operations ---- */

static bool same_accesses(const struct optimal *optimal, uint32_t operation,
                          const hd_machine_access *accesses, uint32_t count) {
    const struct interned *known = &optimal->operations.data[operation];
    const hd_machine_access *own = optimal->accesses.data + known->start;
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

static uint32_t intern(struct optimal *optimal, const hd_machine_access *accesses, uint32_t count) {
    for (uint64_t hash = hash_accesses(accesses, count);; hash++) {
        uint32_t *entry = hd_map_at(&optimal->by_hash, hash, NULL);
        if (*entry && same_accesses(optimal, *entry - 1, accesses, count))
            return *entry - 1;
        if (*entry)
            continue;
        struct interned fresh = {(uint32_t)optimal->accesses.length, count};
        for (uint32_t i = 0; i < count; i++)
            hd_vec_push(&optimal->accesses, accesses[i]);
        hd_vec_push(&optimal->operations, fresh);
        *entry = (uint32_t)optimal->operations.length;
        return *entry - 1;
    }
}

static uint32_t intern_event(struct optimal *optimal, uint32_t event) {
    const hd_explore_path *path = &optimal->search->path;
    const hd_explore_event *about = &path->events.data[event];
    return intern(optimal, path->accesses.data + about->accesses, about->access_count);
}

static bool dependent(const struct optimal *optimal, uint32_t a, uint32_t b) {
    const struct interned *first = &optimal->operations.data[a];
    const struct interned *second = &optimal->operations.data[b];
    optimal->search->result->dependency_checks++;
    return hd_machine_dependent(optimal->accesses.data + first->start, first->count,
                                optimal->accesses.data + second->start, second->count);
}

/* ---- Wakeup trees ---- */

static uint32_t new_branch(struct optimal *optimal, struct step step) {
    uint32_t number = optimal->free_branch;
    if (number == NONE) {
        number = (uint32_t)optimal->branches.length;
        hd_vec_push(&optimal->branches, (struct branch){0});
    } else
        optimal->free_branch = optimal->branches.data[number].next;
    optimal->branches.data[number] = (struct branch){step, NONE, NONE};
    return number;
}

static void free_branch(struct optimal *optimal, uint32_t number) {
    assert(optimal->branches.data[number].child == NONE);
    optimal->branches.data[number].next = optimal->free_branch;
    optimal->free_branch = number;
}

static void append_branch(struct optimal *optimal, uint32_t *list, uint32_t number) {
    while (*list != NONE)
        list = &optimal->branches.data[*list].next;
    *list = number;
}

/* Does step i of the sequence come behind step j < i in happens-before? */
static bool step_before(const struct optimal *optimal, size_t j, size_t i) {
    uint32_t first = optimal->events.data[j], second = optimal->events.data[i];
    if (second != NONE) {
        optimal->search->result->dependency_checks++;
        return hd_explore_before(&optimal->search->path, first, second);
    }
    const struct step *a = &optimal->sequence.data[j], *b = &optimal->sequence.data[i];
    return a->thread == b->thread || dependent(optimal, a->operation, b->operation);
}

/* Index of the first step of a thread in the sequence; its length if there is none. */
static size_t first_of(const struct optimal *optimal, uint32_t thread) {
    size_t i = 0;
    while (i < optimal->sequence.length && optimal->sequence.data[i].thread != thread)
        i++;
    return i;
}

static bool weakly_initial(const struct optimal *optimal, const struct step *step) {
    size_t place = first_of(optimal, step->thread);
    bool initial = true;
    if (place < optimal->sequence.length) {
        uint32_t choice = optimal->sequence.data[place].choice;
        initial = step->choice == NONE || step->choice == choice;
        for (size_t j = 0; j < place && initial; j++)
            initial = !step_before(optimal, j, place);
        return initial;
    }
    for (size_t j = 0; j < optimal->sequence.length && initial; j++)
        initial = !dependent(optimal, step->operation, optimal->sequence.data[j].operation);
    return initial;
}

static void remove_first_of(struct optimal *optimal, uint32_t thread) {
    size_t place = first_of(optimal, thread);
    size_t rest = optimal->sequence.length - place;
    if (!rest)
        return;
    memmove(optimal->sequence.data + place, optimal->sequence.data + place + 1,
            (rest - 1) * sizeof *optimal->sequence.data);
    memmove(optimal->events.data + place, optimal->events.data + place + 1,
            (rest - 1) * sizeof *optimal->events.data);
    optimal->sequence.length--;
    optimal->events.length--;
}

/* The sequence as a chain of branches at the end of a list, given by its owner:
 * a branch whose children it is, or NONE for the node's own tree. */
static void append_sequence(struct optimal *optimal, struct node *node, uint32_t owner) {
    for (size_t i = 0; i < optimal->sequence.length; i++) {
        uint32_t number = new_branch(optimal, optimal->sequence.data[i]);
        uint32_t *list = owner == NONE ? &node->tree : &optimal->branches.data[owner].child;
        append_branch(optimal, list, number);
        owner = number;
    }
}

/* The branch of a list that the sequence can follow, NONE if there is none. */
static uint32_t matching_branch(const struct optimal *optimal, uint32_t list) {
    while (list != NONE && !weakly_initial(optimal, &optimal->branches.data[list].step))
        list = optimal->branches.data[list].next;
    return list;
}

static void insert_sequence(struct optimal *optimal, struct node *node) {
    uint32_t owner = NONE;
    /* The first branch is being explored, and what it leads to was reversed. */
    uint32_t list = optimal->branches.data[node->tree].next;
    while (optimal->sequence.length) {
        uint32_t branch = matching_branch(optimal, list);
        if (branch == NONE) {
            append_sequence(optimal, node, owner);
            return;
        }
        remove_first_of(optimal, optimal->branches.data[branch].step.thread);
        owner = branch;
        list = optimal->branches.data[branch].child;
        if (list == NONE)
            return; /* a leaf: whatever can follow it will be found from there */
    }
}

/* ---- Races ---- */

static uint32_t sleepers_end(const struct optimal *optimal, uint32_t depth) {
    return depth + 1 < optimal->nodes.length ? optimal->nodes.data[depth + 1].first_sleeper
                                             : (uint32_t)optimal->sleepers.length;
}

/* Does somebody sleep who could begin the sequence?  Then it was explored. */
static bool was_explored(const struct optimal *optimal, uint32_t depth) {
    uint32_t end = sleepers_end(optimal, depth);
    for (uint32_t i = optimal->nodes.data[depth].first_sleeper; i < end; i++) {
        const struct step *sleeper = &optimal->sleepers.data[i];
        bool whole = sleeper->choice == NONE;
        bool in_sequence = first_of(optimal, sleeper->thread) < optimal->sequence.length;
        if ((whole || in_sequence) && weakly_initial(optimal, sleeper))
            return true;
    }
    return false;
}

static void insert_reversal(void *context, const hd_explore_reversal *reversal) {
    struct optimal *optimal = context;
    const hd_explore_path *path = &optimal->search->path;
    hd_vec_clear(&optimal->sequence);
    hd_vec_clear(&optimal->events);
    for (size_t i = 0; i < reversal->kept.length; i++) {
        uint32_t event = reversal->kept.data[i];
        const hd_explore_event *about = &path->events.data[event];
        hd_vec_push(&optimal->sequence,
                    (struct step){about->thread, about->choice, intern_event(optimal, event)});
        hd_vec_push(&optimal->events, event);
    }
    uint32_t operation = intern(optimal, reversal->operation.accesses, reversal->operation.count);
    hd_vec_push(&optimal->sequence, (struct step){reversal->thread, 0, operation});
    hd_vec_push(&optimal->events, NONE);
    if (!was_explored(optimal, reversal->at))
        insert_sequence(optimal, &optimal->nodes.data[reversal->at]);
}

/* All races of the execution, which has come to an end. */
static void reverse_all(struct optimal *optimal, uint64_t blocked) {
    hd_explore_path *path = &optimal->search->path;
    for (uint32_t i = 0; i < path->events.length; i++)
        hd_explore_reversals(path, i, insert_reversal, optimal);
    for (; blocked; blocked &= blocked - 1)
        hd_explore_pending_reversals(path, (uint32_t)__builtin_ctzll(blocked), insert_reversal,
                                     optimal);
}

/* ---- The search ---- */

static uint32_t intern_next(struct optimal *optimal, uint32_t thread, uint32_t *choices) {
    hd_machine *machine = optimal->search->path.machine;
    hd_machine_operation operation;
    bool runs = machine->type->next(machine, thread, &operation);
    assert(runs);
    (void)runs;
    if (choices)
        *choices = operation.choices;
    return intern(optimal, operation.accesses, operation.count);
}

static void close_execution(struct optimal *optimal, const struct node *node) {
    hd_explore_search *search = optimal->search;
    reverse_all(optimal, node->running & ~node->enabled);
    if (node->enabled & ~node->asleep)
        return; /* cut off by the limit on steps */
    if (node->enabled)
        search->result->blocked++;
    else
        hd_explore_ended(search, node->running ? HD_EXPLORE_DEADLOCK : HD_EXPLORE_COMPLETE);
}

/* A new node on top, with what is left of the tree below the branch that led
 * here; false if the execution ends here. */
static bool open_node(struct optimal *optimal, uint32_t first_sleeper, uint64_t asleep,
                      uint32_t tree) {
    hd_explore_search *search = optimal->search;
    struct node node = {.asleep = asleep, .first_sleeper = first_sleeper, .tree = tree};
    node.enabled = hd_explore_enabled(search, &node.running);
    uint64_t awake = node.enabled & ~asleep;
    if (!awake || hd_explore_too_long(search)) {
        assert(tree == NONE || awake);
        close_execution(optimal, &node);
        optimal->sleepers.length = first_sleeper;
        return false;
    }
    if (tree == NONE) {
        uint32_t thread = (uint32_t)__builtin_ctzll(awake);
        struct step step = {thread, 0, intern_next(optimal, thread, NULL)};
        node.tree = new_branch(optimal, step);
    }
    hd_vec_push(&optimal->nodes, node);
    return true;
}

/* The sleepers of the node on top that go on sleeping behind a step, as those of
 * the node to come. */
static uint64_t inherit_sleepers(struct optimal *optimal, const struct step *taken) {
    const struct node *node = hd_vec_last(&optimal->nodes);
    uint32_t end = (uint32_t)optimal->sleepers.length;
    uint64_t asleep = 0;
    for (uint32_t i = node->first_sleeper; i < end; i++) {
        struct step sleeper = optimal->sleepers.data[i];
        if (sleeper.choice != NONE || sleeper.thread == taken->thread ||
            dependent(optimal, sleeper.operation, taken->operation))
            continue;
        asleep |= UINT64_C(1) << sleeper.thread;
        hd_vec_push(&optimal->sleepers, sleeper);
    }
    return asleep;
}

/* Operations whose accesses vary may be others in the new state. */
static void look_at_sleepers(struct optimal *optimal, uint32_t from) {
    hd_machine *machine = optimal->search->path.machine;
    for (size_t i = from; i < optimal->sleepers.length; i++) {
        hd_machine_operation operation;
        struct step *sleeper = &optimal->sleepers.data[i];
        machine->type->next(machine, sleeper->thread, &operation);
        if (operation.varies)
            sleeper->operation = intern(optimal, operation.accesses, operation.count);
    }
}

/* The other ways in which the first branch's operation can go. */
static void add_choices(struct optimal *optimal, uint32_t depth, struct step step) {
    for (uint32_t choice = 0; choice < optimal->nodes.data[depth].choices; choice++) {
        bool there = false;
        for (uint32_t b = optimal->nodes.data[depth].tree; b != NONE && !there;
             b = optimal->branches.data[b].next)
            there = optimal->branches.data[b].step.thread == step.thread &&
                    optimal->branches.data[b].step.choice == choice;
        uint32_t end = sleepers_end(optimal, depth);
        for (uint32_t i = optimal->nodes.data[depth].first_sleeper; i < end && !there; i++)
            there = optimal->sleepers.data[i].thread == step.thread &&
                    optimal->sleepers.data[i].choice == choice;
        if (there)
            continue;
        uint32_t number = new_branch(optimal, (struct step){step.thread, choice, step.operation});
        append_branch(optimal, &optimal->nodes.data[depth].tree, number);
    }
}

/* A step that failed: whatever the others would have done could come first. */
static void after_failure(struct optimal *optimal) {
    struct node *node = hd_vec_last(&optimal->nodes);
    uint32_t failed = optimal->branches.data[node->tree].step.thread;
    hd_explore_pop(&optimal->search->path);
    uint64_t others = node->enabled & ~node->asleep & ~(UINT64_C(1) << failed);
    for (; others; others &= others - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(others);
        uint32_t list = optimal->branches.data[node->tree].next;
        while (list != NONE && optimal->branches.data[list].step.thread != thread)
            list = optimal->branches.data[list].next;
        if (list != NONE)
            continue;
        struct step step = {thread, 0, intern_next(optimal, thread, NULL)};
        append_branch(optimal, &node->tree, new_branch(optimal, step));
    }
    node->failed = true;
}

/* Explores the first branch of the node on top. */
static void advance(struct optimal *optimal) {
    hd_explore_search *search = optimal->search;
    uint32_t depth = (uint32_t)optimal->nodes.length - 1;
    uint32_t first = optimal->nodes.data[depth].tree;
    struct step step = optimal->branches.data[first].step;
    step.operation = intern_next(optimal, step.thread, &optimal->nodes.data[depth].choices);
    optimal->branches.data[first].step = step;
    uint32_t tree = optimal->branches.data[first].child;
    optimal->branches.data[first].child = NONE;
    if (optimal->nodes.data[depth].choices > 1)
        add_choices(optimal, depth, step);
    uint32_t first_sleeper = (uint32_t)optimal->sleepers.length;
    uint64_t asleep = inherit_sleepers(optimal, &step);
    enum hd_machine_result result = hd_explore_push(&search->path, step.thread, step.choice);
    if (result == HD_MACHINE_FAILED) {
        optimal->sleepers.length = first_sleeper;
        reverse_all(optimal, 0);
        hd_explore_ended(search, HD_EXPLORE_VIOLATION);
        after_failure(optimal);
        return;
    }
    look_at_sleepers(optimal, first_sleeper);
    if (!open_node(optimal, first_sleeper, asleep, tree))
        hd_explore_pop(&search->path);
}

/* The first branch of the node on top is done: its step sleeps from now on. */
static void finish_branch(struct optimal *optimal) {
    struct node *node = hd_vec_last(&optimal->nodes);
    uint32_t first = node->tree;
    struct step step = optimal->branches.data[first].step;
    node->tree = optimal->branches.data[first].next;
    free_branch(optimal, first);
    if (node->failed) {
        node->failed = false;
        return;
    }
    uint32_t done = 1;
    for (uint32_t i = node->first_sleeper; i < optimal->sleepers.length; i++)
        done += optimal->sleepers.data[i].thread == step.thread;
    if (done >= node->choices) {
        step.choice = NONE;
        node->asleep |= UINT64_C(1) << step.thread;
    }
    hd_vec_push(&optimal->sleepers, step);
}

static void free_tree(struct optimal *optimal, uint32_t list) {
    while (list != NONE) {
        uint32_t next = optimal->branches.data[list].next;
        free_tree(optimal, optimal->branches.data[list].child);
        optimal->branches.data[list].child = NONE;
        free_branch(optimal, list);
        list = next;
    }
}

/* Back to the node below; false at the bottom. */
static bool close_node(struct optimal *optimal) {
    struct node *node = hd_vec_last(&optimal->nodes);
    free_tree(optimal, node->tree);
    optimal->sleepers.length = node->first_sleeper;
    optimal->nodes.length--;
    if (!optimal->nodes.length)
        return false;
    hd_explore_pop(&optimal->search->path);
    return true;
}

void hd_explore_optimal(hd_explore_search *search) {
    struct optimal optimal = {.search = search, .free_branch = NONE};
    bool more = open_node(&optimal, 0, 0, NONE);
    while (more) {
        size_t depth = optimal.nodes.length;
        if (!search->stop && optimal.nodes.data[depth - 1].tree != NONE) {
            advance(&optimal);
            if (optimal.nodes.length == depth)
                finish_branch(&optimal);
            continue;
        }
        more = close_node(&optimal);
        if (more)
            finish_branch(&optimal);
    }
    hd_vec_release(&optimal.nodes);
    hd_vec_release(&optimal.sleepers);
    hd_vec_release(&optimal.branches);
    hd_vec_release(&optimal.operations);
    hd_vec_release(&optimal.accesses);
    hd_map_release(&optimal.by_hash);
    hd_vec_release(&optimal.sequence);
    hd_vec_release(&optimal.events);
}
