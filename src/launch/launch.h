/*
 * launch: a real program, from its source to the end of a run.  Compiling it with the compiler's
 * thread instrumentation and our runtime (room rt) in place of the compiler's; starting it under
 * the runtime, once, along a schedule, or along a recording; and its results: the records in the
 * file that the runtime and this room share (heddle/wire.h), and how it ended.
 */
#ifndef HD_LAUNCH_H
#define HD_LAUNCH_H

#include "launch_atomics.h"
#include "launch_blind.h"
#include "launch_build.h"
#include "launch_compiler.h"
#include "launch_end.h"
#include "launch_log.h"
#include "launch_make.h"
#include "launch_old.h"
#include "launch_options.h"
#include "launch_run.h"
#include "launch_schedule.h"
#include "launch_start.h"
#include "launch_wire.h"

#endif
