/*
 * The inside of a writer: the part that both formats share, and the functions that each implements.
 */
#ifndef HD_TRACE_WRITER_FORMAT_H
#define HD_TRACE_WRITER_FORMAT_H

#include "trace_writer.h"

typedef struct hd_trace_writer_format {
    void (*start)(hd_trace_writer *writer);
    void (*write)(hd_trace_writer *writer, const hd_trace_tables *tables,
                  const heddle_event *events, size_t count);
    void (*forget)(hd_trace_writer *writer, hd_trace_stacks *stacks);
    void (*finish)(hd_trace_writer *writer);
    void (*release)(hd_trace_writer *writer);
} hd_trace_writer_format;

struct hd_trace_writer {
    const hd_trace_writer_format *format;
    hd_file *file;
    const hd_trace_tables *tables; /* of the last write */
    const hd_trace_stacks *stacks; /* NULL: none */
    char build[72];                /* of the program; "": not known */
    hd_trace_end end;
    uint64_t lost;
    bool incomplete;
    void *state; /* the format's own */
};

extern const hd_trace_writer_format hd_trace_text_writer;
extern const hd_trace_writer_format hd_trace_binary_writer;

#endif
