/*
 * Are the last step and an earlier one accesses that nothing orders?
 *
 * The machine says what its steps did as events of a trace, and the checker of witnesses, which
 * knows nothing of machines, decides about each pair.
 */
#include "replay.h"

#include <string.h>

typedef struct recording {
    hd_trace run;
    hd_vec_u32 step_of;   /* [event - 1]: number of its step */
    hd_vec_u32 positions; /* [step - 1]: where it is in the program */
} recording;

static int note_position(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    recording *r = context;
    hd_machine_operation operation = {0};
    assert(number == r->positions.length + 1);
    (void)number;
    machine->type->next(machine, step->thread, &operation);
    hd_vec_push(&r->positions, operation.position);
    return 0;
}

static int record_step(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    recording *r = context;
    (void)step;
    if (machine->type->record)
        machine->type->record(machine, &r->run);
    while (r->step_of.length < r->run.events.length)
        hd_vec_push(&r->step_of, (uint32_t)number);
    return 0;
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

static void look_for_unordered(recording *r, hd_replay_outcome *outcome) {
    uint32_t length = hd_trace_length(&r->run);
    hd_error error = {""};
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

bool hd_replay_run_unordered(hd_machine *machine, const hd_steps *schedule,
                             hd_replay_outcome *outcome, hd_error *error) {
    recording r = {0};
    hd_trace_init(&r.run);
    hd_replay_watch watch = {note_position, record_step, &r};
    bool good = hd_replay_run(machine, schedule, &watch, outcome, error);
    if (good && !outcome->failed)
        look_for_unordered(&r, outcome);
    hd_vec_release(&r.step_of);
    hd_vec_release(&r.positions);
    hd_trace_release(&r.run);
    return good;
}
