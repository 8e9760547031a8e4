/*
 * Section P of the binary format: what program the trace is of, and how its run ended, as pairs of
 * a name and a value.
 */
#ifndef HD_TRACE_PROGRAM_H
#define HD_TRACE_PROGRAM_H

#include "trace_end.h"
#include "trace_recorded.h"

enum { HD_TRACE_BUILD = 72 }; /* bytes of a build, with the NUL */

/* The payload of the next section of a file, from *at = 0 on; false when there are no more.  There
 * may be several, as each has a limit. */
bool hd_trace_program_put(hd_trace_bytes *to, const char *build, const hd_trace_end *end,
                          size_t *at);

typedef struct hd_trace_pair {
    const char *name, *value;
    size_t name_size, size;
} hd_trace_pair;

/* Takes a pair that was read; unknown names are ignored, a value that is not legal is refused. */
bool hd_trace_program_take(const hd_trace_pair *pair, char build[HD_TRACE_BUILD],
                           hd_trace_end *end);

#endif
