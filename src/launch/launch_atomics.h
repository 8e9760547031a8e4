/*
 * Functions that run as one step, by their names: those that SV-COMP calls atomic.
 * And the one that is an error to reach.
 */
#ifndef HD_LAUNCH_ATOMICS_H
#define HD_LAUNCH_ATOMICS_H

#include "base/base.h"
#include "heddle/wire.h"

/* Finds them in the program's symbol table; false, with an error, if there are too many. */
bool hd_launch_atomics(heddle_wire *wire, const char *path, hd_error *error);

#endif
