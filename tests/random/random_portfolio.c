/*
 * The strategies of the question explore together, and the search by preemptions alone, against
 * brute force on random models.
 *
 * Brute force takes every schedule.  Of each failure it knows the fewest preemptions that lead to
 * it.  The strategies get slices of a few steps, so that all of them run, with one worker and with
 * several:
 *
 *   (1) what is found fails, and a search that says it is complete has found all that fails;
 *   (2) without a limit the search is complete, and with --stop=first it finds a failure if there
 *       is one;
 *   (3) whatever fails with fewer preemptions than the search by preemptions has been through is
 *       found;
 *   (4) that search alone finds what fails within its bound and nothing else, and is complete
 *       only if it has seen all that fails.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/engine_explore.h"
#include "support_models.h"
#include "support_runs.h"
#include "support_suite.h"

/* ---- Brute force ---- */

struct failure {
    uint64_t print;
    uint32_t fewest; /* preemptions */
};

struct brute {
    hd_machine *machine;
    support_run run;
    HD_VEC(struct failure) failures;
    uint64_t schedules;
    bool too_many;
};

static uint64_t print_of(hd_machine *machine, enum hd_explore_end end) {
    hd_vec_u32 positions = {0};
    hd_machine_operation operation;
    const char *rule = "deadlock";
    if (end == HD_EXPLORE_VIOLATION) {
        rule = hd_engine_failed_rule(machine);
        hd_vec_push(&positions, hd_engine_failed_position(machine));
    }
    for (uint32_t t = 0; end == HD_EXPLORE_DEADLOCK && t < machine->threads; t++)
        if (machine->type->next(machine, t, &operation))
            hd_vec_push(&positions, operation.position);
    uint64_t print = hd_engine_explore_print_of(rule, positions.data, positions.length);
    hd_vec_release(&positions);
    return print;
}

static struct failure *find_failure(const struct brute *brute, uint64_t print) {
    for (size_t i = 0; i < brute->failures.length; i++)
        if (brute->failures.data[i].print == print)
            return &brute->failures.data[i];
    return NULL;
}

static void note_failure(struct brute *brute, enum hd_explore_end end) {
    struct failure now = {print_of(brute->machine, end), brute->run.preemptions};
    struct failure *known = find_failure(brute, now.print);
    if (!known)
        hd_vec_push(&brute->failures, now);
    else if (now.fewest < known->fewest)
        known->fewest = now.fewest;
}

static void all_schedules(struct brute *brute) {
    enum { MOST_SCHEDULES = 10000, MOST_STEPS = 100 };
    enum hd_explore_end end;
    hd_machine *machine = brute->machine;
    hd_machine_operation operation;
    if (support_run_end(&brute->run, machine, &end)) {
        brute->too_many = ++brute->schedules > MOST_SCHEDULES;
        if (end != HD_EXPLORE_COMPLETE)
            note_failure(brute, end);
        return;
    }
    brute->too_many |= brute->run.events.length > MOST_STEPS;
    for (uint32_t t = 0; t < machine->threads; t++) {
        if (!support_run_enabled(machine, t))
            continue;
        machine->type->next(machine, t, &operation);
        uint32_t choices = operation.choices;
        for (uint32_t choice = 0; choice < choices && !brute->too_many; choice++) {
            support_run_step(&brute->run, machine, t, choice);
            all_schedules(brute);
            support_run_back(&brute->run, machine);
        }
    }
}

/* ---- One answer ---- */

struct question {
    uint32_t workers;
    uint64_t first, least, executions;
    bool stop_first;
    bool bounded;
    uint32_t preemptions;
};

static bool ask(hd_machine *machine, const struct question *q, hd_engine_exploration *e,
                hd_error *error) {
    hd_engine_explore_init(e, "model", (hd_engine_words){0});
    e->find = HD_ENGINE_FIND_FAILURE | HD_ENGINE_FIND_DEADLOCK;
    hd_finding_list_init(&e->findings, q->stop_first);
    e->machine = machine->type->copy(machine);
    e->checker = machine->type->copy(machine);
    e->workers = q->workers;
    e->alone = q->bounded;
    e->options.bounded = q->bounded;
    e->options.preemptions = q->preemptions;
    e->options.most_executions = q->executions;
    e->portfolio.first_slice = q->first;
    e->portfolio.least_slice = q->least;
    return hd_engine_explore_run(e, error);
}

/* Nothing is found that does not fail. */
static bool found_fail(const struct brute *brute, const hd_engine_exploration *e, uint32_t most) {
    for (size_t i = 0; i < e->findings.found.length; i++) {
        const struct failure *known = find_failure(brute, e->findings.found.data[i].fingerprint);
        if (!known || known->fewest > most)
            return false;
    }
    return true;
}

