/*
 * The inside of a cursor: the part that all sources share, and the functions that each implements.
 */
#ifndef HD_TRACE_SOURCE_H
#define HD_TRACE_SOURCE_H

#include "trace_check.h"
#include "trace_cursor.h"
#include "trace_input.h"

typedef struct hd_trace_source {
    const char *format;
    /* Like hd_trace_cursor_next; sets cursor->events and cursor->count. */
    int (*next)(hd_trace_cursor *cursor, hd_error *error);
    void (*close)(hd_trace_cursor *cursor);
} hd_trace_source;

struct hd_trace_cursor {
    const hd_trace_source *source;
    unsigned flags;
    hd_trace_input input;
    hd_trace_tables own_tables;
    const hd_trace_tables *tables; /* own_tables, or those of the trace */
    hd_trace_check *check;         /* NULL: unchecked */
    hd_trace_stacks *stacks;       /* NULL: not asked for, or there are none */

    const heddle_event *events; /* the batch */
    size_t count;
    uint32_t first; /* its first number */
    bool ended;
    int failed; /* -1 after an error, for ever */

    char build[72]; /* of the program; "": not known */
    hd_trace_end end;
    uint64_t lost;
    bool incomplete;
    bool late;    /* ended by the clock */
    bool guesses; /* the source may return guessed events, which are counted */
    uint64_t guessed, unexplained;
    HD_VEC(hd_trace_comment) comments;
    hd_arena comment_text;

    void *state;           /* the source's own */
    const uint64_t *lines; /* of the batch's events; NULL if there are none */
};

extern const hd_trace_source hd_trace_text_source;
extern const hd_trace_source hd_trace_binary_source;

/* Both are given a cursor with its input open. */
bool hd_trace_text_start(hd_trace_cursor *cursor, hd_error *error);
bool hd_trace_binary_start(hd_trace_cursor *cursor, hd_error *error);

#endif
