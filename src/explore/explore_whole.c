/*
 * A program that is one section: every thread's operations are known from the
 * first state on, to its end (explore_section.h).  All its traces follow from the
 * dependencies found when the section was made; the walk needs no clocks, no
 * tables and no races, and runs the machine along.
 *
 * Several workers: one gives away what is still to be tried at the shallowest
 * state of its walk.  Nothing has to come back from there.
 */
#include <string.h>

#include "explore_crew.h"
#include "explore_section.h"

/* A walk from some state of the section on. */
struct walk {
    hd_explore_search *search;
    const hd_explore_section *section;
    uint32_t depth, base; /* operations taken; where the walk began */
    hd_step steps[HD_EXPLORE_SECTION_MOST];
    uint32_t operations[HD_EXPLORE_SECTION_MOST];
    uint64_t since[HD_EXPLORE_SECTION_MOST + 1]; /* executions when a state was entered */
    hd_explore_walk_state states[HD_EXPLORE_SECTION_MOST + 1];
};

/* A part to give away: a state with the ways to be tried from it, and the way there. */
struct part {
    uint32_t depth;
    uint32_t operations[HD_EXPLORE_SECTION_MOST];
    hd_explore_walk_state state;
};

static void whole_take_operation(struct walk *walk, uint32_t operation) {
    hd_machine *machine = walk->search->path.machine;
    uint32_t thread = walk->section->threads[operation];
    enum hd_machine_result result = machine->type->step(machine, thread, 0);
    walk->steps[walk->depth] = (hd_step){thread, 0};
    walk->operations[walk->depth++] = operation;
    walk->search->walked_length = walk->depth;
    assert(result == HD_MACHINE_WENT_ON);
    (void)result;
}

static void whole_report(struct walk *walk) {
    double to_come = 0;
    for (uint32_t i = walk->base; i < walk->depth; i++)
        to_come += hd_explore_to_come(walk->search, i,
                                      hd_explore_walk_left(walk->section, walk->states[i]),
                                      walk->since[i + 1]);
    hd_explore_report(walk->search, to_come);
}

static void give_away(struct walk *walk) {
    uint32_t depth = walk->base;
    while (depth < walk->depth && !walk->states[depth].todo)
        depth++;
    if (depth == walk->depth)
        return;
    struct part *part = HD_NEW(struct part);
    assert(walk->section->count > depth);
    part->depth = depth;
    part->state = walk->states[depth];
    memcpy(part->operations, walk->operations, depth * sizeof *part->operations);
    walk->states[depth].todo = 0;
    hd_explore_give(walk->search->crew, part);
}

/* The operation after a state is done with, or does not exist. */
static bool go_back(struct walk *walk) {
    hd_machine *machine = walk->search->path.machine;
    if (walk->depth == walk->base)
        return false;
    walk->depth--;
    machine->type->undo(machine);
    return true;
}

/* From the state that is there; or, resumed, from the end of an execution, where it paused. */
static void walk_all(struct walk *walk, bool resumed) {
    hd_explore_search *search = walk->search;
    uint32_t operation;
    do {
        if (resumed) {
            resumed = false;
            continue;
        }
        hd_explore_walk_state *state = &walk->states[walk->depth];
        while (!search->stop && hd_explore_walk_next(walk->section, state, &operation, state + 1)) {
            whole_take_operation(walk, operation);
            walk->since[walk->depth] = search->result->executions;
            search->result->steps++;
            state++;
        }
        if (state->remaining || search->stop) {
            hd_explore_closed(search, walk->depth, walk->since[walk->depth]);
            continue;
        }
        assert(walk->depth == walk->section->count);
        hd_explore_ended(search, HD_EXPLORE_COMPLETE);
        hd_explore_look_at_clock(search);
        hd_explore_closed(search, walk->depth, walk->since[walk->depth]);
        if (search->due)
            whole_report(walk);
        if (hd_explore_is_wanted(search))
            give_away(walk);
        if (hd_explore_pauses(search))
            return;
    } while (go_back(walk));
    assert(walk->depth == walk->base);
}

/* ---- Several workers ---- */

static void *whole_begin(hd_explore_search *search) {
    struct walk *walk = HD_NEW(struct walk);
    walk->search = search;
    walk->section = search->whole;
    search->walked = walk->steps;
    return walk;
}

static void whole_work(void *own, void *item) {
    struct walk *walk = own;
    struct part *part = item;
    walk->depth = walk->base = 0;
    walk->states[0] = hd_explore_walk_start(walk->section);
    if (part) {
        for (uint32_t i = 0; i < part->depth; i++)
            whole_take_operation(walk, part->operations[i]);
        walk->base = walk->depth;
        walk->states[walk->depth] = part->state;
        free(part);
    }
    walk_all(walk, false);
    if (walk->search->paused)
        return;
    hd_machine *machine = walk->search->path.machine;
    machine->type->restart(machine);
}

static void whole_end(void *own) {
    free(own);
}

static void release_section(hd_explore_search *search) {
    free((void *)(uintptr_t)search->whole);
    search->whole = NULL;
    search->walked = NULL;
}

static void whole_go_on(hd_explore_search *search) {
    struct walk *walk = search->own;
    if (search->due)
        whole_report(walk); /* it was ended while it paused */
    walk_all(walk, true);
    if (search->paused)
        return;
    search->path.machine->type->restart(search->path.machine);
    whole_end(walk);
    search->own = NULL;
    release_section(search);
}

bool hd_explore_whole(hd_explore_search *search) {
    static const hd_explore_job job = {
        .begin = whole_begin, .work = whole_work, .drop = free, .end = whole_end};
    hd_explore_section section;
    uint64_t dependency_checks = search->result->dependency_checks;
    uint64_t race_checks = search->result->race_checks;
    bool briefly = search->algorithm == HD_EXPLORE_EPOR_SH;
    if (!hd_explore_section_make(&section, &search->path, briefly) || !section.whole ||
        section.assumed ||
        (search->options->most_length && search->options->most_length < section.count)) {
        search->result->dependency_checks = dependency_checks;
        search->result->race_checks = race_checks;
        return false;
    }
    hd_explore_section *kept = HD_NEW(hd_explore_section);
    *kept = section;
    search->whole = kept;
    if (search->options->threads > 1)
        hd_explore_crew_run(search, &job);
    else {
        search->own = whole_begin(search);
        search->go_on = whole_go_on;
        whole_work(search->own, NULL);
        if (search->paused)
            return true;
        whole_end(search->own);
        search->own = NULL;
    }
    release_section(search);
    return true;
}
