/*
 * native: real programs.  Compiling them with the compiler's thread
 * instrumentation and our runtime (room rt) in place of the compiler's; starting
 * them under the runtime; and making a trace of what it recorded.
 *
 * The runtime and this room share a file that both have mapped
 * (heddle/wire.h).  What the program did up to its end, whatever the end, is
 * there when it has ended; then it is read twice: once to see which bytes are
 * accessed together, so that every variable of the trace is one granule, and
 * once to write the events.  Names of variables and source lines come from the
 * program's debugging information.
 */
#ifndef HD_NATIVE_H
#define HD_NATIVE_H

#include "launch/launch.h"
#include "native_follow.h"
#include "native_machine.h"
#include "native_replay.h"
#include "native_rests.h"
#include "recording/recording.h"

#endif
