/*
 * A search by several processes (explore_team.h) against brute force, in one process: on random
 * models a lead gives units to members, of which one explores at a time.  Whenever a member is
 * asked, it gives nodes back, goes on, stops after a report, or dies without one; then another one
 * goes on with some unit.  Now and then all die, and the search goes on from what was kept.
 *
 *   (1) in the end each Mazurkiewicz trace was completed once, where what a member did after its
 * last report does not count; (2) what the lead has counted is what was shown until the last
 * reports; (3) what the lead keeps can be gone on with by one process alone too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "support_models.h"
#include "support_runs.h"
#include "support_suite.h"

struct shown {
    hd_steps schedule;
    enum hd_explore_end end;
};

struct job {
    hd_random *random;
    hd_explore_lead *lead;
    HD_VEC(struct shown) shown;
    size_t reported; /* of these */
    uint32_t member; /* that explores now */
    bool wrong, died, done;
    uint64_t units, given, deaths;
};

static void forget(struct job *job, size_t length) {
    for (size_t i = length; i < job->shown.length; i++)
        hd_vec_release(&job->shown.data[i].schedule);
    if (job->shown.length > length)
        job->shown.length = length;
}

static int visit(void *context, hd_machine *machine, enum hd_explore_end end,
                 const hd_step *schedule, size_t length) {
    struct job *job = context;
    struct shown shown = {.end = end};
    (void)machine;
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&shown.schedule, schedule[i]);
    hd_vec_push(&job->shown, shown);
    return 0;
}

static enum hd_explore_wanted wanted(void *context, bool now) {
    struct job *job = context;
    if (!now)
        return HD_EXPLORE_WANTED_REPORT;
    switch (hd_random_below(job->random, 8)) {
    case 0:
        return HD_EXPLORE_WANTED_HALT;
    case 1:
        job->died = true;
        job->deaths++;
        return HD_EXPLORE_WANTED_END;
    case 2:
        return HD_EXPLORE_WANTED_REPORT;
    default:
        job->given++;
        return HD_EXPLORE_WANTED_NODES;
    }
}

static void report(void *context, const hd_explore_machines *machines, const hd_vec_char *bytes) {
    struct job *job = context;
    hd_bytes from = {bytes->data, bytes->data + bytes->length, false};
    (void)machines;
    if (!hd_explore_lead_take(job->lead, job->member, &from, &job->done))
        job->wrong = true;
    job->reported = job->shown.length;
    if (hd_explore_lead_counts(job->lead)->executions != job->reported)
        job->wrong = true;
}

/* All processes die.  What was kept, and what was shown by then, is what there is. */
static bool begin_again(struct job *job, hd_machine *machine, enum hd_explore_algorithm algorithm) {
    hd_vec_char kept = {0};
    if (hd_explore_lead_keep(job->lead, &kept)) {
        hd_explore_lead_free(job->lead);
        job->lead = hd_explore_lead_new(machine->threads, algorithm, &kept);
    }
    hd_vec_release(&kept);
    return job->lead != NULL;
}

/* One process goes on alone, to the end. */
static bool end_alone(struct job *job, hd_machine *machine, enum hd_explore_algorithm algorithm,
                      hd_explore_result *result) {
    hd_vec_char kept = {0};
    hd_error error = {""};
    if (!hd_explore_lead_keep(job->lead, &kept))
        return false;
    hd_explore_keeper keeper = {.every = 1e9, .from = &kept};
    hd_explore_options options = {.algorithm = algorithm,
                                  .threads = 1 + (uint32_t)hd_random_below(job->random, 2),
                                  .visit = visit,
                                  .context = job,
                                  .keeper = &keeper};
    bool good = hd_explore_run(machine, &options, result, &error) && result->complete;
    job->wrong |= !good;
    hd_vec_release(&kept);
    return good;
}

