/*
 * What a search finds, for the question explore.  Each failure is run again by the checker before
 * it counts; one that is known is not counted again.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_explore.h"

static void describe_deadlock(hd_engine_exploration *e, hd_finding *finding, uint32_t position) {
    uint32_t waiting = 0;
    hd_machine_operation operation;
    uint32_t threads = 0;
    for (uint32_t t = 0; t < hd_engine_explore_checker(e)->threads; t++) {
        bool waits =
            hd_engine_explore_checker(e)->type->next(hd_engine_explore_checker(e), t, &operation);
        bool looks = e->program && hd_native_machine_monitors(hd_engine_explore_checker(e), t);
        threads += !looks && (!waits || !operation.idle);
        waiting += waits && !operation.idle;
    }
    finding->location = hd_engine_place(hd_engine_explore_checker(e), e->path, position);
    char *text = NULL;
    if (asprintf(&text, "%u of %s cannot go on", waiting,
                 hd_text_count(threads, "thread", "threads")) >= 0)
        finding->message = text;
}

/* Positions of the steps of a cycle. */
typedef struct cycle {
    size_t before;
    uint64_t threads;
    hd_vec_u32 *positions;
} cycle;

static int add_position(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    cycle *c = context;
    hd_machine_operation operation = {0};
    if (number <= c->before || !machine->type->next(machine, step->thread, &operation))
        return 0;
    hd_vec_push(c->positions, operation.position);
    c->threads |= UINT64_C(1) << step->thread;
    return 0;
}

static void find_cycle(hd_engine_exploration *e, cycle *c) {
    hd_replay_outcome outcome;
    hd_error error = {""};
    if (!hd_replay_run_livelock(hd_engine_explore_checker(e), &e->schedule, &outcome, &error))
        return;
    c->before = outcome.before;
    hd_replay_run(hd_engine_explore_checker(e), &e->schedule,
                  &(hd_replay_watch){.before = add_position, .context = c}, &outcome, &error);
}

static void describe_livelock(hd_engine_exploration *e, hd_finding *finding) {
    hd_vec_u32 positions = {0};
    cycle c = {.positions = &positions};
    char *text = NULL;
    find_cycle(e, &c);
    finding->location = hd_engine_place(hd_engine_explore_checker(e), e->path, positions.data[0]);
    size_t length = e->schedule.length - c.before;
    if (asprintf(
            &text, "%s on for ever: the last %s to the state before them",
            hd_text_count((uint64_t)__builtin_popcountll(c.threads), "thread goes", "threads go"),
            hd_text_count(length, "step leads back", "steps lead back")) >= 0)
        finding->message = text;
    hd_vec_release(&positions);
}

/* Positions of the statements that a failure is about, in the program's text. */
static void find_positions(hd_engine_exploration *e, enum hd_replay_claim claim,
                           hd_vec_u32 *positions) {
    hd_machine_operation operation;
    if (claim == HD_REPLAY_LIVELOCK) {
        find_cycle(e, &(cycle){.positions = positions});
        return;
    }
    if (claim == HD_REPLAY_VIOLATION) {
        hd_vec_push(positions, hd_engine_failed_position(hd_engine_explore_checker(e)));
        if (hd_engine_failed_line(hd_engine_explore_checker(e)))
            hd_vec_push(positions, hd_engine_failed_line(hd_engine_explore_checker(e)));
        return;
    }
    for (uint32_t t = 0; t < hd_engine_explore_checker(e)->threads; t++)
        if (hd_engine_explore_checker(e)->type->next(hd_engine_explore_checker(e), t, &operation) &&
            !operation.idle)
            hd_vec_push(positions, operation.position);
}

uint64_t hd_engine_explore_print_of(const char *rule, const uint32_t *positions, size_t count) {
    enum { DIGITS = 12 };
    char *texts = hd_mem_zero(count + 1, DIGITS);
    const char **places = HD_NEW_ARRAY(const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        snprintf(texts + i * DIGITS, DIGITS, "%u", positions[i]);
        places[i] = texts + i * DIGITS;
    }
    uint64_t print = hd_finding_fingerprint(rule, places, count);
    free(places);
    free(texts);
    return print;
}

/* The checker is in the last state. */
static int push_finding(hd_engine_exploration *e, enum hd_replay_claim claim, const char *by) {
    hd_finding finding;
    hd_vec_u32 positions = {0};
    bool deadlock = claim == HD_REPLAY_STUCK, livelock = claim == HD_REPLAY_LIVELOCK;
    hd_finding_init(&finding,
                    deadlock   ? HD_FINDING_DEADLOCK
                    : livelock ? HD_FINDING_LIVELOCK
                               : HD_FINDING_FAILURE,
                    deadlock   ? "deadlock"
                    : livelock ? "livelock"
                               : hd_engine_failed_rule(hd_engine_explore_checker(e)));
    find_positions(e, claim, &positions);
    assert(positions.length > 0); /* the checker saw somebody wait, or fail */
    finding.fingerprint =
        hd_engine_explore_print_of(finding.rule, positions.data, positions.length);
    uint64_t print = finding.fingerprint;
    finding.by = by;
    bool added = !hd_finding_list_find(&e->findings, print);
    if (added && deadlock && hd_engine_explore_drops_deadlock(e, print)) {
        hd_finding_release(&finding);
        hd_vec_release(&positions);
        return 0;
    }
    if (added) {
        if (deadlock)
            describe_deadlock(e, &finding, positions.data[0]);
        else if (livelock)
            describe_livelock(e, &finding);
        else
            hd_engine_failure(hd_engine_explore_checker(e), e->path, &finding.location,
                              &finding.message);
        finding.schedule = e->schedule;
        e->schedule = (hd_steps){0};
    }
    bool apart = by && !e->chosen && by != hd_engine_search_name;
    int stop = added || !apart ? hd_finding_list_add(&e->findings, &finding) : 0;
    if (added && apart)
        hd_finding_list_find(&e->findings, print)->count = 0; /* of the search */
    hd_finding_release(&finding);
    hd_vec_release(&positions);
    if (added)
        stop |= hd_engine_explore_tell(e, hd_finding_list_find(&e->findings, print));
    return stop;
}

