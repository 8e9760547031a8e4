/*
 * Functions that run as one step, by their names: those that SV-COMP calls atomic.
 * And the one that is an error to reach.
 */
#ifndef HD_LAUNCH_ATOMICS_H
#define HD_LAUNCH_ATOMICS_H

#include "base/base.h"
#include "heddle/wire.h"

/* Finds them in the symbol table of the program, the first of the words of a command that has
 * heddle's runtime; false, with an error, if there are too many. */
bool hd_launch_atomics(heddle_wire *wire, char *const *words, hd_error *error);

#endif
