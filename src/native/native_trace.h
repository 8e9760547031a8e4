/*
 * A run as a trace.
 */
#ifndef HD_NATIVE_TRACE_H
#define HD_NATIVE_TRACE_H

#include "native_run.h"

/* Events in order, a batch at a time, with the names so far; false stops. */
typedef bool hd_native_sink(void *to, const hd_trace_tables *tables, const heddle_event *events,
                            size_t count);

typedef struct hd_native_summary {
    bool classify;  /* asked for: */
    uint64_t class; /* equal for runs that are one Mazurkiewicz trace (native_class.h) */
    uint64_t events;
    uint64_t lost;
    bool incomplete;
    uint32_t threads;
    uint64_t wire_bytes;
} hd_native_summary;

/* The events of the run, well-formed.  The names go to *tables, and the stacks to *stacks if
 * that is not NULL; both are empty at first and must stay as long as the sink wants them.
 * *summary is zero but for what is asked for.  False with
 * an error if the record was damaged in a way that leaves no trace. */
bool hd_native_events(const hd_native_run *run, hd_trace_tables *tables, hd_trace_stacks *stacks,
                      hd_native_sink *sink, void *to, hd_native_summary *summary, hd_error *error);

/*
 * The same of a run that still goes on, record by record.  Variables are cut as accesses come
 * (native_cuts.h); `part` of one that is there gets a number of its own, and is told then.
 */
enum hd_native_wanted { HD_NATIVE_NO_PLAIN, HD_NATIVE_WRITES, HD_NATIVE_ALL };

typedef void hd_native_cut_sink(void *to, uint32_t variable, uint32_t part);
typedef struct hd_native_maker hd_native_maker;

/* `wanted` is what is to come of plain accesses.  What is left out must not decide anything:
 * plain writes to variables that are atomic elsewhere come all the same. */
hd_native_maker *hd_native_maker_create(const hd_native_run *run, hd_trace_tables *tables,
                                        enum hd_native_wanted wanted, hd_native_sink *sink,
                                        hd_native_cut_sink *cut, void *to,
                                        hd_native_summary *summary);
void hd_native_maker_take(hd_native_maker *maker, const hd_trace_record *record);
bool hd_native_maker_flush(hd_native_maker *maker); /* gives out what has come; false: stopped */
void hd_native_maker_free(hd_native_maker *made);

/* Into a file. */
bool hd_native_save(const hd_native_run *run, const char *path, enum hd_trace_format format,
                    hd_native_summary *summary, hd_error *error);

/* Of a run that ended in a deadlock: a line for each thread that waits, what for, where,
 * and who has it. */
void hd_native_waiting(const hd_native_run *run, hd_vec_char *to);

#endif
