/*
 * A recorded run as a trace.
 */
#ifndef HD_RECORDING_EVENTS_H
#define HD_RECORDING_EVENTS_H

#include "launch/launch.h"

/* Events in order, a batch at a time, with the names so far; false stops. */
typedef bool hd_recording_sink(void *to, const hd_trace_tables *tables, const heddle_event *events,
                               size_t count);

typedef struct hd_recording_summary {
    bool classify;   /* asked for: */
    uint64_t class;  /* equal for runs that are one Mazurkiewicz trace (recording_class.h) */
    bool uncounted;  /* asked for: records need not be read again to count their events */
    uint64_t events; /* then a record counts as one */
    uint64_t lost;
    bool incomplete;
    bool nothing;   /* there is no trace, because the run has no event; */
    bool unordered; /* or a signal came before the threads of a free run were put in order */
    uint32_t threads;
    uint64_t wire_bytes;
    hd_trace_end *end; /* asked for: how the run ended; NULL: not */
} hd_recording_summary;

/* The events of the run, well-formed.  The names go to *tables, and the stacks to *stacks if that
 * is not NULL; both are empty at first and must stay valid as long as the sink uses them.  *summary
 * is zero except for what is asked for.  False with an error if the record is so damaged that no
 * trace can be made. */
bool hd_recording_events(const hd_launch_run *run, hd_trace_tables *tables, hd_trace_stacks *stacks,
                         hd_recording_sink *sink, void *to, hd_recording_summary *summary,
                         hd_error *error);

/*
 * The same for a run that has not ended yet, record by record.  Variables are split as accesses
 * come (recording_split.h): a part of a variable gets a number of its own, and `part` is called.
 */
enum hd_recording_wanted { HD_RECORDING_NO_PLAIN, HD_RECORDING_WRITES, HD_RECORDING_ALL };

typedef void hd_recording_cut_sink(void *to, uint32_t variable, uint32_t part);

/* Variables and locks in blocks that are freed: no event comes to one any more, unless the other
 * sink gives its number out, for another one.  That one returns false if it has none. */
typedef void hd_recording_retire_sink(void *to, enum heddle_class class, uint32_t number);
typedef bool hd_recording_reuse_sink(void *to, enum heddle_class class, uint32_t *number);

typedef struct hd_recording_sinks {
    hd_recording_sink *events;
    hd_recording_cut_sink *cut;
    hd_recording_retire_sink *retire; /* NULL: numbers are not given out again */
    hd_recording_reuse_sink *reuse;
    void *to;
} hd_recording_sinks;

typedef struct hd_recording_maker hd_recording_maker;

/* `wanted` says which plain accesses become events.  What is left out must not matter: plain writes
 * to variables that are accessed atomically elsewhere are always included. */
hd_recording_maker *hd_recording_maker_create(const hd_launch_run *run, hd_trace_tables *tables,
                                              enum hd_recording_wanted wanted,
                                              const hd_recording_sinks *sinks,
                                              hd_recording_summary *summary);
void hd_recording_maker_take(hd_recording_maker *maker, const hd_packed_record *record);
bool hd_recording_maker_flush(
    hd_recording_maker *maker); /* passes on what has come; false: stopped */
void hd_recording_maker_free(hd_recording_maker *made);

/* Into a file. */
bool hd_recording_save(const hd_launch_run *run, const char *path, enum hd_trace_format format,
                       hd_recording_summary *summary, hd_error *error);

#endif
