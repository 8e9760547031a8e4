/*
 * Optimal dynamic partial order reduction, with wakeup trees, and eager partial
 * order reduction within it.
 *
 *   P. Abdulla, S. Aronis, B. Jonsson, K. Sagonas: Optimal dynamic partial order
 *   reduction, POPL 2014, Algorithm 2
 *   P. Metzler, H. Saissi, P. Bokor, N. Suri: Eager partial order reduction
 *
 *   paper                 here
 *   Explore(E)            hd_explore_optimal: the node on top of the stack
 *   wut(E)                node.tree: branches in order, the first being explored
 *                         (explore_tree.h)
 *   sleep(E)              node.asleep, with the operations that the threads have there
 *   schedule(u)           node.walk: where in a section the node is
 *
 * What the races at the end of an execution add to the trees is found by
 * explore_optimal_races.c.
 *
 * Eager: a leaf of a wakeup tree, where no thread sleeps, gets a whole section
 * as its tree (explore_section.h).  That tree is never written down: the branches
 * of a node in it are what the walk will take from there, before all others.
 * Races within a section are left out.
 *
 * Several workers search one tree by nodes that they share (explore_optimal_share.h), but not in
 * sections.
 */
#include "explore_optimal_share.h"

#include <stdlib.h>

static void close_execution(hd_explore_optimal_search *optimal, hd_explore_set asleep) {
    hd_explore_search *search = optimal->search;
    hd_explore_path *path = &search->path;
    bool cut = hd_explore_set_any(path->enabled & ~asleep); /* by the limit on steps */
    hd_explore_optimal_races(optimal, cut ? path->running : path->running & ~path->enabled);
    if (cut)
        return;
    if (hd_explore_set_any(path->enabled))
        search->result->blocked++;
    else
        hd_explore_ended(search, hd_explore_set_any(path->running) ? HD_EXPLORE_DEADLOCK
                                                                   : HD_EXPLORE_COMPLETE);
}

/* Which of the ways of a thread's operation sleep at a node, or at the one that is to be opened:
 * all of them in one look, for an operation may have many. */
static void ways_asleep(const hd_explore_optimal_search *optimal, uint32_t from, uint32_t to,
                        uint32_t thread, hd_bits *ways) {
    for (uint32_t i = from; i < to; i++) {
        const hd_explore_tree_step *step = &optimal->partial.data[i];
        if (step->thread == thread && step->choice < ways->length)
            hd_bits_set(ways, step->choice);
    }
}

/* The first way of a thread's operation that does not sleep. */
static uint32_t first_awake(const hd_explore_optimal_search *optimal, uint32_t from,
                            uint32_t thread) {
    if (from == optimal->partial.length)
        return 0;
    hd_bits ways;
    hd_bits_init(&ways, hd_explore_next(&optimal->search->path, thread)->choices);
    ways_asleep(optimal, from, (uint32_t)optimal->partial.length, thread, &ways);
    uint32_t way = 0;
    while (way < ways.length && hd_bits_has(&ways, way))
        way++;
    hd_bits_release(&ways);
    return way;
}

#ifndef NDEBUG
static bool is_partly_asleep(const hd_explore_optimal_search *optimal, uint32_t from,
                             const hd_explore_tree_step *step) {
    bool asleep = false;
    for (uint32_t i = from; i < optimal->partial.length && !asleep; i++)
        asleep = optimal->partial.data[i].thread == step->thread &&
                 optimal->partial.data[i].choice == step->choice;
    return asleep;
}
#endif

/* A leaf: the tree is a section if there can be one, else any step. */
static void plant_tree(hd_explore_optimal_search *optimal, hd_explore_optimal_node *node) {
    hd_explore_path *path = &optimal->search->path;
    hd_explore_set awake = path->enabled & ~node->asleep;
    if (optimal->eager && !hd_explore_set_any(node->asleep)) {
        hd_explore_section section;
        if (hd_explore_section_make(&section, path, optimal->briefly)) {
            section.number = ++optimal->section_number;
            hd_explore_section_begun(optimal->search, &section);
            for (uint32_t k = 0; k < section.count; k++) {
                const hd_machine_operation *operation = &section.ahead[k]->operation;
                section.interned[k] =
                    hd_explore_tree_intern(&optimal->tree, operation->accesses, operation->count);
            }
            node->section = (uint32_t)optimal->sections.length;
            node->walk = hd_explore_walk_start(&section);
            hd_vec_push(&optimal->sections, section);
            return;
        }
    }
    hd_explore_tree_step step = hd_explore_optimal_next(optimal, hd_explore_foremost(path, awake));
    step.choice = first_awake(optimal, node->first_partial, step.thread);
    hd_explore_tree_append(&optimal->tree, &node->tree, step);
}

