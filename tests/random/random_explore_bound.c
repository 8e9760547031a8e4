/*
 * The bounded search against its twin, which takes every schedule with at most K
 * preemptions and compares traces as they are defined: as sets of events, each
 * with the set of events before it.  The twin sees the machine alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore.h"
#include "model/model.h"
#include "support_models.h"

enum { MAX_THREADS = SUPPORT_MODEL_THREADS, MAX_STEPS = 96, MAX_ACCESSES = 12 };

/* A step as the twin remembers it. */
struct event {
    uint32_t thread, choice;
    uint32_t count;
    hd_machine_access accesses[MAX_ACCESSES];
    uint32_t before[MAX_THREADS]; /* events of each thread before it, and itself */
};

struct twin {
    hd_machine *machine;
    uint32_t most; /* preemptions */
    struct event events[MAX_STEPS];
    uint32_t length;
    HD_VEC(char *) traces; /* different ones, as text, by trace_text */
    hd_map by_hash;        /* hash of a text -> its number + 1 */
    uint64_t schedules;
    bool too_many;
};

/* ---- Traces ---- */

/* The pasts of the events, by the definition: program order and dependent
 * accesses, closed under what is before those. */
static void find_pasts(struct event *events, uint32_t length) {
    uint32_t taken[MAX_THREADS] = {0};
    for (uint32_t i = 0; i < length; i++) {
        struct event *event = &events[i];
        memset(event->before, 0, sizeof event->before);
        for (uint32_t j = 0; j < i; j++) {
            const struct event *other = &events[j];
            bool dependent = other->thread == event->thread;
            for (uint32_t a = 0; a < event->count; a++)
                for (uint32_t b = 0; b < other->count; b++)
                    dependent |=
                        event->accesses[a].location == other->accesses[b].location &&
                        ((event->accesses[a].mode | other->accesses[b].mode) & HD_MACHINE_WRITES);
            for (uint32_t t = 0; dependent && t < MAX_THREADS; t++)
                if (other->before[t] > event->before[t])
                    event->before[t] = other->before[t];
        }
        event->before[event->thread] = ++taken[event->thread];
    }
}

/* The trace as a text: thread by thread its events with choice and past.  No
 * number in it reaches the letters that stand between them. */
static char *trace_text(struct event *events, uint32_t length, enum hd_explore_end end) {
    char *text = malloc(2 + MAX_THREADS + length * (size_t)(MAX_THREADS + 1));
    char *to = text;
    find_pasts(events, length);
    *to++ = (char)('a' + end);
    for (uint32_t thread = 0; thread < MAX_THREADS; thread++) {
        *to++ = '\x7f';
        for (uint32_t i = 0; i < length; i++) {
            if (events[i].thread != thread)
                continue;
            *to++ = (char)(1 + events[i].choice);
            for (uint32_t t = 0; t < MAX_THREADS; t++)
                *to++ = (char)(1 + events[i].before[t]);
        }
    }
    *to = '\0';
    return text;
}

static uint64_t text_hash(const char *text) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

/* Keeps the text if it is new, frees it else. */
static bool keep(struct twin *twin, char *text) {
    for (uint64_t key = text_hash(text);; key++) {
        uint32_t *number = hd_map_at(&twin->by_hash, key, NULL);
        if (!*number) {
            hd_vec_push(&twin->traces, text);
            *number = (uint32_t)twin->traces.length;
            return true;
        }
        if (strcmp(twin->traces.data[*number - 1], text) == 0) {
            free(text);
            return false;
        }
    }
}

static void twin_release(struct twin *twin) {
    for (size_t i = 0; i < twin->traces.length; i++)
        free(twin->traces.data[i]);
    hd_vec_release(&twin->traces);
    hd_map_release(&twin->by_hash);
}

/* ---- All schedules with few preemptions ---- */

static bool is_enabled(hd_machine *machine, uint32_t thread) {
    hd_machine_operation operation;
    return machine->type->next(machine, thread, &operation) && operation.enabled;
}

static void note_step(struct event *event, uint32_t thread, uint32_t choice,
                      const hd_machine_operation *operation) {
    *event = (struct event){.thread = thread, .choice = choice, .count = operation->count};
    memcpy(event->accesses, operation->accesses, operation->count * sizeof *event->accesses);
}

