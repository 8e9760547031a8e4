/*
 * A program that is one section: every thread's operations are known from the
 * first state on, to its end (explore_section.h).  All its traces follow from the
 * dependencies found when the section was made; the walk needs no clocks, no
 * tables and no races, and runs the machine along.
 *
 * If the section was learnt (explore_learnt.h), each operation is compared before it is taken, and
 * at the end every thread has to have ended.  If not, a search with source sets goes on from there:
 * what was tried from the states of the path sleeps, and all else is explored from them.
 *
 * Several workers: one gives away what is still to be tried at the shallowest
 * state of its walk.  Nothing has to come back from there.  If the section was learnt, they go on
 * as long as the program keeps to it.  If it does not, what sleeps in the walks of some may not
 * have been explored by others, so nothing of it counts, and all begin anew, with source sets.
 */
#include <string.h>

#include "explore_crew.h"
#include "explore_estimate.h"
#include "explore_section.h"

/* A walk from some state of the section on. */
struct walk {
    hd_explore_search *search;
    const hd_explore_section *section;
    uint32_t depth, base;    /* operations taken; where the walk began */
    bool deviates;           /* the program does not keep to the section: */
    uint32_t deviating;      /* this operation is not what it should be; none: there is more */
    struct whole_crew *crew; /* NULL: one worker */
    hd_step steps[HD_EXPLORE_SECTION_MOST];
    uint32_t operations[HD_EXPLORE_SECTION_MOST];
    uint64_t since[HD_EXPLORE_SECTION_MOST + 1]; /* executions when a state was entered */
    hd_explore_walk_state states[HD_EXPLORE_SECTION_MOST + 1];
    uint64_t announced[HD_EXPLORE_SECTION_MOST + 1]; /* operations that the machine was told of */
};

/* What the workers share where the section was learnt. */
struct whole_crew {
    struct hd_explore_learnt *learnt; /* no worker changes it but with the lock */
    pthread_mutex_t lock;
    bool deviates;
};

/* A part to give away: a state with the ways to be tried from it, and the way there. */
struct part {
    uint32_t depth;
    uint32_t operations[HD_EXPLORE_SECTION_MOST];
    hd_explore_walk_state state;
};

/* ---- What comes next, for machines that execute several runs at once ---- */

#if HD_EXPLORE_WORDS == 1

static uint64_t threads_of(const hd_explore_section *section, uint64_t operations) {
    uint64_t threads = 0;
    for (; operations; operations &= operations - 1)
        threads |= HD_EXPLORE_BIT(section->threads[__builtin_ctzll(operations)]);
    return threads;
}

/* The operation, and what the walk takes after it. */
static void add_wish(const struct walk *walk, uint32_t depth, uint32_t operation,
                     hd_explore_walk_state after, hd_machine_wish *wish) {
    hd_explore_walk_state next;
    *wish = (hd_machine_wish){.depth = depth};
    do {
        wish->steps[wish->count++] = (hd_step){walk->section->threads[operation], 0};
        wish->asleep = threads_of(walk->section, after.asleep);
        if (wish->count == HD_MACHINE_WISHED ||
            !hd_explore_walk_next(walk->section, &after, &operation, &next))
            return;
        after = next;
    } while (true);
}

/* As hd_machine.wishes: deepest first, as they will be taken. */
static uint32_t whole_upcoming(void *searcher, bool guesses, hd_machine_wish *list, uint32_t most) {
    struct walk *walk = searcher;
    uint32_t count = 0, operation;
    (void)guesses;
    for (uint32_t depth = walk->depth; depth-- > walk->base && count < most;) {
        hd_explore_walk_state state = walk->states[depth], after;
        while (count < most && hd_explore_walk_next(walk->section, &state, &operation, &after)) {
            if (walk->announced[depth] >> operation & 1)
                continue;
            walk->announced[depth] |= UINT64_C(1) << operation;
            add_wish(walk, depth, operation, after, &list[count++]);
        }
    }
    return count;
}

#endif

/* ---- The walk ---- */

static void mark(struct walk *walk, uint32_t operation, enum hd_explore_deviation how) {
    if (walk->crew)
        hd_mem_lock(&walk->crew->lock);
    hd_explore_learnt_mark(&walk->search->path, walk->section->learnt[operation], how);
    if (walk->crew)
        hd_mem_unlock(&walk->crew->lock);
}

/* It goes on as it should, and tells the machine what comes next. */
static bool take_assumed(struct walk *walk, uint32_t operation) {
    hd_machine *machine = walk->search->path.machine;
    walk->announced[walk->depth] = 0;
#if HD_EXPLORE_WORDS == 1
    machine->asleep = threads_of(walk->section, walk->states[walk->depth].asleep);
    machine->wishes = whole_upcoming;
    machine->searcher = walk;
#endif
    enum hd_machine_result result =
        machine->type->step(machine, walk->section->threads[operation], 0);
    machine->wishes = NULL;
    bool over = !(walk->section->ends >> operation & 1) && machine->type->over &&
                machine->type->over(machine);
    return result == HD_MACHINE_WENT_ON && !over;
}

