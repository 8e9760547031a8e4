/*
 * Are the last step and an earlier one accesses that nothing orders?
 *
 * The machine says what its steps did as events of a trace, and the checker of witnesses, which
 * knows nothing of machines, decides about each pair.  An object of a trace is a granule of memory,
 * so an access to memory of which others access parts is an event for each part.
 */
#include "replay_recording.h"

#include <stdio.h>
#include <stdlib.h>

void hd_replay_recording_init(hd_replay_recording *recording) {
    *recording = (hd_replay_recording){0};
    hd_trace_init(&recording->run);
}

void hd_replay_recording_release(hd_replay_recording *recording) {
    hd_vec_release(&recording->step_of);
    hd_vec_release(&recording->low);
    hd_vec_release(&recording->high);
    hd_vec_release(&recording->positions);
    hd_trace_release(&recording->run);
}

void hd_replay_recording_before(hd_replay_recording *recording, hd_machine *machine, size_t number,
                                const hd_step *step) {
    hd_machine_operation operation = {0};
    assert(number == recording->positions.length + 1);
    (void)number;
    machine->type->next(machine, step->thread, &operation);
    hd_vec_push(&recording->positions, operation.position);
}

void hd_replay_recording_after(hd_replay_recording *recording, hd_machine *machine, size_t number) {
    HD_ASSERT_ONLY size_t before = recording->run.events.length;
    if (machine->type->record)
        machine->type->record(machine, &recording->run);
    assert(recording->run.events.length >= before); /* a machine only adds to its run */
    while (recording->step_of.length < recording->run.events.length) {
        const heddle_event *event = &recording->run.events.data[recording->step_of.length];
        uint64_t low = 0, high = 0;
        if (hd_trace_is_access(event) && machine->type->touched)
            machine->type->touched(machine, &low, &high);
        hd_vec_push(&recording->step_of, (uint32_t)number);
        hd_vec_push(&recording->low, low);
        hd_vec_push(&recording->high, high);
    }
}

/* ---- Granules ---- */

static int compare_borders(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Where granules begin, ascending. */
static hd_vec_u64 borders_of(const hd_replay_recording *r) {
    hd_vec_u64 borders = {0};
    for (size_t i = 0; i < r->low.length; i++)
        if (r->low.data[i] < r->high.data[i]) {
            hd_vec_push(&borders, r->low.data[i]);
            hd_vec_push(&borders, r->high.data[i]);
        }
    if (borders.length)
        qsort(borders.data, borders.length, sizeof *borders.data, compare_borders);
    size_t kept = 0;
    for (size_t i = 0; i < borders.length; i++)
        if (!i || borders.data[i] != borders.data[i - 1])
            borders.data[kept++] = borders.data[i];
    borders.length = kept;
    return borders;
}

static void add_part(hd_replay_recording *to, const hd_replay_recording *r, size_t i,
                     const char *part) {
    heddle_event event = r->run.events.data[i];
    event.flags &= (uint8_t) ~(part ? HEDDLE_HAS_VALUE : 0);
    event.location = 0;
    event.thread = hd_trace_name(&to->run, HEDDLE_CLASS_THREAD, "%s",
                                 hd_trace_thread_name(&r->run.tables, event.thread));
    event.object =
        hd_trace_name(&to->run, (enum heddle_class)hd_trace_kinds[event.kind].class, "%s",
                      part ? part : hd_trace_object_name(&r->run.tables, &r->run.events.data[i]));
    hd_trace_append(&to->run, event);
    hd_vec_push(&to->step_of, r->step_of.data[i]);
}

/* The same run with an event for each granule that an access has. */
static void split_accesses(const hd_replay_recording *r, hd_replay_recording *to) {
    hd_vec_u64 borders = borders_of(r);
    for (size_t i = 0; i < r->run.events.length; i++) {
        uint64_t low = r->low.data[i], high = r->high.data[i];
        if (low >= high)
            add_part(to, r, i, NULL);
        for (size_t k = 0; k < borders.length && borders.data[k] < high; k++) {
            char name[24];
            if (borders.data[k] < low)
                continue;
            snprintf(name, sizeof name, "%llx", (unsigned long long)borders.data[k]);
            add_part(to, r, i, name);
        }
    }
    hd_vec_release(&borders);
}

/* The latest access that does not happen before the last step; 0: all of them do. */
static uint32_t find_unordered(const hd_trace *run, uint32_t last) {
    hd_witness witness;
    uint32_t found = 0;
    hd_witness_init(&witness);
    for (uint32_t n = 1; n < last; n++)
        hd_vec_push(&witness.schedule, n);
    hd_witness_checker *checker = hd_witness_checker_create(run);
    for (uint32_t n = last - 1; n >= 1 && !found; n--) {
        witness.claim =
            (hd_witness_claim){.kind = HD_WITNESS_UNORDERED, .first = n, .second = last};
        if (hd_witness_checker_run(checker, &witness, NULL, NULL))
            found = n;
    }
    hd_witness_checker_free(checker);
    hd_witness_release(&witness);
    return found;
}

/* The events of the last step, of which one is the access. */
static void judge_last(const hd_replay_recording *r, const hd_vec_u32 *positions,
                       hd_replay_outcome *outcome) {
    uint32_t length = hd_trace_length(&r->run);
    for (uint32_t last = length; last >= 1 && r->step_of.data[last - 1] == outcome->steps; last--) {
        uint32_t first = find_unordered(&r->run, last);
        if (!first)
            continue;
        outcome->unordered = true;
        outcome->earlier = r->step_of.data[first - 1];
        outcome->first = positions->data[outcome->earlier - 1];
        outcome->second = positions->data[outcome->steps - 1];
        return;
    }
}

void hd_replay_recording_judge(hd_replay_recording *r, hd_replay_outcome *outcome) {
    uint32_t length = hd_trace_length(&r->run);
    hd_replay_recording parts;
    hd_error error = {""};
    if (outcome->failed || outcome->stopped)
        return;
    assert(r->positions.length == outcome->steps && r->step_of.length == length);
    if (!length || r->step_of.data[length - 1] != outcome->steps)
        return;
    hd_replay_recording_init(&parts);
    split_accesses(r, &parts);
    if (hd_trace_check_all(&parts.run, &error))
        judge_last(&parts, &r->positions, outcome);
    hd_replay_recording_release(&parts);
}

static int note_step(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    hd_replay_recording_before(context, machine, number, step);
    return 0;
}

static int record_step(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)step;
    hd_replay_recording_after(context, machine, number);
    return 0;
}

bool hd_replay_run_unordered(hd_machine *machine, const hd_steps *schedule,
                             hd_replay_outcome *outcome, hd_error *error) {
    hd_replay_recording recording;
    hd_replay_recording_init(&recording);
    hd_replay_watch watch = {note_step, record_step, &recording};
    bool good = hd_replay_run(machine, schedule, &watch, outcome, error);
    if (good)
        hd_replay_recording_judge(&recording, outcome);
    hd_replay_recording_release(&recording);
    return good;
}
