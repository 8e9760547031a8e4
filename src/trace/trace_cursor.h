/*
 * The streaming cursor: events in order, a batch at a time, from a file in
 * either format, from a pipe that still grows, from memory.  All analyses take
 * their events from here.
 *
 *     hd_trace_cursor *cursor = hd_trace_cursor_open(path, 0, &error);
 *     hd_trace_batch batch;
 *     while (hd_trace_cursor_next(cursor, &batch, &error) > 0)
 *         for (size_t i = 0; i < batch.count; i++)
 *             use(batch.first + i, &batch.events[i]);
 *     hd_trace_cursor_close(cursor);
 *
 * Events come checked (trace_check.h).  Names are in the cursor's tables as
 * soon as an event has used them.  A batch is valid until the next call.
 */
#ifndef HD_TRACE_CURSOR_H
#define HD_TRACE_CURSOR_H

#include "trace_memory.h"

enum {
    HD_TRACE_UNCHECKED = 1, /* do not check well-formedness (a witness is checked in another way) */
    HD_TRACE_RECOVER = 2,   /* a binary file that was cut off ends with its last whole block */
    HD_TRACE_COMMENTS = 4,  /* keep the comment lines of a text file */
    HD_TRACE_STACKS = 8,    /* keep the stacks of the events of a binary file */
    HD_TRACE_TIMED = 16, /* listen to signals (base_stop.h), and end when one comes or the clock is
                          * over (base_clock.h): hd_trace_cursor_late */
    HD_TRACE_LOSETS = 32 /* hd_trace_load: what ends in .loset is no trace (trace_loset.h) */
};

typedef struct hd_trace_cursor hd_trace_cursor;

typedef struct hd_trace_batch {
    const heddle_event *events;
    size_t count;
    uint32_t first; /* number of events[0] */
} hd_trace_batch;

typedef struct hd_trace_comment {
    const char *text; /* what follows the '#', NUL-terminated */
    uint64_t line;
    uint32_t before; /* number of the event that comes next */
} hd_trace_comment;

hd_trace_cursor *hd_trace_cursor_open(const char *path, unsigned flags, hd_error *error);

/* The bytes must stay valid; `name` is the file's name in messages. */
hd_trace_cursor *hd_trace_cursor_memory(const void *data, size_t size, const char *name,
                                        unsigned flags, hd_error *error);

/* Over a trace in memory, which must have been checked. */
hd_trace_cursor *hd_trace_cursor_over(const hd_trace *trace);

/* 1: a batch of at least one event; 0: the end; -1: an error. */
int hd_trace_cursor_next(hd_trace_cursor *cursor, hd_trace_batch *batch, hd_error *error);

const hd_trace_tables *hd_trace_cursor_tables(const hd_trace_cursor *cursor);
const char *hd_trace_cursor_name(const hd_trace_cursor *cursor);   /* for messages */
const char *hd_trace_cursor_format(const hd_trace_cursor *cursor); /* "text", "binary", "memory" */
uint64_t hd_trace_cursor_size(const hd_trace_cursor *cursor); /* bytes of the file, 0: not known */
uint64_t hd_trace_cursor_done(const hd_trace_cursor *cursor); /* bytes read so far */

/* The line that event `number` of the current batch was on; 0 if not a text file. */
uint64_t hd_trace_cursor_line(const hd_trace_cursor *cursor, uint32_t number);

/* Known at the end of the stream. */
uint64_t hd_trace_cursor_lost(const hd_trace_cursor *cursor);
bool hd_trace_cursor_incomplete(const hd_trace_cursor *cursor);

/* Did the clock end it?  Then there are more events. */
bool hd_trace_cursor_late(const hd_trace_cursor *cursor);

/* Of a pipe in which nothing more comes: a fifth of the time that is left is for what came. */
void hd_trace_cursor_save_time(hd_trace_cursor *cursor);

/* Also known only at the end: the build of the program, as the recorder identifies it; NULL if it
 * is not known. */
const char *hd_trace_cursor_build(const hd_trace_cursor *cursor);

/* Also known only at the end: how the run ended.  Valid as long as the cursor. */
const hd_trace_end *hd_trace_cursor_end(const hd_trace_cursor *cursor);

/* Also known only at the end: accesses whose order was guessed, and how many of these no order
 * explains. */
uint64_t hd_trace_cursor_guessed(const hd_trace_cursor *cursor);
uint64_t hd_trace_cursor_unexplained(const hd_trace_cursor *cursor);

/* With HD_TRACE_COMMENTS: those read so far. */
size_t hd_trace_cursor_comments(const hd_trace_cursor *cursor, const hd_trace_comment **comments);

/* With HD_TRACE_STACKS: those of the events so far; NULL if the file has none. */
hd_trace_stacks *hd_trace_cursor_stacks(const hd_trace_cursor *cursor);
hd_trace_stacks *hd_trace_cursor_take_stacks(hd_trace_cursor *cursor); /* and moves them out */

/* Moves the tables out, for a caller that keeps the events; the cursor can then only be closed. */
void hd_trace_cursor_take_tables(hd_trace_cursor *cursor, hd_trace_tables *tables);

void hd_trace_cursor_close(hd_trace_cursor *cursor);

#endif
