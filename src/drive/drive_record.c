/*
 * Runs as traces, and schedules of a trace's events as steps of the machine.
 */
#include <stdio.h>
#include <string.h>

#include "drive_state.h"

/* Memory, and not the process, which all read, nor what only orders. */
static bool is_granule(const hd_machine_access *access) {
    return access->location != 0 && access->mode & (HD_MACHINE_READ | HD_MACHINE_WRITE);
}

/* An access becomes one event for each granule of memory that it touches; what comes after
 * it in the same step stays there. */
static void split(hd_machine *machine, const hd_machine_operation *operation, hd_trace *trace,
                  size_t at) {
    heddle_event event = trace->events.data[at];
    HD_VEC(heddle_event) after = {0};
    for (size_t i = at + 1; i < trace->events.length; i++)
        hd_vec_push(&after, trace->events.data[i]);
    trace->events.length = at;
    uint32_t granules = 0;
    for (uint32_t i = 0; i < operation->count; i++)
        granules += is_granule(&operation->accesses[i]);
    if (granules > 1) {
        event.flags &= (uint8_t)~HEDDLE_HAS_VALUE;
        event.value = 0;
    }
    for (uint32_t i = 0; i < operation->count; i++) {
        if (!is_granule(&operation->accesses[i]))
            continue;
        event.object =
            hd_trace_name(trace, HEDDLE_CLASS_VARIABLE, "%s",
                          machine->type->location_name(machine, operation->accesses[i].location));
        hd_trace_append(trace, event);
    }
    for (size_t i = 0; i < after.length; i++)
        hd_trace_append(trace, after.data[i]);
    hd_vec_release(&after);
}

struct recorder {
    hd_trace *trace;
    hd_vec_u32 *step_of;
    hd_machine_operation operation;
    HD_VEC(hd_machine_access) accesses; /* of it; they do not stay */
    double begun;                       /* 0: it is recorded whatever the clock says */
};

/* Is the time up?  What takes no longer than a moment is recorded all the same. */
static bool is_late(const struct recorder *r) {
    static const double moment = 0.25;
    return r->begun > 0 && hd_clock_over() && hd_progress_clock() - r->begun > moment;
}

static void place_events(struct recorder *r, size_t from, size_t number) {
    for (size_t i = from; r->step_of && i < r->trace->events.length; i++)
        hd_vec_push(r->step_of, (uint32_t)number - 1);
}

static int before(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)number;
    struct recorder *r = context;
    machine->type->next(machine, step->thread, &r->operation);
    hd_vec_clear(&r->accesses);
    for (uint32_t i = 0; i < r->operation.count; i++)
        hd_vec_push(&r->accesses, r->operation.accesses[i]);
    r->operation.accesses = r->accesses.data;
    return 0;
}

static int after(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)step;
    struct recorder *r = context;
    size_t length = r->trace->events.length;
    machine->type->record(machine, r->trace);
    /* Of a lock whose memory others access too, the event is that of the lock. */
    if (r->operation.memory && r->trace->events.length > length &&
        hd_trace_is_access(&r->trace->events.data[length]))
        split(machine, &r->operation, r->trace, length);
    place_events(r, length, number);
    return is_late(r);
}

static bool record(struct recorder *r, hd_machine *machine, const hd_steps *steps,
                   hd_error *error) {
    hd_replay_watch watch = {before, after, r};
    hd_replay_outcome outcome;
    bool good = hd_replay_run(machine, steps, &watch, &outcome, error);
    hd_vec_release(&r->accesses);
    return good;
}

bool hd_drive_record(hd_machine *machine, const hd_steps *steps, hd_trace *trace,
                     hd_vec_u32 *step_of, hd_error *error) {
    struct recorder r = {.trace = trace, .step_of = step_of};
    return record(&r, machine, steps, error);
}

/* ---- Runs ---- */

void hd_drive_run_index(hd_drive_run *run) {
    if (run->indexed)
        return;
    hd_trace_index_build(&run->index, &run->trace);
    hd_order_must_build(&run->must, &run->index);
    run->indexed = true;
}

void hd_drive_run_release(hd_drive_run *run) {
    if (run->indexed) {
        hd_order_must_release(&run->must);
        hd_trace_index_release(&run->index);
    }
    hd_vec_release(&run->steps);
    hd_trace_release(&run->trace);
    hd_vec_release(&run->step_of);
    hd_vec_release(&run->thread_of);
    for (int i = 0; i < HEDDLE_WIRE_EXPLORED; i++)
        hd_vec_release(&run->own[i]);
    *run = (hd_drive_run){0};
}

static void sort_steps(hd_drive_run *run, hd_machine *machine) {
    const hd_names *names = &run->trace.tables.names[HEDDLE_CLASS_THREAD];
    for (size_t i = 0; i < run->steps.length; i++)
        hd_vec_push(&run->own[run->steps.data[i].thread], (uint32_t)i);
    hd_vec_resize(&run->thread_of, (size_t)names->length);
    for (uint32_t thread = 0; thread < machine->threads; thread++) {
        const char *name = machine->type->thread_name(machine, thread);
        uint32_t known = hd_names_find(names, name, strlen(name));
        if (known != HD_NAMES_NONE)
            run->thread_of.data[known] = thread;
    }
}

/* The event that is wrong, from 0 on; the number of events if all are good. */
static size_t find_wrong(hd_trace *trace, hd_error *error) {
    hd_trace_check *check = hd_trace_check_create();
    size_t wrong = 0;
    if (hd_trace_check_batch(check, &trace->tables, trace->events.data, trace->events.length,
                             &wrong, error))
        wrong = trace->events.length;
    hd_trace_check_free(check);
    return wrong;
}

