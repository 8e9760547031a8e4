#include "trace_generate_families.h"

bool hd_trace_generate_like(hd_trace *trace, const hd_trace_request *request, hd_error *error) {
    (void)trace;
    return hd_error_set(error, "no published trace is called '%s'", request->word);
}
