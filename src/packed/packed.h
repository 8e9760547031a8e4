/*
 * packed: records as the runtime packs them (heddle/pack.h).  Reading them chunk by chunk; putting
 * the lanes of a free run into one order, guessed where only values tell; and memory as granules,
 * the stretches of bytes that every access covers whole or not at all.
 */
#ifndef HD_PACKED_H
#define HD_PACKED_H

#include "packed_granules.h"
#include "packed_guess.h"
#include "packed_lanes.h"
#include "packed_unpack.h"

#endif
