#include "rt_written.h"

#include "rt_freed.h"
#include "rt_misuse.h"
#include "rt_real.h"

uint8_t *hd_rt_written;

/* Of a recorded program, larger blocks are not looked at: to mark what calloc gives would cost more
 * than to allocate it. */
enum { LARGEST = 1 << 16 };

static bool is_large(size_t size) {
    return size > LARGEST && !hd_rt.exploring;
}

void hd_rt_written_init(void) {
    hd_rt_written = hd_rt_table(HD_RT_FREED_ROOM / 8, HEDDLE_WIRE_UNKEPT_WRITTEN);
}

static bool is_heap(uintptr_t address, size_t size) {
    return hd_rt_written && address >= HD_RT_FREED_HEAP && size < HD_RT_FREED_ROOM &&
           address - HD_RT_FREED_HEAP < HD_RT_FREED_ROOM - size;
}

void hd_rt_written_add(uintptr_t address, size_t size) {
    if (!is_heap(address, size) || is_large(size))
        return;
    uintptr_t at = address - HD_RT_FREED_HEAP, end = at + size;
    if (HD_RT_LIKELY(at % 8 + size <= 8)) { /* of one word */
        hd_rt_written[at / 8] |= (uint8_t)(((1U << size) - 1) << at % 8);
        return;
    }
    for (; at < end && (at % 8 || end - at < 8); at++)
        hd_rt_written[at / 8] |= (uint8_t)(1 << at % 8);
    for (; end - at >= 8; at += 8) {
        hd_rt_written[at / 8] = 0xff;
        HD_RT_BARRIER(); /* memset is the program's */
    }
    for (; at < end; at++)
        hd_rt_written[at / 8] |= (uint8_t)(1 << at % 8);
}

static bool is_new(uintptr_t address, size_t size) {
    uintptr_t at = address - HD_RT_FREED_HEAP;
    for (size_t i = 0; i < size; i++)
        if (hd_rt_written[(at + i) / 8] >> (at + i) % 8 & 1 || ((const char *)address)[i])
            return false;
    return true;
}

void hd_rt_written_read(uintptr_t address, size_t size, uintptr_t code) {
    char text[64];
    if (!size || !is_heap(address, size) || !is_new(address, size))
        return;
    const heddle_wire_block *block = hd_rt_freed_block(address);
    if (!block || is_large(block->size))
        return;
    hd_rt_print(text, sizeof text, "%zu byte%s at %zu in a block of %zu", size,
                size == 1 ? "" : "s", (size_t)(address - block->address), (size_t)block->size);
    hd_rt_misuse_read(text, block->code, code);
    hd_rt_written_add(address, size); /* it is told once */
}

void hd_rt_written_object(uintptr_t address) {
    enum { MOST = 4096 };
    if (!is_heap(address, MOST) || !hd_rt_freed_shades)
        return;
    uintptr_t at = address - HD_RT_FREED_HEAP, end = at;
    while (end - at < MOST && hd_rt_freed_shades[end / HD_RT_GRAIN] < HD_RT_GRAIN)
        end = (end / HD_RT_GRAIN + 1) * HD_RT_GRAIN;
    hd_rt_written_add(address, end - at);
}

void hd_rt_written_begin(void) {
    const heddle_wire_block *blocks = heddle_wire_blocks(hd_rt.wire);
    for (uint64_t i = 0; hd_rt_written && i < hd_rt.wire->blocks && i < HEDDLE_WIRE_BLOCKS; i++)
        hd_rt_written_add(blocks[i].address, blocks[i].size);
}
