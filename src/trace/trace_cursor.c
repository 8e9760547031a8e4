#include "trace_cursor.h"

#include <stdlib.h>
#include <string.h>

#include "trace_binary.h"
#include "trace_loset.h"
#include "trace_source.h"

static hd_trace_cursor *cursor_new(unsigned flags) {
    hd_trace_cursor *cursor = HD_NEW(hd_trace_cursor);
    cursor->flags = flags;
    cursor->first = 1;
    hd_trace_tables_init(&cursor->own_tables);
    cursor->tables = &cursor->own_tables;
    if (!(flags & HD_TRACE_UNCHECKED))
        cursor->check = hd_trace_check_create();
    return cursor;
}

/* The format is recognised by the first bytes, never by the name. */
static bool start_cursor(hd_trace_cursor *cursor, hd_error *error) {
    if (!hd_trace_input_fill(&cursor->input, HD_TRACE_MAGIC_SIZE, error))
        return false;
    static const char elf[] = "\177ELF";
    if (hd_trace_input_left(&cursor->input) >= sizeof elf - 1 &&
        memcmp(cursor->input.at, elf, sizeof elf - 1) == 0) {
        hd_error_set(error, "%s: a program, not a trace; 'heddle record' makes a trace of it",
                     cursor->input.name);
        return false;
    }
    bool binary = hd_trace_input_left(&cursor->input) >= 1 &&
                  (unsigned char)cursor->input.at[0] == hd_trace_magic[0];
    cursor->source = binary ? &hd_trace_binary_source : &hd_trace_text_source;
    bool begun = binary ? hd_trace_binary_start(cursor, error) : hd_trace_text_start(cursor, error);
    if (!begun && cursor->input.late)
        hd_error_set(error, "%s: its first bytes did not come in time", cursor->input.name);
    return begun;
}

hd_trace_cursor *hd_trace_cursor_open(const char *path, unsigned flags, hd_error *error) {
    hd_trace_input input;
    if (hd_trace_is_loset(path)) {
        hd_error_set(error, "%s: a loset is not a run; only 'states' and 'detect' take one",
                     hd_text_name(path));
        return NULL;
    }
    if (!hd_trace_input_open(&input, path, error))
        return NULL;
    hd_trace_cursor *cursor = cursor_new(flags);
    cursor->input = input;
    cursor->input.timed = flags & HD_TRACE_TIMED;
    if (cursor->input.timed)
        hd_stop_listen();
    if (start_cursor(cursor, error))
        return cursor;
    hd_trace_cursor_close(cursor);
    return NULL;
}

hd_trace_cursor *hd_trace_cursor_memory(const void *data, size_t size, const char *name,
                                        unsigned flags, hd_error *error) {
    hd_trace_cursor *cursor = cursor_new(flags);
    hd_trace_input_memory(&cursor->input, data, size, name);
    if (start_cursor(cursor, error))
        return cursor;
    hd_trace_cursor_close(cursor);
    return NULL;
}

/* ---- A trace in memory: one batch, nothing copied. ---- */

static int memory_next(hd_trace_cursor *cursor, hd_error *error) {
    (void)error;
    const hd_trace *trace = cursor->state;
    cursor->lost = trace->lost;
    cursor->incomplete = trace->incomplete;
    cursor->guesses = trace->guessed > 0;
    if (cursor->first > 1 || !trace->events.length)
        return 0;
    cursor->events = trace->events.data;
    cursor->count = trace->events.length;
    return 1;
}

static void memory_close(hd_trace_cursor *cursor) {
    (void)cursor;
}

static const hd_trace_source memory_source = {"memory", memory_next, memory_close};

hd_trace_cursor *hd_trace_cursor_over(const hd_trace *trace) {
    hd_trace_cursor *cursor = cursor_new(HD_TRACE_UNCHECKED);
    hd_trace_input_memory(&cursor->input, "", 0, "memory");
    cursor->source = &memory_source;
    cursor->tables = &trace->tables;
    cursor->state = (void *)(uintptr_t)trace; /* never written through */
    return cursor;
}

/* ---- What all cursors do. ---- */

static int end_of_stream(hd_trace_cursor *cursor, hd_error *error) {
    cursor->ended = true;
    if (cursor->first > 1 || cursor->flags & HD_TRACE_UNCHECKED)
        return 0;
    hd_error_set(error, "%s: no events", cursor->input.name);
    return -1;
}

static void count_guesses(hd_trace_cursor *cursor) {
    for (size_t i = 0; i < cursor->count; i++) {
        cursor->guessed += (cursor->events[i].flags & HEDDLE_GUESSED) != 0;
        cursor->unexplained += (cursor->events[i].flags & HEDDLE_UNEXPLAINED) != 0;
    }
}