/* The ways that sleep at the node on top and go on sleeping after a step of `thread`
 * that meets others. */
static void inherit_partial(hd_explore_optimal_search *optimal, uint32_t thread,
                            hd_explore_set met) {
    const hd_explore_optimal_node *node = hd_vec_last(&optimal->nodes);
    uint32_t end = (uint32_t)optimal->partial.length;
    for (uint32_t i = node->first_partial; i < end; i++) {
        hd_explore_tree_step sleeper = optimal->partial.data[i];
        if (sleeper.operation != HD_EXPLORE_EVERYTHING && sleeper.thread != thread &&
            !hd_explore_set_has(met, sleeper.thread))
            hd_vec_push(&optimal->partial, sleeper);
    }
}

/* All that can go on from the node at a depth and does not sleep is explored from it, in every
 * way, beside what is in its tree. */
static void spread_node(hd_explore_optimal_search *optimal, uint32_t depth,
                        hd_explore_optimal_node *node) {
    const hd_explore_path *path = &optimal->search->path;
    bool top = depth == path->events.length;
    uint32_t end = hd_explore_optimal_partial_end(optimal, depth);
    hd_explore_set enabled = top ? path->enabled : path->events.data[depth].enabled;
    node->all = true;
    HD_EXPLORE_EACH(rest, enabled & ~node->asleep) {
        uint32_t thread = hd_explore_set_first(rest);
        uint32_t number = top ? path->next[thread] : hd_explore_operation_at(path, thread, depth);
        uint32_t operation = hd_explore_tree_intern_at(&optimal->tree, number);
        hd_bits taken;
        hd_bits_init(&taken, path->operations.data[number].choices);
        ways_asleep(optimal, node->first_partial, end, thread, &taken);
        hd_explore_tree_append_ways(&optimal->tree, &node->tree,
                                    (hd_explore_tree_step){thread, 0, operation}, &taken);
        hd_bits_release(&taken);
    }
}

/* The section of the node on top is not what was assumed: from now on all that can go on is
 * explored from the nodes in it (explore_learnt.h).  The step that is being explored from such a
 * node is its first branch then.  What waited for the walk begins with steps that are perhaps not
 * possible, and is explored anyway. */
static void take_back(hd_explore_optimal_search *optimal) {
    hd_explore_path *path = &optimal->search->path;
    uint32_t section = hd_vec_last(&optimal->nodes)->section;
    assert(optimal->nodes.length == path->events.length);
    for (uint32_t i = (uint32_t)optimal->nodes.length; i-- > 0;) {
        hd_explore_optimal_node *node = &optimal->nodes.data[i];
        if (node->section != section)
            break;
        assert(node->taken != HD_EXPLORE_NONE);
        hd_explore_tree_drop_walked(&optimal->tree, &node->tree);
        hd_explore_tree_prepend(&optimal->tree, &node->tree, node->step);
        node->section = node->taken = HD_EXPLORE_NONE;
        path->events.data[i].section = 0;
        spread_node(optimal, i, node);
    }
    optimal->sections.length = section;
    path->result->taken_back++;
}

/* After a step of a section that is not over: does it go on as it should? */
static bool goes_on(hd_explore_optimal_search *optimal) {
    const hd_explore_path *path = &optimal->search->path;
    if (!path->events.length || !hd_vec_last(&path->events)->section)
        return true;
    const hd_explore_optimal_node *below = hd_vec_last(&optimal->nodes);
    return hd_explore_section_goes_on(&optimal->sections.data[below->section], below->after, path);
}

/* A new node on top, with what is left of the tree below the step that led here;
 * `parent`: goes on with its section, if it is in one.  False if the execution ends
 * here. */
