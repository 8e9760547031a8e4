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
 * Eager, with source sets (Metzler et al., Figure 3): a node where nobody sleeps starts
 * a section (explore_section.h).  From the nodes in it, what the walk takes is
 * scheduled, and explored first; races within the section are left out.
 *
 *   paper            here
 *   schedule(u)      node.scheduled
 *   sec-start        the section's number, which its events have
 *
 * Several workers: a worker that gives work away makes the nodes from the root to the
 * shallowest one with something left to explore *shared*.  From a shared node every
 * worker below it may take the next thread; those taken before sleep.  Races are
 * entered there by whoever finds them; that worker comes by later, on its way up,
 * and takes what nobody else took.
 *
 * Beyond the paper: operations that can be disabled (locks, awaits) are races at
 * the end of a run too, as pending operations of blocked threads; a failing step
 * depends on everything, so it wakes everybody; a step may have choices.
 */
#include <stdatomic.h>

#include "explore_crew.h"
#include "explore_section.h"
#include "explore_without.h"

#define NONE UINT32_MAX

/* A node that more than one worker may explore from, and the way to it. */
struct shared {
    struct shared *parent;
    atomic_uint users; /* workers that have it on their way, children, the queue */
    uint32_t depth;
    hd_explore_step step; /* from the parent */
    uint64_t enabled, inherited;
    _Atomic uint64_t known; /* backtrack | sleep; it only grows */
    pthread_mutex_t lock;   /* of what follows */
    uint64_t sleep, explored, backtrack;
};

/* The state before event i of the path, for node i. */
struct node {
    struct shared *shared; /* then the next four are not used */
    uint64_t inherited;    /* threads that slept when the node was opened */
    uint64_t sleep;        /* initially, and the threads explored from here, but for those
                              that failed: a failing step depends on every other */
    uint64_t explored;
    uint64_t backtrack;       /* threads to be explored from here */
    uint64_t scheduled;       /* of these, the ones that the walk through a section takes */
    uint32_t thread;          /* being explored */
    uint32_t choice, choices; /* none yet: 0, 0 */
    bool failed;
    uint64_t since;   /* executions when it was opened */
    uint32_t section; /* in source.sections; NONE: not in one */
    hd_explore_walk_state walk, behind;
};

struct source {
    hd_explore_search *search;
    HD_VEC(struct node) nodes;
    uint32_t shared; /* so many of them, from the first on */
    hd_vec_u32 late; /* events whose races are looked at only at the end of a run */
    hd_explore_reverser awaits;
    bool persistent; /* dpor instead of sdpor */

    bool eager, briefly;
    HD_VEC(hd_explore_section) sections;
    uint32_t section_number;
};

/* Persistent sets: the racing thread itself where it can be explored, else everybody.
 * A thread that slept from the start is not explored here, so its races with others
 * are not found here either; one whose first operation varies may do something else
 * from here. */
static void add_persistent(struct node *node, uint64_t enabled, uint32_t thread,
                           bool first_varies) {
    uint64_t bit = HD_EXPLORE_BIT(thread);
    bool alone = !first_varies && (enabled & ~node->inherited & bit);
    node->backtrack |= alone ? bit : enabled;
}

static void add_initials(struct node *node, uint64_t initials) {
    if (!(initials & (node->backtrack | node->sleep)))
        node->backtrack |= initials & (0 - initials);
}

/* The same at any node; `initials` are asked for only where they count. */
struct addition {
    uint32_t thread;
    bool first_varies;
    uint64_t initials;
};

static void add_shared(const struct source *source, struct shared *shared,
                       const struct addition *addition) {
    pthread_mutex_lock(&shared->lock);
    struct node node = {
        .inherited = shared->inherited, .sleep = shared->sleep, .backtrack = shared->backtrack};
    if (source->persistent)
        add_persistent(&node, shared->enabled, addition->thread, addition->first_varies);
    else
        add_initials(&node, addition->initials);
    shared->backtrack = node.backtrack;
    atomic_store(&shared->known, shared->backtrack | shared->sleep);
    pthread_mutex_unlock(&shared->lock);
}

