/*
 * native: a real program as a machine that can be explored (native_machine.h), run again along a
 * witness (native_replay.h) or along a recording (native_follow.h).
 *
 * A server process of the program (native_server.h) executes the runs that are asked for; runs that
 * need not be executed are predicted (room predict).  What an answer about the program rests on is
 * gathered here too (native_rests.h).  Compiling and starting programs is in room launch, names in
 * room symbols, and traces of recorded runs in room recording.
 */
#ifndef HD_NATIVE_H
#define HD_NATIVE_H

#include "launch/launch.h"
#include "native_files.h"
#include "native_follow.h"
#include "native_machine.h"
#include "native_notes.h"
#include "native_replay.h"
#include "native_rests.h"
#include "native_states.h"
#include "native_waiting.h"
#include "recording/recording.h"

#endif
