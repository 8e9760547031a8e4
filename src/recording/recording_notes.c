#include "recording_notes.h"

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
    [HEDDLE_WIRE_NOTED_UNWRITTEN] = {"unwritten", "read of memory that nothing has written: ", ""},
    [HEDDLE_WIRE_NOTED_DESCRIPTORS] = {"descriptors", "",
                                       "there were more descriptors of files than are looked at: "
                                       "races on some are not found"},
    [HEDDLE_WIRE_NOTED_ERRNO] = {"handler", "",
                                 "a signal handler changes errno for what it interrupts"},
};

static void print_line(hd_symbols *symbols, uint64_t code, const char *before, const char *after,
                       hd_vec_char *to) {
    hd_vec_char line = {0};
    if (code && hd_symbols_line(symbols, code, &line))
        hd_text_append(to, "%s%s%s", before, line.data, after);
    hd_vec_release(&line);
}

const char *hd_recording_note(const heddle_wire_note *note, hd_symbols *symbols,
                              hd_recording_object *object, void *context, hd_vec_char *to) {
    if (note->kind >= sizeof words / sizeof *words)
        return NULL;
    hd_text_append(to, "%s%.*s", words[note->kind].before, (int)sizeof note->text, note->text);
    if (note->kind == HEDDLE_WIRE_NOTED_UNWRITTEN)
        print_line(symbols, note->object, ", allocated at ", "", to);
    else if (note->object) {
        if (note->kind == HEDDLE_WIRE_NOTED_MISUSE)
            hd_text_append(to, ": ");
        object(context, note->object, to);
    }
    hd_text_append(to, "%s", words[note->kind].after);
    print_line(symbols, note->code, " (", ")", to);
    return words[note->kind].code;
}

const char *hd_recording_unkept(uint32_t kind) {
    if (kind == HEDDLE_WIRE_UNKEPT_FREED)
        return "whether memory is used after it was freed, or outside of blocks, was not looked "
               "at: the program's limit on address space (ulimit -v) leaves no room for that";
    if (kind == HEDDLE_WIRE_UNKEPT_WRITTEN)
        return "whether memory is read that nothing has written was not looked at: the program's "
               "limit on address space (ulimit -v) leaves no room for that";
    return "misuse, annotations, or races on descriptors, libraries and handles of threads were "
           "not looked at: the program's limit on address space (ulimit -v) leaves no room for "
           "that";
}

void hd_recording_notes_lost(hd_vec_char *to) {
    hd_text_append(to, "there were more than %d notes: some are not listed", HEDDLE_WIRE_NOTES);
}
