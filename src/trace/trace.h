/*
 * trace: the record of a run.  Events (include/heddle/event.h) with their names, in memory or as a
 * stream; the text and the binary format; the check that a sequence of events can be a run at all;
 * which read saw which write and the other pairs of events; and indexes.
 *
 * Event numbers are 1..N in file order, everywhere; 0 means no event, or the initial value.
 */
#ifndef HD_TRACE_H
#define HD_TRACE_H

#include "packed/packed.h"
#include "trace_check.h"
#include "trace_cursor.h"
#include "trace_end.h"
#include "trace_event.h"
#include "trace_index.h"
#include "trace_loset.h"
#include "trace_memory.h"
#include "trace_recorded.h"
#include "trace_recording.h"
#include "trace_stacks.h"
#include "trace_statistics.h"
#include "trace_writer.h"

#endif