static void add(struct source *source, uint32_t at, const struct addition *addition) {
    struct node *node = &source->nodes.data[at];
    if (node->shared)
        add_shared(source, node->shared, addition);
    else if (source->persistent)
        add_persistent(node, source->search->path.events.data[at].enabled, addition->thread,
                       addition->first_varies);
    else
        add_initials(node, addition->initials);
}

static uint64_t known_at(const struct source *source, uint32_t at) {
    const struct node *node = &source->nodes.data[at];
    return node->shared ? atomic_load(&node->shared->known) : node->backtrack | node->sleep;
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
    struct addition addition = {.thread = second->operation->thread};
    if (source->persistent) {
        addition.first_varies = first_varies(path, second, race.event);
        add(source, race.event, &addition);
        return;
    }
    uint64_t known = known_at(source, race.event);
    uint64_t thread = HD_EXPLORE_BIT(second->operation->thread);
    bool varies = second->operation->varies && !race.of_failure && HD_EXPLORE_CURE(1);
    bool initial = race.others <= race.event;
    if (!varies && initial && known & thread)
        return;
    uint64_t initials = hd_explore_initials(path, race.event, second->end);
    if (initials & known)
        return;
    if (varies)
        initial = second->previous <= race.event && commutes(path, second, race.event);
    addition.initials = initials | (initial ? thread : 0);
    add(source, race.event, &addition);
}

static void add_races_of(struct source *source, uint32_t number) {
    hd_explore_path *path = &source->search->path;
    const hd_explore_event *event = &path->events.data[number];
    struct second second = {hd_explore_taken(path, number), number, event->previous};
    for (uint32_t i = 0; i < event->race_count; i++) {
        hd_explore_race race = path->races.data[event->races + i];
        if (!event->section || path->events.data[race.event].section != event->section)
            add_race(source, &second, race);
    }
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
    return source->persistent || !(initials & known_at(source, at));
}

