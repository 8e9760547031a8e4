/*
 * The conventions of SV-COMP (heddle/svcomp.h): atomic sections, assumptions, inputs, errors.
 *
 * An atomic section is one step: inside it there are no points.  To an explorer it meets
 * every other operation, since what it will access is not known before it is taken.
 *
 * An assumption that does not hold ends the thread's part of the run: it waits for ever, and that
 * is not a deadlock.  In an atomic section no other thread could go on either, so the run ends
 * there; the orders in which the section comes later are other runs, and so the assumption acts as
 * one that waits until it is true.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "rt_explore.h"
#include "rt_real.h"

/* ---- Atomic sections ---- */

static pthread_mutex_t freely = PTHREAD_MUTEX_INITIALIZER; /* where threads are real */
static __thread uint32_t depth;                            /* there too */

HD_RT_EXPORT void __VERIFIER_atomic_begin(void) {
    if (!hd_rt_controlled()) {
        if (!depth++)
            hd_rt_real.pthread_mutex_lock(&freely);
        return;
    }
    if (hd_rt.ended || hd_rt.current->sections++)
        return;
    if (hd_rt.exploring)
        hd_rt_explore->exits |= HEDDLE_WIRE_EXITS;
    hd_rt_point(hd_rt.exploring ? HEDDLE_WIRE_ATOMIC : HEDDLE_WIRE_YIELD, NULL, 0, HD_RT_CODE());
    hd_rt.atomic = true;
}

HD_RT_EXPORT void __VERIFIER_atomic_end(void) {
    if (!hd_rt_controlled()) {
        if (depth && !--depth)
            hd_rt_real.pthread_mutex_unlock(&freely);
        return;
    }
    if (!hd_rt.current->sections || --hd_rt.current->sections)
        return;
    hd_rt_settle();
    hd_rt.atomic = false;
}

/* ---- Errors ---- */

static _Noreturn void fail(const char *what) {
    if (hd_rt.wire && hd_rt.mode != HD_RT_OFF)
        hd_rt_print(hd_rt.wire->message, sizeof hd_rt.wire->message, "%s", what);
    hd_rt_fail();
}

HD_RT_EXPORT void reach_error(void) {
    fail("reach_error was called");
}

HD_RT_EXPORT void __VERIFIER_error(void) {
    fail("__VERIFIER_error was called");
}

HD_RT_EXPORT void __VERIFIER_assert(int condition) {
    if (!condition)
        fail("__VERIFIER_assert does not hold");
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
    if (!hd_rt_controlled() || !hd_rt.wire->sv_comp)
        return;
    if (hd_rt.wire->error && (uintptr_t)function - hd_rt.code == hd_rt.wire->error)
        fail("reach_error was called"); /* the program's own may do nothing */
    if (hd_rt.wire->atomics && is_named(function))
        __VERIFIER_atomic_begin();
}

HD_RT_EXPORT void __cyg_profile_func_exit(void *function, void *caller) {
    (void)caller;
    if (hd_rt_controlled() && hd_rt.wire->atomics && is_named(function))
        __VERIFIER_atomic_end();
}

/* ---- Assumptions ---- */

static void refuse(uintptr_t code) {
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

/* ---- Inputs ---- */

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The same for a thread's n-th input in every schedule; mostly small, as programs branch
 * on these. */
static uint64_t drawn(uint64_t seed, const hd_rt_thread *thread, uint64_t number) {
    uint64_t z = mix(seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)thread->wire->creator * 65537 +
                     thread->wire->birth);
    z = mix(z + number * UINT64_C(0x9e3779b97f4a7c15));
    switch (z & 3) {
    case 0:
        return z >> 8 & 1;
    case 1:
        return z >> 8 & 15;
    case 2:
        return (z >> 8 & 31) - 16;
    default:
        return mix(z);
    }
}

/* Every thread takes the inputs of the list from the first on. */
static uint64_t input(void) {
    if (!hd_rt_controlled())
        return 0;
    const heddle_wire *wire = hd_rt.wire;
    uint32_t number = hd_rt.current->inputs++;
    if (number < wire->inputs)
        return (uint64_t)wire->input[number];
    return wire->input_seed ? drawn(wire->input_seed, hd_rt.current, number) : 0;
}

#define NONDET(type, name)                                                                         \
    HD_RT_EXPORT type __VERIFIER_nondet_##name(void) {                                             \
        return (type)input();                                                                      \
    }

// clang-format off
NONDET(char, char)
NONDET(signed char, schar)
NONDET(unsigned char, uchar)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(int, int)
NONDET(unsigned, uint)
NONDET(unsigned, unsigned)
NONDET(long, long)
NONDET(unsigned long, ulong)
NONDET(long long, longlong)
NONDET(unsigned long long, ulonglong)
NONDET(__int128, int128)
NONDET(unsigned __int128, uint128)
NONDET(size_t, size_t)
NONDET(long long, loff_t)
NONDET(unsigned long, sector_t)
NONDET(unsigned char, u8)
NONDET(unsigned short, u16)
NONDET(unsigned, u32)
NONDET(unsigned long, pthread_t)
NONDET(void *, pointer)
NONDET(float, float)
NONDET(double, double)
// clang-format on

HD_RT_EXPORT _Bool __VERIFIER_nondet_bool(void) {
    return input() & 1;
}