static bool open_node(hd_explore_optimal_search *optimal, hd_explore_set asleep,
                      uint32_t first_partial, uint32_t tree,
                      const hd_explore_optimal_node *parent) {
    hd_explore_search *search = optimal->search;
    hd_explore_optimal_node node = {.asleep = asleep,
                                    .first_partial = first_partial,
                                    .tree = tree,
                                    .since = search->result->executions,
                                    .section = HD_EXPLORE_NONE,
                                    .taken = HD_EXPLORE_NONE};
    assert(optimal->nodes.length == search->path.events.length);
    assert(first_partial <= optimal->partial.length);
    bool deviates = !goes_on(optimal);
    if (deviates) {
        take_back(optimal);
        hd_explore_tree_drop_walked(&optimal->tree, &node.tree);
    }
    /* What sleeps is independent of all steps since it fell asleep, so it is still enabled. */
    assert(!hd_explore_set_any(asleep & ~search->path.enabled) ||
           hd_explore_may_disable(&search->path));
    if (!hd_explore_set_any(search->path.enabled & ~asleep) || hd_explore_too_long(search)) {
        close_execution(optimal, asleep);
        hd_explore_tree_free(&optimal->tree, node.tree);
        optimal->partial.length = first_partial;
        return false;
    }
    if (parent)
        node.unguided = parent->all ? asleep : asleep & parent->unguided;
    if (deviates)
        spread_node(optimal, (uint32_t)optimal->nodes.length, &node);
    else if (parent && parent->taken != HD_EXPLORE_NONE && parent->after.remaining) {
        node.section = parent->section;
        node.walk = parent->after;
    } else if (tree == HD_EXPLORE_NONE)
        plant_tree(optimal, &node);
    if (deviates || (tree == HD_EXPLORE_NONE && node.section == HD_EXPLORE_NONE &&
                     (search->result->taken_back || search->crew)))
        node.unguided = asleep;
    hd_vec_push(&optimal->nodes, node);
    return true;
}

/* The other ways in which the first branch's operation can go.  Not on the way to wake
 * a thread up: those that do so are found, with their ways, by races.  After a section was taken
 * back that cannot be told, as nodes have sleepers then that no tree leads to wake up; nor where
 * there are several workers.  Once added, each is in the tree or sleeps for as long as the node is
 * there. */
static void add_choices(hd_explore_optimal_search *optimal, hd_explore_optimal_node *node,
                        hd_explore_tree_step step) {
    bool wakes = hd_explore_set_any(node->asleep) && !optimal->search->result->taken_back &&
                 !optimal->search->crew;
    if (wakes || node->spread == step.thread + 1)
        return;
    node->spread = step.thread + 1;
    hd_bits taken;
    hd_bits_init(&taken, node->choices);
    ways_asleep(optimal, node->first_partial, (uint32_t)optimal->partial.length, step.thread,
                &taken);
    hd_explore_tree_append_ways(&optimal->tree, &node->tree, step, &taken);
    hd_bits_release(&taken);
}

/* What the walk through the section does next from the node on top; the tree that
 * waits below it.  False if it is done here. */
static bool walk_on(hd_explore_optimal_search *optimal, hd_explore_optimal_node *node,
                    uint32_t *tree) {
    if (node->section == HD_EXPLORE_NONE)
        return false;
    const hd_explore_section *section = &optimal->sections.data[node->section];
    if (!hd_explore_walk_next(section, &node->walk, &node->taken, &node->after))
        return false;
    uint32_t thread = section->threads[node->taken];
    assert(!hd_explore_set_has(node->asleep, thread));
    node->step = (hd_explore_tree_step){thread, 0, section->interned[node->taken]};
    *tree = hd_explore_tree_take_walked(&optimal->tree, &node->tree, thread);
    return true;
}

/* The first branch of the node on top, and the tree below it. */
static bool branch_off(hd_explore_optimal_search *optimal, hd_explore_optimal_node *node,
                       uint32_t *tree) {
    node->taken = HD_EXPLORE_NONE;
    if (node->tree == HD_EXPLORE_NONE)
        return false;
    hd_explore_tree_branch *first = &optimal->tree.branches.data[node->tree];
    assert(!first->walked);
    assert(hd_explore_set_has(optimal->search->path.enabled, first->step.thread));
    assert(!hd_explore_set_has(node->asleep, first->step.thread));
    first->step.operation =
        hd_explore_tree_intern_at(&optimal->tree, optimal->search->path.next[first->step.thread]);
    node->step = first->step;
    *tree = first->child;
    first->child = HD_EXPLORE_NONE;
    return true;
}

