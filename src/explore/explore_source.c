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
 *
 * Eager, with source sets (Metzler et al., Figure 3): a node where no thread sleeps starts
 * a section (explore_section.h).  From the nodes in it, what the walk takes is
 * scheduled, and explored first; races within the section are left out.
 *
 *   paper            here
 *   schedule_walk(u)      node.scheduled
 *   sec-start        the section's number, which its events have
 *
 * What races add to node.backtrack is found by explore_source_races.c.  Several workers
 * search one tree by nodes that they share (explore_share.h).
 *
 * Beyond the paper: a failing step depends on everything, so it wakes all threads; a step
 * may have choices.
 */
#include "explore_share.h"
#include "explore_symmetry.h"
#include "explore_team.h"

/* ---- Steps ---- */

enum hd_machine_result hd_explore_source_take(hd_explore_source_search *source, uint32_t thread,
                                              uint32_t choice, hd_explore_set *sleep) {
    hd_explore_path *path = &source->search->path;
    assert(!hd_explore_set_has(*sleep, thread));
    assert(!hd_explore_set_any(*sleep & ~path->enabled) || hd_explore_may_disable(path));
    if (hd_explore_set_any(*sleep)) {
        path->result->dependency_checks += hd_explore_set_count(*sleep);
        *sleep &= ~hd_explore_meets(path, thread);
    }
    uint32_t number = (uint32_t)path->events.length;
    path->machine->asleep = hd_explore_set_word(*sleep);
#if HD_EXPLORE_WORDS == 1
    path->machine->wishes = source->eager ? NULL : hd_explore_source_upcoming;
#endif
    path->machine->searcher = source;
    enum hd_machine_result result = hd_explore_push(path, thread, choice);
    path->machine->wishes = NULL;
    if (path->symmetry && path->symmetry->broken)
        hd_explore_differ(source->search, path->symmetry->broken);
    const hd_explore_operation *operation = hd_explore_taken(path, number);
    if (operation->awaits || (operation->varies && hd_vec_last(&path->events)->race_count))
        hd_vec_push(&source->late, number);
    assert(source->late.length < 2 ||
           source->late.data[source->late.length - 2] < source->late.data[source->late.length - 1]);
    return result;
}

void hd_explore_source_step_back(hd_explore_source_search *source) {
    hd_explore_path *path = &source->search->path;
    hd_explore_pop(path);
    while (source->late.length && *hd_vec_last(&source->late) >= path->events.length)
        source->late.length--;
}

/* ---- Sections ---- */

/* Which threads the walk takes from the node. */
static void schedule_walk(hd_explore_source_search *source, hd_explore_source_node *node) {
    const hd_explore_section *section = &source->sections.data[node->section];
    hd_explore_walk_state state = node->walk, after;
    uint32_t operation;
    while (hd_explore_walk_next(section, &state, &operation, &after))
        node->scheduled |= HD_EXPLORE_BIT(section->threads[operation]);
    node->backtrack = node->scheduled;
}

/* The section of the node on top is not what was assumed: from now on all that can go on is
 * explored from the nodes in it (explore_learnt.h). */
static void take_back(hd_explore_source_search *source) {
    hd_explore_path *path = &source->search->path;
    uint32_t section = hd_vec_last(&source->nodes)->section;
    for (size_t i = source->nodes.length; i-- > 0;) {
        hd_explore_source_node *node = &source->nodes.data[i];
        if (node->section != section)
            break;
        node->section = HD_EXPLORE_NONE;
        node->scheduled = HD_EXPLORE_NO_THREADS;
        node->after = (hd_explore_walk_state){0};
        node->backtrack = path->enabled;
        if (i < path->events.length) {
            node->backtrack = path->events.data[i].enabled;
            path->events.data[i].section = 0;
        }
    }
    source->sections.length = section;
    path->result->taken_back++;
}

/* After a step of a section that is not over: does it go on as it should? */
static void check_section(hd_explore_source_search *source) {
    const hd_explore_path *path = &source->search->path;
    if (!path->events.length || !hd_vec_last(&path->events)->section)
        return;
    const hd_explore_source_node *below = hd_vec_last(&source->nodes);
    if (!hd_explore_section_goes_on(&source->sections.data[below->section], below->after, path))
        take_back(source);
}

