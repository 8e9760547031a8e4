#include "support_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Runs ---- */

void support_run_start(support_run *run, const hd_machine *machine) {
    run->threads = machine->threads;
    hd_vec_clear(&run->events);
    hd_vec_clear(&run->accesses);
    run->failed = false;
    run->preemptions = 0;
}

void support_run_release(support_run *run) {
    hd_vec_release(&run->events);
    hd_vec_release(&run->accesses);
}

bool support_run_enabled(hd_machine *machine, uint32_t thread) {
    hd_machine_operation operation;
    return machine->type->next(machine, thread, &operation) && operation.enabled;
}

/* Would a step of the thread be a preemption? */
static bool preempts(const support_run *run, hd_machine *machine, uint32_t thread) {
    if (!run->events.length)
        return false;
    uint32_t last = hd_vec_last(&run->events)->thread;
    return last != thread && support_run_enabled(machine, last);
}

void support_run_step(support_run *run, hd_machine *machine, uint32_t thread, uint32_t choice) {
    hd_machine_operation operation;
    run->preemptions += preempts(run, machine, thread);
    machine->type->next(machine, thread, &operation);
    support_run_event event = {thread, choice, (uint32_t)run->accesses.length, operation.count};
    for (uint32_t i = 0; i < operation.count; i++)
        hd_vec_push(&run->accesses, operation.accesses[i]);
    hd_vec_push(&run->events, event);
    run->failed = machine->type->step(machine, thread, choice) == HD_MACHINE_FAILED;
}

void support_run_back(support_run *run, hd_machine *machine) {
    support_run_event event = hd_vec_pop(&run->events);
    run->accesses.length = event.accesses;
    run->failed = false;
    machine->type->undo(machine);
    run->preemptions -= preempts(run, machine, event.thread);
}

bool support_run_end(const support_run *run, hd_machine *machine, enum hd_explore_end *end) {
    *end = run->failed ? HD_EXPLORE_VIOLATION : HD_EXPLORE_COMPLETE;
    for (uint32_t thread = 0; thread < machine->threads && !run->failed; thread++) {
        hd_machine_operation operation;
        if (!machine->type->next(machine, thread, &operation))
            continue;
        if (operation.enabled)
            return false;
        *end = HD_EXPLORE_DEADLOCK;
    }
    return true;
}

bool support_run_again(support_run *run, hd_machine *machine, const hd_step *schedule,
                       size_t length, enum hd_explore_end end, char *why, size_t why_size) {
    hd_machine_operation operation;
    machine->type->restart(machine);
    support_run_start(run, machine);
    for (size_t i = 0; i < length; i++) {
        if (run->failed || !machine->type->next(machine, schedule[i].thread, &operation) ||
            !operation.enabled || schedule[i].choice >= operation.choices) {
            snprintf(why, why_size, "step %zu of a schedule is not allowed", i + 1);
            return false;
        }
        support_run_step(run, machine, schedule[i].thread, schedule[i].choice);
    }
    enum hd_explore_end own;
    if (support_run_end(run, machine, &own) && own == end)
        return true;
    snprintf(why, why_size, "a schedule does not end as it is said to");
    return false;
}

/* ---- Traces ---- */

static bool dependent(const support_run *run, const support_run_event *a,
                      const support_run_event *b) {
    if (a->thread == b->thread)
        return true;
    for (uint32_t i = 0; i < a->access_count; i++)
        for (uint32_t j = 0; j < b->access_count; j++) {
            hd_machine_access first = run->accesses.data[a->accesses + i];
            hd_machine_access second = run->accesses.data[b->accesses + j];
            if (first.location == second.location && (first.mode | second.mode) & HD_MACHINE_WRITES)
                return true;
        }
    return false;
}

/* The past of each event, as the number of events of each thread in it: events
 * before it that it depends on, with their pasts, and itself. */
static uint32_t *find_pasts(const support_run *run) {
    uint32_t *pasts = calloc(run->events.length * run->threads + 1, sizeof *pasts);
    for (size_t i = 0; i < run->events.length; i++) {
        const support_run_event *event = &run->events.data[i];
        uint32_t *past = pasts + i * run->threads;
        for (size_t j = 0; j < i; j++) {
            if (!dependent(run, event, &run->events.data[j]))
                continue;
            const uint32_t *other = pasts + j * run->threads;
            for (uint32_t t = 0; t < run->threads; t++)
                past[t] = past[t] > other[t] ? past[t] : other[t];
        }
        past[event->thread]++; /* the thread's event before this one was in its past */
    }
    return pasts;
}

static void say(hd_vec_char *text, uint32_t number) {
    for (int byte = 0; byte < 2; byte++)
        hd_vec_push(text, (char)(number >> 8 * byte & 0xff));
}

static hd_vec_char text_of(const support_run *run) {
    hd_vec_char text = {0};
    uint32_t *pasts = find_pasts(run);
    say(&text, run->failed);
    for (uint32_t thread = 0; thread < run->threads; thread++) {
        say(&text, UINT16_MAX);
        for (size_t i = 0; i < run->events.length; i++) {
            if (run->events.data[i].thread != thread)
                continue;
            say(&text, run->events.data[i].choice);
            for (uint32_t t = 0; t < run->threads; t++)
                say(&text, pasts[i * run->threads + t]);
        }
    }
    free(pasts);
    return text;
}

static uint64_t hash_of(const hd_vec_char *text) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < text->length; i++)
        hash = (hash ^ (unsigned char)text->data[i]) * UINT64_C(1099511628211);
    return hash;
}

bool support_traces_add(support_traces *traces, const support_run *run) {
    hd_vec_char text = text_of(run);
    for (uint64_t key = hash_of(&text);; key++) {
        uint32_t *number = hd_map_at(&traces->by_hash, key, NULL);
        if (!*number) {
            hd_vec_push(&traces->texts, text);
            *number = (uint32_t)traces->texts.length;
            return true;
        }
        const hd_vec_char *other = &traces->texts.data[*number - 1];
        if (other->length == text.length && memcmp(other->data, text.data, text.length) == 0) {
            hd_vec_release(&text);
            return false;
        }
    }
}

void support_traces_release(support_traces *traces) {
    for (size_t i = 0; i < traces->texts.length; i++)
        hd_vec_release(&traces->texts.data[i]);
    hd_vec_release(&traces->texts);
    hd_map_release(&traces->by_hash);
}

/* ---- What an explorer shows ---- */

int support_shown_visit(void *context, hd_machine *machine, enum hd_explore_end end,
                        const hd_step *schedule, size_t length) {
    support_shown *shown = context;
    (void)machine;
    if (!support_run_again(&shown->run, shown->copy, schedule, length, end, shown->why,
                           sizeof shown->why))
        return 1;
    if (shown->run.preemptions > shown->preemptions)
        shown->preemptions = shown->run.preemptions;
    if (support_traces_add(&shown->traces, &shown->run))
        return 0;
    snprintf(shown->why, sizeof shown->why, "a trace was shown twice");
    return 1;
}

void support_shown_release(support_shown *shown) {
    support_traces_release(&shown->traces);
    support_run_release(&shown->run);
}
