/*
 * Granules of memory (packed_granules.h) of a run that still goes on: borders come with the
 * accesses.  A granule that an access cuts becomes two: the first keeps its number, the second
 * gets one of its own, and somebody is told that what was done to the whole was done to it too.
 *
 * The borders are a set of addresses with "the last one below": a tree of words of 64 bits, each
 * bit a byte of memory, or a word one level below that is not empty.
 */
#ifndef HD_RECORDING_SPLIT_H
#define HD_RECORDING_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

#define HD_RECORDING_SPLIT_NONE UINT32_MAX

typedef struct hd_recording_split hd_recording_split;

/* The number of a new granule; `whole` is the one that it was part of, or HD_RECORDING_SPLIT_NONE.
 */
typedef uint32_t hd_recording_split_number(void *context, uint64_t address, uint32_t whole);

hd_recording_split *hd_recording_split_create(hd_recording_split_number *number, void *context);
void hd_recording_split_free(hd_recording_split *cuts);

/* An access to these bytes: makes the borders that it needs. */
void hd_recording_split_access(hd_recording_split *cuts, uint64_t address, uint64_t size);

/* The granule that begins at a border, and where it ends. */
uint32_t hd_recording_split_granule(hd_recording_split *cuts, uint64_t address, uint64_t *end);

/* Does a granule have one of these bytes? */
bool hd_recording_split_known(const hd_recording_split *cuts, uint64_t address, uint64_t size);

#endif