static void optimal_report(hd_explore_optimal_search *optimal) {
    double to_come = 0;
    for (size_t i = 0; i < optimal->nodes.length; i++) {
        const hd_explore_optimal_node *node = &optimal->nodes.data[i];
        uint64_t since =
            i + 1 < optimal->nodes.length ? node[1].since : optimal->search->result->executions;
        uint32_t left = hd_explore_tree_count(&optimal->tree, node->tree);
        if (node->taken == HD_EXPLORE_NONE && left)
            left--; /* the first is the one being explored */
        if (node->section != HD_EXPLORE_NONE)
            left += hd_explore_walk_left(&optimal->sections.data[node->section], node->walk);
        to_come += hd_explore_to_come(optimal->search, i, left, since);
    }
    hd_explore_report(optimal->search, to_come);
}

/* After the last event of the path, a step from the node on top; what sleeps after it, and the
 * tree that is left below it. */
static void go_on_after_step(hd_explore_optimal_search *optimal, enum hd_machine_result result,
                             hd_explore_set asleep, uint32_t first_partial, uint32_t tree) {
    hd_explore_path *path = &optimal->search->path;
    if (result != HD_MACHINE_WENT_ON) {
        hd_explore_optimal_races(optimal, path->running & ~path->enabled);
        hd_explore_ended(optimal->search, hd_explore_end_by(result));
        hd_explore_tree_free(&optimal->tree, tree);
        optimal->partial.length = first_partial;
        hd_explore_optimal_failed(optimal);
        hd_explore_pop(path);
    } else {
        hd_explore_optimal_node parent = *hd_vec_last(&optimal->nodes);
        if (!open_node(optimal, asleep, first_partial, tree, &parent))
            hd_explore_pop(path);
    }
    if (optimal->search->due)
        optimal_report(optimal);
}

static void note_fresh(hd_explore_optimal_search *optimal) {
    uint32_t length = (uint32_t)optimal->search->path.events.length;
    if (optimal->fresh > length)
        optimal->fresh = length;
}

/* The same of a shared node. */
static bool advance_shared(hd_explore_optimal_search *optimal) {
    hd_explore_optimal_taken taken;
    note_fresh(optimal);
    if (!hd_explore_optimal_share_take(optimal, &taken))
        return false;
    go_on_after_step(optimal, taken.result, taken.asleep, taken.first_partial, taken.tree);
    return true;
}

/* Explores the node's next step; false if none exists. */
static bool optimal_advance(hd_explore_optimal_search *optimal) {
    hd_explore_search *search = optimal->search;
    hd_explore_path *path = &search->path;
    uint32_t depth = (uint32_t)optimal->nodes.length - 1, tree;
    hd_explore_optimal_node *node = &optimal->nodes.data[depth];
    if (node->shared)
        return advance_shared(optimal);
    bool walks = walk_on(optimal, node, &tree);
    if (!walks && !branch_off(optimal, node, &tree))
        return false;
    hd_explore_tree_step step = node->step;
    assert(!is_partly_asleep(optimal, node->first_partial, &step));
    node->choices = hd_explore_next(path, step.thread)->choices;
    if (node->choices > 1)
        add_choices(optimal, node, step);
    hd_explore_set asleep = node->asleep & ~HD_EXPLORE_BIT(step.thread);
    hd_explore_set met = hd_explore_meets(path, step.thread);
    uint32_t first_partial = (uint32_t)optimal->partial.length;
    search->result->dependency_checks += hd_explore_set_count(asleep);
    asleep &= ~met;
    path->machine->asleep = hd_explore_set_word(asleep);
    inherit_partial(optimal, step.thread, met);
    note_fresh(optimal);
    enum hd_machine_result result = hd_explore_push(path, step.thread, step.choice);
    if (walks) {
        const hd_explore_section *section = &optimal->sections.data[node->section];
        hd_vec_last(&path->events)->section = section->number;
        if (!hd_explore_section_went_on(section, node->taken, path, result))
            take_back(optimal);
    }
    go_on_after_step(optimal, result, asleep, first_partial, tree);
    return true;
}

/* The step explored from the node on top is done: it sleeps from now on. */
static void finish_step(hd_explore_optimal_search *optimal) {
    hd_explore_optimal_node *node = hd_vec_last(&optimal->nodes);
    hd_explore_tree_step step = node->step;
    if (node->shared)
        return; /* it sleeps since it was taken */
    if (node->taken == HD_EXPLORE_NONE)
        hd_explore_tree_remove_first(&optimal->tree, &node->tree);
    if (node->failed) { /* it sleeps here, and wakes at any other step */
        node->failed = false;
        step.operation = HD_EXPLORE_EVERYTHING;
        hd_vec_push(&optimal->partial, step);
        return;
    }
    uint32_t done = 1;
    for (uint32_t i = node->first_partial; i < optimal->partial.length; i++)
        done += optimal->partial.data[i].thread == step.thread;
    assert(done <= node->choices);
    if (done >= node->choices)
        node->asleep |= HD_EXPLORE_BIT(step.thread);
    else
        hd_vec_push(&optimal->partial, step);
}

