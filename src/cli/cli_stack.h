/*
 * The stacks of events, as text and as JSON: one way for all commands.
 */
#ifndef HD_CLI_STACK_H
#define HD_CLI_STACK_H

#include "cli.h"
#include "machine/machine.h"
#include "native/native.h"
#include "witness/witness.h"

/* Below a line of an event, as findings have them. */
#define HD_CLI_STACK_INDENT HD_ENGINE_STACK_INDENT

/* A line for each call, the innermost first, "at function (file:line)"; nothing if the trace
 * has no stacks, or for event 0. */
void hd_cli_stack_print(const hd_trace *trace, uint32_t event, const char *indent);

/* "stacks", of the events that have one: each with its event, its thread and its frames. */
void hd_cli_stacks_write(const hd_trace *trace, const uint32_t *events, size_t count,
                         hd_json *json);

/* The stack of a program's thread as an array of frames. */
void hd_cli_stack_write(hd_json *json, const char *key, const hd_native_frames *frames);

#endif
