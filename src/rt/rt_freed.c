#include "rt_freed.h"

#include <stdio.h>

#include "rt_explore.h"
#include "rt_real.h"
#include "rt_sync.h"

enum { GRAIN = 16 }; /* bytes that have one bit; also what stands before a block */

uint64_t *hd_rt_freed_bits;

void hd_rt_freed_init(void) {
    if (hd_rt.wire->decision == HEDDLE_WIRE_BY_DECISIONS && !hd_rt.wire->sv_comp)
        hd_rt_freed_bits = hd_rt_pages(HD_RT_FREED_ROOM / GRAIN / 8);
}

static uint64_t grain_of(uintptr_t address) {
    return (address - HD_RT_FREED_HEAP) / GRAIN;
}

static bool is_freed(uint64_t grain) {
    return hd_rt_freed_bits[grain / 64] >> grain % 64 & 1;
}

void hd_rt_freed_point(const void *block, size_t size, uintptr_t code) {
    uint64_t low, high;
    if (!hd_rt_freed_bits || !size || !hd_rt_explore_frees(block, size, &low, &high))
        return;
    uintptr_t from = low * 8, to = (high + 1) * 8;
    uintptr_t end = (uintptr_t)block + size;
    if (from < (uintptr_t)block)
        from = (uintptr_t)block;
    if (to > end)
        to = end;
    hd_rt_point_with(HEDDLE_WRITE + 1, HEDDLE_WIRE_FREES, (void *)from, (uint32_t)(to - from), code,
                     HD_RT_FOREVER);
}

uint64_t hd_rt_freed_add(const void *block, size_t size, uintptr_t code) {
    uintptr_t at = (uintptr_t)block;
    if (!hd_rt_freed_bits || at - HD_RT_FREED_HEAP >= HD_RT_FREED_ROOM - size)
        return 0;
    uint64_t last = grain_of(at + (size ? size - 1 : 0));
    for (uint64_t grain = grain_of(at); grain <= last;)
        if (grain % 64 || last - grain < 63) {
            hd_rt_freed_bits[grain / 64] |= (uint64_t)1 << grain % 64;
            grain++;
        } else {
            hd_rt_freed_bits[grain / 64] = UINT64_MAX;
            grain += 64;
        }
    return (code & HEDDLE_WIRE_ADDRESS) | (uint64_t)hd_rt.current->id << 48;
}

bool hd_rt_freed_again(const void *block) {
    uintptr_t at = (uintptr_t)block;
    if (!hd_rt_freed_bits || at % GRAIN || at - HD_RT_FREED_HEAP < GRAIN ||
        at - HD_RT_FREED_HEAP >= HD_RT_FREED_ROOM)
        return false;
    uint64_t grain = grain_of(at);
    if (!is_freed(grain) || is_freed(grain - 1)) /* there is a head between two blocks */
        return false;
    hd_rt_explore_share(at, 1); /* so that freeing it is a step from now on */
    return true;
}

/* Who freed it is in the head of a block that was. */
static void say_who_freed(heddle_wire_fault *fault, const uint64_t *head) {
    fault->freed = head[1] & HEDDLE_WIRE_ADDRESS;
    fault->freed_by = (uint32_t)(head[1] >> 48);
}

void hd_rt_freed_fail(enum heddle_wire_fault_kind kind, const char *what, const void *block,
                      uintptr_t code) {
    const uint64_t *head = (const uint64_t *)((uintptr_t)block - GRAIN);
    hd_rt.wire->fault = (heddle_wire_fault){.kind = kind, .code = code, .block = (uintptr_t)block};
    if (hd_rt_freed_bits && is_freed(grain_of((uintptr_t)block)))
        say_who_freed(&hd_rt.wire->fault, head);
    hd_rt_print(hd_rt.wire->message, sizeof hd_rt.wire->message, "%s", what);
    hd_rt_say(what);
    hd_rt_fail();
}

static const char *word_of(unsigned kind) {
    switch (kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_ATOMIC_READ + 1:
        return "read";
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
        return "write";
    case HEDDLE_ATOMIC_RMW + 1:
        return "update";
    default:
        return NULL;
    }
}

void hd_rt_freed_found(unsigned kind, uintptr_t address, size_t size, uintptr_t code) {
    const char *word = word_of(kind);
    char text[96];
    uint64_t last = grain_of(address + (word && size ? size - 1 : 0));
    uint64_t grain = grain_of(address);
    while (grain <= last && !is_freed(grain))
        grain++;
    if (grain > last) {
        if (!word) /* who frees it finds that it was used */
            hd_rt_explore_used(address);
        return;
    }
    hd_rt_explore_share(address, word ? size : 1); /* so that freeing it is a step from now on */
    while (grain && is_freed(grain - 1))           /* there is a head between two blocks */
        grain--;
    uintptr_t block = HD_RT_FREED_HEAP + grain * GRAIN;
    uint64_t whole = *(const uint64_t *)(block - GRAIN);
    if (word)
        hd_rt_print(text, sizeof text, "use after free: %s of %zu bytes of a block of %llu", word,
                    size, (unsigned long long)whole);
    else
        hd_rt_print(text, sizeof text, "use after free: operation on an object in a block of %llu",
                    (unsigned long long)whole);
    hd_rt_freed_fail(HEDDLE_WIRE_USE_AFTER_FREE, text, (void *)block, code);
}
