/*
 * Stacks and outcomes of a program's runs.
 */
#include <stdlib.h>
#include <string.h>

#include "native_program.h"

void hd_native_machine_outcome(const hd_machine *machine, hd_native_outcome *outcome) {
    const hd_launch_log *log = hd_native_program_const(machine)->log;
    *outcome = (hd_native_outcome){0};
    if (!log)
        return; /* nothing was run */
    *outcome = (hd_native_outcome){.status = log->status,
                                   .wrote = log->wrote,
                                   .sum = log->sum,
                                   .output = log->output.data,
                                   .shown = log->output.length,
                                   .marks = log->marks.data,
                                   .marked = log->marks.length,
                                   .inputs = log->inputs.data,
                                   .asked = log->inputs.length,
                                   .unsaid = log->unsaid};
}

bool hd_native_machine_hung(const hd_machine *machine) {
    const hd_launch_log *log = hd_native_program_const(machine)->log;
    return log && log->end == HD_LAUNCH_HUNG && !log->beyond;
}

void hd_native_machine_until(hd_machine *machine, double until) {
    hd_native_program *m = hd_native_program_of(machine);
    m->options.until = m->server.until = until;
}

/* Callers of main or of a thread's start function are not part of the program. */
static bool is_outside(hd_native_program *m, uint64_t code) {
    hd_vec_char line = {0};
    bool known = hd_symbols_line(m->symbols, code, &line);
    hd_vec_release(&line);
    return !known;
}

/* Takes a text of symbols, which is NUL-terminated; NULL if it is empty. */
static char *take_text(bool known, hd_vec_char *text) {
    if (known && text->length)
        return text->data;
    hd_vec_release(text);
    return NULL;
}

static hd_native_frame frame_of(hd_native_program *m, uint64_t code) {
    hd_vec_char function = {0}, place = {0};
    bool named = hd_symbols_function(m->symbols, code, &function);
    bool placed = hd_symbols_line(m->symbols, code, &place);
    if (!named) {
        hd_vec_clear(&function);
        hd_text_append(&function, "0x%llx", (unsigned long long)code);
    }
    return (hd_native_frame){take_text(true, &function), take_text(placed, &place)};
}

static void add_frames(hd_native_program *m, const heddle_wire_stack *stack,
                       hd_native_frames *frames) {
    uint32_t count = stack->frames;
    while (count && is_outside(m, stack->code[count - 1]))
        count--;
    for (uint32_t k = 0; k < count; k++)
        hd_vec_push(&frames->all, frame_of(m, stack->code[k]));
    frames->more |= stack->frames == HEDDLE_WIRE_FRAMES;
}

void hd_native_program_look(hd_native_program *m, uint32_t *wanted) {
    hd_launch_log again = {0};
    bool by_fork = m->server.by_fork;
    uint32_t wishes = m->server.wishes;
    *wanted = 1;
    m->server.by_fork = true;
    m->server.wishes = 0;
    hd_native_server_run(&m->server, m->path.data, m->path.length, 0, &again);
    m->server.wishes = wishes;
    m->server.by_fork = by_fork;
    *wanted = 0;
    hd_launch_log_release(&again);
}

void hd_native_machine_frames(hd_machine *machine, uint32_t thread, hd_native_frames *frames) {
    hd_native_program *m = hd_native_program_of(machine);
    heddle_wire_explore *explore = m->server.explore;
    if (hd_native_program_broken(m))
        return;
    hd_native_program_need_symbols(m);
    hd_native_program_look(m, &explore->stacks);
    for (uint32_t i = 0; i < explore->stacked && i < HEDDLE_WIRE_EXPLORED; i++)
        if (explore->stack[i].thread == thread)
            add_frames(m, &explore->stack[i], frames);
}

