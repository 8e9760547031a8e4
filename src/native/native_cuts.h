/*
 * Granules of memory (trace_granules.h) of a run that still goes on: borders come with the
 * accesses.  A granule that an access cuts becomes two: the first keeps its number, the second
 * gets one of its own, and somebody is told that what was done to the whole was done to it too.
 *
 * The borders are a set of addresses with "the last one below": a tree of words of 64 bits, each
 * bit a byte of memory, or a word one level below that is not empty.
 */
#ifndef HD_NATIVE_CUTS_H
#define HD_NATIVE_CUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

#define HD_NATIVE_CUT_NONE UINT32_MAX

typedef struct hd_native_cuts hd_native_cuts;

/* The number of a new granule; `whole` is the one that it was part of, or HD_NATIVE_CUT_NONE. */
typedef uint32_t hd_native_cut_number(void *context, uint64_t address, uint32_t whole);

hd_native_cuts *hd_native_cuts_create(hd_native_cut_number *number, void *context);
void hd_native_cuts_free(hd_native_cuts *cuts);

/* An access to these bytes: makes the borders that it needs. */
void hd_native_cuts_access(hd_native_cuts *cuts, uint64_t address, uint64_t size);

/* The granule that begins at a border, and where it ends. */
uint32_t hd_native_cuts_granule(hd_native_cuts *cuts, uint64_t address, uint64_t *end);

/* Does a granule have one of these bytes? */
bool hd_native_cuts_known(const hd_native_cuts *cuts, uint64_t address, uint64_t size);

#endif