static void add_await(void *context, const hd_explore_reversal *reversal) {
    struct addition addition = {reversal->thread, reversal->first_varies, reversal->initials};
    add(context, reversal->at, &addition);
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

/* Which threads the walk takes from the node. */
static void schedule(struct source *source, struct node *node) {
    const hd_explore_section *section = &source->sections.data[node->section];
    hd_explore_walk_state state = node->walk, behind;
    uint32_t operation;
    while (hd_explore_walk_next(section, &state, &operation, &behind))
        node->scheduled |= HD_EXPLORE_BIT(section->threads[operation]);
    node->backtrack = node->scheduled;
}

/* The node goes on with the section of the one below it, or starts one. */
static void go_on_with_section(struct source *source, struct node *node) {
    hd_explore_path *path = &source->search->path;
    struct node below = {.section = NONE};
    if (path->events.length && hd_vec_last(&path->events)->section)
        below = *hd_vec_last(&source->nodes);
    if (below.behind.remaining) {
        node->section = below.section;
        node->walk = below.behind;
    } else if (!node->sleep) {
        hd_explore_section section;
        if (!hd_explore_section_make(&section, path, source->briefly))
            return;
        section.number = ++source->section_number;
        node->section = (uint32_t)source->sections.length;
        node->walk = hd_explore_walk_start(&section);
        hd_vec_push(&source->sections, section);
    } else
        return;
    schedule(source, node);
}

/* A new node on top; false if the execution ends here. */
static bool open_node(struct source *source, uint64_t sleep) {
    hd_explore_search *search = source->search;
    hd_explore_path *path = &search->path;
    uint64_t awake = path->enabled & ~sleep;
    bool cut = awake && hd_explore_too_long(search);
    if (!awake || cut) {
        add_at_end(source, cut ? path->running : path->running & ~path->enabled);
        if (path->enabled && !awake)
            search->result->blocked++;
        else if (!path->enabled)
            hd_explore_ended(search, path->running ? HD_EXPLORE_DEADLOCK : HD_EXPLORE_COMPLETE);
        return false;
    }
    struct node node = {.sleep = sleep,
                        .inherited = sleep,
                        .backtrack = awake & (0 - awake),
                        .since = search->result->executions,
                        .section = NONE};
    if (source->eager)
        go_on_with_section(source, &node);
    hd_vec_push(&source->nodes, node);
    return true;
}

static void finish_thread(struct node *node) {
    uint64_t thread = HD_EXPLORE_BIT(node->thread);
    node->explored |= thread;
    if (!node->failed)
        node->sleep |= thread;
    node->failed = false;
}

static uint64_t left_to_explore(const struct node *node, uint64_t enabled) {
    return node->backtrack & ~node->sleep & ~node->explored & enabled;
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
    uint64_t next = left_to_explore(node, path->enabled), scheduled = next & node->scheduled;
    if (!next)
        return false;
    node->thread = (uint32_t)__builtin_ctzll(scheduled ? scheduled : next);
    node->choice = 0;
    node->choices = hd_explore_next(path, node->thread)->choices;
    return true;
}

/* The step is one of the node's section. */
static void mark_section(struct source *source, struct node *node) {
    const hd_explore_section *section = &source->sections.data[node->section];
    uint32_t operation;
    bool taken = hd_explore_walk_next(section, &node->walk, &operation, &node->behind);
    assert(taken && section->threads[operation] == node->thread);
    (void)taken;
    hd_vec_last(&source->search->path.events)->section = section->number;
}

static void back(struct source *source) {
    hd_explore_path *path = &source->search->path;
    hd_explore_pop(path);
    while (source->late.length && *hd_vec_last(&source->late) >= path->events.length)
        source->late.length--;
}

/* The thread's step, with `sleep` where it is taken; what it races with is entered
 * then or at the end. */
static enum hd_machine_result take(struct source *source, uint32_t thread, uint32_t choice,
                                   uint64_t *sleep) {
    hd_explore_path *path = &source->search->path;
    *sleep &= ~HD_EXPLORE_BIT(thread);
    if (*sleep) {
        path->result->dependency_checks += (uint64_t)__builtin_popcountll(*sleep);
        *sleep &= ~hd_explore_meets(path, thread);
    }
    uint32_t number = (uint32_t)path->events.length;
    enum hd_machine_result result = hd_explore_push(path, thread, choice);
    const hd_explore_operation *operation = hd_explore_taken(path, number);
    if (operation->awaits || (operation->varies && hd_vec_last(&path->events)->race_count))
        hd_vec_push(&source->late, number);
    return result;
}

/* A step that failed: whatever the others would have done could come first. */
static void after_failure(struct source *source) {
    hd_explore_path *path = &source->search->path;
    uint64_t enabled = hd_vec_last(&path->events)->enabled;
    struct node *node = hd_vec_last(&source->nodes);
    add_at_end(source, path->running & ~path->enabled);
    hd_explore_ended(source->search, HD_EXPLORE_VIOLATION);
    if (!node->shared) {
        node->backtrack |= enabled;
        node->failed = true;
        return;
    }
    pthread_mutex_lock(&node->shared->lock);
    node->shared->backtrack |= enabled;
    atomic_store(&node->shared->known, node->shared->backtrack | node->shared->sleep);
    pthread_mutex_unlock(&node->shared->lock);
}

static void report(struct source *source) {
    double to_come = 0;
    for (size_t i = 0; i < source->nodes.length; i++) {
        const struct node *node = &source->nodes.data[i];
        uint64_t tried = node->explored | (node->choices ? HD_EXPLORE_BIT(node->thread) : 0);
        uint64_t left = node->backtrack & ~node->sleep & ~tried;
        uint64_t since =
            i + 1 < source->nodes.length ? node[1].since : source->search->result->executions;
        to_come +=
            hd_explore_to_come(source->search, i, (uint32_t)__builtin_popcountll(left), since);
    }
    hd_explore_report(source->search, to_come);
}

/* One step on from the node on top. */
static void advance(struct source *source) {
    hd_explore_search *search = source->search;
    hd_explore_path *path = &search->path;
    struct node *node = hd_vec_last(&source->nodes);
    uint32_t number = (uint32_t)path->events.length;
    uint64_t sleep = node->sleep;
    enum hd_machine_result result = take(source, node->thread, node->choice, &sleep);
    if (node->scheduled & HD_EXPLORE_BIT(node->thread))
        mark_section(source, node);
    if (!source->late.length || *hd_vec_last(&source->late) != number)
        add_races_of(source, number);
    if (result == HD_MACHINE_FAILED)
        after_failure(source);
    else if (open_node(source, sleep))
        return;
    if (search->due)
        report(source);
    back(source);
}

/* ---- Shared nodes ---- */

static void leave(struct shared *shared) {
    while (shared && atomic_fetch_sub(&shared->users, 1) == 1) {
        struct shared *parent = shared->parent;
        pthread_mutex_destroy(&shared->lock);
        free(shared);
        shared = parent;
    }
}

static void drop(void *item) {
    leave(item);
}

/* Makes a node shared whose thread is being explored: for others that sleeps. */
static void share(struct source *source, uint32_t depth) {
    const hd_explore_event *event = &source->search->path.events.data[depth];
    struct node *node = &source->nodes.data[depth];
    struct shared *shared = HD_NEW(struct shared);
    uint64_t thread = HD_EXPLORE_BIT(node->thread);
    shared->depth = depth;
    shared->enabled = event->enabled;
    shared->inherited = node->inherited;
    shared->sleep = node->sleep | thread;
    shared->explored = node->explored | thread;
    shared->backtrack = node->backtrack;
    atomic_init(&shared->known, shared->backtrack | shared->sleep);
    atomic_init(&shared->users, 1);
    pthread_mutex_init(&shared->lock, NULL);
    if (depth) {
        shared->parent = source->nodes.data[depth - 1].shared;
        shared->step = (hd_explore_step){event[-1].thread, event[-1].choice};
        atomic_fetch_add(&shared->parent->users, 1);
    }
    node->shared = shared;
}

/* Somebody is hungry: the shallowest node of ours with something left is for all. */
static void give_away(struct source *source) {
    const hd_explore_path *path = &source->search->path;
    uint32_t depth = source->shared, end = (uint32_t)source->nodes.length - 1;
    while (depth < end) {
        struct node node = source->nodes.data[depth];
        node.explored |= HD_EXPLORE_BIT(node.thread);
        if (left_to_explore(&node, path->events.data[depth].enabled))
            break;
        depth++;
    }
    if (depth >= end)
        return;
    for (; source->shared <= depth; source->shared++)
        share(source, source->shared);
    struct shared *given = source->nodes.data[depth].shared;
    atomic_fetch_add(&given->users, 1);
    hd_explore_give(source->search->crew, given);
}

/* The next thread of a shared node, or the next choice of ours, and its step.  Whether
 * it fails, and so does not sleep, must be known before somebody else takes another:
 * the step is taken with the lock held.  False if there is none left. */
static bool advance_shared(struct source *source) {
    hd_explore_search *search = source->search;
    hd_explore_path *path = &search->path;
    struct node *node = hd_vec_last(&source->nodes);
    struct shared *shared = node->shared;
    pthread_mutex_lock(&shared->lock);
    bool same = node->choice + 1 < node->choices;
    struct node left = {
        .sleep = shared->sleep, .explored = shared->explored, .backtrack = shared->backtrack};
    uint64_t next = left_to_explore(&left, shared->enabled);
    if (!same && !next) {
        pthread_mutex_unlock(&shared->lock);
        return false;
    }
    node->thread = same ? node->thread : (uint32_t)__builtin_ctzll(next);
    node->choice = same ? node->choice + 1 : 0;
    node->choices = hd_explore_next(path, node->thread)->choices;
    uint64_t thread = HD_EXPLORE_BIT(node->thread);
    /* Of the next choice: what slept when its thread was taken. */
    uint64_t sleep = node->sleep = same ? node->sleep : shared->sleep;
    uint32_t number = (uint32_t)path->events.length;
    shared->explored |= thread;
    enum hd_machine_result result = take(source, node->thread, node->choice, &sleep);
    if (result == HD_MACHINE_WENT_ON)
        shared->sleep |= thread;
    atomic_store(&shared->known, shared->backtrack | shared->sleep);
    pthread_mutex_unlock(&shared->lock);
    if (!source->late.length || *hd_vec_last(&source->late) != number)
        add_races_of(source, number);
    if (result == HD_MACHINE_FAILED)
        after_failure(source);
    else if (open_node(source, sleep))
        return true;
    if (search->due)
        report(source);
    back(source);
    return true;
}

/* Goes to a shared node, as if the worker had come there by itself. */
static void go_to(struct source *source, struct shared *shared) {
    hd_explore_path *path = &source->search->path;
    uint32_t depth = shared->depth;
    hd_vec_resize(&source->nodes, depth + 1);
    source->nodes.data[depth] = (struct node){.shared = shared};
    for (uint32_t i = depth; i > 0; i--) {
        struct shared *at = source->nodes.data[i].shared;
        source->nodes.data[i - 1] = (struct node){.shared = at->parent};
        atomic_fetch_add(&at->parent->users, 1);
    }
    for (uint32_t i = 0; i < depth; i++) {
        hd_explore_step step = source->nodes.data[i + 1].shared->step;
        uint64_t sleep = 0;
        take(source, step.thread, step.choice, &sleep);
    }
    assert(path->events.length == depth);
    (void)path;
    source->shared = depth + 1;
}

/* ---- One worker's search ---- */

static bool go_on(struct source *source) {
    if (hd_vec_last(&source->nodes)->shared)
        return advance_shared(source);
    if (!choose(source))
        return false;
    advance(source);
    return true;
}

static void close_node(struct source *source) {
    struct node node = hd_vec_pop(&source->nodes);
    hd_explore_search *search = source->search;
    hd_explore_closed(search, source->nodes.length, node.since);
    if (node.shared)
        leave(node.shared);
    if (node.scheduled &&
        (!source->nodes.length || hd_vec_last(&source->nodes)->section != node.section))
        source->sections.length = node.section;
    if (source->shared > source->nodes.length)
        source->shared = (uint32_t)source->nodes.length;
    if (source->nodes.length)
        back(source);
}

static void *begin(hd_explore_search *search) {
    struct source *source = HD_NEW(struct source);
    source->search = search;
    source->persistent = search->algorithm == HD_EXPLORE_DPOR;
    source->eager = search->algorithm == HD_EXPLORE_EPOR || search->algorithm == HD_EXPLORE_EPOR_SH;
    source->briefly = search->algorithm == HD_EXPLORE_EPOR_SH;
    source->awaits = (hd_explore_reverser){
        .path = &search->path, .wanted = await_wanted, .reverse = add_await, .context = source};
    return source;
}

static void work(void *own, void *item) {
    struct source *source = own;
    hd_explore_search *search = source->search;
    if (item)
        go_to(source, item);
    else
        open_node(source, 0);
    while (source->nodes.length) {
        if (hd_explore_is_wanted(search))
            give_away(source);
        if (search->stop || !go_on(source))
            close_node(source);
    }
}

static void end(void *own) {
    struct source *source = own;
    hd_vec_release(&source->nodes);
    hd_vec_release(&source->late);
    hd_vec_release(&source->sections);
    hd_explore_reverser_release(&source->awaits);
    free(source);
}

void hd_explore_source(hd_explore_search *search) {
    static const hd_explore_job job = {begin, work, drop, end};
    bool eager = search->algorithm == HD_EXPLORE_EPOR || search->algorithm == HD_EXPLORE_EPOR_SH;
    if (search->options->threads > 1 && !eager) {
        hd_explore_crew_run(search, &job);
        return;
    }
    void *source = begin(search);
    work(source, NULL);
    end(source);
}