/* A thread that fails keeps its own stack, and no other does. */
uint32_t hd_native_fallen_thread(hd_machine *machine) {
    hd_native_program *m = hd_native_program_of(machine);
    const heddle_wire_explore *explore = m->server.explore;
    if (!hd_native_program_broken(m)) {
        hd_native_program_look(m, &m->server.explore->stacks);
        if (explore->stacked == 1 && explore->stack[0].thread < m->server.run.wire->threads)
            return explore->stack[0].thread;
    }
    return hd_native_failed_thread(machine);
}

void hd_native_frames_release(hd_native_frames *frames) {
    for (size_t i = 0; i < frames->all.length; i++) {
        free(frames->all.data[i].function);
        free(frames->all.data[i].place);
    }
    hd_vec_release(&frames->all);
}

/* The innermost place in the program that the last run reported. */
static void print_last_place(hd_native_program *m, hd_vec_char *to) {
    const heddle_wire_explore *explore = m->server.explore;
    hd_native_program_need_symbols(m);
    if (!explore->stacked || explore->stack[0].frames > HEDDLE_WIRE_FRAMES)
        return;
    for (uint32_t i = 0; i < explore->stack[0].frames; i++) {
        hd_native_frame frame = frame_of(m, explore->stack[0].code[i]);
        if (frame.place)
            hd_text_append(to, " at %s (%s)", frame.function, frame.place);
        bool found = frame.place != NULL;
        free(frame.function);
        free(frame.place);
        if (found)
            return;
    }
}

void hd_native_machine_hang(hd_machine *machine, hd_vec_char *to) {
    hd_native_program *m = hd_native_program_of(machine);
    hd_text_append(to, "%s",
                   hd_native_program_thread_name(machine, hd_native_failed_thread(machine)));
    if (!m->log)
        return;
    if (m->log->beyond) {
        hd_text_append(to, " creates a thread where there were %d: more are not explored",
                       HEDDLE_WIRE_EXPLORED);
        return;
    }
    if (m->log->run == m->server.runs)
        print_last_place(m, to);
    if (m->server.outside)
        hd_text_append(to, " was killed by signal 9, which the program did not send: perhaps there "
                           "was no memory left");
    else if (m->server.stopped)
        hd_text_append(to, " stopped the whole program, as SIGSTOP does");
    else if (m->server.blocked)
        hd_text_append(to, " is blocked inside the C library");
    else
        hd_text_append(to, " takes no step for %g seconds", m->server.patience);
}

/* Names of files and functions may have any bytes. */
static void add_clean(const char *text, hd_vec_char *to) {
    enum { LONGEST = 4 }; /* of a byte: \xNN */
    size_t size = LONGEST * strlen(text) + 1;
    char *clean = HD_NEW_ARRAY(char, size);
    hd_text_printable(clean, size, text, strlen(text));
    hd_text_append_text(to, clean);
    free(clean);
}

static void print_frame(const hd_native_frame *frame, const char *indent, hd_vec_char *to) {
    hd_text_append(to, "%sat ", indent);
    add_clean(frame->function, to);
    hd_text_append_text(to, " (");
    add_clean(frame->place ? frame->place : "?", to);
    hd_text_append_text(to, ")\n");
}

void hd_native_machine_stack(hd_machine *machine, uint32_t thread, const char *indent,
                             hd_vec_char *to) {
    hd_native_frames frames = {0};
    hd_native_machine_frames(machine, thread, &frames);
    HD_VEC(const char *) places = {0};
    for (size_t i = 0; i < frames.all.length; i++)
        hd_vec_push(&places, frames.all.data[i].place);
    for (size_t i = 0, folded; i < frames.all.length; i += folded ? folded : 1) {
        folded = hd_trace_fold(places.data, places.length, i);
        if (folded)
            hd_text_append(to, "%s... %zu calls inside of libraries\n", indent, folded);
        else
            print_frame(&frames.all.data[i], indent, to);
    }
    hd_vec_release(&places);
    if (frames.more)
        hd_text_append(to, "%sand more below\n", indent);
    hd_native_frames_release(&frames);
}
