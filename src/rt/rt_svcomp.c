/*
 * The conventions of SV-COMP (heddle/svcomp.h): atomic sections, assumptions, errors.  Inputs are
 * in rt_choose.c.
 *
 * An atomic section is one step: inside it there are no points.  What it accesses is told
 * (hd_rt_explore_inner), since the explorer cannot know it before the section is taken.  In a
 * record all sections are critical sections of one lock, and their accesses are exempt: analyses of
 * records keep what they read, and no race with them counts.  They hold that lock until they take
 * another one: a section does not begin before it can take that, so that no deadlock comes of it.
 *
 * An assumption that does not hold ends the thread's part of the run: it waits for ever, and that
 * is not a deadlock.  In an atomic section no other thread could go on either, so the run ends
 * there; the orders in which the section comes later are other runs, and so the assumption acts as
 * one that waits until it is true.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "rt_annotate.h"
#include "rt_choose.h"
#include "rt_explore.h"
#include "rt_free.h"
#include "rt_real.h"

/* ---- Atomic sections ---- */

static pthread_mutex_t freely = PTHREAD_MUTEX_INITIALIZER; /* where threads are real */
static __thread uint32_t depth;                            /* there too */

static bool locked; /* by the present section, in the record */

static void lock(bool acquires, uintptr_t code) {
    unsigned kind = acquires ? HEDDLE_OP_ACQUIRE : HEDDLE_OP_RELEASE;
    if (hd_rt.mode == HD_RT_FREE)
        hd_rt_free_record(kind, HEDDLE_WIRE_SECTIONS, code);
    else if (locked != acquires)
        hd_rt_record(kind, HEDDLE_WIRE_SECTIONS, code);
    locked = acquires;
}

/* The section begins, or ends, in the record. */
static void note(bool begins, uintptr_t code) {
    if (hd_rt.exploring || hd_rt.mode == HD_RT_OFF || !hd_rt_self)
        return;
    if (begins)
        lock(true, code);
    hd_rt_annotate_section(begins, code);
    if (!begins)
        lock(false, code);
}

void hd_rt_section_locks(uintptr_t code) {
    if (locked)
        lock(false, code);
}

void hd_rt_section_waits(uintptr_t code) {
    note(false, code);
    hd_rt.atomic = false;
}

/* `place` tells sections apart. */
static void begin(uintptr_t place, uintptr_t code) {
    if (!hd_rt_controlled()) {
        if (!depth++) {
            hd_rt_real.pthread_mutex_lock(&freely);
            note(true, code);
        }
        return;
    }
    if (hd_rt.ended || hd_rt.current->sections++)
        return;
    hd_rt.wire->asked |= HEDDLE_WIRE_ASKED_SECTION;
    hd_rt_chosen chosen = {.place = place};
    if (hd_rt.exploring) {
        hd_rt_explore->exits |= HEDDLE_WIRE_EXITS;
        hd_rt_choose_ahead(&chosen, code);
    }
    if (hd_rt.exploring)
        hd_rt_point_atomic(HEDDLE_WIRE_ATOMIC, 1, 0, NULL, 0, code);
    else
        hd_rt_point(HEDDLE_WIRE_YIELD, NULL, 0, code);
    hd_rt.atomic = true;
    note(true, code);
    hd_rt_choose_begin(&chosen);
}

HD_RT_EXPORT void __VERIFIER_atomic_begin(void) {
    begin(HD_RT_CODE(), HD_RT_CODE());
}

static void end(uintptr_t code) {
    if (!hd_rt_controlled()) {
        if (depth && !--depth) {
            note(false, code);
            hd_rt_real.pthread_mutex_unlock(&freely);
        }
        return;
    }
    if (!hd_rt.current->sections || --hd_rt.current->sections)
        return;
    hd_rt_settle();
    if (hd_rt.atomic)
        note(false, code);
    hd_rt.atomic = false;
}

HD_RT_EXPORT void __VERIFIER_atomic_end(void) {
    end(HD_RT_CODE());
}

/* The same for heddle/test.h, which declares it weak. */
HD_RT_EXPORT void heddle_rt_section(int begins);
void heddle_rt_section(int begins) {
    if (begins)
        begin(HD_RT_CODE(), HD_RT_CODE());
    else
        end(HD_RT_CODE());
}

/* ---- Errors ---- */

/* Is something else asked?  Then the program goes on: its own function does what it says. */
static bool passes(void) {
    return hd_rt_controlled() && hd_rt.wire->sv_comp & HEDDLE_WIRE_SV_PASSES;
}

static void fail(const char *what, uintptr_t code) {
    if (passes())
        return;
    hd_rt_fail_apart(code);
    if (hd_rt.wire && hd_rt.mode != HD_RT_OFF)
        hd_rt_print(hd_rt.wire->message, sizeof hd_rt.wire->message, "%s", what);
    hd_rt_fail();
}

HD_RT_EXPORT void reach_error(void) {
    fail("reach_error was called", HD_RT_CODE());
}

HD_RT_EXPORT void __VERIFIER_error(void) {
    fail("__VERIFIER_error was called", HD_RT_CODE());
}

HD_RT_EXPORT void __VERIFIER_assert(int condition) {
    if (!condition)
        fail("__VERIFIER_assert does not hold", HD_RT_CODE());
}

/* ---- Functions by name ---- */

static bool is_named(const void *function) {
    const heddle_wire *wire = hd_rt.wire;
    uint64_t offset = (uintptr_t)function - hd_rt.code;
    for (uint32_t i = 0; i < wire->atomics; i++)
        if (wire->atomic[i] == offset)
            return true;
    return false;
}

/* gcc and clang call these with -finstrument-functions. */
HD_RT_EXPORT void __cyg_profile_func_enter(void *function, void *caller) {
    (void)caller;
    const heddle_wire *wire = hd_rt.wire;
    if (hd_rt.mode == HD_RT_OFF)
        return;
    uint64_t offset = (uintptr_t)function - hd_rt.code;
    if (wire->sv_comp && offset && offset == wire->error[0])
        fail("reach_error was called", offset + hd_rt.code); /* the program's own may do nothing */
    if (wire->sv_comp && offset && offset == wire->error[1])
        fail("__VERIFIER_error was called", offset + hd_rt.code);
    if (wire->atomics && is_named(function))
        begin((uintptr_t)function, (uintptr_t)function);
}

HD_RT_EXPORT void __cyg_profile_func_exit(void *function, void *caller) {
    (void)caller;
    if (hd_rt.mode != HD_RT_OFF && hd_rt.wire->atomics && is_named(function))
        end((uintptr_t)function);
}

/* ---- Assumptions ---- */

static void refuse(uintptr_t code) {
    if (hd_rt_controlled())
        hd_rt.wire->asked |= HEDDLE_WIRE_ASKED_ASSUME;
    if (!hd_rt.exploring)
        exit(0);
    if (hd_rt.atomic)
        hd_rt_explore_drop();
    hd_rt_point(HEDDLE_WIRE_ASSUME, NULL, 0, code);
}

HD_RT_EXPORT void __VERIFIER_assume(int condition) {
    if (!condition)
        refuse(HD_RT_CODE());
}

HD_RT_EXPORT void assume_abort_if_not(int condition) {
    if (!condition)
        refuse(HD_RT_CODE());
}
