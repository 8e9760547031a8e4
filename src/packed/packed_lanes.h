/*
 * Puts the record of a free run into one order.  It consists of *lanes* of packed records
 * (packed_unpack.h), each used by one thread at a time.
 *
 * Records after a HEDDLE_WIRE_ORDER have a place in the total order.  What a lane has between two
 * of these happened between the two places, and all of it is put after the first.  That is right
 * unless two lanes touch the same bytes between overlapping places, one of them writing: those
 * accesses are *guessed*.  They are put into an order that explains the values that were read, if
 * one is found (packed_guess.h); a read that the order does not explain is marked.
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

/* Adds the next chunk of a lane, as for hd_packed_unpack_chunk.  The bytes must stay valid.
 * */
void hd_packed_lanes_chunk(hd_packed_lanes *lanes, uint32_t number, const void *bytes, size_t size,
                           uint64_t run);

/* Decides the order, and goes to its beginning.  The granules must be numbered.  Without granules
 * nothing is guessed: for callers that only need all records, in any order.  False if `over`, which
 * is asked often and may be NULL, said that there is no time left: then there are no records. */
bool hd_packed_lanes_order(hd_packed_lanes *lanes, hd_packed_granules *granules,
                           bool (*over)(void));

/* The next record other than HEDDLE_WIRE_SWITCH and HEDDLE_WIRE_ORDER; false at the end. */
bool hd_packed_lanes_next(hd_packed_lanes *lanes, hd_packed_record *record);

/* Is the order of some accesses to this granule guessed? */
bool hd_packed_lanes_guessed(const hd_packed_lanes *lanes, uint32_t granule);

/* True if a lane is damaged from some place on; everything before that was read. */
bool hd_packed_lanes_damaged(const hd_packed_lanes *lanes);

#endif
