/*
 * A run as a file: its records as they are, or the events that they stand for.
 */
#include "launch/launch.h"
#include "recording_events.h"
#include "recording_save.h"

static bool write_batch(void *to, const hd_trace_tables *tables, const heddle_event *events,
                        size_t count) {
    return hd_trace_writer_write(to, tables, events, count);
}

/* Reading takes about 40 ns a record, whose bytes stand for many: 20 million events of a loop are
 * recorded in 0.4 s of processor time, in two chunks, and read in 0.75 s.  So reading along while
 * the program runs would not make it cheaper. */
static bool is_long(const hd_launch_run *run) {
    enum { LONG = 4000000 };
    hd_launch_piece piece;
    uint64_t records = 0;
    for (uint64_t i = 0; records <= LONG && hd_launch_chunk(run, i, &piece); i++)
        records += piece.records;
    return records > LONG;
}

/* Can the record be read to its end?  The program may have written over it, or over the tables of
 * the runtime.  If not it is not kept packed, where it could not be read after the damage either,
 * but as the events before that.  Damage of the bytes is noticed by their sums, however many there
 * are; a short record is read as well. */
static bool is_whole(const hd_launch_run *run) {
    hd_launch_reader reader;
    if (!hd_launch_intact(run))
        return false;
    if (is_long(run))
        return true;
    hd_packed_record record;
    hd_launch_reader_init(&reader, run);
    while (hd_launch_reader_next(&reader, &record))
        ;
    bool whole = !reader.damaged;
    hd_launch_reader_release(&reader);
    return whole;
}

bool hd_recording_save(const hd_launch_run *run, const char *path, enum hd_trace_format format,
                       hd_recording_summary *summary, hd_error *error) {
    if (format == HD_TRACE_BINARY && !summary->classify && hd_recording_packed(run) &&
        is_whole(run))
        return hd_recording_save_packed(run, path, summary, error);
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