/* The node goes on with the section of the one below it, or starts one. */
static void go_on_with_section(hd_explore_source_search *source, hd_explore_source_node *node) {
    hd_explore_path *path = &source->search->path;
    hd_explore_source_node below = {.section = HD_EXPLORE_NONE};
    if (path->events.length && hd_vec_last(&path->events)->section)
        below = *hd_vec_last(&source->nodes);
    if (below.after.remaining) {
        node->section = below.section;
        node->walk = below.after;
    } else if (!hd_explore_set_any(node->sleep)) {
        hd_explore_section section;
        if (!hd_explore_section_make(&section, path, source->briefly))
            return;
        section.number = ++source->section_number;
        hd_explore_section_begun(source->search, &section);
        node->section = (uint32_t)source->sections.length;
        node->walk = hd_explore_walk_start(&section);
        hd_vec_push(&source->sections, section);
    } else
        return;
    schedule_walk(source, node);
}

/* The step is one of the node's section. */
static void mark_section(hd_explore_source_search *source, hd_explore_source_node *node,
                         enum hd_machine_result result) {
    hd_explore_path *path = &source->search->path;
    const hd_explore_section *section = &source->sections.data[node->section];
    uint32_t operation = 0;
    bool taken = hd_explore_walk_next(section, &node->walk, &operation, &node->after);
    assert(taken && section->threads[operation] == node->thread);
    (void)taken;
    hd_vec_last(&path->events)->section = section->number;
    if (!hd_explore_section_went_on(section, operation, path, result))
        take_back(source);
}

/* ---- Nodes ---- */

/* A new node on top; false if the execution ends here. */
static bool open_node(hd_explore_source_search *source, hd_explore_set sleep) {
    hd_explore_search *search = source->search;
    hd_explore_path *path = &search->path;
    hd_explore_set awake = path->enabled & ~sleep;
    assert(source->nodes.length == path->events.length);
    if (source->eager)
        check_section(source);
    bool none = !hd_explore_set_any(awake), cut = !none && hd_explore_too_long(search);
    if (none || cut) {
        hd_explore_source_races_at_end(source,
                                       cut ? path->running : path->running & ~path->enabled);
        if (hd_explore_set_any(path->enabled) && none)
            search->result->blocked++;
        else if (!hd_explore_set_any(path->enabled) && hd_explore_symmetry_waits(path))
            search->result->blocked++;
        else if (!hd_explore_set_any(path->enabled))
            hd_explore_ended(search, hd_explore_set_any(path->running) ? HD_EXPLORE_DEADLOCK
                                                                       : HD_EXPLORE_COMPLETE);
        return false;
    }
    hd_explore_source_node node = {.sleep = sleep,
                                   .inherited = sleep,
                                   .backtrack = HD_EXPLORE_BIT(hd_explore_foremost(path, awake)),
                                   .since = search->result->executions,
                                   .section = HD_EXPLORE_NONE};
    if (source->eager)
        go_on_with_section(source, &node);
    assert(hd_explore_set_any(node.backtrack & ~sleep));
    assert(!hd_explore_set_any(node.backtrack & ~path->enabled));
    hd_vec_push(&source->nodes, node);
    return true;
}

static void finish_thread(hd_explore_source_node *node) {
    hd_explore_set thread = HD_EXPLORE_BIT(node->thread);
    assert(hd_explore_set_has(node->backtrack, node->thread));
    assert(!hd_explore_set_has(node->explored | node->sleep, node->thread));
    node->explored |= thread;
    if (!node->failed)
        node->sleep |= thread;
    node->failed = false;
}

/* Takes the node's next way on; false if none is left. */
static bool source_choose(hd_explore_source_search *source) {
    hd_explore_path *path = &source->search->path;
    hd_explore_source_node *node = hd_vec_last(&source->nodes);
    if (node->choice + 1 < node->choices) {
        node->choice++;
        return true;
    }
    if (node->choices)
        finish_thread(node);
    hd_explore_set next = hd_explore_source_left(node, path->enabled);
    hd_explore_set scheduled = next & node->scheduled;
    if (!hd_explore_set_any(next))
        return false;
    node->thread = hd_explore_set_first(hd_explore_set_any(scheduled) ? scheduled : next);
    node->choice = 0;
    node->choices = hd_explore_next(path, node->thread)->choices;
    return true;
}