static void drop_event(hd_drive_run *run, size_t at) {
    size_t after = run->trace.events.length - at - 1;
    memmove(&run->trace.events.data[at], &run->trace.events.data[at + 1],
            after * sizeof *run->trace.events.data);
    memmove(&run->step_of.data[at], &run->step_of.data[at + 1], after * sizeof *run->step_of.data);
    run->trace.events.length--;
    run->step_of.length--;
}

/* An unlock by who does not have the mutex fails, and is no event.  Anything else that a trace
 * cannot say ends it there. */
static void keep_good(hd_driver *driver) {
    hd_drive_run *run = &driver->run;
    hd_error error = {""};
    size_t wrong;
    while ((wrong = find_wrong(&run->trace, &error)) < run->trace.events.length) {
        uint8_t kind = run->trace.events.data[wrong].kind;
        if (kind == HEDDLE_RELEASE || kind == HEDDLE_READ_RELEASE) {
            drop_event(run, wrong);
            continue;
        }
        hd_log_write(HD_LOG_NOTE, "seed %llu: cut before event %zu: %s",
                     (unsigned long long)run->seed, wrong + 1, error.text);
        run->trace.events.length = run->step_of.length = wrong;
        driver->result->cut = true;
    }
}

void hd_drive_note_fault(hd_driver *driver) {
    char *to = driver->result->fault;
    const char *fault = hd_native_machine_fault(driver->machine);
    if (fault && !*to)
        snprintf(to, sizeof driver->result->fault, "%s", fault);
}

/* How the run of a seed goes.  In the first one a thread runs until it must wait.  In the others
 * the next thread is drawn, in three ways by turns; in one of four runs one thread goes on only if
 * no other can.  First main, so that threads do what they do after main would have ended the
 * program; then each in turn: what is late makes others wait, and miss what is told only once. */
static hd_native_manner manner_of(const hd_driver *driver, uint64_t seed) {
    enum { WAYS = 4, DEPTH = 3 };
    hd_native_manner manner = {.seed = seed};
    if (!seed)
        return manner;
    switch (seed % WAYS) {
    case 2:
        manner.drawing = HEDDLE_WIRE_DRAWS_ORDERS;
        break;
    case 3:
        manner.drawing = HEDDLE_WIRE_DRAWS_PRIORITIES;
        manner.depth = DEPTH;
        manner.length = driver->result->steps;
        break;
    case 0:
        manner.first = hd_native_last((uint32_t)(seed / WAYS - 1) % driver->machine->threads);
        break;
    default:
        break;
    }
    return manner;
}

bool hd_drive_run_make(hd_driver *driver, uint64_t seed) {
    hd_drive_run *run = &driver->run;
    hd_steps steps = {0};
    hd_drive_run_release(run);
    hd_trace_init(&run->trace);
    run->seed = seed;
    hd_native_machine_manner(driver->machine, manner_of(driver, seed));
    bool whole = hd_native_machine_whole_run(driver->machine, &steps);
    driver->result->cut |= !whole && hd_clock_look() == HD_CLOCK_GOES;
    hd_drive_note_fault(driver);
    driver->result->hung |= hd_native_machine_hung(driver->machine) && !hd_stop_asked() &&
                            hd_clock_look() == HD_CLOCK_GOES;
    for (size_t i = 0; i < steps.length; i++)
        hd_vec_push(&run->steps, (hd_step){steps.data[i].thread, steps.data[i].choice});
    hd_vec_release(&steps);
    hd_native_machine_manner(driver->machine, (hd_native_manner){0});
    if (hd_drive_over(driver) || driver->result->hung)
        return true;
    struct recorder r = {
        .trace = &run->trace, .step_of = &run->step_of, .begun = hd_progress_clock()};
    if (!record(&r, driver->machine, &run->steps, driver->error))
        return false;
    driver->result->cut |= is_late(&r); /* perhaps not all of it was recorded */
    sort_steps(run, driver->machine);
    keep_good(driver);
    return true;
}

/* ---- From events to steps ---- */

static void take(hd_drive_way_there *way, uint32_t thread) {
    uint32_t step = way->run->own[thread].data[way->taken[thread]++];
    hd_vec_push(way->steps, way->run->steps.data[step]);
}

/* The end of a thread leaves no event. */
static void let_end(hd_drive_way_there *way, const heddle_event *join) {
    uint32_t thread = way->run->thread_of.data[join->object];
    while (way->taken[thread] < way->run->own[thread].length)
        take(way, thread);
}

void hd_drive_go_before(hd_drive_way_there *way, uint32_t event) {
    uint32_t thread = hd_drive_thread(way->run, event);
    uint32_t step = way->run->step_of.data[event - 1];
    const heddle_event *e = hd_trace_event(&way->run->trace, event);
    if (e->kind == HEDDLE_JOIN)
        let_end(way, e);
    while (way->taken[thread] < way->run->own[thread].length &&
           way->run->own[thread].data[way->taken[thread]] < step)
        take(way, thread);
}

/* Is it a join that comes by itself with a step, its thread's own or that of another? */
static bool comes_along(const hd_drive_run *run, uint32_t event) {
    uint32_t step = run->step_of.data[event - 1];
    if (hd_trace_event(&run->trace, event)->kind != HEDDLE_JOIN)
        return false;
    return run->steps.data[step].thread != hd_drive_thread(run, event) ||
           (event > 1 && run->step_of.data[event - 2] == step);
}

void hd_drive_go(hd_drive_way_there *way, uint32_t event) {
    uint32_t thread = hd_drive_thread(way->run, event);
    hd_drive_go_before(way, event);
    if (comes_along(way->run, event))
        return;
    if (way->taken[thread] < way->run->own[thread].length &&
        way->run->own[thread].data[way->taken[thread]] == way->run->step_of.data[event - 1])
        take(way, thread);
}
