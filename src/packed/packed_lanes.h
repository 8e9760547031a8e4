/*
 * The record of a free run: lanes of packed records (packed_unpack.h), each of one thread at
 * a time, put into one order.
 *
 * Some records have their place among all: behind a record HEDDLE_WIRE_ORDER.  What a lane
 * has between two of these happened between these places, and all of it is put behind the
 * first.  That is right unless two lanes touch the same bytes, one of them writing, while
 * neither is past the other: those accesses are *guessed*.  They are put into an order that
 * explains the values which were read, if one is found (packed_guess.h); a read that it does
 * not explain is marked.
 *
 *     for each chunk:     hd_packed_lanes_chunk
 *     to read them:       hd_packed_lanes_order, then hd_packed_lanes_next until there are no more
 */
#ifndef HD_PACKED_LANES_H
#define HD_PACKED_LANES_H

#include "packed_granules.h"
#include "packed_unpack.h"

typedef struct hd_packed_lanes hd_packed_lanes;

hd_packed_lanes *hd_packed_lanes_create(void);
void hd_packed_lanes_free(hd_packed_lanes *lanes);

/* The next chunk of the lane of that number, as hd_packed_unpack_chunk has it; the bytes must stay.
 */
void hd_packed_lanes_chunk(hd_packed_lanes *lanes, uint32_t number, const void *bytes, size_t size,
                           uint64_t run);

/* Decides the order, and goes to its beginning.  The granules are numbered; without them
 * nothing is guessed: for who wants to see all records, in whatever order. */
void hd_packed_lanes_order(hd_packed_lanes *lanes, hd_packed_granules *granules);

/* The next record, but HEDDLE_WIRE_SWITCH and HEDDLE_WIRE_ORDER; false at the end. */
bool hd_packed_lanes_next(hd_packed_lanes *lanes, hd_packed_record *record);

/* Is it one that some records of touch in an order that was guessed? */
bool hd_packed_lanes_guessed(const hd_packed_lanes *lanes, uint32_t granule);

/* The bytes of a lane made no sense from some place on; all before that was read. */
bool hd_packed_lanes_damaged(const hd_packed_lanes *lanes);

#endif
