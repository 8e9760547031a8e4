/*
 * brute MOST PROGRAM [ARGUMENT]...: every schedule of a program, if there are at most so many, and
 * with how few preemptions each of its ends can be had.
 *
 * A line each: `end STATUS FEWEST OUTPUT`, where the status is that of waitpid and the output is in
 * hexadecimal digits; `deadlock FEWEST`.  Status 3: there are more schedules.
 *
 * The schedules come from the naive search, which leaves none out.  Each is run again, and every
 * step of another thread than the last one's counts that could have gone on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine_explore.h"

typedef struct end {
    bool deadlock;
    int status;
    uint32_t fewest; /* preemptions */
    char *output;
} end;

struct brute {
    HD_VEC(hd_steps) schedules;
    HD_VEC(end) ends;
    bool changed;
};

static int keep(void *context, hd_machine *machine, enum hd_explore_end how,
                const hd_step *schedule, size_t length) {
    struct brute *brute = context;
    hd_steps kept = {0};
    (void)how;
    if (hd_native_machine_changed(machine))
        return 1;
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&kept, schedule[i]);
    hd_vec_push(&brute->schedules, kept);
    return 0;
}

static bool is_enabled(hd_machine *machine, uint32_t thread) {
    hd_machine_operation operation;
    return machine->type->next(machine, thread, &operation) && operation.enabled;
}

static bool is_stuck(hd_machine *machine) {
    hd_machine_operation operation;
    for (uint32_t t = 0; t < machine->threads; t++)
        if (machine->type->next(machine, t, &operation) && !operation.idle)
            return true;
    return false;
}

static void note(struct brute *brute, end now) {
    for (size_t i = 0; i < brute->ends.length; i++) {
        end *known = &brute->ends.data[i];
        if (known->deadlock != now.deadlock || known->status != now.status ||
            strcmp(known->output, now.output) != 0)
            continue;
        if (now.fewest < known->fewest)
            known->fewest = now.fewest;
        free(now.output);
        return;
    }
    hd_vec_push(&brute->ends, now);
}

static void run_again(struct brute *brute, hd_machine *machine, const hd_steps *schedule) {
    end now = {0};
    bool failed = false;
    machine->type->restart(machine);
    for (size_t i = 0; i < schedule->length; i++) {
        hd_step step = schedule->data[i];
        uint32_t last = i ? schedule->data[i - 1].thread : step.thread;
        now.fewest += last != step.thread && is_enabled(machine, last);
        failed = machine->type->step(machine, step.thread, step.choice) == HD_MACHINE_FAILED;
    }
    hd_native_outcome outcome;
    now.deadlock = !failed && is_stuck(machine);
    hd_native_machine_outcome(machine, &outcome);
    size_t shown = now.deadlock ? 0 : outcome.shown;
    now.status = now.deadlock ? 0 : outcome.status;
    now.output = hd_mem_zero(2 * shown + 1, 1);
    for (size_t i = 0; i < shown; i++)
        snprintf(now.output + 2 * i, 3, "%02x", (unsigned char)outcome.output[i]);
    note(brute, now);
}

static void forget(struct brute *brute) {
    for (size_t i = 0; i < brute->schedules.length; i++)
        hd_vec_release(&brute->schedules.data[i]);
    hd_vec_clear(&brute->schedules);
}

/* A program that turns out to share more than was known is run anew. */
static int run_all(struct brute *brute, hd_machine *machine, uint64_t most) {
    hd_explore_result result;
    hd_error error = {""};
    hd_explore_options options = {.algorithm = HD_EXPLORE_NAIVE,
                                  .most_executions = most,
                                  .most_steps = HD_NATIVE_USUAL_STEPS,
                                  .visit = keep,
                                  .context = brute};
    do {
        if (hd_native_machine_changed(machine))
            hd_native_machine_renew(machine);
        forget(brute);
        if (!hd_explore_run(machine, &options, &result, &error))
            return 2;
    } while (hd_native_machine_changed(machine));
    if (!result.complete)
        return result.limit == HD_EXPLORE_LIMIT_EXECUTIONS ? 3 : 2;
    for (size_t i = 0; i < brute->schedules.length; i++)
        run_again(brute, machine, &brute->schedules.data[i]);
    return hd_native_machine_changed(machine) ? 2 : 0;
}

int main(int argc, char **argv) {
    struct brute brute = {0};
    hd_engine_exploration e;
    hd_error error = {""};
    if (argc < 3)
        return 2;
    hd_engine_explore_init(&e, argv[2], (hd_engine_words){argv + 3, (size_t)argc - 3});
    e.find = HD_ENGINE_FIND_FAILURE | HD_ENGINE_FIND_DEADLOCK;
    e.no_predict = true;
    int status = hd_engine_explore_start(&e, &error)
                     ? run_all(&brute, e.machine, strtoull(argv[1], NULL, 10))
                     : 2;
    if (error.text[0])
        fprintf(stderr, "%s\n", error.text);
    for (size_t i = 0; i < brute.ends.length; i++) {
        const end *one = &brute.ends.data[i];
        if (one->deadlock)
            printf("deadlock %u\n", one->fewest);
        else
            printf("end %d %u %s\n", one->status, one->fewest, one->output);
        free(one->output);
    }
    forget(&brute);
    hd_vec_release(&brute.schedules);
    hd_vec_release(&brute.ends);
    hd_engine_explore_release(&e);
    return status;
}
