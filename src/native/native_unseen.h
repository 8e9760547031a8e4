/*
 * Code of a program that is explored that nobody looks into: functions of modules without
 * instrumentation, which instrumented code calls (rt_foreign.h), and objects without it that were
 * linked into a module that has it.  The first are steps on their state.  Of the second nothing
 * is seen, neither what they do nor when they are called; they are found by what the compiler
 * left in the file: of each compilation unit how it was compiled, or that there is a function of
 * which no unit tells.
 */
#ifndef HD_NATIVE_UNSEEN_H
#define HD_NATIVE_UNSEEN_H

#include <elfutils/libdw.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/base.h"
#include "heddle/wire.h"
#include "verdict/verdict.h"

/* A function that was called. */
typedef struct hd_native_callee {
    char *module; /* name of its file */
    char *name;
    enum heddle_wire_known known;
    uint64_t calls;
    bool lost; /* it was given memory, and what it does there is not known */
} hd_native_callee;

/* A compilation unit, or what has none of a module. */
typedef struct hd_native_blind {
    char *name;               /* of its source, or of the module */
    HD_VEC(char *) functions; /* none: there is no debug information that would tell */
} hd_native_blind;

typedef HD_VEC(char *) hd_native_names;

typedef struct hd_native_unseen {
    bool by_clang; /* some of the program was compiled by clang */
    pthread_mutex_t lock;
    uint32_t modules; /* that were looked at */
    bool more;        /* functions that found no place */
    HD_VEC(hd_native_callee) callees;
    HD_VEC(hd_native_blind) blind;
    hd_native_names structures; /* functions that pass structures which are not announced */
    hd_native_names functions;  /* with assembly, or kept from instrumentation */
    hd_native_names sizes;      /* types that are accessed in sizes which are not */
} hd_native_unseen;

void hd_native_unseen_init(hd_native_unseen *unseen);
void hd_native_unseen_release(hd_native_unseen *unseen);

/* Looks at the modules that were loaded since it was called last. */
void hd_native_unseen_scan(hd_native_unseen *unseen, const heddle_wire *wire);

/* Looks at a unit that is instrumented for accesses that are not announced; `made` says by which
 * compiler, with what options (native_unseen_values.c). */
void hd_native_unseen_values(hd_native_unseen *unseen, Dwarf_Die *die, const char *made, bool x86);

/* Adds what was called; by several threads, if they like. */
void hd_native_unseen_add(hd_native_unseen *unseen, const heddle_wire *wire);

/* Adds what another has. */
void hd_native_unseen_join(hd_native_unseen *unseen, const hd_native_unseen *other);

/* What an answer rests on: an assumption a module, and one for each blind spot. */
void hd_native_unseen_rests(const hd_native_unseen *unseen, hd_verdict *verdict);

#endif