static bool explore_unit(struct job *job, hd_machine *machine,
                         enum hd_explore_algorithm algorithm) {
    enum { MEMBERS = 3 };
    hd_vec_char unit = {0};
    hd_explore_member member = {
        .every = 1e9, .wanted = wanted, .report = report, .context = job, .unit = &unit};
    hd_explore_options options = {
        .algorithm = algorithm, .visit = visit, .context = job, .member = &member};
    hd_explore_result result;
    hd_error error = {""};
    job->member = 1 + (uint32_t)hd_random_below(job->random, MEMBERS);
    job->died = job->done = false;
    job->units++;
    if (!hd_explore_lead_give(job->lead, job->member, &unit))
        return false;
    bool good = hd_explore_run(machine, &options, &result, &error) && !result.strayed;
    if (!job->done)
        hd_explore_lead_lose(job->lead, job->member);
    forget(job, job->reported);
    hd_vec_release(&unit);
    return good && !job->wrong;
}

static bool each_once(hd_machine *machine, const struct job *job, uint64_t traces, char *why,
                      size_t why_size) {
    support_traces all = {0};
    support_run run = {0};
    bool good = job->shown.length == traces;
    if (!good)
        snprintf(why, why_size,
                 "%zu executions, but there are %llu traces; %llu units, %llu deaths",
                 job->shown.length, (unsigned long long)traces, (unsigned long long)job->units,
                 (unsigned long long)job->deaths);
    for (size_t i = 0; good && i < job->shown.length; i++) {
        const struct shown *shown = &job->shown.data[i];
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

static uint64_t units, deaths;

static bool explores(hd_machine *machine, enum hd_explore_algorithm algorithm, uint64_t traces,
                     hd_random *random, char *why, size_t why_size) {
    enum { MOST_UNITS = 3000, AGAIN = 20, ALONE = 60 };
    struct job job = {.random = random};
    hd_explore_result result;
    bool good = true, alone = false;
    job.lead = hd_explore_lead_new(machine->threads, algorithm, NULL);
    while (good && !alone && !hd_explore_lead_over(job.lead)) {
        if (hd_random_below(random, ALONE) == 0 || job.units > MOST_UNITS)
            alone = end_alone(&job, machine, algorithm, &result);
        else if (hd_random_below(random, AGAIN) == 0)
            good = begin_again(&job, machine, algorithm);
        else
            good = explore_unit(&job, machine, algorithm);
        good = good && !job.wrong;
    }
    if (!good)
        snprintf(why, why_size, "a report, or what was kept, is wrong, after %llu units",
                 (unsigned long long)job.units);
    good = good && each_once(machine, &job, traces, why, why_size);
    units += job.units;
    deaths += job.deaths;
    forget(&job, 0);
    hd_vec_release(&job.shown);
    if (job.lead)
        hd_explore_lead_free(job.lead);
    return good;
}

static bool all_once(const void *input, hd_random *random, char *why, size_t why_size) {
    enum { MOST = 5000 };
    hd_machine *machine = support_model_machine(input, why, why_size);
    if (!machine)
        return false;
    hd_explore_options options = {.algorithm = HD_EXPLORE_NAIVE, .most_executions = MOST};
    hd_explore_result naive;
    hd_error error = {""};
    bool good = hd_explore_run(machine, &options, &naive, &error);
    for (int a = HD_EXPLORE_DPOR; a <= HD_EXPLORE_SDPOR && good && naive.complete; a++)
        good = explores(machine, (enum hd_explore_algorithm)a, naive.traces, random, why, why_size);
    machine->type->free(machine);
    return good;
}

SUPPORT_SUITE(random_team) {
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
        {"members that die and stop explore each trace once", &few, all_once},
        {"members that die and stop explore each trace once, with choices", &objects, all_once},
        {"members that die and stop explore each trace once, with many threads", &many, all_once},
    };
    int status = support_random_inputs(argc, argv, &support_models, properties,
                                       sizeof properties / sizeof *properties);
    printf("# %llu units, %llu deaths\n", (unsigned long long)units, (unsigned long long)deaths);
    return status;
}
