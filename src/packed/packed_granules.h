/*
 * Memory as variables.  Accesses of different sizes may overlap; a variable of a trace is one
 * granule: a range of bytes that every access covers entirely or not at all.  The borders of
 * granules are the ends of all accesses: first all of them are added, then they are numbered by
 * address, from 0.
 */
#ifndef HD_PACKED_GRANULES_H
#define HD_PACKED_GRANULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum { HD_PACKED_PAGE = 4096, HD_PACKED_PAGE_WORDS = HD_PACKED_PAGE / 64 };

typedef struct hd_packed_granules hd_packed_granules;

hd_packed_granules *hd_packed_granules_create(void);
void hd_packed_granules_free(hd_packed_granules *granules);

/* A granule begins or ends here. */
void hd_packed_granules_add(hd_packed_granules *granules, uint64_t address);

/* The same for a page of memory: a bit for each byte that has a border before it. */
void hd_packed_granules_add_page(hd_packed_granules *granules, uint64_t number,
                                 const uint64_t bits[HD_PACKED_PAGE_WORDS]);
void hd_packed_granules_number(hd_packed_granules *granules);

/* The number of the granule that begins at this address (one must begin there); where the next one
 * begins; the number of borders. */
uint32_t hd_packed_granule(hd_packed_granules *granules, uint64_t address);
uint64_t hd_packed_granule_next(hd_packed_granules *granules, uint64_t address);

/* How many granules begin before this address. */
uint32_t hd_packed_granules_before(hd_packed_granules *granules, uint64_t address);
uint32_t hd_packed_granules_count(const hd_packed_granules *granules);

#endif
