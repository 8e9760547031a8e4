/*
 * The exploring algorithms against brute force: on random models, every one of
 * them completes each Mazurkiewicz trace that all interleavings have, once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "support_models.h"
#include "support_suite.h"

/* ---- The property ---- */

/* Sections that were learnt. */
static uint64_t sections, taken_back;

/* A choice that fails depends on every step, one that does not fail on few.  In dpor and sdpor
 * threads sleep with all their choices, so when the failing one wakes up the others do as well:
 * their traces are completed again. */
static bool has_choose;

static bool is_right_number(uint64_t executions, const hd_explore_result *naive, bool by_choice) {
    return executions == naive->traces ||
           (executions > naive->traces && has_choose && naive->violations && !by_choice);
}

static bool agrees_with(hd_machine *machine, hd_explore_options options,
                        const hd_explore_result *naive, char *why, size_t why_size) {
    enum hd_explore_algorithm algorithm = options.algorithm;
    uint32_t threads = options.threads;
    bool variant = threads == 0;
    options.source_sets = variant;
    hd_explore_result result;
    hd_error error = {""};
    if (!hd_explore_run(machine, &options, &result, &error)) {
        snprintf(why, why_size, "%s", error.text);
        return false;
    }
    const char *name = hd_explore_algorithm_name(algorithm);
    bool optimal = algorithm == HD_EXPLORE_ODPOR || algorithm == HD_EXPLORE_EPOR ||
                   algorithm == HD_EXPLORE_EPOR_SH;
    if (!is_right_number(result.executions, naive, optimal && !variant)) {
        snprintf(why, why_size,
                 "%s%s with %u threads completes %llu executions, but there are %llu traces", name,
                 variant ? " with source sets" : "", threads, (unsigned long long)result.executions,
                 (unsigned long long)naive->traces);
        return false;
    }
    if (result.deadlocks > naive->deadlocks || !result.deadlocks != !naive->deadlocks ||
        !result.violations != !naive->violations) {
        snprintf(why, why_size, "%s finds %llu deadlocks and %llu violations, naive %llu and %llu",
                 name, (unsigned long long)result.deadlocks, (unsigned long long)result.violations,
                 (unsigned long long)naive->deadlocks, (unsigned long long)naive->violations);
        return false;
    }
    sections += machine->type->ahead ? 0 : result.sections;
    taken_back += result.taken_back;
    if (optimal && threads == 1 && result.blocked && !result.taken_back) {
        snprintf(why, why_size, "%s ran into %llu blocked ends", name,
                 (unsigned long long)result.blocked);
        return false;
    }
    return true;
}

static bool agrees(hd_machine *machine, enum hd_explore_algorithm algorithm, uint32_t threads,
                   const hd_explore_result *naive, char *why, size_t why_size) {
    hd_explore_options options = {.algorithm = algorithm, .threads = threads};
    return agrees_with(machine, options, naive, why, why_size);
}

/* Models with more interleavings than brute force goes through. */
static unsigned passed_over;

/* Eager, and nothing is known ahead: sections are what was learnt (explore_learnt.h). */
static bool learners_agree(hd_machine *machine, const hd_explore_result *naive, char *why,
                           size_t why_size) {
    const hd_machine_type *type = machine->type;
    hd_machine_type blind = *type;
    blind.ahead = NULL;
    machine->type = &blind;
    bool good = true;
    for (uint32_t i = 0; i < 8 && good; i++) {
        hd_explore_options options = {
            .algorithm = i & 1 ? HD_EXPLORE_EPOR_SH : HD_EXPLORE_EPOR,
            .threads = i >> 1 & 1,
            .lessons = i >> 2, /* the less is learnt, the more is wrong */
            .in_parts = i >> 2,
        };
        good = agrees_with(machine, options, naive, why, why_size);
    }
    for (uint32_t lessons = 0; lessons < 2 && good; lessons++) { /* several workers */
        hd_explore_options options = {
            .algorithm = HD_EXPLORE_EPOR, .threads = 3, .lessons = lessons};
        good = agrees_with(machine, options, naive, why, why_size);
    }
    machine->type = type;
    return good;
}

static bool has_choices(const support_model *model) {
    size_t length;
    char *text = support_model_text(model, &length);
    bool has = strstr(text, "choose(") != NULL;
    free(text);
    return has;
}

