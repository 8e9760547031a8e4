/*
 * Optimal dynamic partial order reduction, with wakeup trees, and eager partial
 * order reduction within it.
 *
 *   P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic partial order
 *   reduction, POPL 2014, Algorithm 2
 *   P. Metzler, H. Saissi, P. Bokor, N. Suri: Eager partial order reduction
 *
 *   paper                 here
 *   wut(E)                node.tree: branches in order, the first being explored
 *   insert_[E](v, wut)    insert_sequence
 *   WI_[E](v)             weakly_initial: a step that v can begin with, or that is
 *                         independent of all of it
 *   sleep(E)              node.asleep, with the operations that the threads have there
 *   schedule(u)           node.walk: where in a section the node is
 *
 * Races are taken from the whole execution, all of them, at every maximal
 * execution; those of threads that are blocked at its end too.
 *
 * Eager: a leaf of a wakeup tree, where everybody is awake, gets a whole section
 * as its tree (explore_section.h).  That tree is never written down: the branches
 * of a node in it are what the walk will take from there, before all others.  A
 * sequence that is inserted follows them as it follows any branch; what then does
 * not fit is kept in branches marked as `walked`, which wait for the walk to come
 * by.  Races within a section are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "explore_search.h"
#include "explore_section.h"
#include "explore_without.h"

#define NONE UINT32_MAX
#define EVERYTHING (UINT32_MAX - 1) /* operation of a step that fails: depends on every other */

/* A step of a wakeup tree or of a sequence. */
struct step {
    uint32_t thread;
    uint32_t choice;
    uint32_t operation; /* its accesses, interned */
};

/* A branch of a wakeup tree: linked by number, from a pool with a free list. */
struct branch {
    struct step step;
    uint32_t child, next;
    bool walked; /* the walk through a section will come to it */
};

struct node {
    uint64_t asleep;        /* threads of which every choice sleeps */
    uint32_t first_partial; /* in optimal.partial, up to those of the next node */
    uint32_t tree;          /* first branch */
    uint32_t choices;       /* of the operation being explored */
    struct step step;       /* being explored */
    uint32_t section;       /* in optimal.sections, NONE: not in one */
    uint32_t taken;         /* operation of the section being explored, NONE: a branch is */
    bool failed;            /* the step being explored failed */
    uint64_t since;         /* executions when it was opened */
    hd_explore_walk_state walk, behind;
};

/* The accesses of an operation, once for all that have the same. */
struct interned {
    uint64_t reads, writes; /* signatures */
    uint32_t start, count;
};

/* A step of the sequence in hand, and its event; NONE: the one moved. */
struct item {
    struct step step;
    uint32_t event;
};

struct optimal {
    hd_explore_search *search;
    HD_VEC(struct node) nodes;
    HD_VEC(struct step) partial; /* explored ways of operations that have more; failed steps */
    HD_VEC(struct branch) branches;
    uint32_t free_branch;
    HD_VEC(struct interned) operations;
    HD_VEC(hd_machine_access) accesses; /* of the interned operations */
    hd_map by_hash;                     /* hash of accesses -> operation + 1 */
    HD_VEC(struct item) sequence;       /* v of the reversal in hand */
    hd_explore_reverser reverser;
    uint32_t fresh; /* events of the path from here on are new since its last end */