static void whole_take_operation(struct walk *walk, uint32_t operation) {
    hd_machine *machine = walk->search->path.machine;
    uint32_t thread = walk->section->threads[operation];
    walk->steps[walk->depth] = (hd_step){thread, 0};
    walk->operations[walk->depth++] = operation;
    walk->search->walked_length = walk->depth;
    if (!walk->section->assumed) {
        enum hd_machine_result result = machine->type->step(machine, thread, 0);
        assert(result == HD_MACHINE_WENT_ON || machine->late);
        (void)result;
    } else if (!take_assumed(walk, operation)) {
        mark(walk, operation, HD_EXPLORE_UNWANTED);
        walk->depth--; /* it is taken again by the search that goes on */
        machine->type->undo(machine);
        walk->deviates = true;
        walk->deviating = operation;
    }
}

/* Is the operation what it is assumed to be? */
static bool is_as_assumed(struct walk *walk, uint32_t operation) {
    const hd_explore_section *section = walk->section;
    enum hd_explore_deviation how = hd_explore_learnt_compare_now(
        &walk->search->path, section->threads[operation], section->learnt[operation]);
    walk->deviates = how != HD_EXPLORE_AS_LISTED;
    if (walk->deviates)
        mark(walk, operation, how);
    walk->deviating = operation;
    return !walk->deviates;
}

/* Has every thread ended? */
static bool all_ended(const struct walk *walk) {
    hd_machine *machine = walk->search->path.machine;
    hd_machine_operation operation = {0};
    for (uint32_t thread = 0; thread < machine->threads; thread++)
        if (machine->type->next(machine, thread, &operation) && !operation.idle)
            return false;
    return true;
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
            if (walk->section->assumed && !is_as_assumed(walk, operation))
                return;
            whole_take_operation(walk, operation);
            if (walk->deviates)
                return;
            walk->since[walk->depth] = search->result->executions;
            search->result->steps++;
            state++;
        }
        if (state->remaining || search->stop) {
            hd_explore_closed(search, walk->depth, walk->since[walk->depth]);
            continue;
        }
        assert(walk->depth == walk->section->count);
        walk->deviates = walk->section->assumed && !all_ended(walk);
        walk->deviating = HD_EXPLORE_NONE;
        if (walk->deviates)
            return;
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

/* A search with source sets goes on from where the program left the section.  What is being tried
 * from a state sleeps there already, as far as the walk is concerned. */
static void leave_section(hd_explore_search *search, const struct walk *walk) {
    hd_step steps[HD_EXPLORE_SECTION_MOST];
    hd_explore_set asleep[HD_EXPLORE_SECTION_MOST + 1];
    uint32_t depth = walk->depth;
    for (uint32_t i = 0; i <= depth; i++) {
        uint64_t rest = walk->states[i].asleep;
        uint32_t tried = i < depth ? walk->operations[i] : walk->deviating;
        if (tried < HD_EXPLORE_SECTION_MOST)
            rest &= ~(UINT64_C(1) << tried);
        if (i < depth)
            steps[i] = walk->steps[i];
        asleep[i] = HD_EXPLORE_NO_THREADS;
        for (; rest; rest &= rest - 1)
            asleep[i] |= HD_EXPLORE_BIT(walk->section->threads[__builtin_ctzll(rest)]);
    }
    search->result->taken_back++;
    search->walked = NULL;
    search->own = NULL;
    hd_explore_source_after_walk(search, steps, asleep, depth);
}

/* ---- Several workers ---- */

static void *whole_begin(hd_explore_search *search) {
    struct walk *walk = HD_NEW(struct walk);
    walk->search = search;
    walk->section = search->whole;
    search->walked = walk->steps;
    if (search->crew && walk->section->assumed) {
        walk->crew = search->own;
        search->path.learnt = walk->crew->learnt;
    }
    return walk;
}

/* The operations before a part, which its giver has compared. */
static void go_to_part(struct walk *walk, const struct part *part) {
    hd_machine *machine = walk->search->path.machine;
    hd_step steps[HD_EXPLORE_SECTION_MOST];
    for (uint32_t i = 0; i < part->depth; i++) {
        steps[i] = (hd_step){walk->section->threads[part->operations[i]], 0};
        walk->states[i] = (hd_explore_walk_state){0};
    }
    walk->base = part->depth;
    if (machine->type->foresee && part->depth)
        machine->type->foresee(machine, steps, part->depth, UINT32_MAX);
    for (uint32_t i = 0; i < part->depth && !walk->deviates; i++)
        whole_take_operation(walk, part->operations[i]);
    walk->states[part->depth] = part->state;
}

