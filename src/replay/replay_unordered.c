/*
 * Are the last step and an earlier one accesses that nothing orders?
 *
 * The machine says what its steps did as events of a trace, and the checker of witnesses, which
 * knows nothing of machines, decides about each pair.
 */
#include "replay_recording.h"

void hd_replay_recording_init(hd_replay_recording *recording) {
    *recording = (hd_replay_recording){0};
    hd_trace_init(&recording->run);
}

void hd_replay_recording_release(hd_replay_recording *recording) {
    hd_vec_release(&recording->step_of);
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
    while (recording->step_of.length < recording->run.events.length)
        hd_vec_push(&recording->step_of, (uint32_t)number);
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

void hd_replay_recording_judge(hd_replay_recording *r, hd_replay_outcome *outcome) {
    uint32_t length = hd_trace_length(&r->run);
    hd_error error = {""};
    if (outcome->failed || outcome->stopped)
        return;
    assert(r->positions.length == outcome->steps && r->step_of.length == length);
    if (!length || r->step_of.data[length - 1] != outcome->steps ||
        !hd_trace_check_all(&r->run, &error))
        return;
    /* The events of the last step, of which one is the access. */
    for (uint32_t last = length; last >= 1 && r->step_of.data[last - 1] == outcome->steps; last--) {
        uint32_t first = find_unordered(&r->run, last);
        if (!first)
            continue;
        outcome->unordered = true;
        outcome->earlier = r->step_of.data[first - 1];
        outcome->first = r->positions.data[outcome->earlier - 1];
        outcome->second = r->positions.data[outcome->steps - 1];
        return;
    }
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
