#include "native_notes.h"

#include <string.h>

#include "native_program.h"

/* Code that is not seen may have written what seems to be new. */
static bool may_be_written(const heddle_wire_note *note, const hd_verdict *verdict) {
    for (size_t i = 0; note->kind == HEDDLE_WIRE_NOTED_UNWRITTEN && i < verdict->rests_on.length;
         i++) {
        const hd_verdict_basis *basis = verdict->rests_on.data[i];
        if (basis->trust == HD_VERDICT_SHAKY &&
            (strcmp(basis->code, "unseen-code") == 0 || strcmp(basis->code, "unseen-access") == 0))
            return true;
    }
    return false;
}

static void print_object(void *context, uint64_t address, hd_vec_char *to) {
    hd_native_program_object(context, address, true, to);
}

static void add_note(hd_native_program *m, const heddle_wire_note *note, hd_verdict *verdict) {
    hd_vec_char text = {0};
    if (may_be_written(note, verdict))
        return;
    hd_native_program_need_symbols(m);
    const char *code = hd_recording_note(note, m->symbols, print_object, m, &text);
    if (code)
        hd_verdict_note(verdict, code, "%s", text.data);
    hd_vec_release(&text);
}

/* What the command line gives is for inputs that the program asks for in one way. */
static void note_inputs(const heddle_wire *wire, hd_verdict *verdict) {
    bool given = wire->inputs || wire->anys;
    if ((given || wire->input_seed) && !hd_verdict_find(verdict, "inputs", "asked"))
        hd_verdict_note(verdict, "inputs",
                        "%s changed nothing: no run called __VERIFIER_nondet_...",
                        given ? "--inputs" : "--input-seed");
}

void hd_native_machine_notes(hd_machine *machine, hd_verdict *verdict) {
    hd_native_program *m = hd_native_program_of(machine);
    const heddle_wire *wire = m->server.run.wire;
    note_inputs(wire, verdict);
    if (wire->unkept & HEDDLE_WIRE_UNKEPT_WRITTEN) /* what it shows are notes */
        hd_verdict_note(verdict, HD_RECORDING_UNKEPT, "%s",
                        hd_recording_unkept(HEDDLE_WIRE_UNKEPT_WRITTEN));
    for (uint32_t i = 0; i < wire->notes && i < HEDDLE_WIRE_NOTES; i++)
        add_note(m, &wire->note[i], verdict);
    for (size_t i = 0; i < m->unseen->notes.length; i++)
        add_note(m, &m->unseen->notes.data[i], verdict);
    if (wire->notes_lost || m->unseen->notes_lost) {
        hd_vec_char text = {0};
        hd_recording_notes_lost(&text);
        hd_verdict_note(verdict, HD_RECORDING_NOTES_LOST, "%s", text.data);
        hd_vec_release(&text);
    }
}
