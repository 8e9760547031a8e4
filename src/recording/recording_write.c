/*
 * A run as a file: its records as they are, or the events that they stand for.
 */
#include <unistd.h>

#include "launch/launch.h"
#include "recording_events.h"
#include "recording_save.h"

static bool write_batch(void *to, const hd_trace_tables *tables, const heddle_event *events,
                        size_t count) {
    return hd_trace_writer_write(to, tables, events, count);
}

static bool has_more(const hd_launch_run *run, uint64_t most) {
    hd_launch_piece piece;
    uint64_t records = 0;
    for (uint64_t i = 0; records <= most && hd_launch_chunk(run, i, &piece); i++)
        records += piece.records;
    return records > most;
}

/* Reading takes about 40 ns a record, whose bytes stand for many: 20 million events of a loop are
 * recorded in 0.4 s of processor time, in two chunks, and read in 0.75 s.  So reading along while
 * the program runs would not make it cheaper.  To read a file takes twice as long, of a free run
 * three times. */
enum { SHORT = 200000, LONG = 4000000 };

/* Can the record be read to its end?  The program may have written over it.  Damage of the bytes is
 * noticed by their sums, however many there are, and that of tables too (hd_recording_packed); a
 * record that is not long is read as well. */
static bool is_whole(const hd_launch_run *run) {
    hd_launch_reader reader;
    if (!hd_launch_intact(run))
        return false;
    if (has_more(run, LONG) || !has_more(run, SHORT))
        return true;
    hd_packed_record record;
    hd_launch_reader_init(&reader, run);
    while (hd_launch_reader_next(&reader, &record))
        ;
    bool whole = !reader.damaged;
    hd_launch_reader_release(&reader);
    return whole;
}

/* A short record is read as it was written, unless it went into a pipe. */
static bool is_readable(const hd_launch_run *run, const char *path) {
    hd_error error;
    hd_trace_batch batch;
    int more = 0, file = has_more(run, SHORT) ? -1 : hd_file_peek(path);
    if (file < 0)
        return true;
    close(file);
    hd_trace_cursor *cursor = hd_trace_cursor_open(path, 0, &error);
    while (cursor && (more = hd_trace_cursor_next(cursor, &batch, &error)) > 0)
        ;
    hd_trace_cursor_close(cursor);
    return cursor && more == 0;
}

/* The record as it is, *done.  If that could not be read it is not kept so, as it could not be read
 * after the damage either, but as the events before that. */
static bool save_packed(const hd_launch_run *run, const char *path, hd_recording_summary *summary,
                        bool *done, hd_error *error) {
    if (!hd_recording_save_packed(run, path, summary, error))
        return false;
    *done = is_readable(run, path);
    if (!*done && summary->end)
        hd_trace_end_release(summary->end);
    return true;
}

bool hd_recording_save(const hd_launch_run *run, const char *path, enum hd_trace_format format,
                       hd_recording_summary *summary, hd_error *error) {
    bool done = false;
    if (format == HD_TRACE_BINARY && !summary->classify && hd_recording_packed(run) &&
        is_whole(run) && (!save_packed(run, path, summary, &done, error) || done))
        return done;
    hd_trace_writer *writer = hd_trace_writer_open(path, format, error);
    if (!writer)
        return false;
    hd_trace_tables tables;
    hd_trace_tables_init(&tables);
    hd_trace_stacks *stacks =
        format == HD_TRACE_BINARY && run->wire->calls ? hd_trace_stacks_create() : NULL;
    hd_trace_writer_stacks(writer, stacks);
    hd_trace_end own = {0}, *asked = summary->end, *end = asked ? asked : &own;
    summary->end = end; // cppcheck-suppress autoVariables ; taken back below
    bool good = hd_recording_events(run, &tables, stacks, write_batch, writer, summary, error);
    if (good) {
        /* The writer still has events to write, and their names. */
        char build[HD_LAUNCH_BUILD];
        hd_trace_writer_build(writer, hd_launch_run_build(run, build) ? build : NULL);
        hd_trace_writer_end(writer, end);
        hd_trace_writer_lost(writer, summary->lost, summary->incomplete);
        good = hd_trace_writer_close(writer, error);
    } else
        hd_trace_writer_abandon(writer);
    summary->end = asked;
    hd_trace_end_release(&own);
    hd_trace_tables_release(&tables);
    hd_trace_stacks_free(stacks);
    return good;
}
