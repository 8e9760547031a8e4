/*
 * Searches that are killed and gone on with, against brute force: on random models, whenever a
 * search is killed, and with however many workers it goes on,
 *
 *   (1) in the end each Mazurkiewicz trace that all interleavings have was completed once, where
 *       executions after the last time that the search was kept do not count;
 *   (2) whenever it is kept, it has counted what it has shown by then, neither more nor less;
 *   (3) with one worker all counts are those of a search that was never killed.
 *
 * Bytes that were changed are refused, or the machine does not follow them, or the search goes on;
 * nothing else happens.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "support_models.h"
#include "support_runs.h"
#include "support_suite.h"

/* ---- A search in many processes ---- */

struct shown {
    hd_steps schedule;
    enum hd_explore_end end;
};

struct life {
    hd_random *random;
    HD_VEC(struct shown) shown; /* by now */
    size_t counted;             /* of these, when the search was last kept */
    hd_vec_char kept;           /* empty: never */
    uint32_t left;              /* times that it is kept until it is killed; 0: it lives */
    bool killed, wrong;
    uint64_t deaths;
};

static void forget_shown(struct life *life, size_t length) {
    for (size_t i = length; i < life->shown.length; i++)
        hd_vec_release(&life->shown.data[i].schedule);
    if (life->shown.length > length)
        life->shown.length = length;
}

static int visit(void *context, hd_machine *machine, enum hd_explore_end end,
                 const hd_step *schedule, size_t length) {
    struct life *life = context;
    struct shown shown = {.end = end};
    (void)machine;
    if (life->killed)
        return 1;
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&shown.schedule, schedule[i]);
    hd_vec_push(&life->shown, shown);
    return 0;
}

static void keep(void *context, const hd_explore_machines *machines, const hd_vec_char *frontier) {
    struct life *life = context;
    uint32_t threads;
    uint64_t executions;
    (void)machines;
    if (life->killed)
        return;
    hd_vec_clear(&life->kept);
    for (size_t i = 0; i < frontier->length; i++)
        hd_vec_push(&life->kept, frontier->data[i]);
    life->counted = life->shown.length;
    if (!hd_explore_is_kept(frontier, &threads, &executions) || executions != life->counted)
        life->wrong = true;
    if (life->left && --life->left == 0)
        life->killed = true;
}

/* Until it is through.  `workers` is drawn each time, up to this many. */
static bool live(hd_machine *machine, enum hd_explore_algorithm algorithm, uint32_t workers,
                 struct life *life, hd_explore_result *result, char *why, size_t why_size) {
    enum { MOST_DEATHS = 200, MOST_KEPT = 12 };
    hd_error error = {""};
    do {
        hd_explore_keeper keeper = {.every = -1,
                                    .keep = keep,
                                    .context = life,
                                    .from = life->kept.length ? &life->kept : NULL};
        hd_explore_options options = {.algorithm = algorithm,
                                      .threads =
                                          1 + (uint32_t)hd_random_below(life->random, workers),
                                      .visit = visit,
                                      .context = life,
                                      .keeper = &keeper};
        hd_vec_char from = life->kept;
        keeper.from = from.length ? &from : NULL;
        life->kept = (hd_vec_char){0};
        for (size_t i = 0; i < from.length; i++)
            hd_vec_push(&life->kept, from.data[i]);
        forget_shown(life, life->counted);
        life->killed = false;
        life->left =
            life->deaths < MOST_DEATHS ? 1 + (uint32_t)hd_random_below(life->random, MOST_KEPT) : 0;
        bool good = hd_explore_run(machine, &options, result, &error);
        hd_vec_release(&from);
        if (!good || result->strayed || life->wrong) {
            snprintf(why, why_size, "%s",
                     !good             ? error.text
                     : result->strayed ? "the machine does not follow what was kept"
                                       : "the counts that were kept are not those shown");
            return false;
        }
        life->deaths += life->killed;
    } while (life->killed && !result->complete);
    if (result->complete)
        return true;
    snprintf(why, why_size, "it does not end");
    return false;
}

/* ---- The properties ---- */

static bool each_once(hd_machine *machine, const struct life *life, uint64_t traces, char *why,
                      size_t why_size) {
    support_traces all = {0};
    support_run run = {0};
    bool good = life->shown.length == traces;
    if (!good)
        snprintf(why, why_size, "%zu executions, but there are %llu traces; killed %llu times",
                 life->shown.length, (unsigned long long)traces, (unsigned long long)life->deaths);
    for (size_t i = 0; good && i < life->shown.length; i++) {
        const struct shown *shown = &life->shown.data[i];
        good = support_run_again(&run, machine, shown->schedule.data, shown->schedule.length,
                                 shown->end, why, why_size);
        if (good && !support_traces_add(&all, &run)) {
            snprintf(why, why_size, "a trace was completed twice");
            good = false;
        }
    }
    support_run_release(&run);
    support_traces_release(&all);
    return good;
}

