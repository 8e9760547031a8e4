/*
 * Which Mazurkiewicz trace a run belongs to: runs that differ only in the order of independent
 * events are the same.  Two runs count as the same if they have the same events, each with the same
 * past.  The past of an event is the set of events that it depends on, given by the number of
 * events of each thread.  The class is the sum of one hash per event, so it does not depend on
 * their order.
 *
 * Dependent are: events of one thread; accesses of one variable that do not both read;
 * events on one lock, condition, barrier or channel; fork and join with the child's.
 */
#ifndef HD_RECORDING_CLASS_H
#define HD_RECORDING_CLASS_H

#include "trace/trace.h"

typedef struct hd_recording_class hd_recording_class;

hd_recording_class *hd_recording_class_create(void);
void hd_recording_class_add(hd_recording_class *class, const hd_trace_tables *tables,
                            const heddle_event *events, size_t count);
uint64_t hd_recording_class_value(const hd_recording_class *class);
void hd_recording_class_free(hd_recording_class *class);

#endif
