#include "rt_reuse.h"

#include "rt_explore.h"
#include "rt_freed.h"
#include "rt_heap.h"
#include "rt_sync.h"

enum { GRAIN = HD_RT_GRAIN, SMALL = HEDDLE_WIRE_REUSED_SMALL, WIDEST = GRAIN << 15 };

static size_t rounded(size_t size) {
    size_t up = (size + GRAIN - 1) & ~(size_t)(GRAIN - 1);
    return up ? up : GRAIN;
}

/* The state that the freed blocks of a size are; large sizes share one by powers of two. */
static uint64_t state_of(size_t size) {
    size_t number = rounded(size) / GRAIN;
    if (number >= SMALL)
        number = SMALL + 63 - (size_t)__builtin_clzll(number);
    return HEDDLE_WIRE_REUSED + 16 * number;
}

static bool is_on(void) {
    return hd_rt.wire->reuse && hd_rt.exploring && hd_rt_controlled() && !hd_rt.ended &&
           hd_rt_explored.births != hd_rt_explored.joins;
}

/* Has a thread chosen it, and not yet taken it? */
static bool is_chosen(uintptr_t block) {
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        const heddle_wire_operation *pending = &hd_rt.live[i]->wire->pending;
        if (pending->kind == HEDDLE_WIRE_REUSE && pending->flags & HEDDLE_WIRE_FREES &&
            (uintptr_t)hd_rt.live[i]->with == block)
            return true;
    }
    return false;
}

/* A request that has come to that address, and its alignment: addresses of blocks are multiples of
 * GRAIN, which leaves room for its logarithm. */
static uintptr_t progress_of(uintptr_t after, size_t alignment) {
    return after | (uintptr_t)__builtin_ctzll(alignment / GRAIN);
}

/* The freed block of that size and alignment with the lowest address after that one, or 0. */
static uintptr_t find_freed(size_t size, uintptr_t progress) {
    uintptr_t after = progress & ~(uintptr_t)(GRAIN - 1);
    uintptr_t alignment = (uintptr_t)GRAIN << progress % GRAIN;
    const heddle_wire_block *blocks = heddle_wire_blocks(hd_rt.wire);
    uint64_t count =
        hd_rt.wire->blocks < HEDDLE_WIRE_BLOCKS ? hd_rt.wire->blocks : HEDDLE_WIRE_BLOCKS;
    uintptr_t found = 0;
    for (uint64_t i = 0; i < count; i++) {
        uintptr_t block = blocks[i].address;
        if (block > after && block % alignment == 0 && (!found || block < found) &&
            hd_rt_heap_freed((const void *)block, rounded(size)) && !is_chosen(block))
            found = block;
    }
    return found;
}

bool hd_rt_reuse_has(const hd_rt_thread *thread) {
    return find_freed(thread->wire->pending.size, (uintptr_t)thread->with) != 0;
}

/* It is allocated from this step on. */
static void *take(uintptr_t block, size_t size, uintptr_t code) {
    uint64_t low, high;
    if (hd_rt_explore_frees((const void *)block, rounded(size), &low, &high)) {
        hd_rt.current->with = (const void *)block;
        hd_rt_point_with(HEDDLE_WIRE_REUSE, HEDDLE_WIRE_FREES, (const void *)block,
                         (uint32_t)rounded(size), code, HD_RT_FOREVER);
        hd_rt.current->with = NULL;
    }
    hd_rt_heap_revive((void *)block, size);
    return (void *)block;
}

void *hd_rt_reuse_take(size_t size, size_t alignment, uintptr_t code) {
    uintptr_t after = 0;
    if (!is_on() || alignment > WIDEST || size > UINT32_MAX - GRAIN)
        return NULL;
    for (;;) {
        uintptr_t progress = progress_of(after, alignment), block = find_freed(size, progress);
        bool shared = hd_rt_explore_state(state_of(size), block != 0);
        if (!block && (!shared || after))
            return NULL;
        hd_rt.current->with = (const void *)progress;
        hd_rt_point_with(HEDDLE_WIRE_REUSE, HEDDLE_WIRE_EITHER, (const void *)state_of(size),
                         (uint32_t)size, code, HD_RT_FOREVER);
        hd_rt.current->with = NULL;
        block = find_freed(size, progress); /* others may have freed one, or got it */
        if (!block)
            return NULL;
        if (hd_rt_explore_choice())
            return take(block, size, code);
        after = block;
    }
}

void hd_rt_reuse_point(const void *block, size_t size, uintptr_t code) {
    if (is_on() && size <= UINT32_MAX - GRAIN && hd_rt_explore_state(state_of(size), true))
        hd_rt_point_with(HEDDLE_WIRE_REUSE, HEDDLE_WIRE_FREES | HEDDLE_WIRE_ALSO, block,
                         (uint32_t)rounded(size), code, (int64_t)state_of(size));
}
