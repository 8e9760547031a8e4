/*
 * Granules of memory (packed_granules.h) of a run that has not ended yet: borders come with the
 * accesses.  A granule that an access splits becomes two: the first keeps its number, the second
 * gets one of its own, and a callback learns that what was done to the whole was done to the new
 * one too.
 *
 * The borders are a set of addresses with "the last one below": a tree of words of 64 bits, in
 * which each bit stands for a byte of memory, or for a non-empty word one level below.
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

/* Forgets the granules that begin in these bytes, which are used no more: each is told.  What
 * begins there later has a new number, and nothing was done to it.  Takes back the memory they
 * need. */
typedef void hd_recording_split_gone(void *context, uint32_t number);
void hd_recording_split_forget(hd_recording_split *cuts, uint64_t address, uint64_t size,
                               hd_recording_split_gone *gone, void *context);

/* Does some granule contain one of these bytes? */
bool hd_recording_split_known(const hd_recording_split *cuts, uint64_t address, uint64_t size);

#endif
