/*
 * Writes a witness as text.  A witness is a trace: comment lines say what it shows, and the events
 * follow, so that any tool that reads the format can read them.
 */
#include <stdlib.h>
#include <string.h>

#include "witness.h"

static void write_head(hd_trace_writer *writer, const hd_witness *witness, const hd_trace *trace) {
    hd_vec_char claim = {0};
    hd_witness_claim_print(&witness->claim, trace, &claim);
    hd_trace_writer_comment(writer, "heddle witness 1");
    hd_trace_writer_shown(writer, "question", witness->question);
    hd_trace_writer_comment(writer, "claim: %s", claim.data);
    hd_trace_writer_shown(writer, "verdict", witness->verdict);
    hd_trace_writer_shown(writer, "trace", witness->trace);
    hd_vec_release(&claim);
}

static void write_events(hd_trace_writer *writer, const hd_vec_u32 *schedule,
                         const hd_trace *trace) {
    enum { BATCH = 1024 };
    heddle_event batch[BATCH];
    for (size_t at = 0; at < schedule->length;) {
        size_t count = 0;
        while (count < BATCH && at < schedule->length)
            batch[count++] = *hd_trace_event(trace, schedule->data[at++]);
        if (!hd_trace_writer_write(writer, &trace->tables, batch, count))
            return; /* the error comes at close */
    }
}

bool hd_witness_save(const hd_witness *witness, const hd_trace *trace, const char *path,
                     hd_error *error) {
    hd_trace_writer *writer = hd_trace_writer_open(path, HD_TRACE_TEXT, error);
    if (!writer)
        return false;
    write_head(writer, witness, trace);
    write_events(writer, &witness->schedule, trace);
    return hd_trace_writer_close(writer, error);
}
