/*
 * Functions of which it is not known what they did to the program's memory: an answer names them,
 * and does not rest on them firmly.
 */
#include "rt_foreign.h"
#include "rt_foreign_steps.h"
#include "rt_string.h"

static bool is_same(const char *name, const char *other) {
    size_t length = hd_rt_length(name, HEDDLE_WIRE_CALLEE - 1);
    return hd_rt_starts(other, name, length) && !other[length];
}

static void note_lost(const char *name, uint32_t module) {
    heddle_wire *wire = hd_rt.wire;
    uint32_t count = __atomic_load_n(&wire->unseen, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < count; i++)
        if (i == HEDDLE_WIRE_UNSEEN ||
            (wire->unseen_call[i].module == module && is_same(name, wire->unseen_call[i].name)))
            return;
    uint32_t at = __atomic_fetch_add(&wire->unseen, 1, __ATOMIC_RELAXED);
    if (at >= HEDDLE_WIRE_UNSEEN)
        return;
    wire->unseen_call[at].module = module;
    hd_rt_text(wire->unseen_call[at].name, HEDDLE_WIRE_CALLEE, name);
}

/* What is done before there are other threads is before all that they do. */
static bool has_threads(void) {
    return hd_rt.wire->threads > 1;
}

void hd_rt_foreign_lost(const char *name) {
    if (!hd_rt.exploring) {
        if (has_threads())
            note_lost(name, hd_rt_got_libc());
        return;
    }
    if (!hd_rt_foreign_used())
        return;
    heddle_wire_callee *callee = &hd_rt.wire->callee[hd_rt_foreign_own(name)];
    callee->calls++;
    callee->lost = 1;
}

void hd_rt_foreign_unknown(uint32_t number) {
    heddle_wire_callee *callee = &hd_rt.wire->callee[number];
    if (callee->lost || !has_threads())
        return;
    callee->lost = 1;
    note_lost(callee->name, callee->module);
}

void hd_rt_foreign_record(void) {
    hd_rt_foreign_on = 1;
}
