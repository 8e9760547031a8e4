/*
 * Random runs of a program.  The runtime draws the threads, so that a walk is one run and not one
 * for each step that no run has taken before.
 */
#include "native_program.h"

/* A run that has the current path and goes on at random. */
static void make_drawn(hd_native_program *m) {
    m->base.asleep = 0;
    hd_native_program_run(m);
    m->log->used = ++m->uses;
    m->drawn = m->log;
}

void hd_native_program_draw(hd_machine *machine, const hd_machine_drawing *how) {
    static const uint32_t drawings[] = {
        [HD_MACHINE_UNIFORM] = HEDDLE_WIRE_DRAWS_UNIFORMLY,
        [HD_MACHINE_PRIORITIES] = HEDDLE_WIRE_DRAWS_PRIORITIES,
        [HD_MACHINE_ORDERS] = HEDDLE_WIRE_DRAWS_ORDERS,
    };
    hd_native_program *m = hd_native_program_of(machine);
    m->drawn = NULL;
    m->server.manner = (hd_native_manner){0};
    if (!how)
        return;
    m->server.manner = (hd_native_manner){.seed = how->seed,
                                          .drawing = drawings[how->kind],
                                          .depth = how->depth,
                                          .length = how->length};
    if (!hd_native_program_broken(m))
        make_drawn(m);
}

bool hd_native_program_drawn_out(const hd_native_program *m) {
    return m->drawn && m->drawn == m->log && m->log->end == HD_LAUNCH_STUCK &&
           m->path.length == m->log->steps.length;
}

bool hd_native_program_drawn(hd_machine *machine, hd_step *step) {
    hd_native_program *m = hd_native_program_of(machine);
    if (hd_native_program_broken(m))
        return false;
    if (m->log != m->drawn) /* another choice was made */
        make_drawn(m);
    size_t number = m->path.length;
    if (hd_native_program_broken(m) || number >= m->log->steps.length)
        return false;
    uint32_t thread = m->log->steps.data[number].thread;
    const heddle_wire_next *next = hd_native_program_pending(m, thread);
    bool input = next && next->operation.kind == HEDDLE_WIRE_CHOICE;
    *step = (hd_step){thread, input ? m->log->steps.data[number].choice : HD_MACHINE_ANY_CHOICE};
    return true;
}
