/*
 * packed: records as the runtime packs them (heddle/pack.h).  Reading them chunk by chunk; putting
 * the *lanes* of a free run (the record of one thread at a time) into one order, guessed from
 * values where nothing else is known; and memory as *granules*, ranges of bytes that every access
 * covers entirely or not at all.
 */
#ifndef HD_PACKED_H
#define HD_PACKED_H

#include "packed_certain.h"
#include "packed_exempt.h"
#include "packed_granules.h"
#include "packed_guess.h"
#include "packed_lanes.h"
#include "packed_unpack.h"
#include "packed_users.h"

#endif
