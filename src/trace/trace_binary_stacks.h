/*
 * Stacks (trace_stacks.h) as sections of a binary file, for its writer and its reader.
 */
#ifndef HD_TRACE_BINARY_STACKS_H
#define HD_TRACE_BINARY_STACKS_H

#include "trace_recorded.h"
#include "trace_stacks.h"

/* A thread, as far as it is written. */
typedef struct hd_trace_stacks_written {
    hd_trace_changes at;
    hd_trace_change next;
    bool waits; /* `next` is not written yet */
} hd_trace_stacks_written;

typedef struct hd_trace_stacks_writer {
    uint32_t functions, frames; /* that are written */
    size_t thread;              /* the next one of this block */
    HD_VEC(hd_trace_stacks_written) threads;
    hd_trace_bytes changes;
} hd_trace_stacks_writer;

void hd_trace_stacks_writer_release(hd_trace_stacks_writer *writer);

/* The payload of a section for the block of `count` events from `first` on; false if nothing is
 * left to write.  Names of locations must be written before. */
bool hd_trace_stacks_writer_put(hd_trace_stacks_writer *writer, const hd_trace_stacks *stacks,
                                uint32_t first, uint32_t count, hd_trace_bytes *to);

/* Drops the changes that are written. */
void hd_trace_stacks_writer_forget(hd_trace_stacks_writer *writer, hd_trace_stacks *stacks);

/* A section before the block whose first event is `first`; false if it is damaged. */
bool hd_trace_stacks_read(hd_trace_stacks *stacks, const hd_trace_tables *tables, uint32_t first,
                          const unsigned char *at, const unsigned char *end);

#endif
