/*
 * Functions whose accesses the compiler does not announce though their file is instrumented: those
 * with inline assembly, and those with the attribute no_sanitize.  `heddle cc` runs the
 * preprocessor first and looks for them in what it says; the names go into a section of the object
 * (rt_builtins.h), where `heddle explore` finds them.
 */
#ifndef HD_LAUNCH_BLIND_H
#define HD_LAUNCH_BLIND_H

#include "base/base.h"

/* The section, and the macro that makes it. */
#define HD_LAUNCH_BLIND_SECTION ".heddle.unseen"
#define HD_LAUNCH_BLIND_MACRO "HEDDLE_UNSEEN"

/* Adds a line for each such function in a preprocessed text, "NAME FILE:LINE"; NAME is ? if it has
 * none.  Assembly that uses no memory, as a barrier or `nop`, does not count. */
void hd_launch_blind_find(const char *text, size_t length, hd_vec_char *lines);

/* Functions of SV-COMP that a source defines or uses (heddle/svcomp.h). */
typedef struct hd_launch_named {
    bool defines; /* a function __VERIFIER_atomic_..., or one that is an error to reach */
    bool inputs;  /* __VERIFIER_nondet_... is there */
} hd_launch_named;

/* The same, of the sources that the command compiles, and what they name; nothing if it does not
 * compile. */
void hd_launch_blind_ask(char *const *words, hd_vec_char *lines, hd_launch_named *named);

/* For tests: what a preprocessed text names. */
hd_launch_named hd_launch_named_in(const char *text, size_t length);

#endif