static void close_node(hd_explore_source_search *source) {
    hd_explore_source_node node = hd_vec_pop(&source->nodes);
    hd_explore_search *search = source->search;
    assert(source->nodes.length == search->path.events.length);
    assert(search->stop || node.shared ||
           !hd_explore_set_any(hd_explore_source_left(&node, search->path.enabled)));
    hd_explore_closed(search, source->nodes.length, node.since);
    if (node.shared && search->membership)
        hd_explore_member_left(search, (uint32_t)source->nodes.length);
    if (node.shared)
        hd_explore_share_leave(node.shared);
    else if (search->membership)
        hd_explore_member_close(source, &node);
    if (hd_explore_set_any(node.scheduled) &&
        (!source->nodes.length || hd_vec_last(&source->nodes)->section != node.section))
        source->sections.length = node.section;
    if (source->shared > source->nodes.length)
        source->shared = (uint32_t)source->nodes.length;
    if (source->nodes.length)
        hd_explore_source_step_back(source);
}

/* ---- One step after the other ---- */

/* A step that failed, or never ends: whatever the others would have done could come first.  One
 * that never ends sleeps then, until a step meets it: to find out that it
 * does so again and again takes long, and what others do without it is explored all the same. */
static void after_failure(hd_explore_source_search *source, enum hd_explore_end end) {
    hd_explore_path *path = &source->search->path;
    hd_explore_set enabled = hd_vec_last(&path->events)->enabled;
    hd_explore_source_node *node = hd_vec_last(&source->nodes);
    hd_explore_source_races_at_end(source, path->running & ~path->enabled);
    hd_explore_ended(source->search, end);
    if (node->shared) {
        hd_explore_share_add_all(source, node->shared);
        return;
    }
    node->backtrack |= enabled;
    node->failed = end == HD_EXPLORE_VIOLATION;
}

static void source_report(hd_explore_source_search *source) {
    double to_come = 0;
    for (size_t i = 0; i < source->nodes.length; i++) {
        const hd_explore_source_node *node = &source->nodes.data[i];
        hd_explore_set tried = node->explored;
        if (node->choices)
            tried |= HD_EXPLORE_BIT(node->thread);
        hd_explore_set left = node->backtrack & ~node->sleep & ~tried;
        uint64_t since =
            i + 1 < source->nodes.length ? node[1].since : source->search->result->executions;
        to_come += hd_explore_to_come(source->search, i, hd_explore_set_count(left), since);
    }
    hd_explore_report(source->search, to_come);
}

/* After the last event of the path, a step from the node on top. */
static void go_on_after_step(hd_explore_source_search *source, enum hd_machine_result result,
                             hd_explore_set sleep) {
    uint32_t number = (uint32_t)source->search->path.events.length - 1;
    if (!source->late.length || *hd_vec_last(&source->late) != number)
        hd_explore_source_races(source, number);
    if (result != HD_MACHINE_WENT_ON)
        after_failure(source, hd_explore_end_by(result));
    else if (open_node(source, sleep))
        return;
    if (source->search->due)
        source_report(source);
    hd_explore_source_step_back(source);
}

/* One step on from the node on top; false if none is left. */
static bool source_advance(hd_explore_source_search *source) {
    hd_explore_source_node *node = hd_vec_last(&source->nodes);
    hd_explore_set sleep;
    enum hd_machine_result result;
    if (node->shared) {
        if (!hd_explore_share_take(source, &sleep, &result))
            return false;
    } else {
        if (!source_choose(source))
            return false;
        sleep = node->sleep;
        result = hd_explore_source_take(source, node->thread, node->choice, &sleep);
        if (hd_explore_set_has(node->scheduled, node->thread))
            mark_section(source, node, result);
    }
    go_on_after_step(source, result, sleep);
    return true;
}

/* ---- One worker's search ---- */

