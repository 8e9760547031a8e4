/*
 * Exploring by reads-from against brute force: on random models, the classes of all interleavings
 * are exactly those that are explored, and each is explored once.
 *
 * A class is taken from a schedule as it is defined: what each thread did, in which way, and for
 * each location that a step reads, which step had written it last.  Locks count as read and written
 * if they are tried, and not at all otherwise.  A failing step counts with its past alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "support_models.h"
#include "support_suite.h"

/* ---- Classes ---- */

enum { MOST_STEPS = 256 };

typedef struct taken {
    uint32_t thread, index, choice; /* index in its thread */
    uint32_t count;
    uint32_t locations[16], sources[16]; /* steps, from 1 on; 0: the initial value */
    bool needed;
} taken;

typedef struct classes {
    hd_machine *machine; /* one more of the same model */
    bool locks_are_read; /* some are tried */
    HD_VEC(char *) texts;
    bool too_long;
} classes;

static void take(classes *c, taken *steps, size_t at, hd_step step, uint32_t *last) {
    hd_machine_operation operation = {0};
    hd_machine *machine = c->machine;
    taken *now = &steps[at];
    *now = (taken){.thread = step.thread, .choice = step.choice};
    for (size_t i = 0; i < at; i++)
        now->index += steps[i].thread == step.thread;
    machine->type->next(machine, step.thread, &operation);
    for (uint32_t i = 0; i < operation.count; i++) {
        uint32_t location = operation.accesses[i].location;
        uint8_t mode = operation.accesses[i].mode;
        if (mode & (HD_MACHINE_ACQUIRE | HD_MACHINE_RELEASE))
            mode = c->locks_are_read ? HD_MACHINE_READ | HD_MACHINE_WRITE : 0;
        if (mode & HD_MACHINE_READ && now->count < 16) {
            now->locations[now->count] = location;
            now->sources[now->count++] = last[location];
        }
        if (mode & HD_MACHINE_WRITE)
            last[location] = (uint32_t)at + 1;
    }
    machine->type->step(machine, step.thread, step.choice);
}

static void need(taken *steps, size_t at) {
    for (size_t i = 0; i <= at; i++)
        if (!steps[i].needed && steps[i].thread == steps[at].thread) {
            steps[i].needed = true;
            for (uint32_t k = 0; k < steps[i].count; k++)
                if (steps[i].sources[k])
                    need(steps, steps[i].sources[k] - 1);
        }
}

static char *text_of(const taken *steps, size_t length, uint32_t threads, enum hd_explore_end end) {
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    fprintf(to, "%d", (int)end);
    for (uint32_t t = 0; t < threads; t++) {
        fprintf(to, " |");
        for (size_t i = 0; i < length; i++) {
            if (steps[i].thread != t || !steps[i].needed)
                continue;
            fprintf(to, " (%u", steps[i].choice);
            for (uint32_t k = 0; k < steps[i].count; k++) {
                uint32_t source = steps[i].sources[k];
                fprintf(to, " %u<", steps[i].locations[k]);
                if (source)
                    fprintf(to, "%u.%u", steps[source - 1].thread, steps[source - 1].index);
            }
            fprintf(to, ")");
        }
    }
    fclose(to);
    return text;
}