static void end_schedule(struct twin *twin, enum hd_explore_end end) {
    enum { MOST = 4000 };
    keep(twin, trace_text(twin->events, twin->length, end));
    if (++twin->schedules > MOST)
        twin->too_many = true;
}

static void schedules(struct twin *twin, uint32_t preemptions);

static void take(struct twin *twin, uint32_t thread, uint32_t preemptions) {
    hd_machine *machine = twin->machine;
    hd_machine_operation operation;
    uint32_t choices = 1;
    for (uint32_t choice = 0; choice < choices && !twin->too_many; choice++) {
        machine->type->next(machine, thread, &operation);
        choices = operation.choices;
        if (twin->length == MAX_STEPS || operation.count > MAX_ACCESSES) {
            twin->too_many = true;
            return;
        }
        note_step(&twin->events[twin->length++], thread, choice, &operation);
        if (machine->type->step(machine, thread, choice) == HD_MACHINE_FAILED)
            end_schedule(twin, HD_EXPLORE_VIOLATION);
        else
            schedules(twin, preemptions);
        machine->type->undo(machine);
        twin->length--;
    }
}

static void schedules(struct twin *twin, uint32_t preemptions) {
    hd_machine *machine = twin->machine;
    hd_machine_operation operation;
    bool runs = false, goes_on = false;
    uint32_t last = twin->length ? twin->events[twin->length - 1].thread : UINT32_MAX;
    bool stays = last != UINT32_MAX && is_enabled(machine, last);
    for (uint32_t thread = 0; thread < machine->threads; thread++) {
        runs |= machine->type->next(machine, thread, &operation);
        if (!is_enabled(machine, thread))
            continue;
        goes_on = true;
        uint32_t sum = preemptions + (stays && thread != last);
        if (sum <= twin->most && !twin->too_many)
            take(twin, thread, sum);
    }
    if (!goes_on)
        end_schedule(twin, runs ? HD_EXPLORE_DEADLOCK : HD_EXPLORE_COMPLETE);
}

/* ---- What the search shows ---- */

struct shown {
    const struct twin *twin;
    hd_machine *copy;   /* another machine, to run the schedule again */
    struct twin traces; /* shown so far */
    char why[256];
};

/* Runs a schedule on the copy; false, with a word, if it is not allowed. */
static bool rerun(struct shown *shown, const hd_explore_step *schedule, size_t length,
                  struct event *events, enum hd_explore_end *end) {
    hd_machine *machine = shown->copy;
    hd_machine_operation operation;
    uint32_t preemptions = 0;
    machine->type->restart(machine);
    *end = HD_EXPLORE_COMPLETE;
    for (size_t i = 0; i < length; i++) {
        uint32_t thread = schedule[i].thread;
        if (i && thread != schedule[i - 1].thread && is_enabled(machine, schedule[i - 1].thread))
            preemptions++;
        if (*end == HD_EXPLORE_VIOLATION || !is_enabled(machine, thread)) {
            snprintf(shown->why, sizeof shown->why, "step %zu of a schedule is not allowed", i);
            return false;
        }
        machine->type->next(machine, thread, &operation);
        note_step(&events[i], thread, schedule[i].choice, &operation);
        if (machine->type->step(machine, thread, schedule[i].choice) == HD_MACHINE_FAILED)
            *end = HD_EXPLORE_VIOLATION;
    }
    for (uint32_t t = 0; t < machine->threads && *end != HD_EXPLORE_VIOLATION; t++)
        if (machine->type->next(machine, t, &operation))
            *end = HD_EXPLORE_DEADLOCK;
    if (preemptions <= shown->twin->most)
        return true;
    snprintf(shown->why, sizeof shown->why, "a schedule has %u preemptions", preemptions);
    return false;
}

static int look(void *context, hd_machine *machine, enum hd_explore_end end,
                const hd_explore_step *schedule, size_t length) {
    struct shown *shown = context;
    struct event events[MAX_STEPS];
    enum hd_explore_end own_end;
    (void)machine;
    if (length > MAX_STEPS || !rerun(shown, schedule, length, events, &own_end))
        return 1;
    if (own_end != end)
        snprintf(shown->why, sizeof shown->why, "a schedule ends as %d, not %d", own_end, end);
    else if (!keep(&shown->traces, trace_text(events, (uint32_t)length, end)))
        snprintf(shown->why, sizeof shown->why, "a trace was shown twice");
    return shown->why[0] != '\0';
}