static bool same_counts(const hd_explore_result *a, const hd_explore_result *b, bool all, char *why,
                        size_t why_size) {
    if (a->executions == b->executions && a->deadlocks == b->deadlocks &&
        a->violations == b->violations &&
        (!all || (a->blocked == b->blocked && a->steps == b->steps &&
                  a->dependency_checks == b->dependency_checks)))
        return true;
    snprintf(why, why_size,
             "%llu executions, %llu blocked, %llu steps; never killed %llu, %llu, %llu",
             (unsigned long long)a->executions, (unsigned long long)a->blocked,
             (unsigned long long)a->steps, (unsigned long long)b->executions,
             (unsigned long long)b->blocked, (unsigned long long)b->steps);
    return false;
}

static uint64_t deaths;

static bool goes_on(hd_machine *machine, enum hd_explore_algorithm algorithm, uint32_t workers,
                    uint64_t traces, hd_random *random, char *why, size_t why_size) {
    struct life life = {.random = random};
    hd_explore_options options = {.algorithm = algorithm};
    hd_explore_result never, result;
    hd_error error = {""};
    bool good = hd_explore_run(machine, &options, &never, &error) &&
                live(machine, algorithm, workers, &life, &result, why, why_size) &&
                same_counts(&result, &never, workers == 1, why, why_size) &&
                each_once(machine, &life, traces, why, why_size);
    deaths += life.deaths;
    forget_shown(&life, 0);
    hd_vec_release(&life.shown);
    hd_vec_release(&life.kept);
    return good;
}

static bool survives(const void *input, hd_random *random, char *why, size_t why_size) {
    enum { MOST = 20000 };
    hd_machine *machine = support_model_machine(input, why, why_size);
    if (!machine)
        return false;
    hd_explore_options options = {.algorithm = HD_EXPLORE_NAIVE, .most_executions = MOST};
    hd_explore_result naive;
    hd_error error = {""};
    bool good = hd_explore_run(machine, &options, &naive, &error);
    for (int a = HD_EXPLORE_DPOR; a <= HD_EXPLORE_SDPOR && good && naive.complete; a++)
        for (uint32_t workers = 1; workers <= 3 && good; workers += 2)
            good = goes_on(machine, (enum hd_explore_algorithm)a, workers, naive.traces, random,
                           why, why_size);
    machine->type->free(machine);
    return good;
}

/* Bytes are changed here and there. */
static bool bears_damage(const void *input, hd_random *random, char *why, size_t why_size) {
    enum { DAMAGED = 50 };
    hd_machine *machine = support_model_machine(input, why, why_size);
    if (!machine)
        return false;
    struct life life = {.random = random, .left = 1 + (uint32_t)hd_random_below(random, 8)};
    hd_explore_keeper keeper = {.every = -1, .keep = keep, .context = &life};
    hd_explore_options options = {.algorithm = HD_EXPLORE_SDPOR,
                                  .threads = 1 + (uint32_t)hd_random_below(random, 2),
                                  .visit = visit,
                                  .context = &life,
                                  .keeper = &keeper};
    hd_explore_result result;
    hd_error error = {""};
    hd_explore_run(machine, &options, &result, &error);
    life.killed = true; /* nothing more is kept, and the first execution ends it */
    for (int i = 0; i < DAMAGED && life.kept.length; i++) {
        hd_vec_char bytes = {0};
        for (size_t k = 0; k < life.kept.length; k++)
            hd_vec_push(&bytes, life.kept.data[k]);
        for (uint64_t k = 1 + hd_random_below(random, 3); k > 0; k--)
            bytes.data[hd_random_below(random, bytes.length)] = (char)hd_random_below(random, 8);
        keeper.from = &bytes;
        hd_explore_run(machine, &options, &result, &error);
        hd_vec_release(&bytes);
    }
    forget_shown(&life, 0);
    hd_vec_release(&life.shown);
    hd_vec_release(&life.kept);
    machine->type->free(machine);
    return true;
}

SUPPORT_SUITE(random_keep) {
    static const support_model_shape few = {4, 3,
                                            SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS |
                                                SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS |
                                                SUPPORT_MODEL_CONDITIONS | SUPPORT_MODEL_ATOMICS |
                                                SUPPORT_MODEL_ASSERTIONS};
    static const support_model_shape objects = {
        3, 3, SUPPORT_MODEL_OBJECTS | SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_ASSERTIONS};
    static const support_model_shape many = {6, 2,
                                             SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS |
                                                 SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS};
    static const support_input_property properties[] = {
        {"searches that are killed count the same", &few, survives},
        {"searches that are killed count the same with choices", &objects, survives},
        {"searches that are killed count the same with many threads", &many, survives},
        {"what was kept and is damaged does no harm", &few, bears_damage},
    };
    int status = support_random_inputs(argc, argv, &support_models, properties,
                                       sizeof properties / sizeof *properties);
    printf("# killed %llu times\n", (unsigned long long)deaths);
    return status;
}
