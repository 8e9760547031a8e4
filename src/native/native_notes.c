#include "native_notes.h"

#include <string.h>

#include "native_program.h"

static void print_place(hd_native_program *m, uint64_t code, hd_vec_char *to) {
    hd_vec_char line = {0};
    hd_native_program_need_symbols(m);
    if (code && hd_symbols_line(m->symbols, code, &line))
        hd_text_append(to, " (%s)", line.data);
    hd_vec_release(&line);
}

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

static void add_note(hd_native_program *m, const heddle_wire_note *note, hd_verdict *verdict) {
    static const struct {
        const char *code, *before, *after;
    } words[] = {
        [HEDDLE_WIRE_NOTED_MISUSE] = {"misuse", "", ""},
        [HEDDLE_WIRE_NOTED_REFUSED] = {"unlock", "unlock of ", ", refused: it is not held"},
        [HEDDLE_WIRE_NOTED_HOLDING] = {"held-at-end", "", " is still held when its thread ends"},
        [HEDDLE_WIRE_NOTED_UNJOINED] = {"thread-leak", "",
                                        "a thread ended, and was neither joined nor detached"},
        [HEDDLE_WIRE_NOTED_RUNNING] = {"thread-runs", "",
                                       "a thread ran on, or could, when the program ended"},
        [HEDDLE_WIRE_NOTED_HANDLER] = {"handler", "a signal handler calls ",
                                       ", which is not async-signal-safe"},
        [HEDDLE_WIRE_NOTED_HOLDS] = {"holds", "",
                                     "more locks were held at once than are kept: of some it is "
                                     "not known who holds them"},
        [HEDDLE_WIRE_NOTED_UNWRITTEN] = {"unwritten",
                                         "read of memory that nothing has written: ", ""},
        [HEDDLE_WIRE_NOTED_DESCRIPTORS] = {"descriptors", "",
                                           "there were more descriptors of files than are looked "
                                           "at: races on some are not found"},
    };
    hd_vec_char text = {0};
    if (note->kind >= sizeof words / sizeof *words || may_be_written(note, verdict))
        return;
    hd_text_append(&text, "%s%.*s", words[note->kind].before, (int)sizeof note->text, note->text);
    if (note->kind == HEDDLE_WIRE_NOTED_UNWRITTEN) {
        hd_vec_char line = {0};
        hd_native_program_need_symbols(m);
        if (hd_symbols_line(m->symbols, note->object, &line))
            hd_text_append(&text, ", allocated at %s", line.data);
        hd_vec_release(&line);
    } else if (note->object) {
        if (note->kind == HEDDLE_WIRE_NOTED_MISUSE)
            hd_text_append(&text, ": ");
        hd_native_program_object(m, note->object, true, &text);
    }
    hd_text_append(&text, "%s", words[note->kind].after);
    print_place(m, note->code, &text);
    hd_verdict_note(verdict, words[note->kind].code, "%s", text.data);
    hd_vec_release(&text);
}

void hd_native_machine_notes(hd_machine *machine, hd_verdict *verdict) {
    hd_native_program *m = hd_native_program_of(machine);
    const heddle_wire *wire = m->server.run.wire;
    for (uint32_t i = 0; i < wire->notes && i < HEDDLE_WIRE_NOTES; i++)
        add_note(m, &wire->note[i], verdict);
    for (size_t i = 0; i < m->unseen->notes.length; i++)
        add_note(m, &m->unseen->notes.data[i], verdict);
    if (wire->notes_lost || m->unseen->notes_lost)
        hd_verdict_note(verdict, "notes", "there were more than %d notes: some are not listed",
                        HEDDLE_WIRE_NOTES);
}