static void *source_begin(hd_explore_search *search) {
    hd_explore_source_search *source = HD_NEW(hd_explore_source_search);
    source->search = search;
    search->path.hangs_alone = true;
    source->persistent = search->algorithm == HD_EXPLORE_DPOR;
    source->eager = !search->crew && (search->algorithm == HD_EXPLORE_EPOR ||
                                      search->algorithm == HD_EXPLORE_EPOR_SH);
    source->briefly = search->algorithm == HD_EXPLORE_EPOR_SH;
    hd_explore_source_races_init(source);
    return source;
}

static void keep_now(hd_explore_source_search *source) {
    if (source->search->membership)
        hd_explore_member_tell(source);
    else if (source->search->crew)
        hd_explore_crew_keep(source->search);
    else {
        hd_explore_keep_alone(source);
        hd_explore_has_kept(source->search);
    }
}

/* From the node on top, until all is explored or the search pauses. */
static void source_run(hd_explore_source_search *source) {
    hd_explore_search *search = source->search;
    while (source->nodes.length) {
        if (hd_explore_pauses(search))
            return;
        assert(source->nodes.length == search->path.events.length + 1);
        if (hd_explore_keeps_now(search))
            keep_now(source);
        if (hd_explore_is_wanted(search))
            hd_explore_share_give(source);
        if (search->stop || !source_advance(source))
            close_node(source);
    }
    assert(!search->path.events.length && !source->late.length);
}

static void source_work(void *own, void *item) {
    hd_explore_source_search *source = own;
    if (item) {
        hd_explore_keep_go_to(source, item);
        free(item);
    } else
        open_node(source, HD_EXPLORE_NO_THREADS);
    source_run(source);
}

static void source_end(void *own) {
    hd_explore_source_search *source = own;
    hd_vec_release(&source->nodes);
    hd_vec_release(&source->late);
    hd_vec_release(&source->sections);
    hd_explore_reverser_release(&source->awaits);
    free(source);
}

static void source_go_on(hd_explore_search *search) {
    hd_explore_source_search *source = search->own;
    if (search->due && source->nodes.length)
        source_report(source); /* it was ended while it paused */
    source_run(source);
    if (search->paused)
        return;
    source_end(source);
    search->own = NULL;
}

void hd_explore_source_crew(hd_explore_search *search) {
    static const hd_explore_job job = {.begin = source_begin,
                                       .work = source_work,
                                       .drop = hd_explore_keep_drop,
                                       .end = source_end,
                                       .items = hd_explore_keep_items,
                                       .keep = hd_explore_keep_crew};
    hd_explore_crew_run(search, &job);
}

void hd_explore_source(hd_explore_search *search) {
    bool eager = search->algorithm == HD_EXPLORE_EPOR || search->algorithm == HD_EXPLORE_EPOR_SH;
    const hd_explore_frontier *from = search->from;
    if (!search->membership && ((hd_explore_has_workers(search) && !eager) ||
                                (from && (from->crossings.length || from->ways.length > 1)))) {
        hd_explore_source_crew(search);
        return;
    }
    search->own = source_begin(search);
    search->go_on = source_go_on;
    if (!from)
        open_node(search->own, HD_EXPLORE_NO_THREADS);
    else if (from->ways.length)
        hd_explore_keep_go_on(search->own);
    source_go_on(search);
}

void hd_explore_source_after_walk(hd_explore_search *search, const hd_step *steps,
                                  const hd_explore_set *asleep, uint32_t depth) {
    hd_explore_path *path = &search->path;
    hd_explore_source_search *source = source_begin(search);
    hd_explore_set sleep = HD_EXPLORE_NO_THREADS;
    search->own = source;
    search->go_on = source_go_on;
    path->machine->type->restart(path->machine);
    for (uint32_t i = 0; i < depth; i++) {
        sleep = asleep[i];
        hd_vec_push(&source->nodes, (hd_explore_source_node){.sleep = sleep,
                                                             .inherited = sleep,
                                                             .backtrack = path->enabled,
                                                             .thread = steps[i].thread,
                                                             .choices = 1,
                                                             .since = search->result->executions,
                                                             .section = HD_EXPLORE_NONE});
        hd_explore_source_take(source, steps[i].thread, 0, &sleep);
    }
    /* What was tried from the last state sleeps too. */
    if (open_node(source, asleep[depth]))
        hd_vec_last(&source->nodes)->backtrack = path->enabled;
    else if (depth)
        hd_explore_source_step_back(source);
    source_go_on(search);
}
