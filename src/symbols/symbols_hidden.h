/*
 * Code of a program whose accesses to memory are not announced, by what the compiler left in the
 * file of a module: compilation units that were built without instrumentation, functions that
 * belong to no unit, and functions with inline assembly and the like, which `heddle cc` lists.
 * Modules without any instrumentation, such as most libraries, have nothing here, but an executable
 * of this kind does: it is not called by others, and all of it is hidden.
 */
#ifndef HD_SYMBOLS_HIDDEN_H
#define HD_SYMBOLS_HIDDEN_H

#include <elfutils/libdw.h>

#include "base/base.h"

/* What is told of a file; `context` comes first. */
typedef struct hd_symbols_hidden {
    void *context;
    /* A unit that has code; `made` is the compiler with its options, NULL if it does not say. */
    void (*unit)(void *context, Dwarf_Die *unit, const char *made, bool instrumented, bool x86);
    /* It has no debugging information. */
    void (*mute)(void *context, const char *module, bool instrumented);
    void (*loose)(void *context, const char *module, const char *function); /* of no unit */
    /* It has instrumented functions without debugging information; may be NULL. */
    void (*bare)(void *context, const char *module);
    void (*function)(void *context, const char *text, size_t length); /* "NAME FILE:LINE" */
    bool all; /* of modules without any instrumentation, too: their units, or that they are mute */
} hd_symbols_hidden;

/* Does the unit's compiler instrument accesses? */
bool hd_symbols_is_instrumented(const char *made);

/* A file that cannot be read tells nothing, unless it is the system's. */
void hd_symbols_hidden_find(const char *path, const hd_symbols_hidden *to);

/* The same in words, each once, as a recording has them (doc/format.md): "NAME FILE:LINE" for a
 * function, "* FILE" for a unit or the functions of no unit, "? FILE" for a module that does not
 * tell. */
void hd_symbols_hidden_words(const char *path, hd_names *words);

#endif