/* A failure that was replayed in many executions is replayed in few others: what is printed is the
 * first.  Counts it. */
static bool is_known_well(hd_engine_exploration *e, const hd_machine *machine, bool apart) {
    enum { OFTEN = 64, EACH = 64 };
    uint32_t positions[] = {hd_engine_failed_position(machine), hd_engine_failed_line(machine)};
    uint64_t print =
        hd_engine_explore_print_of(hd_engine_failed_rule(machine), positions, positions[1] ? 2 : 1);
    hd_finding *known = hd_finding_list_find(&e->findings, print);
    if (!known || known->count < OFTEN || known->count % EACH == 0)
        return false;
    known->count += !apart;
    return true;
}

/* A race stops the search only if nothing worse is looked for. */
static bool has_enough(const hd_engine_exploration *e) {
    if (e->enough)
        return true;
    return e->findings.enough && e->races.found.length >= e->findings.enough &&
           !(e->find & (HD_ENGINE_FIND_FAILURE | HD_ENGINE_FIND_DEADLOCK));
}

static int visit(hd_engine_exploration *e, hd_machine *machine, enum hd_explore_end end,
                 const hd_step *schedule, size_t length) {
    const char *by = hd_engine_portfolio_name(e, machine);
    bool apart = by && by != hd_engine_search_name;
    if (length > e->portfolio.longest)
        e->portfolio.longest = length;
    if (e->program && (hd_native_machine_changed(machine) || hd_native_machine_broken(machine)))
        return 1; /* what was searched is not what there is */
    if (end == HD_EXPLORE_HANG || end == HD_EXPLORE_CUT) {
        if (e->program && end == HD_EXPLORE_HANG)
            hd_engine_explore_hang(e, machine);
        return 0;
    }
    if (e->program && end == HD_EXPLORE_COMPLETE && hd_native_machine_pruned(machine)) {
        e->pruned += !apart;
        return 0;
    }
    if (e->program && end == HD_EXPLORE_DEADLOCK && hd_native_machine_assumed(machine)) {
        e->assumed += !apart;
        return 0;
    }
    if (e->program && !e->sv_comp && (end != HD_EXPLORE_DEADLOCK || e->nondet) &&
        hd_engine_explore_outcome(e, machine, end, apart, schedule, length))
        return 1;
    unsigned sort = end == HD_EXPLORE_DEADLOCK ? HD_ENGINE_FIND_DEADLOCK : HD_ENGINE_FIND_FAILURE;
    if (e->program && end == HD_EXPLORE_VIOLATION && !(e->find & sort) && !e->fault[0] &&
        hd_native_machine_fault(machine))
        snprintf(e->fault, sizeof e->fault, "%s", hd_native_machine_fault(machine));
    if (end == HD_EXPLORE_COMPLETE || !(e->find & sort))
        return e->broken.text[0] || has_enough(e);
    if (e->enough)
        return 1;
    if (end == HD_EXPLORE_VIOLATION && is_known_well(e, machine, apart))
        return 0;
    hd_vec_clear(&e->schedule);
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&e->schedule, (hd_step){schedule[i].thread, schedule[i].choice});
    enum hd_replay_claim claim = end == HD_EXPLORE_DEADLOCK ? HD_REPLAY_STUCK : HD_REPLAY_VIOLATION;
    if (e->program && end == HD_EXPLORE_DEADLOCK)
        hd_engine_explore_go_round(e, machine);
    if (!hd_replay_check(hd_engine_explore_checker(e), claim, &e->schedule, &e->broken)) {
        if (e->program && hd_clock_look() == HD_CLOCK_LATE) {
            e->broken.text[0] = '\0'; /* the run was ended; so is the search, at its next step */
            return 0;
        }
        if (e->program && (hd_native_machine_every_round(machine) ||
                           hd_native_machine_mistrust(machine, e->broken.text)))
            e->broken.text[0] = '\0'; /* search again, with every round or from fresh processes */
        return 1;
    }
    return push_finding(e, claim, by);
}

int hd_engine_explore_push(hd_engine_exploration *e, enum hd_replay_claim claim, const char *by) {
    hd_error error = {""};
    if (e->enough)
        return 1;
    return hd_replay_check(hd_engine_explore_checker(e), claim, &e->schedule, &error)
               ? push_finding(e, claim, by)
               : -1;
}

int hd_engine_explore_visit(void *context, hd_machine *machine, enum hd_explore_end end,
                            const hd_step *schedule, size_t length) {
    hd_engine_exploration *e = context;
    hd_engine_portfolio_lock(e);
    int stop = visit(e, machine, end, schedule, length);
    hd_engine_portfolio_unlock(e);
    return stop;
}
