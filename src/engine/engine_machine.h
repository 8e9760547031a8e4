/*
 * Models and programs as machines: loading one, and what both are asked alike.
 */
#ifndef HD_ENGINE_MACHINE_H
#define HD_ENGINE_MACHINE_H

#include "finding/finding.h"
#include "machine/machine.h"
#include "model/model.h"
#include "native/native.h"
#include "replay/replay.h"

/* Is the file a program, or the source of one, and not a model? */
bool hd_engine_is_program(const char *path);

/* A trace in the binary format; that, or what heddle writes as text. */
bool hd_engine_is_recording(const char *path);
bool hd_engine_is_trace(const char *path);

hd_machine *hd_engine_model_load(const char *path, const hd_model_define *defines, size_t count,
                                 hd_error *error);

/* The program with its arguments as a machine. */
hd_machine *hd_engine_program_start(hd_native_machine_options how, hd_error *error);

/* Adds the rules that the program has itself. */
bool hd_engine_program_suppressions(const hd_machine *machine, hd_finding_filter *filter,
                                    hd_error *error);

/* Saves a witness of either; adds what was learnt of a program to its parameters, and releases
 * these. */
bool hd_engine_witness_save(hd_replay_witness *witness, hd_machine *machine, const char *file,
                            hd_error *error);

/* The line of a position, 0 if it is not known; of the step that failed what kind of failure
 * it is, and its position. */
uint32_t hd_engine_line(hd_machine *machine, uint32_t position);
const char *hd_engine_failed_rule(const hd_machine *machine);
uint32_t hd_engine_failed_position(const hd_machine *machine);
uint32_t hd_engine_failed_line(const hd_machine *machine); /* of the assertion; 0: none */

/* The thread's next statement with its values, without the thread's name before it. */
void hd_engine_statement(hd_machine *machine, uint32_t thread, hd_vec_char *text);

/* The step that just failed: its place ("file:line") and, without it, what failed; both
 * to be freed. */
void hd_engine_failure(hd_machine *machine, const char *path, char **location, char **message);

/* "file:line" of a statement; to be freed. */
char *hd_engine_place(hd_machine *machine, const char *path, uint32_t position);

/* How a program's run ended: "exit status 0, output "7\x0a"". */
void hd_engine_outcome_text(const hd_native_outcome *outcome, hd_vec_char *to);

#endif
