/*
 * Writes traces, in either format, as a stream.  The file appears whole at close or not at all.
 * Names are taken from the tables as they are when an event is written; tables may grow between
 * batches.
 */
#ifndef HD_TRACE_WRITER_H
#define HD_TRACE_WRITER_H

#include "trace_memory.h"

enum hd_trace_format { HD_TRACE_TEXT, HD_TRACE_BINARY };

typedef struct hd_trace_writer hd_trace_writer;

hd_trace_writer *hd_trace_writer_open(const char *path, enum hd_trace_format format,
                                      hd_error *error);

/* A comment line; dropped in the binary format.  The text is one line. */
void hd_trace_writer_comment(hd_trace_writer *writer, const char *format, ...) HD_PRINTF(2, 3);

/* "key: text"; the text may contain anything, even line feeds.  NULL: no line. */
void hd_trace_writer_shown(hd_trace_writer *writer, const char *key, const char *text);

/* False after a write error (the disk is full, say); the error is returned at close. */
bool hd_trace_writer_write(hd_trace_writer *writer, const hd_trace_tables *tables,
                           const heddle_event *events, size_t count);

/* The stacks of the events, which grow with them.  To be called before the first event is written;
 * the stack of an event must be there when the event is written.  Dropped in the text format. */
void hd_trace_writer_stacks(hd_trace_writer *writer, const hd_trace_stacks *stacks);

/* Drops those that are written, if they are needed for nothing else: then converting takes as much
 * memory for a long trace as for a short one. */
void hd_trace_writer_forget(hd_trace_writer *writer, hd_trace_stacks *stacks);

/* The build of the program, as text of less than 72 characters; NULL: not known.  Dropped in the
 * text format. */
void hd_trace_writer_build(hd_trace_writer *writer, const char *build);

/* How the run ended; it is copied. */
void hd_trace_writer_end(hd_trace_writer *writer, const hd_trace_end *end);

void hd_trace_writer_lost(hd_trace_writer *writer, uint64_t lost, bool incomplete);
bool hd_trace_writer_close(hd_trace_writer *writer, hd_error *error);
void hd_trace_writer_abandon(hd_trace_writer *writer);

/* A whole trace. */
bool hd_trace_save(const hd_trace *trace, const char *path, enum hd_trace_format format,
                   hd_error *error);

/* Binary for a name that ends in .htr, else text. */
enum hd_trace_format hd_trace_format_of(const char *path);

#endif