/* Back to the node below; false at the bottom. */
static bool close_node(hd_explore_optimal_search *optimal) {
    hd_explore_optimal_node *node = hd_vec_last(&optimal->nodes);
    assert(optimal->search->stop || node->tree == HD_EXPLORE_NONE);
    assert(optimal->partial.length >= node->first_partial);
    hd_explore_tree_free(&optimal->tree, node->tree);
    optimal->partial.length = node->first_partial;
    uint32_t section = node->section;
    optimal->nodes.length--;
    hd_explore_closed(optimal->search, optimal->nodes.length, node->since);
    if (node->shared)
        hd_explore_optimal_share_leave(node->shared);
    if (optimal->shared > optimal->nodes.length)
        optimal->shared = (uint32_t)optimal->nodes.length;
    if (!optimal->nodes.length)
        return false;
    if (section != HD_EXPLORE_NONE && hd_vec_last(&optimal->nodes)->section != section)
        optimal->sections.length = section;
    hd_explore_pop(&optimal->search->path);
    return true;
}

/* From the node on top, until all is explored or the search pauses. */
static void optimal_run(hd_explore_optimal_search *optimal) {
    hd_explore_search *search = optimal->search;
    while (optimal->nodes.length) {
        size_t depth = optimal->nodes.length;
        if (hd_explore_pauses(search))
            return;
        assert(depth == search->path.events.length + 1);
        if (hd_explore_is_wanted(search))
            hd_explore_optimal_share_give(optimal);
        if (!search->stop && optimal_advance(optimal)) {
            if (optimal->nodes.length == depth)
                finish_step(optimal);
        } else if (close_node(optimal))
            finish_step(optimal);
    }
    assert(!search->path.events.length && !optimal->partial.length);
}

static void *optimal_begin(hd_explore_search *search) {
    hd_explore_optimal_search *optimal = HD_NEW(hd_explore_optimal_search);
    optimal->search = search;
    optimal->briefly = search->algorithm == HD_EXPLORE_EPOR_SH;
    optimal->eager = optimal->briefly || search->algorithm == HD_EXPLORE_EPOR;
    hd_explore_tree_init(&optimal->tree, &search->path);
    hd_explore_optimal_races_init(optimal);
    return optimal;
}

static void optimal_work(void *own, void *item) {
    hd_explore_optimal_search *optimal = own;
    if (item)
        hd_explore_optimal_share_go_to(optimal, item);
    else
        open_node(optimal, HD_EXPLORE_NO_THREADS, 0, HD_EXPLORE_NONE, NULL);
    optimal_run(optimal);
}

static void optimal_drop(void *item) {
    hd_explore_optimal_share_leave(item);
}

static void optimal_end(void *own) {
    hd_explore_optimal_search *optimal = own;
    hd_vec_release(&optimal->nodes);
    hd_vec_release(&optimal->partial);
    hd_vec_release(&optimal->sections);
    hd_explore_tree_release(&optimal->tree);
    hd_explore_reverser_release(&optimal->reverser);
    free(optimal);
}

static void optimal_go_on(hd_explore_search *search) {
    hd_explore_optimal_search *optimal = search->own;
    if (search->due && optimal->nodes.length)
        optimal_report(optimal); /* it was ended while it paused */
    optimal_run(optimal);
    if (search->paused)
        return;
    optimal_end(optimal);
    search->own = NULL;
}

void hd_explore_optimal(hd_explore_search *search) {
    static const hd_explore_job job = {
        .begin = optimal_begin, .work = optimal_work, .drop = optimal_drop, .end = optimal_end};
    if (hd_explore_has_workers(search) && search->algorithm == HD_EXPLORE_ODPOR) {
        hd_explore_crew_run(search, &job);
        return;
    }
    search->own = optimal_begin(search);
    search->go_on = optimal_go_on;
    open_node(search->own, HD_EXPLORE_NO_THREADS, 0, HD_EXPLORE_NONE, NULL);
    optimal_go_on(search);
}
