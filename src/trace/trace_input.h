/*
 * Bytes of a trace file, as a window that slides over a file, a pipe or memory.
 *
 *     hd_trace_input_fill(input, n, &error)   at least n bytes from `at` on, or
 *                                             all there are until the end
 *     use input->at .. input->end
 *     input->at += used
 */
#ifndef HD_TRACE_INPUT_H
#define HD_TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

typedef struct hd_trace_input {
    const char *at, *end;
    bool finished;     /* no bytes come after `end` */
    bool timed;        /* end when the clock (base_clock.h) is over while nothing comes */
    bool late;         /* that has happened */
    double until;      /* 0, or when it is late once something came (hd_progress_clock) */
    char *name;        /* for messages */
    uint64_t size;     /* of the file; 0: not known */
    uint64_t consumed; /* bytes before the window */
    int fd;            /* -1: memory */
    char *buffer;
    size_t capacity;
    const char *window; /* where the window starts: buffer or the memory given */
} hd_trace_input;

bool hd_trace_input_open(hd_trace_input *input, const char *path, hd_error *error);
void hd_trace_input_memory(hd_trace_input *input, const void *data, size_t size, const char *name);
void hd_trace_input_close(hd_trace_input *input);

/* Moves what is left to the front and reads until `wanted` bytes are there, or
 * the end.  With more in the pipe it may read more.  False on an error. */
bool hd_trace_input_fill(hd_trace_input *input, size_t wanted, hd_error *error);

static inline size_t hd_trace_input_left(const hd_trace_input *input) {
    return (size_t)(input->end - input->at);
}

/* Offset in the file of the byte at `place`, which is in the window. */
static inline uint64_t hd_trace_input_offset(const hd_trace_input *input, const char *place) {
    return input->consumed + (uint64_t)(place - input->window);
}

#endif
