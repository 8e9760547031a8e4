/*
 * What the handles of the library stand for.
 */
#ifndef HD_API_TRACE_H
#define HD_API_TRACE_H

#include "api.h"
#include "trace/trace.h"

struct heddle_trace {
    hd_trace trace;
    hd_trace_index index; /* built when first asked for */
    bool indexed;
    HD_VEC(heddle_frame) frames; /* that were last asked for */
    hd_names files;              /* of them all */
};

_Static_assert(sizeof(heddle_error) == sizeof(hd_error), "the public error is the inner one");

static inline hd_error *hd_api_error(heddle_error *error) {
    return (hd_error *)error;
}

#endif
