/*
 * What became known of a program while it was run: for the search, which may have to start over,
 * and for the verdict.
 */
#include "native_program.h"

bool hd_native_machine_changed(const hd_machine *machine) {
    return hd_native_program_const(machine)->changed;
}

bool hd_native_machine_settle(hd_machine *machine) {
    hd_native_program *m = hd_native_program_of(machine);
    m->changed |= m->stays_more;
    return m->changed;
}

bool hd_native_machine_widen(hd_machine *machine) {
    heddle_wire_explore *explore = hd_native_program_of(machine)->server.explore;
    bool more = explore->constants > explore->constants_used;
    explore->constants_used = explore->constants;
    explore->renewed += more;
    return more;
}

void hd_native_machine_by_fork(hd_machine *machine) {
    hd_native_program_of(machine)->server.by_fork = true;
}

uint32_t hd_native_machine_backs(const hd_machine *machine) {
    const heddle_wire_explore *explore = hd_native_program_const(machine)->server.explore;
    enum { WAITS = HEDDLE_WIRE_LOOP_PROVED | HEDDLE_WIRE_LOOP_BACKS };
    uint32_t count = 0;
    for (uint32_t i = 0; explore->backs && i < explore->loops && i < HEDDLE_WIRE_LOOPS; i++)
        count += (explore->loop[i].now & (WAITS | HEDDLE_WIRE_LOOP_RESTLESS)) == WAITS;
    return count;
}

bool hd_native_machine_every_round(hd_machine *machine) {
    hd_native_program *m = hd_native_program_of(machine);
    bool used = hd_native_machine_leaves_out(machine);
    m->options.awaits = false;
    m->server.explore->backs = m->server.explore->awaits.loops = 0;
    m->server.explore->stays_wanted = m->server.explore->stays = m->server.explore->stays_used = 0;
    m->changed |= used;
    return used;
}

void hd_native_machine_learn_no_rounds(hd_machine *machine) {
    heddle_wire_explore *explore = hd_native_program_of(machine)->server.explore;
    explore->stays_wanted = 0;
    explore->stays = explore->stays_used;
}

bool hd_native_machine_leaves_out(const hd_machine *machine) {
    const heddle_wire_explore *explore = hd_native_program_const(machine)->server.explore;
    bool rounds = explore->stays_wanted && explore->loops; /* HEDDLE_WIRE_ROUND */
    bool sleeps = explore->awaits.asked && explore->awaits.loops;
    return explore->stays_used > 0 || rounds || sleeps || hd_native_machine_backs(machine) > 0;
}

bool hd_native_machine_mistrust(hd_machine *machine, const char *why) {
    hd_native_program *m = hd_native_program_of(machine);
    if (m->options.by_fork && !m->options.predicts)
        return false;
    hd_native_server_suspect(&m->server, why);
    m->server.wrong = false;
    m->options.by_fork = true;
    m->options.predicts = false;
    m->changed = true;
    return true;
}

const char *hd_native_machine_why_fork(const hd_machine *machine) {
    const hd_native_program *m = hd_native_program_const(machine);
    return m->server.why[0] ? m->server.why : NULL;
}

hd_native_tally hd_native_machine_tally(const hd_machine *machine) {
    const hd_native_program *m = hd_native_program_const(machine);
    hd_native_tally all = m->tally, *others = m->options.tally;
    if (others) {
        all.done += __atomic_load_n(&others->done, __ATOMIC_RELAXED);
        all.predicted += __atomic_load_n(&others->predicted, __ATOMIC_RELAXED);
        all.checked += __atomic_load_n(&others->checked, __ATOMIC_RELAXED);
        all.audited += __atomic_load_n(&others->audited, __ATOMIC_RELAXED);
    }
    all.checked += m->predictor.checked;
    return all;
}

void hd_native_machine_count_in(hd_machine *machine, hd_native_tally *tally) {
    hd_native_program_of(machine)->options.tally = tally;
}

