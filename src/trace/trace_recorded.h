/*
 * A packed record (packed_unpack.h) as events: an access becomes an event for each granule that it
 * covers, and addresses become names.  The recorder found out the names; here they come as tables
 * (doc/format.md: sections T and G).
 *
 *     while there are tables:   hd_trace_recorded_tables, hd_trace_recorded_granules
 *     for each chunk:           hd_trace_recorded_chunk, then
 *                               hd_trace_recorded_next until it gives no more
 *     or, of a free run,
 *     for each chunk:           hd_trace_recorded_lane
 *     and then:                 hd_trace_recorded_lanes, then
 *                               hd_trace_recorded_next until it gives no more
 */
#ifndef HD_TRACE_RECORDED_H
#define HD_TRACE_RECORDED_H

#include "packed/packed.h"
#include "trace_event.h"
#include "trace_stacks.h"

typedef struct hd_trace_recorded hd_trace_recorded;

/* Names go to *tables, each when an event first uses it; stacks to *stacks, if that is not
 * NULL, unsettled. */
hd_trace_recorded *hd_trace_recorded_create(hd_trace_tables *tables, hd_trace_stacks *stacks);
void hd_trace_recorded_free(hd_trace_recorded *recorded);

/* The payload of a section; false if it is damaged.  `functions`: the table of codes has
 * functions. */
bool hd_trace_recorded_tables(hd_trace_recorded *recorded, bool functions, const unsigned char *at,
                              const unsigned char *end);
bool hd_trace_recorded_granules(hd_trace_recorded *recorded, const unsigned char *at,
                                const unsigned char *end);
bool hd_trace_recorded_certain(hd_trace_recorded *recorded, const char *text, size_t size);
bool hd_trace_recorded_chunk(hd_trace_recorded *recorded, const unsigned char *at,
                             const unsigned char *end);
bool hd_trace_recorded_lane(hd_trace_recorded *recorded, const unsigned char *at,
                            const unsigned char *end);

/* All chunks of lanes are there; false if there are none, or they are damaged.  *late if `timed`
 * and the clock was over before they were in order: then there are no events. */
bool hd_trace_recorded_lanes(hd_trace_recorded *recorded, bool timed, bool *late);

/* Up to about `most` events, the first of them number `first`; 0 at the end of the chunk, -1 if it
 * is damaged: the events are those before the damage. */
int hd_trace_recorded_next(hd_trace_recorded *recorded, uint32_t first, size_t most,
                           heddle_event **events, size_t *count);

/* An event was left out: from now on none is certain. */
void hd_trace_recorded_doubt(hd_trace_recorded *recorded);

/* --- writing -------------------------------------------------------------------------------- */

typedef HD_VEC(unsigned char) hd_trace_bytes;

void hd_trace_put_number(hd_trace_bytes *to, uint64_t value);
void hd_trace_put_string(hd_trace_bytes *to, const char *text, size_t length);

/* An array of numbers: the names of its elements are made when they are needed. */
typedef struct hd_trace_array {
    uint64_t start, size;
    uint64_t element; /* bytes */
    uint64_t counts[4];
    uint32_t dimensions;
} hd_trace_array;

/* "[2][3]+1" for the byte at an offset. */
void hd_trace_print_element(const hd_trace_array *array, uint64_t offset, hd_vec_char *to);

/* The automaton of certain events, as a pair of section P that comes before the first chunk. */
#define HD_TRACE_CERTAIN "certain"
void hd_trace_put_certain(hd_trace_bytes *to, const hd_packed_certain *certain);

/* A page of section G, and then each of its borders' names in order, "" if nothing begins
 * there; *before is the name before, empty where a section begins. */
void hd_trace_put_page(hd_trace_bytes *to, uint64_t page,
                       const uint64_t bits[HD_PACKED_PAGE_WORDS]);
void hd_trace_put_name(hd_trace_bytes *to, const char *text, size_t length, hd_vec_char *before);

/* The names of the next `count` borders of the page, which lie in the array. */
void hd_trace_put_array(hd_trace_bytes *to, const char *text, size_t length,
                        const hd_trace_array *array, unsigned count);

#endif