    bool eager, briefly;
    HD_VEC(hd_explore_section) sections;
    uint32_t section_number;
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

static uint32_t intern_new(struct optimal *optimal, const hd_machine_access *accesses,
                           uint32_t count) {
    struct interned fresh = {.start = (uint32_t)optimal->accesses.length, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bit = UINT64_C(1) << (accesses[i].location & 63);
        if (accesses[i].mode & HD_MACHINE_WRITES)
            fresh.writes |= bit;
        else
            fresh.reads |= bit;
        hd_vec_push(&optimal->accesses, accesses[i]);
    }
    hd_vec_push(&optimal->operations, fresh);
    return (uint32_t)optimal->operations.length - 1;
}

static uint32_t intern(struct optimal *optimal, const hd_machine_access *accesses, uint32_t count) {
    for (uint64_t hash = hash_accesses(accesses, count);; hash++) {
        uint32_t *entry = hd_map_at(&optimal->by_hash, hash, NULL);
        if (!*entry)
            *entry = intern_new(optimal, accesses, count) + 1;
        else if (!same_accesses(optimal, *entry - 1, accesses, count))
            continue;
        return *entry - 1;
    }
}

/* An operation of the path, by its number there. */
static uint32_t intern_operation(struct optimal *optimal, uint32_t number) {
    hd_explore_path *path = &optimal->search->path;
    hd_explore_operation *operation = &path->operations.data[number];
    if (!operation->interned)
        operation->interned =
            intern(optimal, path->accesses.data + operation->accesses, operation->count) + 1;
    return operation->interned - 1;
}

static bool dependent(const struct optimal *optimal, uint32_t a, uint32_t b) {
    if (a == EVERYTHING || b == EVERYTHING)
        return true;
    const struct interned *first = &optimal->operations.data[a];
    const struct interned *second = &optimal->operations.data[b];
    optimal->search->result->dependency_checks++;
    if (!((first->writes & (second->reads | second->writes)) | (first->reads & second->writes)))
        return false;
    return hd_machine_dependent(optimal->accesses.data + first->start, first->count,
                                optimal->accesses.data + second->start, second->count);
}

/* ---- Sequences ---- */

/* Does item i of the sequence come behind item j < i in happens-before? */
static bool item_before(const struct optimal *optimal, size_t j, size_t i) {
    const struct item *a = &optimal->sequence.data[j], *b = &optimal->sequence.data[i];
    if (b->event != NONE)
        return hd_explore_before(&optimal->search->path, a->event, b->event);
    return a->step.thread == b->step.thread ||
           dependent(optimal, a->step.operation, b->step.operation);
}

/* Index of the first step of a thread in the sequence; its length if there is none. */
static size_t first_of(const struct optimal *optimal, uint32_t thread) {
    size_t i = 0;
    while (i < optimal->sequence.length && optimal->sequence.data[i].step.thread != thread)
        i++;
    return i;
}

static bool weakly_initial(const struct optimal *optimal, const struct step *step,
                           bool any_choice) {
    size_t place = first_of(optimal, step->thread);
    bool initial = true;
    if (place < optimal->sequence.length) {
        initial = any_choice || step->choice == optimal->sequence.data[place].step.choice;
        for (size_t j = 0; j < place && initial; j++)
            initial = !item_before(optimal, j, place);
        return initial;
    }
    for (size_t j = 0; j < optimal->sequence.length && initial; j++)
        initial = !dependent(optimal, step->operation, optimal->sequence.data[j].step.operation);
    return initial;
}

static void remove_first_of(struct optimal *optimal, uint32_t thread) {
    size_t place = first_of(optimal, thread);
    size_t rest = optimal->sequence.length - place;
    if (!rest)
        return;
    memmove(optimal->sequence.data + place, optimal->sequence.data + place + 1,
            (rest - 1) * sizeof *optimal->sequence.data);
    optimal->sequence.length--;
}

/* ---- Wakeup trees ---- */

static uint32_t new_branch(struct optimal *optimal, struct step step) {
    uint32_t number = optimal->free_branch;
    if (number == NONE) {
        number = (uint32_t)optimal->branches.length;
        hd_vec_push(&optimal->branches, (struct branch){0});
    } else
        optimal->free_branch = optimal->branches.data[number].next;
    optimal->branches.data[number] = (struct branch){step, NONE, NONE, false};
    return number;
}

static void free_branch(struct optimal *optimal, uint32_t number) {
    assert(optimal->branches.data[number].child == NONE);
    optimal->branches.data[number].next = optimal->free_branch;
    optimal->free_branch = number;
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

/* A list of branches, given by its owner: a branch whose children it is, or NONE
 * for the node's own tree. */
static uint32_t *list_of(struct optimal *optimal, struct node *node, uint32_t owner) {
    return owner == NONE ? &node->tree : &optimal->branches.data[owner].child;
}

static uint32_t append_step(struct optimal *optimal, struct node *node, uint32_t owner,
                            struct step step) {
    uint32_t number = new_branch(optimal, step);
    uint32_t *list = list_of(optimal, node, owner);
    while (*list != NONE)
        list = &optimal->branches.data[*list].next;
    *list = number;
    return number;
}

static void append_sequence(struct optimal *optimal, struct node *node, uint32_t owner) {
    for (size_t i = 0; i < optimal->sequence.length; i++)
        owner = append_step(optimal, node, owner, optimal->sequence.data[i].step);
}

/* The branch of a list that the sequence can follow, NONE if there is none. */
static uint32_t matching_branch(const struct optimal *optimal, uint32_t list) {
    for (; list != NONE; list = optimal->branches.data[list].next)
        if (!optimal->branches.data[list].walked &&
            weakly_initial(optimal, &optimal->branches.data[list].step, false))
            break;
    return list;
}

/* The branch that waits for the walk to take a thread's step, NONE if there is none. */
static uint32_t walked_branch(const struct optimal *optimal, uint32_t list, uint32_t thread) {
    while (list != NONE && !(optimal->branches.data[list].walked &&
                             optimal->branches.data[list].step.thread == thread))
        list = optimal->branches.data[list].next;
    return list;
}

/* The step that the walk will take and that the sequence can follow, with the
 * state behind it; false if there is none. */
static bool matching_walk(const struct optimal *optimal, const hd_explore_section *section,
                          hd_explore_walk_state *walk, struct step *step) {
    hd_explore_walk_state behind;
    uint32_t operation;
    while (hd_explore_walk_next(section, walk, &operation, &behind)) {
        *step = (struct step){section->threads[operation], 0, section->interned[operation]};
        if (weakly_initial(optimal, step, false)) {
            *walk = behind;
            return true;
        }
    }
    return false;
}

static void insert_sequence(struct optimal *optimal, struct node *node) {
    uint32_t owner = NONE;
    hd_explore_walk_state walk = {0};
    const hd_explore_section *section = NULL;
    if (node->section != NONE) {
        section = &optimal->sections.data[node->section];
        walk = node->walk;
    }
    while (optimal->sequence.length) {
        struct step step;
        uint32_t list = *list_of(optimal, node, owner), branch;
        if (section && matching_walk(optimal, section, &walk, &step)) {
            branch = walked_branch(optimal, list, step.thread);
            if (branch == NONE) {
                branch = append_step(optimal, node, owner, step);
                optimal->branches.data[branch].walked = true;
            }
            remove_first_of(optimal, step.thread);
            owner = branch;
            if (!walk.remaining)
                return; /* a leaf: whatever can follow it will be found from there */
            continue;
        }
        section = NULL;
        /* The first branch is being explored, and what it leads to was reversed. */
        if (owner == NONE && node->taken == NONE)
            list = optimal->branches.data[list].next;
        branch = matching_branch(optimal, list);
        if (branch == NONE) {
            append_sequence(optimal, node, owner);
            return;
        }
        remove_first_of(optimal, optimal->branches.data[branch].step.thread);
        owner = branch;
        if (optimal->branches.data[branch].child == NONE)
            return; /* a leaf */
    }
}

/* ---- Races ---- */

static uint32_t partial_end(const struct optimal *optimal, uint32_t depth) {
    return depth + 1 < optimal->nodes.length ? optimal->nodes.data[depth + 1].first_partial
                                             : (uint32_t)optimal->partial.length;
}

/* Does somebody sleep who could begin the sequence?  Then it was explored. */
static bool was_explored(struct optimal *optimal, uint32_t depth) {
    const struct node *node = &optimal->nodes.data[depth];
    for (uint64_t rest = node->asleep; rest; rest &= rest - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(rest);
        uint32_t operation = hd_explore_operation_at(&optimal->search->path, thread, depth);
        struct step sleeper = {thread, 0, intern_operation(optimal, operation)};
        if (weakly_initial(optimal, &sleeper, true))
            return true;
    }
    uint32_t end = partial_end(optimal, depth);
    for (uint32_t i = node->first_partial; i < end; i++) {
        const struct step *sleeper = &optimal->partial.data[i];
        if (first_of(optimal, sleeper->thread) < optimal->sequence.length &&
            weakly_initial(optimal, sleeper, false))
            return true;
    }
    return false;
}

static bool reversal_wanted(void *context, uint32_t at, uint64_t initials) {
    const struct optimal *optimal = context;
    return !(optimal->nodes.data[at].asleep & initials);
}

/* The sequence v, with one way of the operation that is moved. */
static void make_sequence(struct optimal *optimal, const hd_explore_reversal *reversal,
                          uint32_t choice) {
    const hd_explore_path *path = &optimal->search->path;
    const hd_explore_operation *moved = &reversal->operation;
    hd_vec_clear(&optimal->sequence);
    for (size_t i = 0; i < reversal->kept.length; i++) {
        uint32_t event = reversal->kept.data[i];
        const hd_explore_event *about = &path->events.data[event];
        struct step step = {about->thread, about->choice,
                            intern_operation(optimal, about->operation)};
        hd_vec_push(&optimal->sequence, (struct item){step, event});
    }
    uint32_t operation = reversal->fails
                             ? EVERYTHING
                             : intern(optimal, path->accesses.data + moved->accesses, moved->count);
    struct item last = {{reversal->thread, choice, operation}, NONE};
    hd_vec_push(&optimal->sequence, last);
}

static void insert_reversal(void *context, const hd_explore_reversal *reversal) {
    struct optimal *optimal = context;
    const hd_explore_operation *moved = &reversal->operation;
    for (uint32_t choice = 0; choice < moved->choices; choice++) {
        struct node *node = &optimal->nodes.data[reversal->at];
        make_sequence(optimal, reversal, choice);
        /* An operation whose accesses vary may, where it is moved to, have nothing to do
         * with the event that was removed. */
        if (!reversal->fails && (moved->varies || moved->awaits) &&
            weakly_initial(optimal, &node->step, false))
            return;
        if (!was_explored(optimal, reversal->at))
            insert_sequence(optimal, node);
    }
}

/* All races of the execution, which has come to an end. */
static void reverse_all(struct optimal *optimal, uint64_t blocked) {
    hd_explore_path *path = &optimal->search->path;
    uint32_t length = (uint32_t)path->events.length;
    for (uint32_t i = HD_EXPLORE_CURE(2) ? 0 : optimal->fresh; i < length; i++)
        if (path->events.data[i].race_count || hd_explore_taken(path, i)->awaits)
            hd_explore_reversals(&optimal->reverser, i);
    for (; blocked; blocked &= blocked - 1)
        hd_explore_pending_reversals(&optimal->reverser, (uint32_t)__builtin_ctzll(blocked));
    optimal->fresh = length;
}

/* ---- The search ---- */

static void close_execution(struct optimal *optimal, uint64_t asleep) {
    hd_explore_search *search = optimal->search;
    hd_explore_path *path = &search->path;
    bool cut = path->enabled & ~asleep; /* by the limit on steps */
    reverse_all(optimal, cut ? path->running : path->running & ~path->enabled);
    if (cut)
        return;
    if (path->enabled)
        search->result->blocked++;
    else
        hd_explore_ended(search, path->running ? HD_EXPLORE_DEADLOCK : HD_EXPLORE_COMPLETE);
}

static struct step next_step(struct optimal *optimal, uint32_t thread) {
    uint32_t operation = optimal->search->path.next[thread];
    return (struct step){thread, 0, intern_operation(optimal, operation)};
}

/* Does one way of a thread's operation sleep at a node while others do not? */
static bool is_partly_asleep(const struct optimal *optimal, uint32_t from, uint32_t end,
                             const struct step *step) {
    for (uint32_t i = from; i < end; i++)
        if (optimal->partial.data[i].thread == step->thread &&
            optimal->partial.data[i].choice == step->choice)
            return true;
    return false;
}

/* A leaf: the tree is a section if there can be one, else any step. */
static void plant(struct optimal *optimal, struct node *node) {
    hd_explore_path *path = &optimal->search->path;
    uint64_t awake = path->enabled & ~node->asleep;
    if (optimal->eager && !node->asleep) {
        hd_explore_section section;
        if (hd_explore_section_make(&section, path, optimal->briefly)) {
            section.number = ++optimal->section_number;
            for (uint32_t k = 0; k < section.count; k++) {
                const hd_machine_operation *operation = &section.ahead[k]->operation;
                section.interned[k] = intern(optimal, operation->accesses, operation->count);
            }
            node->section = (uint32_t)optimal->sections.length;
            node->walk = hd_explore_walk_start(&section);
            hd_vec_push(&optimal->sections, section);
            return;
        }
    }
    struct step step = next_step(optimal, (uint32_t)__builtin_ctzll(awake));
    while (is_partly_asleep(optimal, node->first_partial, (uint32_t)optimal->partial.length, &step))
        step.choice++;
    node->tree = new_branch(optimal, step);
}

/* The ways that sleep at the node on top and go on sleeping behind a step of `thread`
 * that meets others. */
static void inherit_partial(struct optimal *optimal, uint32_t thread, uint64_t met) {
    const struct node *node = hd_vec_last(&optimal->nodes);
    uint32_t end = (uint32_t)optimal->partial.length;
    for (uint32_t i = node->first_partial; i < end; i++) {
        struct step sleeper = optimal->partial.data[i];
        if (sleeper.operation != EVERYTHING && sleeper.thread != thread &&
            !(met & HD_EXPLORE_BIT(sleeper.thread)))
            hd_vec_push(&optimal->partial, sleeper);
    }
}

/* A new node on top, with what is left of the tree below the step that led here;
 * `parent`: goes on with its section, if it is in one.  False if the execution ends
 * here. */
static bool open_node(struct optimal *optimal, uint64_t asleep, uint32_t first_partial,
                      uint32_t tree, const struct node *parent) {
    hd_explore_search *search = optimal->search;
    struct node node = {.asleep = asleep,
                        .first_partial = first_partial,
                        .tree = tree,
                        .since = search->result->executions,
                        .section = NONE,
                        .taken = NONE};
    if (!(search->path.enabled & ~asleep) || hd_explore_too_long(search)) {
        close_execution(optimal, asleep);
        free_tree(optimal, tree);
        optimal->partial.length = first_partial;
        return false;
    }
    if (parent && parent->taken != NONE && parent->behind.remaining) {
        node.section = parent->section;
        node.walk = parent->behind;
    } else if (tree == NONE)
        plant(optimal, &node);
    hd_vec_push(&optimal->nodes, node);
    return true;
}

/* The other ways in which the first branch's operation can go.  Not on the way to wake
 * somebody up: those that do so are found, with their ways, by races. */
static void add_choices(struct optimal *optimal, struct node *node, struct step step) {
    uint32_t end = (uint32_t)optimal->partial.length;
    for (step.choice = 0; step.choice < node->choices && !node->asleep; step.choice++) {
        bool there = is_partly_asleep(optimal, node->first_partial, end, &step);
        for (uint32_t b = node->tree; b != NONE && !there; b = optimal->branches.data[b].next)
            there = optimal->branches.data[b].step.thread == step.thread &&
                    optimal->branches.data[b].step.choice == step.choice;
        if (!there)
            append_step(optimal, node, NONE, step);
    }
}

/* The last step failed.  Whatever another thread would have done could come first; and
 * where that does not touch what failed, it fails behind it. */
static void insert_before_failure(struct optimal *optimal, uint32_t depth, struct step other) {
    hd_explore_path *path = &optimal->search->path;
    struct step failed = optimal->nodes.data[depth].step;
    bool fails =
        !dependent(optimal, intern_operation(optimal, path->next[failed.thread]), other.operation);
    failed.operation = EVERYTHING;
    hd_vec_clear(&optimal->sequence);
    hd_vec_push(&optimal->sequence, (struct item){other, NONE});
    if (fails)
        hd_vec_push(&optimal->sequence, (struct item){failed, NONE});
    if (!was_explored(optimal, depth))
        insert_sequence(optimal, &optimal->nodes.data[depth]);
}

static void after_failure(struct optimal *optimal) {
    hd_explore_path *path = &optimal->search->path;
    uint32_t depth = (uint32_t)optimal->nodes.length - 1;
    uint32_t failed = optimal->nodes.data[depth].step.thread;
    uint64_t others = path->enabled & ~optimal->nodes.data[depth].asleep & ~HD_EXPLORE_BIT(failed);
    for (; others; others &= others - 1) {
        struct step step = next_step(optimal, (uint32_t)__builtin_ctzll(others));
        uint32_t choices = hd_explore_next(path, step.thread)->choices;
        for (step.choice = 0; step.choice < choices; step.choice++)
            insert_before_failure(optimal, depth, step);
    }
    optimal->nodes.data[depth].failed = true;
}

/* What the walk through the section does next from the node on top; the tree that
 * waits below it.  False if it is done here. */
static bool walk_on(struct optimal *optimal, struct node *node, uint32_t *tree) {
    if (node->section == NONE)
        return false;
    const hd_explore_section *section = &optimal->sections.data[node->section];
    if (!hd_explore_walk_next(section, &node->walk, &node->taken, &node->behind))
        return false;
    uint32_t thread = section->threads[node->taken];
    node->step = (struct step){thread, 0, section->interned[node->taken]};
    *tree = NONE;
    uint32_t waiting = walked_branch(optimal, node->tree, thread);
    if (waiting == NONE)
        return true;
    *tree = optimal->branches.data[waiting].child;
    optimal->branches.data[waiting].child = NONE;
    uint32_t *list = &node->tree;
    while (*list != waiting)
        list = &optimal->branches.data[*list].next;
    *list = optimal->branches.data[waiting].next;
    free_branch(optimal, waiting);
    return true;
}

/* The first branch of the node on top, and the tree below it. */
static bool branch_off(struct optimal *optimal, struct node *node, uint32_t *tree) {
    node->taken = NONE;
    if (node->tree == NONE)
        return false;
    struct branch *first = &optimal->branches.data[node->tree];
    assert(!first->walked);
    first->step.operation =
        intern_operation(optimal, optimal->search->path.next[first->step.thread]);
    node->step = first->step;
    *tree = first->child;
    first->child = NONE;
    return true;
}

static void report(struct optimal *optimal) {
    double to_come = 0;
    for (size_t i = 0; i < optimal->nodes.length; i++) {
        const struct node *node = &optimal->nodes.data[i];
        uint64_t since =
            i + 1 < optimal->nodes.length ? node[1].since : optimal->search->result->executions;
        uint32_t left = 0;
        for (uint32_t b = node->tree; b != NONE; b = optimal->branches.data[b].next)
            left += !optimal->branches.data[b].walked;
        if (node->taken == NONE && left)
            left--; /* the first is the one being explored */
        if (node->section != NONE)
            left += hd_explore_walk_left(&optimal->sections.data[node->section], node->walk);
        to_come += hd_explore_to_come(optimal->search, i, left, since);
    }
    hd_explore_report(optimal->search, to_come);
}

/* Explores the node's next step; false if there is none. */
static bool advance(struct optimal *optimal) {
    hd_explore_search *search = optimal->search;
    hd_explore_path *path = &search->path;
    uint32_t depth = (uint32_t)optimal->nodes.length - 1, tree;
    struct node *node = &optimal->nodes.data[depth];
    bool walks = walk_on(optimal, node, &tree);
    if (!walks && !branch_off(optimal, node, &tree))
        return false;
    struct step step = node->step;
    node->choices = hd_explore_next(path, step.thread)->choices;
    if (node->choices > 1)
        add_choices(optimal, node, step);
    uint64_t asleep = node->asleep & ~HD_EXPLORE_BIT(step.thread);
    uint64_t met = hd_explore_meets(path, step.thread);
    uint32_t first_partial = (uint32_t)optimal->partial.length;
    search->result->dependency_checks += (uint64_t)__builtin_popcountll(asleep);
    asleep &= ~met;
    inherit_partial(optimal, step.thread, met);
    if (optimal->fresh > path->events.length)
        optimal->fresh = (uint32_t)path->events.length;
    enum hd_machine_result result = hd_explore_push(path, step.thread, step.choice);
    if (walks)
        hd_vec_last(&path->events)->section = optimal->sections.data[node->section].number;
    if (result == HD_MACHINE_FAILED) {
        reverse_all(optimal, path->running & ~path->enabled);
        hd_explore_ended(search, HD_EXPLORE_VIOLATION);
        free_tree(optimal, tree);
        optimal->partial.length = first_partial;
        after_failure(optimal);
        hd_explore_pop(path);
    } else {
        struct node parent = *node;
        if (!open_node(optimal, asleep, first_partial, tree, &parent))
            hd_explore_pop(path);
    }
    if (search->due)
        report(optimal);
    return true;
}

/* The step explored from the node on top is done: it sleeps from now on. */
static void finish_step(struct optimal *optimal) {
    struct node *node = hd_vec_last(&optimal->nodes);
    struct step step = node->step;
    if (node->taken == NONE) {
        uint32_t first = node->tree;
        node->tree = optimal->branches.data[first].next;
        free_branch(optimal, first);
    }
    if (node->failed) { /* it sleeps here, and wakes at any other step */
        node->failed = false;
        step.operation = EVERYTHING;
        hd_vec_push(&optimal->partial, step);
        return;
    }
    uint32_t done = 1;
    for (uint32_t i = node->first_partial; i < optimal->partial.length; i++)
        done += optimal->partial.data[i].thread == step.thread;
    if (done >= node->choices)
        node->asleep |= HD_EXPLORE_BIT(step.thread);
    else
        hd_vec_push(&optimal->partial, step);
}

/* Back to the node below; false at the bottom. */
static bool close_node(struct optimal *optimal) {
    struct node *node = hd_vec_last(&optimal->nodes);
    free_tree(optimal, node->tree);
    optimal->partial.length = node->first_partial;
    uint32_t section = node->section;
    optimal->nodes.length--;
    hd_explore_closed(optimal->search, optimal->nodes.length, node->since);
    if (!optimal->nodes.length)
        return false;
    if (section != NONE && hd_vec_last(&optimal->nodes)->section != section)
        optimal->sections.length = section;
    hd_explore_pop(&optimal->search->path);
    return true;
}

static void release(struct optimal *optimal) {
    hd_vec_release(&optimal->nodes);
    hd_vec_release(&optimal->partial);
    hd_vec_release(&optimal->branches);
    hd_vec_release(&optimal->operations);
    hd_vec_release(&optimal->accesses);
    hd_map_release(&optimal->by_hash);
    hd_vec_release(&optimal->sequence);
    hd_vec_release(&optimal->sections);
    hd_explore_reverser_release(&optimal->reverser);
}

void hd_explore_optimal(hd_explore_search *search) {
    struct optimal optimal = {.search = search,
                              .free_branch = NONE,
                              .eager = search->algorithm == HD_EXPLORE_EPOR ||
                                       search->algorithm == HD_EXPLORE_EPOR_SH,
                              .briefly = search->algorithm == HD_EXPLORE_EPOR_SH};
    optimal.reverser = (hd_explore_reverser){.path = &search->path,
                                             .wanted = reversal_wanted,
                                             .reverse = insert_reversal,
                                             .context = &optimal};
    bool more = open_node(&optimal, 0, 0, NONE, NULL);
    while (more) {
        size_t depth = optimal.nodes.length;
        if (!search->stop && advance(&optimal)) {
            if (optimal.nodes.length == depth)
                finish_step(&optimal);
            continue;
        }
        more = close_node(&optimal);
        if (more)
            finish_step(&optimal);
    }
    release(&optimal);
}
