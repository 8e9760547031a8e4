/*
 * libheddle: traces of multithreaded programs, and witnesses over them.
 *
 *     heddle_error error;
 *     heddle_trace *trace = heddle_trace_open("run.htr", &error);
 *     if (!trace) { fprintf(stderr, "%s\n", error.text); return 2; }
 *     for (uint32_t n = 1; n <= heddle_trace_events(trace); n++)
 *         puts(heddle_kind_op(heddle_trace_event(trace, n)->kind));
 *     heddle_trace_close(trace);
 *
 * Event numbers are 1..N; 0 means none.  Compile with `pkg-config --cflags
 * --libs heddle`.  Objects may be used by one thread at a time.
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_API __attribute__((visibility("default")))

typedef struct heddle_error {
    char text[1024]; /* one line; untouched on success */
} heddle_error;

HEDDLE_API const char *heddle_version(void);

/* ---- Traces ---- */

typedef struct heddle_trace heddle_trace;

/* A file in either format, checked for well-formedness; NULL on failure. */
HEDDLE_API heddle_trace *heddle_trace_open(const char *path, heddle_error *error);
HEDDLE_API void heddle_trace_close(heddle_trace *trace);

HEDDLE_API uint32_t heddle_trace_events(const heddle_trace *trace);
HEDDLE_API const heddle_event *heddle_trace_event(const heddle_trace *trace, uint32_t number);
HEDDLE_API bool heddle_trace_incomplete(const heddle_trace *trace);

/* Names of a class: how many, and each by its number.  NULL past the end. */
HEDDLE_API uint32_t heddle_trace_names(const heddle_trace *trace, enum heddle_class class_);
HEDDLE_API const char *heddle_trace_name(const heddle_trace *trace, enum heddle_class class_,
                                         uint32_t number);

/* The write that a read saw, the release of an acquire, the send of a recv...:
 * see doc/format.md.  0 if none exists. */
HEDDLE_API uint32_t heddle_trace_pair(heddle_trace *trace, uint32_t number);

/* A call that led to an event.  An unknown function or file is "", an unknown line 0. */
typedef struct heddle_frame {
    const char *function;
    const char *file;
    uint32_t line; /* of the event, or of the call, in the function */
} heddle_frame;

/* The stack of an event, the innermost frame first, valid until the next call; returns how many
 * frames.  0 if the trace has no stacks: the text format and files of older versions have none. */
HEDDLE_API size_t heddle_trace_stack(heddle_trace *trace, uint32_t number,
                                     const heddle_frame **frames);

/* Writes the trace: in the binary format if the name ends in .htr, else as text. */
HEDDLE_API bool heddle_trace_save(const heddle_trace *trace, const char *path, heddle_error *error);

/* ---- Kinds ---- */

HEDDLE_API const char *heddle_kind_op(enum heddle_kind kind);   /* as in the text format */
HEDDLE_API const char *heddle_kind_text(enum heddle_kind kind); /* for people */
HEDDLE_API enum heddle_class heddle_kind_class(enum heddle_kind kind);

/* ---- Witnesses ---- */

typedef struct heddle_witness heddle_witness;

/* Reads a witness of the trace; the trace must outlive it. */
HEDDLE_API heddle_witness *heddle_witness_open(const heddle_trace *trace, const char *path,
                                               heddle_error *error);
HEDDLE_API void heddle_witness_close(heddle_witness *witness);

/* Is it a reordering of the trace that shows what it claims?  If not, the error
 * says which event is wrong. */
HEDDLE_API bool heddle_witness_check(const heddle_witness *witness, heddle_error *error);

/* The schedule: event numbers of the trace. */
HEDDLE_API size_t heddle_witness_length(const heddle_witness *witness);
HEDDLE_API const uint32_t *heddle_witness_schedule(const heddle_witness *witness);
HEDDLE_API const char *heddle_witness_claim(const heddle_witness *witness);

#ifdef __cplusplus
}
#endif
#endif
