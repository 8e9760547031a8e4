/*
 * Packing the record of a lane (heddle/pack.h): which site an event is of, and
 * which bytes of memory were accessed together.
 */
#ifndef HD_RT_PACK_H
#define HD_RT_PACK_H

#include "rt.h"

/* False: there is no memory for the lane's tables. */
bool hd_rt_pack_init(hd_rt_lane *lane);

/* Puts an event at `to`; returns the end, which is `to` if no byte was needed. */
unsigned char *hd_rt_pack_event(hd_rt_lane *lane, uint64_t key, uint64_t address, uint64_t value,
                                unsigned char *to);

/* The same for a function that begins or ends; *number is its site's. */
unsigned char *hd_rt_pack_call(hd_rt_lane *lane, uint64_t key, uint32_t *number, unsigned char *to);

/* A block of the heap, for its name. */
void hd_rt_pack_block(uint64_t address, uint64_t size, uintptr_t code);

/* What an access says about the borders in its word, by its size and its place there: bits 0 to 8,
 * granules begin or end before a byte and after the last; bits 9 to 15, a byte belongs together
 * with the one before. */
static inline uint64_t hd_rt_pack_marks(unsigned size, uint64_t offset) {
    return (uint64_t)(size == 0 ? 0x3 : size == 1 ? 0x205 : size == 2 ? 0xe11 : 0xff01) << offset;
}

/* Is the access one that the cell knows, so that nothing is to be noted?  Cells have the marks of
 * their word in the low bits of their tag.  If the offset is not its own in the word, it is not. */
static inline bool hd_rt_pack_noted(const heddle_pack_cell *cell, uint64_t address, uint64_t offset,
                                    unsigned size) {
    uint64_t known = cell->tag ^ (address - offset) << 16; /* if it is the cell of that word */
    uint64_t marks = hd_rt_pack_marks(size, 0);
    if (size == 3)
        return (known & (marks | ~(uint64_t)0xffff)) == marks;
    /* Mostly all of the word, in pieces of that size, and nothing else. */
    static const uint16_t all[] = {0x01ff, 0xaa55, 0xef11};
    return HD_RT_LIKELY(known == all[size]) ||
           ((known >> offset & marks) == marks && !(known >> 16));
}

/* --- items ---------------------------------------------------------------------------------- */

/* There is room for them: each leaves enough for what follows until room is checked again. */

/* The run so far, before an item. */
static inline unsigned char *hd_rt_pack_run(hd_rt_lane *lane) {
    return heddle_pack_varint(lane->cursor, HEDDLE_WIRE_TAIL_RUN(*lane->tail));
}

/* What is in the chunk gets a check. */
void hd_rt_pack_check(hd_rt_lane *lane);

/* An item ends there.  Where that is does not come from the chunk, which may be damaged. */
static inline void hd_rt_pack_close(hd_rt_lane *lane, unsigned char *end) {
    lane->cursor = end;
    if (HD_RT_UNLIKELY(end >= lane->check_at))
        hd_rt_pack_check(lane);
    uint64_t bytes = (uint64_t)(end - lane->chunk->bytes);
    __atomic_store_n(lane->tail, heddle_wire_tail(bytes, 0), __ATOMIC_RELEASE);
}

/* An item ends here, in which there are so many records, one or none. */
static inline void hd_rt_pack_end(hd_rt_lane *lane, unsigned char *end, unsigned records) {
    lane->chunk->items += HEDDLE_WIRE_TAIL_RUN(*lane->tail) + records;
    hd_rt_pack_close(lane, end);
}

/* What was packed from `to` on is a record; if there is nothing it was as expected. */
static inline void hd_rt_pack_record(hd_rt_lane *lane, const unsigned char *to,
                                     unsigned char *end) {
    if (to == end) {
        HD_RT_BARRIER();
        ++*lane->tail;
    } else
        hd_rt_pack_end(lane, end, 1);
}

/* The last record, that of the site that came last, is a plain write whose value will be there
 * later. */
static inline void hd_rt_pack_pending(hd_rt_lane *lane, heddle_pack_cell *cell) {
    lane->write_site = lane->pack.last;
    lane->write_cell = cell;
}

/* The last record, a plain write of that size, wrote this. */
HEDDLE_PACK_INLINE void hd_rt_pack_wrote(hd_rt_lane *lane, unsigned size, uint64_t value) {
    heddle_pack_site *site = lane->write_site;
    lane->write_site = NULL;
    uint64_t key = heddle_pack_key(HEDDLE_WRITE + 1, size | HEDDLE_WIRE_VALUE, 0);
    unsigned char *to = hd_rt_pack_run(lane);
    unsigned char *end = heddle_pack_wrote(&lane->pack, site, key, lane->write_cell, value, to);
    if (end != to)
        hd_rt_pack_end(lane, end, 0);
}

/* Its value is there by now. */
HEDDLE_PACK_INLINE void hd_rt_pack_settle(hd_rt_lane *lane, unsigned size) {
    hd_rt_pack_wrote(lane, size, hd_rt_load((const void *)lane->write_site->address, size));
}

/* --- tables --------------------------------------------------------------------------------- */

/* The site of a key; NULL: it is new. */
heddle_pack_site *hd_rt_pack_find(hd_rt_lane *lane, uint64_t key);

static inline heddle_pack_site *hd_rt_pack_site(hd_rt_lane *lane, uint64_t key) {
    heddle_pack_site *last = lane->pack.last;
    if (last->next->key == key)
        return last->next;
    return last->other->key == key ? last->other : hd_rt_pack_find(lane, key);
}

/* An access inside a word that its cell does not know. */
void hd_rt_pack_word(hd_rt_lane *lane, uint64_t address, unsigned size);

/* Cells do not know these words any more: they were freed. */
void hd_rt_pack_forget(hd_rt_lane *lane, uint64_t address, uint64_t size);

#endif