int hd_trace_cursor_next(hd_trace_cursor *cursor, hd_trace_batch *batch, hd_error *error) {
    if (cursor->ended || cursor->failed)
        return cursor->failed;
    cursor->first += (uint32_t)cursor->count;
    cursor->count = 0;
    enum { SMALL = 100000 }; /* events: these are read in no time, and so whole */
    cursor->late =
        cursor->flags & HD_TRACE_TIMED && cursor->first > SMALL && hd_clock_look() != HD_CLOCK_GOES;
    int more = cursor->late ? 0 : cursor->source->next(cursor, error);
    cursor->late |= cursor->input.late;
    if (cursor->late) {
        /* Of a batch that was cut off in the middle nothing is known. */
        cursor->ended = true;
        cursor->count = 0;
        more = 0;
    }
    if (more == 0 && !cursor->late)
        more = end_of_stream(cursor, error);
    if (more < 0)
        cursor->failed = -1;
    if (more > 0 && cursor->guesses)
        count_guesses(cursor);
    *batch = (hd_trace_batch){cursor->events, cursor->count, cursor->first};
    return more;
}

const hd_trace_tables *hd_trace_cursor_tables(const hd_trace_cursor *cursor) {
    return cursor->tables;
}

const char *hd_trace_cursor_name(const hd_trace_cursor *cursor) {
    return cursor->input.name;
}

const char *hd_trace_cursor_format(const hd_trace_cursor *cursor) {
    return cursor->source->format;
}

uint64_t hd_trace_cursor_size(const hd_trace_cursor *cursor) {
    return cursor->input.size;
}

uint64_t hd_trace_cursor_done(const hd_trace_cursor *cursor) {
    return hd_trace_input_offset(&cursor->input, cursor->input.at);
}

uint64_t hd_trace_cursor_line(const hd_trace_cursor *cursor, uint32_t number) {
    if (!cursor->lines || number < cursor->first || number - cursor->first >= cursor->count)
        return 0;
    return cursor->lines[number - cursor->first];
}

uint64_t hd_trace_cursor_lost(const hd_trace_cursor *cursor) {
    return cursor->lost;
}

bool hd_trace_cursor_incomplete(const hd_trace_cursor *cursor) {
    return cursor->incomplete;
}

bool hd_trace_cursor_late(const hd_trace_cursor *cursor) {
    return cursor->late;
}

void hd_trace_cursor_save_time(hd_trace_cursor *cursor) {
    const double for_ever = 1e9, share = 0.8;
    double left = hd_clock_left(for_ever);
    if (cursor->input.timed && left < for_ever)
        cursor->input.until = hd_progress_clock() + share * left;
}

const char *hd_trace_cursor_build(const hd_trace_cursor *cursor) {
    return cursor->build[0] ? cursor->build : NULL;
}

const hd_trace_end *hd_trace_cursor_end(const hd_trace_cursor *cursor) {
    const hd_trace *trace = cursor->source == &memory_source ? cursor->state : NULL;
    return trace ? &trace->end : &cursor->end;
}

uint64_t hd_trace_cursor_guessed(const hd_trace_cursor *cursor) {
    return cursor->guessed;
}

uint64_t hd_trace_cursor_unexplained(const hd_trace_cursor *cursor) {
    return cursor->unexplained;
}

size_t hd_trace_cursor_comments(const hd_trace_cursor *cursor, const hd_trace_comment **comments) {
    *comments = cursor->comments.data;
    return cursor->comments.length;
}

hd_trace_stacks *hd_trace_cursor_stacks(const hd_trace_cursor *cursor) {
    return cursor->stacks;
}

hd_trace_stacks *hd_trace_cursor_take_stacks(hd_trace_cursor *cursor) {
    hd_trace_stacks *stacks = cursor->stacks;
    cursor->stacks = NULL;
    cursor->ended = true;
    return stacks;
}

void hd_trace_cursor_take_tables(hd_trace_cursor *cursor, hd_trace_tables *tables) {
    assert(cursor->tables == &cursor->own_tables);
    *tables = cursor->own_tables;
    cursor->own_tables = (hd_trace_tables){0};
    cursor->ended = true;
}

void hd_trace_cursor_close(hd_trace_cursor *cursor) {
    if (!cursor)
        return;
    if (cursor->source)
        cursor->source->close(cursor);
    hd_trace_input_close(&cursor->input);
    hd_trace_check_free(cursor->check);
    hd_trace_tables_release(&cursor->own_tables);
    hd_trace_stacks_free(cursor->stacks);
    hd_trace_end_release(&cursor->end);
    hd_vec_release(&cursor->comments);
    hd_arena_release(&cursor->comment_text);
    free(cursor);
}
