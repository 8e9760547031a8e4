/*
 * Code of an explored program that is not seen: functions of uninstrumented modules, which
 * instrumented code calls (rt_foreign.h), and uninstrumented objects that were linked into an
 * instrumented module.  Calls of the first are steps on their state.  Nothing is seen of the
 * second, neither what they do nor when they are called; they are found by what the compiler left
 * in the file: how each compilation unit was compiled, or a function that belongs to no unit.
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

/* An uninstrumented compilation unit, or the functions of a module that belong to none. */
typedef struct hd_native_blind {
    char *name;               /* of its source, or of the module */
    HD_VEC(char *) functions; /* empty: there is no debug information that would say */
} hd_native_blind;

typedef HD_VEC(char *) hd_native_names;

typedef struct hd_native_unseen {
    bool by_clang; /* some of the program was compiled by clang */
    pthread_mutex_t lock;
    uint32_t modules; /* that were scanned */
    bool more;        /* there are functions that did not fit */
    HD_VEC(hd_native_callee) callees;
    HD_VEC(hd_native_blind) blind;
    hd_native_names structures; /* functions that pass structures which are not announced */
    hd_native_names functions;  /* with assembly, or kept from instrumentation */
    hd_native_names sizes;      /* types that are accessed in sizes which are not */
    HD_VEC(heddle_wire_note) notes;
    bool notes_lost;
} hd_native_unseen;

void hd_native_unseen_init(hd_native_unseen *unseen);
void hd_native_unseen_release(hd_native_unseen *unseen);

/* Scans the modules that were loaded since the last call. */
void hd_native_unseen_scan(hd_native_unseen *unseen, const heddle_wire *wire);

/* Scans an instrumented unit for accesses that are not announced; `made` is the compiler and its
 * options (native_unseen_values.c). */
void hd_native_unseen_values(hd_native_unseen *unseen, Dwarf_Die *die, const char *made, bool x86);

/* Adds the functions that were called; several threads may do so at once. */
void hd_native_unseen_add(hd_native_unseen *unseen, const heddle_wire *wire);

/* Adds what another has. */
void hd_native_unseen_join(hd_native_unseen *unseen, const hd_native_unseen *other);

/* What an answer rests on: an assumption per module, and one for each blind spot. */
void hd_native_unseen_rests(const hd_native_unseen *unseen, hd_verdict *verdict);

#endif