/* ---- Properties ---- */

static bool agrees(struct twin *twin, hd_machine *copy, char *why, size_t why_size) {
    struct shown shown = {.twin = twin, .copy = copy};
    hd_explore_options options = {
        .bounded = true, .preemptions = twin->most, .visit = look, .context = &shown};
    hd_explore_result result;
    hd_error error = {""};
    bool good = hd_explore_run(twin->machine, &options, &result, &error);
    twin_release(&shown.traces);
    if (!good || shown.why[0])
        snprintf(why, why_size, "%u preemptions: %s%s", twin->most, error.text, shown.why);
    else if (result.executions != twin->traces.length || !result.complete)
        snprintf(why, why_size, "%u preemptions: %llu executions, but there are %zu traces",
                 twin->most, (unsigned long long)result.executions, twin->traces.length);
    else
        return true;
    return false;
}

static bool check_bounds(hd_machine *machine, hd_machine *copy, char *why, size_t why_size) {
    for (uint32_t most = 0; most <= 3; most++) {
        struct twin twin = {.machine = machine, .most = most};
        machine->type->restart(machine);
        schedules(&twin, 0);
        bool good = twin.too_many || agrees(&twin, copy, why, why_size);
        twin_release(&twin);
        if (!good)
            return false;
    }
    return true;
}

/* No bound at all: every trace there is, and nothing beyond. */
static bool check_unbounded(hd_machine *machine, char *why, size_t why_size) {
    hd_explore_options options = {.algorithm = HD_EXPLORE_NAIVE, .most_executions = 10000};
    hd_explore_result naive, bounded;
    hd_error error = {""};
    if (!hd_explore_run(machine, &options, &naive, &error) || !naive.complete)
        return true;
    options = (hd_explore_options){.bounded = true, .preemptions = UINT32_MAX};
    if (hd_explore_run(machine, &options, &bounded, &error) && bounded.complete &&
        !bounded.beyond && bounded.executions == naive.traces &&
        (naive.deadlocks > 0) == (bounded.deadlocks > 0) &&
        (naive.violations > 0) == (bounded.violations > 0))
        return true;
    snprintf(why, why_size, "without a bound %llu executions, but there are %llu traces",
             (unsigned long long)bounded.executions, (unsigned long long)naive.traces);
    return false;
}

static bool check(const void *input, hd_random *random, char *why, size_t why_size) {
    (void)random;
    size_t length;
    char *text = support_model_text(input, &length);
    hd_model_error bad;
    hd_machine *machine = hd_model_parse("random", text, length, NULL, 0, &bad);
    free(text);
    if (!machine) {
        snprintf(why, why_size, "line %u: %s", bad.line, bad.text);
        return false;
    }
    hd_machine *copy = machine->type->copy(machine);
    bool good =
        check_bounds(machine, copy, why, why_size) && check_unbounded(machine, why, why_size);
    copy->type->free(copy);
    machine->type->free(machine);
    return good;
}

int main(int argc, char **argv) {
    static const support_model_shape few = {4, 3,
                                            SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS |
                                                SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS |
                                                SUPPORT_MODEL_CONDITIONS | SUPPORT_MODEL_ATOMICS};
    static const support_model_shape plain = {3, 4,
                                              SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_POINTERS};
    static const support_model_shape waiting = {
        3, 3, SUPPORT_MODEL_LOCKS | SUPPORT_MODEL_AWAITS | SUPPORT_MODEL_CONDITIONS};
    static const support_model_shape many = {6, 2, SUPPORT_MODEL_BRANCHES | SUPPORT_MODEL_LOCKS};
    static const support_input_property properties[] = {
        {"bounded search of reads, writes, branches, pointers", &plain, check},
        {"bounded search of threads that wait", &waiting, check},
        {"bounded search of everything", &few, check},
        {"bounded search of five and six threads", &many, check},
    };
    return support_random_inputs(argc, argv, &support_models, properties, 4);
}