static void whole_work(void *own, void *item) {
    struct walk *walk = own;
    struct part *part = item;
    walk->depth = walk->base = 0;
    walk->states[0] = hd_explore_walk_start(walk->section);
    if (part)
        go_to_part(walk, part);
    free(part);
    if (!walk->deviates)
        walk_all(walk, false);
    if (walk->deviates && walk->crew) {
        hd_mem_lock(&walk->crew->lock);
        walk->crew->deviates = true;
        hd_mem_unlock(&walk->crew->lock);
        walk->search->stop = true;
        atomic_store(&walk->search->crew->stop, true);
    } else if (walk->search->paused || walk->deviates)
        return;
    hd_machine *machine = walk->search->path.machine;
    machine->type->restart(machine);
}

static void whole_end(void *own) {
    struct walk *walk = own;
    if (walk->crew)
        walk->search->path.learnt = NULL; /* it is not the worker's */
    free(walk);
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
    if (walk->deviates) {
        leave_section(search, walk);
        whole_end(walk);
        release_section(search);
        return;
    }
    search->path.machine->type->restart(search->path.machine);
    whole_end(walk);
    search->own = NULL;
    release_section(search);
}

/* The operations that come before one in every order. */
static uint64_t always_before(const hd_explore_section *section, uint32_t operation) {
    uint64_t bit = UINT64_C(1) << operation, before = 0,
             added = section->own[operation] & (bit - 1);
    added |= section->needs[operation];
    while (added & ~before) {
        uint32_t k = (uint32_t)__builtin_ctzll(added & ~before);
        before |= UINT64_C(1) << k;
        added |= (section->own[k] & ((UINT64_C(1) << k) - 1)) | section->needs[k];
    }
    return before;
}

/* Are data races asked for, and may there be some?  The walk would not tell.  In two operations
 * that no order is fixed for, both can be next at once.  Those of weaker memory orders may order
 * less than the others. */
static bool may_race(const hd_explore_path *path, const hd_explore_section *section) {
    bool plain = false, weak = false;
    for (uint32_t a = 0; path->collide && a < section->count; a++) {
        const hd_machine_operation *first = &section->ahead[a]->operation;
        uint64_t before = always_before(section, a);
        plain |= first->memory == HD_MACHINE_PLAIN && section->dependent[a];
        weak |= first->fence || first->fails ||
                (first->memory == HD_MACHINE_ATOMIC && first->order != HEDDLE_ORDER_SEQ_CST);
        for (uint64_t rest = section->dependent[a] & ~before; rest; rest &= rest - 1) {
            uint32_t b = (uint32_t)__builtin_ctzll(rest);
            if (!(always_before(section, b) >> a & 1) &&
                hd_machine_race(first->memory, section->ahead[b]->operation.memory))
                return true;
        }
    }
    return plain && weak;
}

/* With several workers. */
static void walk_together(hd_explore_search *search) {
    static const hd_explore_job job = {
        .begin = whole_begin, .work = whole_work, .drop = free, .end = whole_end};
    struct whole_crew crew = {.learnt = search->path.learnt};
    hd_explore_result *result = search->result, before = *result;
    pthread_mutex_init(&crew.lock, NULL);
    search->own = &crew;
    hd_explore_crew_run(search, &job);
    search->own = NULL;
    pthread_mutex_destroy(&crew.lock);
    if (!crew.deviates || result->stopped || result->limit)
        return;
    before.steps = result->steps;
    before.threads = result->threads;
    before.taken_back++;
    *result = before;
    hd_explore_estimate_free(search->estimate);
    search->estimate = NULL;
    if (search->options->anew)
        search->options->anew(search->options->context);
    hd_explore_source_crew(search);
}

bool hd_explore_whole(hd_explore_search *search) {
    hd_explore_section section;
    uint64_t dependency_checks = search->result->dependency_checks;
    uint64_t race_checks = search->result->race_checks;
    bool briefly = search->algorithm == HD_EXPLORE_EPOR_SH;
    if (!hd_explore_section_make(&section, &search->path, briefly) || !section.whole ||
        (section.assumed && (search->options->in_parts || may_race(&search->path, &section))) ||
        (search->options->most_length && search->options->most_length < section.count)) {
        search->result->dependency_checks = dependency_checks;
        search->result->race_checks = race_checks;
        return false;
    }
    hd_explore_section *kept = HD_NEW(hd_explore_section);
    *kept = section;
    search->whole = kept;
    hd_explore_section_begun(search, &section);
    if (hd_explore_has_workers(search))
        walk_together(search);
    else {
        struct walk *walk = whole_begin(search);
        search->own = walk;
        search->go_on = whole_go_on;
        whole_work(walk, NULL);
        if (search->paused)
            return true;
        if (walk->deviates)
            leave_section(search, walk);
        else
            search->own = NULL;
        whole_end(walk);
    }
    release_section(search);
    return true;
}
