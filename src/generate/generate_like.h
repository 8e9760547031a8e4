/*
 * Private to the `like` family: the measures of the published traces, and the
 * steps that make a trace with the same ones.  doc/generate.md says what is
 * exact and what was measured.
 */
#ifndef HD_GENERATE_LIKE_H
#define HD_GENERATE_LIKE_H

#include "trace/trace.h"

typedef struct hd_generate_like_shape {
    const char *name;
    uint32_t threads, events;
    uint32_t lock_events, locks;
    uint32_t access_events, variables;
    uint32_t wait_events; /* wait, wake, notify and notifyall together */
    uint32_t witnesses;   /* three a triplet */
    /* Who accesses a written variable, in permille; this sets how many of the
     * witnesses are feasible. */
    uint32_t own;    /* reads by the thread that writes it */
    uint32_t back;   /* other reads that are by any thread, not only by a later one */
    uint32_t rivals; /* writes by a thread that reads it */
    uint32_t bare;   /* accesses that avoid locked scopes */
} hd_generate_like_shape;

extern const hd_generate_like_shape hd_generate_like_shapes[];
extern const size_t hd_generate_like_count;

/* How often a variable is read and written. */
typedef struct hd_generate_like_size {
    uint32_t reads, writes;
} hd_generate_like_size;

/* Fills `sizes`, one a variable, so that accesses and witnesses add up; returns
 * how many of them, the first ones, are written and read. */
uint32_t hd_generate_like_sizes(hd_generate_like_size *sizes, const hd_generate_like_shape *shape,
                                hd_random *random);

/* Fills an initialised, empty trace. */
void hd_generate_like_build(hd_trace *trace, const hd_generate_like_shape *shape, uint64_t seed);

#endif
