/*
 * recording: makes a trace of a run of a program.  The records of a run are read twice: once to see
 * which bytes are accessed together, so that every variable of the trace is one granule, and once
 * to make the events.  A run that has not ended yet is read as a stream.
 */
#ifndef HD_RECORDING_H
#define HD_RECORDING_H

#include "recording_class.h"
#include "recording_end.h"
#include "recording_events.h"
#include "recording_live.h"
#include "recording_memory.h"
#include "recording_notes.h"
#include "recording_save.h"

#endif