static bool all_agree(const void *input, hd_random *random, char *why, size_t why_size) {
    (void)random;
    enum { MOST = 60000 };
    hd_machine *machine = support_model_machine(input, why, why_size);
    if (!machine)
        return false;
    has_choose = has_choices(input);
    hd_explore_options options = {.algorithm = HD_EXPLORE_NAIVE, .most_executions = MOST};
    hd_explore_result naive;
    hd_error error = {""};
    bool good = hd_explore_run(machine, &options, &naive, &error);
    passed_over += !naive.complete;
    for (int a = HD_EXPLORE_DPOR; a < HD_EXPLORE_UNFOLD && good && naive.complete; a++)
        good = agrees(machine, (enum hd_explore_algorithm)a, 1, &naive, why, why_size);
    static const enum hd_explore_algorithm shared[] = {HD_EXPLORE_DPOR, HD_EXPLORE_SDPOR,
                                                       HD_EXPLORE_ODPOR, HD_EXPLORE_AUTO};
    for (size_t i = 0; i < sizeof shared / sizeof *shared && good && naive.complete; i++)
        good = agrees(machine, shared[i], 3, &naive, why, why_size);
    for (int a = HD_EXPLORE_EPOR; a <= HD_EXPLORE_EPOR_SH && good && naive.complete; a++)
        good = agrees(machine, (enum hd_explore_algorithm)a, 0, &naive, why, why_size);
    good = good && (!naive.complete || learners_agree(machine, &naive, why, why_size));
    machine->type->free(machine);
    return good;
}

/* Threads that have ended, and only count: the others' numbers are from 70 on. */
static bool agree_after_others(const void *input, hd_random *random, char *why, size_t why_size) {
    enum { MOST = 20000, OTHERS = 70 };
    hd_machine *machine = support_model_machine(input, why, why_size);
    hd_machine *later = support_model_machine_after(input, OTHERS, why, why_size);
    if (!machine || !later)
        return false;
    has_choose = has_choices(input);
    hd_explore_options options = {.algorithm = HD_EXPLORE_NAIVE, .most_executions = MOST};
    hd_explore_result naive;
    hd_error error = {""};
    bool good = hd_explore_run(machine, &options, &naive, &error);
    passed_over += !naive.complete;
    for (int a = HD_EXPLORE_DPOR; a < HD_EXPLORE_UNFOLD && good && naive.complete; a++)
        good = agrees(later, (enum hd_explore_algorithm)a, 1, &naive, why, why_size);
    enum hd_explore_algorithm shared =
        hd_random_below(random, 2) ? HD_EXPLORE_SDPOR : HD_EXPLORE_ODPOR;
    if (good && naive.complete)
        good = agrees(later, shared, 3, &naive, why, why_size);
    good = good && (!naive.complete || learners_agree(later, &naive, why, why_size));
    machine->type->free(machine);
    later->type->free(later);
    return good;
}

SUPPORT_SUITE(random_explore) {
    static const support_model_shape few = {4, 3,
                                            SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS |
                                                SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS |
                                                SUPPORT_MODEL_CONDITIONS | SUPPORT_MODEL_ATOMICS |
                                                SUPPORT_MODEL_ASSERTIONS};
    static const support_model_shape waits = {
        4, 3, SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_CONDITIONS | SUPPORT_MODEL_OFTEN};
    static const support_model_shape awaits = {
        4, 3, SUPPORT_MODEL_AWAITS | SUPPORT_MODEL_ATOMICS | SUPPORT_MODEL_OFTEN};
    static const support_model_shape plain = {3, 4,
                                              SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS};
    static const support_model_shape locks = {4, 2, SUPPORT_MODEL_LOCKS};
    static const support_model_shape many = {6, 2,
                                             SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS |
                                                 SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS};
    static const support_model_shape failing = {4, 3,
                                                SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS |
                                                    SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_ASSERTIONS |
                                                    SUPPORT_MODEL_OFTEN};
    static const support_model_shape objects = {
        3, 3, SUPPORT_MODEL_OBJECTS | SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_ASSERTIONS};
    static const support_model_shape forks = {
        4, 3, SUPPORT_MODEL_FORKS | SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_INVARIANTS};
    static const support_model_shape newer = {3, 4,
                                              SUPPORT_MODEL_OBJECTS | SUPPORT_MODEL_FORKS |
                                                  SUPPORT_MODEL_INVARIANTS | SUPPORT_MODEL_AWAITS |
                                                  SUPPORT_MODEL_CONDITIONS | SUPPORT_MODEL_ATOMICS |
                                                  SUPPORT_MODEL_POINTERS};
    static const support_input_property properties[] = {
        {"algorithms agree on reads, writes, branches, pointers", &plain, all_agree},
        {"algorithms agree on locks", &locks, all_agree},
        {"algorithms agree on condition variables", &waits, all_agree},
        {"algorithms agree on awaits", &awaits, all_agree},
        {"algorithms agree on assertions", &failing, all_agree},
        {"algorithms agree on everything", &few, all_agree},
        {"algorithms agree on five and six threads", &many, all_agree},
        {"algorithms agree on rwlocks, semaphores, barriers, channels, tries", &objects, all_agree},
        {"algorithms agree on forks, joins and invariants", &forks, all_agree},
        {"algorithms agree on all of these", &newer, all_agree},
        {"algorithms agree on everything after 70 other threads", &few, agree_after_others},
    };
    int status = support_random_inputs(argc, argv, &support_models, properties,
                                       sizeof properties / sizeof properties[0]);
    printf("# %u models were too big for brute force and not compared\n", passed_over);
    printf("# %llu sections were learnt, %llu of them taken back\n", (unsigned long long)sections,
           (unsigned long long)taken_back);
    return status;
}