/* Failures with at most so many preemptions that are not found. */
static size_t missed(const struct brute *brute, hd_engine_exploration *e, uint32_t most) {
    size_t count = 0;
    for (size_t i = 0; i < brute->failures.length; i++) {
        const struct failure *failure = &brute->failures.data[i];
        count += failure->fewest <= most && !hd_finding_list_find(&e->findings, failure->print);
    }
    return count;
}

/* ---- Properties ---- */

static bool say(char *why, size_t why_size, const struct question *q, const char *what) {
    snprintf(why, why_size,
             "%s; %u workers, slices %llu and %llu, %llu executions, %s, %d preemptions", what,
             q->workers, (unsigned long long)q->first, (unsigned long long)q->least,
             (unsigned long long)q->executions, q->stop_first ? "stops" : "goes on",
             q->bounded ? (int)q->preemptions : -1);
    return false;
}

static const char *wrong_with(const struct brute *brute, const struct question *q,
                              hd_engine_exploration *e) {
    bool complete = hd_verdict_complete(&e->verdict);
    uint32_t most = q->bounded ? q->preemptions : UINT32_MAX;
    uint32_t levels = q->bounded ? e->result.levels : e->portfolio.bound.levels;
    if (!found_fail(brute, e, most))
        return "found what does not fail";
    if (complete && missed(brute, e, UINT32_MAX))
        return "complete, but not all was found";
    if (q->stop_first && brute->failures.length && !q->executions && !q->bounded)
        return e->findings.found.length ? NULL : "found nothing";
    if (!q->executions && !q->bounded && !complete)
        return "not complete";
    if (!q->stop_first && levels && missed(brute, e, levels - 1))
        return "a number of preemptions is complete, but not all was found";
    if (q->bounded && !q->executions && !q->stop_first && levels <= most && e->result.beyond)
        return "the bound was not reached";
    if (q->bounded && !q->executions && !q->stop_first && missed(brute, e, most))
        return "not all within the bound was found";
    return NULL;
}

static bool check_one(const struct brute *brute, const struct question *q, char *why,
                      size_t why_size) {
    hd_engine_exploration e;
    hd_error error = {""};
    bool good = ask(brute->machine, q, &e, &error);
    const char *wrong = good ? wrong_with(brute, q, &e) : error.text;
    if (wrong)
        say(why, why_size, q, wrong);
    hd_engine_explore_release(&e);
    return !wrong;
}

static bool check_together(const struct brute *brute, hd_random *random, char *why,
                           size_t why_size) {
    bool good = true;
    for (uint32_t i = 0; i < 6 && good; i++) {
        struct question q = {.workers = 1 + i % 3,
                             .first = 1 + hd_random_below(random, 8),
                             .least = 1 + hd_random_below(random, 30),
                             .stop_first = hd_random_below(random, 3) == 0};
        if (i >= 3)
            q.executions = 1 + hd_random_below(random, 40);
        good = check_one(brute, &q, why, why_size);
    }
    return good;
}

static bool check_bounds(const struct brute *brute, hd_random *random, char *why, size_t why_size) {
    bool good = true;
    for (uint32_t most = 0; most <= 3 && good; most++) {
        struct question q = {.workers = 1, .bounded = true, .preemptions = most};
        good = check_one(brute, &q, why, why_size);
        q.executions = 1 + hd_random_below(random, 40);
        good = good && check_one(brute, &q, why, why_size);
    }
    return good;
}

static bool check(const void *input, hd_random *random, char *why, size_t why_size) {
    struct brute brute = {.machine = support_model_machine(input, why, why_size)};
    if (!brute.machine)
        return false;
    support_run_start(&brute.run, brute.machine);
    all_schedules(&brute);
    brute.machine->type->restart(brute.machine);
    bool good = brute.too_many || (check_together(&brute, random, why, why_size) &&
                                   check_bounds(&brute, random, why, why_size));
    support_run_release(&brute.run);
    hd_vec_release(&brute.failures);
    brute.machine->type->free(brute.machine);
    return good;
}

SUPPORT_SUITE(random_portfolio) {
    enum {
        WAITING = SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS | SUPPORT_MODEL_CONDITIONS |
                  SUPPORT_MODEL_ASSERTIONS,
        ALL = WAITING | SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS | SUPPORT_MODEL_ATOMICS |
              SUPPORT_MODEL_OUTSIDE
    };
    static const support_model_shape waiting = {3, 4, WAITING | SUPPORT_MODEL_OFTEN};
    static const support_model_shape few = {3, 4, ALL};
    static const support_model_shape all = {4, 3, ALL | SUPPORT_MODEL_OFTEN};
    static const support_input_property properties[] = {
        {"strategies on threads that wait", &waiting, check},
        {"strategies on a few threads", &few, check},
        {"strategies on everything", &all, check},
    };
    return support_random_inputs(argc, argv, &support_models, properties, 3);
}
