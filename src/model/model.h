/*
 * model: small concurrent programs in a language of their own (.hdm files,
 * doc/model.md), as machines that run one step at a time.  Algorithms that
 * explore schedules are studied and tested on them: every statement and every
 * condition is one atomic transition, and what it accesses is known before it
 * is taken.
 *
 *     hd_model_error error;
 *     hd_machine *machine = hd_model_load("ring.hdm", defines, count, &error);
 *     if (!machine) ...                hd_model_error_format(&error, "ring.hdm", &text)
 *     machine->type->next(machine, 0, &operation) ...            see machine/machine.h
 *     machine->type->free(machine);
 *
 * A step can be undone; nothing is allocated once the longest run was seen. The functions below
 * that take a machine require one made by this room.
 */
#ifndef HD_MODEL_H
#define HD_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"

/* Limits; what exceeds one is an error with its place.  Random texts reach them often, and what a
 * fuzzer is to find is found as well at lower ones, hundreds of times as fast. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define HD_MODEL_LIMIT(usual, fuzzed) (fuzzed)
#else
#define HD_MODEL_LIMIT(usual, fuzzed) (usual)
#endif
enum {
    HD_MODEL_MAX_THREADS = HD_MODEL_LIMIT(65536, 256),
    /* Variables, locks and locals together; and the code of all threads. */
    HD_MODEL_MAX_CELLS = HD_MODEL_LIMIT(1 << 24, 1 << 14),
    HD_MODEL_MAX_INSTRUCTIONS = HD_MODEL_LIMIT(1 << 24, 1 << 14),
    HD_MODEL_MAX_TEXT = 1 << 24, /* bytes of a file */
    /* Without a shared access, or in one atomic block. */
    HD_MODEL_MAX_LOCAL_STEPS = HD_MODEL_LIMIT(1 << 20, 1 << 8),
    HD_MODEL_MAX_CHOICES = 1 << 16, /* of a choose */
    HD_MODEL_MAX_AHEAD = 1 << 16    /* operations in a list of hd_machine_type.ahead */
};

/* -D NAME=VALUE: another value for a parameter.  The name ends at a '=' or NUL. */
typedef struct hd_model_define {
    const char *name;
    int64_t value;
} hd_model_define;

/* Parses the text after -D.  The define points into it. */
bool hd_model_define_parse(hd_model_define *define, const char *text, hd_error *error);

/* What is wrong with a model, and where.  Line 0: nowhere in its text. */
typedef struct hd_model_error {
    uint32_t line, column; /* from 1 */
    char text[512];        /* one line without a full stop */
    char source[160];      /* the part of the source line around the column */
    uint32_t caret;        /* the column's place in it */
} hd_model_error;

/* "path:3:7: text", and below it the source line and a caret line. */
void hd_model_error_format(const hd_model_error *error, const char *path, hd_vec_char *to);

/* A model from a file ("-": standard input) or from memory, where `name` is the file's name in
 * messages.  NULL on an error. */
hd_machine *hd_model_load(const char *path, const hd_model_define *defines, size_t count,
                          hd_model_error *error);
hd_machine *hd_model_parse(const char *name, const char *text, size_t length,
                           const hd_model_define *defines, size_t count, hd_model_error *error);

/* ---- The program's text ---- */

/* Positions are numbered from 0 in the order of the text: one per statement, but three per wait
 * (release, wake, acquire). */
uint32_t hd_model_positions(const hd_machine *machine);
uint32_t hd_model_line(const hd_machine *machine, uint32_t position);
void hd_model_text(const hd_machine *machine, uint32_t position, hd_vec_char *to);

/* ---- The two static checks of Metzler et al. (Eager POR, section 3.2) ---- */

/* Can what the thread does next depend on a shared value that the statement reads?
 * A condition or assertion over shared variables; a statement that puts a shared
 * value into a local which reaches a condition or an assertion. */
bool hd_model_is_branching(const hd_machine *machine, uint32_t position);

/* Can the location's value reach an address: decide what some statement accesses?
 * Through an index, a short-circuit, a compare-and-swap, a branch of an atomic
 * block; directly, or by way of locals and other shared variables. */
bool hd_model_sets_address(const hd_machine *machine, uint32_t location);

/* Does the model have threads of that name? */
bool hd_model_has_thread(const hd_machine *machine, const char *name, size_t length);

/* Both, as text: a line per statement and a line per variable. */
void hd_model_explain(const hd_machine *machine, hd_vec_char *to);

/* ---- The present state ---- */

/* The value of a variable; of a mutex, its holder + 1, or 0; of a condition
 * variable, how many wait. */
int64_t hd_model_value(const hd_machine *machine, uint32_t location);

/* Is the location the flag of a thread, which is set while it waits to be notified?  And whose. */
bool hd_model_is_flag(const hd_machine *machine, uint32_t location);
uint32_t hd_model_flag_thread(const hd_machine *machine, uint32_t location);

/* Of the step that just failed: the statement that did, and a word for how
 * ("assertion", "division", "index", "unlock", "wait", "loop"). */
uint32_t hd_model_failed_position(const hd_machine *machine);
const char *hd_model_failed_rule(const hd_machine *machine);

/* Equal for equal states: variables, locks, locals and where each thread is. */
uint64_t hd_model_hash(const hd_machine *machine);

#endif
