/*
 * A program that is one section: every thread's operations are known from the
 * first state on, to its end (explore_section.h).  All its traces follow from the
 * dependencies found when the section was made; the walk needs no clocks, no
 * tables and no races, and runs the machine along.
 */
#include "explore_search.h"
#include "explore_section.h"

static void take(hd_explore_search *search, const hd_explore_section *section, uint32_t depth,
                 uint32_t operation) {
    hd_machine *machine = search->path.machine;
    uint32_t thread = section->threads[operation];
    enum hd_machine_result result = machine->type->step(machine, thread, 0);
    search->walked[depth] = (hd_explore_step){thread, 0};
    search->result->steps++;
    assert(result == HD_MACHINE_WENT_ON);
    (void)result;
}

/* The share of the search that is done: each node's, of its share of the one above.
 * How many steps a node has is not known before they are tried; those of its
 * operations that are still to be tried count as steps. */
static double covered(const hd_explore_walk_state *states, uint32_t depth) {
    double done = 0, share = 1;
    for (uint32_t i = 0; i <= depth; i++) {
        int left = __builtin_popcountll(states[i].todo);
        int tried = __builtin_popcountll(states[i].asleep & states[i].front);
        if (left + tried == 0)
            break;
        share /= left + tried;
        done += share * (tried ? tried - 1 : 0);
    }
    return done;
}

static void walk(hd_explore_search *search, const hd_explore_section *section) {
    hd_machine *machine = search->path.machine;
    hd_explore_walk_state states[HD_EXPLORE_SECTION_MOST + 1];
    uint32_t depth = 0, operation;
    states[0] = hd_explore_walk_start(section);
    for (;;) {
        if (!search->stop &&
            hd_explore_walk_next(section, &states[depth], &operation, &states[depth + 1])) {
            take(search, section, depth, operation);
            search->walked_length = ++depth;
            if (states[depth].remaining)
                continue;
            hd_explore_ended(search, HD_EXPLORE_COMPLETE);
            if (search->due)
                hd_explore_report(search, covered(states, depth - 1));
        }
        if (depth-- == 0)
            break;
        machine->type->undo(machine);
    }
}

bool hd_explore_whole(hd_explore_search *search) {
    hd_explore_section section;
    uint64_t dependency_checks = search->result->dependency_checks;
    uint64_t race_checks = search->result->race_checks;
    bool briefly = search->algorithm == HD_EXPLORE_EPOR_SH;
    if (!hd_explore_section_make(&section, &search->path, briefly) || !section.whole ||
        (search->options->most_steps && search->options->most_steps < section.count)) {
        search->result->dependency_checks = dependency_checks;
        search->result->race_checks = race_checks;
        return false;
    }
    hd_explore_step walked[HD_EXPLORE_SECTION_MOST];
    search->walked = walked;
    walk(search, &section);
    search->walked = NULL;
    return true;
}