const char *hd_native_machine_suppressions(const hd_machine *machine) {
    const heddle_wire *wire = hd_native_program_const(machine)->server.run.wire;
    return *wire->suppressions ? wire->suppressions : NULL;
}

const char *hd_native_machine_why_done(const hd_machine *machine) {
    return hd_native_program_const(machine)->predictor.wrong;
}

void hd_native_machine_note_unproved(hd_machine *machine, uint32_t pairs) {
    hd_native_program_of(machine)->unproved = pairs;
}

uint32_t hd_native_machine_unproved(const hd_machine *machine) {
    return hd_native_program_const(machine)->unproved;
}

uint32_t hd_native_machine_refused(const hd_machine *machine) {
    return hd_native_program_const(machine)->refused;
}

bool hd_native_machine_monitors(const hd_machine *machine, uint32_t thread) {
    const heddle_wire_explore *explore = hd_native_program_const(machine)->server.explore;
    return thread < explore->threads && explore->name[thread].monitor;
}

uint32_t hd_native_machine_own_threads(const hd_machine *machine) {
    uint32_t own = 0;
    for (uint32_t thread = 0; thread < machine->threads; thread++)
        own += !hd_native_machine_monitors(machine, thread);
    return own;
}

bool hd_native_machine_pruned(const hd_machine *machine) {
    const hd_native_program *m = hd_native_program_const(machine);
    const heddle_wire_step *last = hd_native_program_broken(m) ? NULL : hd_native_program_step(m);
    return last && last->over == HEDDLE_WIRE_OVER_PRUNED;
}

bool hd_native_machine_assumed(const hd_machine *machine) {
    const hd_native_program *m = hd_native_program_const(machine);
    if (m->log && m->log->ending == HEDDLE_WIRE_DEADLOCK &&
        strcmp(m->log->message, HEDDLE_WIRE_RIGHTLY) == 0)
        return true;
    for (uint32_t thread = 0; thread < machine->threads; thread++) {
        const heddle_wire_next *next = hd_native_program_pending(m, thread);
        if (next && next->operation.kind == HEDDLE_WIRE_ASSUME)
            return true;
    }
    return false;
}

bool hd_native_machine_doubt(hd_machine *machine, const char *why) {
    hd_native_program *m = hd_native_program_of(machine);
    if (m->predictor.wrong || !hd_native_machine_tally(machine).predicted)
        return false;
    m->predictor.wrong = why;
    m->changed = true;
    return true;
}

const char *hd_native_machine_broken(const hd_machine *machine) {
    const hd_native_program *m = hd_native_program_const(machine);
    return m->broken.text[0] && !m->base.late ? m->broken.text : NULL;
}

bool hd_native_machine_forgive(hd_machine *machine) {
    hd_native_program *m = hd_native_program_of(machine);
    if (!hd_native_machine_broken(machine))
        return false;
    m->broken.text[0] = '\0';
    m->changed = true;
    return true;
}

void hd_native_program_note_body(hd_native_program *m) {
    const hd_launch_log *log = m->log;
    uint32_t thread;
    heddle_wire_operation taken = hd_native_program_last(m, &thread);
    if (taken.kind != HEDDLE_WIRE_ATOMIC || !taken.orders)
        return;
    size_t number = m->path.length - 1;
    uint32_t from = number ? log->steps.data[number - 1].nexts : 0;
    const heddle_wire_step *step = &log->steps.data[number];
    uint64_t key = hd_native_bodies_key(thread, taken.code);
    m->changed |= hd_native_bodies_note(&m->locations.bodies, key, log->nexts.data + from,
                                        step->nexts - from, step->over);
}

heddle_wire_operation hd_native_program_last(const hd_native_program *m, uint32_t *thread) {
    heddle_wire_operation operation = {.kind = HEDDLE_WIRE_START};
    *thread = 0;
    if (!m->path.length)
        return operation;
    uint32_t before = hd_vec_last(&m->taken)->before;
    *thread = hd_vec_last(&m->path)->thread;
    if (hd_native_program_broken(m))
        return operation; /* there is no log that has it */
    return before ? m->log->nexts.data[before - 1].operation : operation;
}
