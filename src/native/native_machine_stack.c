/*
 * Stacks and outcomes of a program's runs.
 */
#include "native_program.h"

void hd_native_machine_outcome(const hd_machine *machine, hd_native_outcome *outcome) {
    const hd_native_log *log = hd_native_program_const(machine)->log;
    *outcome = (hd_native_outcome){.status = log->status,
                                   .wrote = log->wrote,
                                   .sum = log->sum,
                                   .output = log->output.data,
                                   .shown = log->output.length};
}

static void print_frame(hd_native_program *m, uint64_t code, const char *indent, hd_vec_char *to) {
    hd_native_print(to, "%sat ", indent);
    if (!hd_native_symbols_function(m->symbols, code, to))
        hd_native_print(to, "0x%llx", (unsigned long long)code);
    hd_native_print(to, " (");
    if (!hd_native_symbols_line(m->symbols, code, to))
        hd_native_print(to, "?");
    hd_native_print(to, ")\n");
}

/* Frames below main, or below the start of a thread, are not the program's. */
static bool is_outside(hd_native_program *m, uint64_t code) {
    hd_vec_char line = {0};
    bool known = hd_native_symbols_line(m->symbols, code, &line);
    hd_vec_release(&line);
    return !known;
}

void hd_native_machine_stack(hd_machine *machine, uint32_t thread, const char *indent,
                             hd_vec_char *to) {
    hd_native_program *m = hd_native_program_of(machine);
    heddle_wire_explore *explore = m->server.explore;
    hd_native_log again = {0};
    if (hd_native_program_broken(m))
        return;
    hd_native_program_need_symbols(m);
    bool by_fork = m->server.by_fork;
    explore->stacks = 1;
    m->server.by_fork = true;
    hd_native_server_run(&m->server, m->path.data, m->path.length, 0, &again);
    m->server.by_fork = by_fork;
    explore->stacks = 0;
    hd_native_log_release(&again);
    for (uint32_t i = 0; i < explore->stacked && i < HEDDLE_WIRE_EXPLORED; i++) {
        const heddle_wire_stack *stack = &explore->stack[i];
        if (stack->thread != thread)
            continue;
        uint32_t frames = stack->frames;
        while (frames && is_outside(m, stack->code[frames - 1]))
            frames--;
        for (uint32_t k = 0; k < frames; k++)
            print_frame(m, stack->code[k], indent, to);
        if (stack->frames == HEDDLE_WIRE_FRAMES)
            hd_native_print(to, "%sand more below\n", indent);
    }
}