static int visit(void *context, hd_machine *machine, enum hd_explore_end end,
                 const hd_step *schedule, size_t length) {
    classes *c = context;
    (void)machine;
    if (length > MOST_STEPS || end == HD_EXPLORE_CUT) {
        c->too_long = true;
        return 1;
    }
    taken *steps = calloc(length + 1, sizeof *steps);
    uint32_t *last = calloc(c->machine->locations + 1, sizeof *last);
    c->machine->type->restart(c->machine);
    for (size_t i = 0; i < length; i++)
        take(c, steps, i, schedule[i], last);
    for (size_t i = 0; i < length; i++)
        steps[i].needed = end != HD_EXPLORE_VIOLATION;
    if (end == HD_EXPLORE_VIOLATION)
        need(steps, length - 1);
    hd_vec_push(&c->texts, text_of(steps, length, c->machine->threads, end));
    free(steps);
    free(last);
    return 0;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts them; returns how many there were more than once. */
static size_t sort_classes(classes *c) {
    size_t kept = 0, all = c->texts.length;
    if (all)
        qsort(c->texts.data, all, sizeof *c->texts.data, by_text);
    for (size_t i = 0; i < all; i++) {
        if (kept && strcmp(c->texts.data[kept - 1], c->texts.data[i]) == 0)
            free(c->texts.data[i]);
        else
            c->texts.data[kept++] = c->texts.data[i];
    }
    c->texts.length = kept;
    return all - kept;
}

static void release_classes(classes *c) {
    for (size_t i = 0; i < c->texts.length; i++)
        free(c->texts.data[i]);
    hd_vec_release(&c->texts);
    c->machine->type->free(c->machine);
}

/* ---- The property ---- */

static unsigned passed_over;

static bool same_classes(const classes *found, const classes *all, char *why, size_t why_size) {
    size_t i = 0, k = 0;
    while (i < found->texts.length || k < all->texts.length) {
        int order = i == found->texts.length ? 1
                    : k == all->texts.length ? -1
                                             : strcmp(found->texts.data[i], all->texts.data[k]);
        if (order) {
            snprintf(why, why_size, "class %s %s",
                     order < 0 ? found->texts.data[i] : all->texts.data[k],
                     order < 0 ? "does not exist" : "was not explored");
            return false;
        }
        i++;
        k++;
    }
    return true;
}

static bool same_ends(hd_machine *machine, uint32_t workers, const hd_explore_result *reads,
                      char *why, size_t why_size) {
    hd_explore_options options = {.algorithm = HD_EXPLORE_UNFOLD, .threads = workers};
    hd_explore_result runs;
    hd_error error = {""};
    bool good = hd_explore_run(machine, &options, &runs, &error) && runs.complete &&
                runs.threads == (workers > 1 ? workers : 1) && runs.events == reads->events &&
                !runs.deadlocks == !reads->deadlocks && !runs.violations == !reads->violations;
    if (!good)
        snprintf(why, why_size,
                 "unfold without classes, with %u workers, finds %llu deadlocks, %llu failures",
                 workers, (unsigned long long)runs.deadlocks, (unsigned long long)runs.violations);
    return good;
}

/* With so many workers, 0 and 1 being one. */
static bool finds_all(hd_machine *machine, uint32_t workers, const classes *all, char *why,
                      size_t why_size) {
    classes found = {.machine = machine->type->copy(machine),
                     .locks_are_read = all->locks_are_read};
    hd_explore_options options = {.algorithm = HD_EXPLORE_UNFOLD,
                                  .by_reads = true,
                                  .threads = workers,
                                  .visit = visit,
                                  .context = &found};
    hd_explore_result reads;
    hd_error error = {""};
    bool good = hd_explore_run(machine, &options, &reads, &error) && reads.complete &&
                reads.used == HD_EXPLORE_UNFOLD && reads.executions == found.texts.length;
    if (!good)
        snprintf(why, why_size, "unfold is not complete with %u workers", workers);
    if (good && sort_classes(&found)) {
        snprintf(why, why_size, "a class was explored twice with %u workers", workers);
        good = false;
    }
    good = good && same_classes(&found, all, why, why_size) &&
           same_ends(machine, workers, &reads, why, why_size);
    release_classes(&found);
    return good;
}

static bool explores_each_class(const void *input, hd_random *random, char *why, size_t why_size) {
    enum { MOST = 5000, MOST_WORKERS = 5 };
    hd_machine *machine = support_model_machine(input, why, why_size);
    if (!machine)
        return false;
    classes all = {.machine = machine->type->copy(machine)};
    for (uint32_t i = 0; i < machine->locations; i++)
        all.locks_are_read |= machine->type->lock_is_read(machine, i);
    hd_explore_options options = {
        .algorithm = HD_EXPLORE_NAIVE, .most_executions = MOST, .visit = visit, .context = &all};
    hd_explore_result naive;
    hd_error error = {""};
    bool good = hd_explore_run(machine, &options, &naive, &error);
    if (good && naive.complete && machine->type->by_reads(machine)) {
        uint32_t several = 2 + (uint32_t)hd_random_below(random, MOST_WORKERS - 1);
        sort_classes(&all);
        good = finds_all(machine, 0, &all, why, why_size) &&
               finds_all(machine, several, &all, why, why_size);
    } else
        passed_over++;
    release_classes(&all);
    machine->type->free(machine);
    return good;
}

SUPPORT_SUITE(random_unfold) {
    static const support_model_shape all = {4, 3,
                                            SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS |
                                                SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS |
                                                SUPPORT_MODEL_CONDITIONS | SUPPORT_MODEL_ATOMICS |
                                                SUPPORT_MODEL_ASSERTIONS | SUPPORT_MODEL_OUTSIDE};
    static const support_model_shape waits = {
        4, 3, SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_CONDITIONS | SUPPORT_MODEL_OFTEN};
    static const support_model_shape awaits = {
        4, 3, SUPPORT_MODEL_AWAITS | SUPPORT_MODEL_ATOMICS | SUPPORT_MODEL_OFTEN};
    static const support_model_shape plain = {3, 4,
                                              SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS};
    static const support_model_shape locks = {4, 3, SUPPORT_MODEL_LOCKS};
    static const support_model_shape failing = {4, 3,
                                                SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS |
                                                    SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_ASSERTIONS |
                                                    SUPPORT_MODEL_OFTEN};
    static const support_model_shape objects = {
        4, 3, SUPPORT_MODEL_OBJECTS | SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_OFTEN};
    static const support_model_shape forks = {4, 3,
                                              SUPPORT_MODEL_FORKS | SUPPORT_MODEL_INVARIANTS |
                                                  SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_LOCKS |
                                                  SUPPORT_MODEL_OBJECTS};
    static const support_input_property properties[] = {
        {"classes of reads, writes, branches, pointers", &plain, explores_each_class},
        {"classes with locks", &locks, explores_each_class},
        {"classes with condition variables", &waits, explores_each_class},
        {"classes with awaits", &awaits, explores_each_class},
        {"classes with assertions", &failing, explores_each_class},
        {"classes with everything", &all, explores_each_class},
        {"classes with rwlocks, semaphores, barriers, channels", &objects, explores_each_class},
        {"classes with forks, joins, invariants", &forks, explores_each_class},
    };
    int status = support_random_inputs(argc, argv, &support_models, properties,
                                       sizeof properties / sizeof properties[0]);
    printf("# %u models were not compared: too big for brute force, or not for unfold\n",
           passed_over);
    return status;
}
