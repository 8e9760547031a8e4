/*
 * Blocks of the heap that were freed, of a program that is explored.  An address is never used
 * twice there, so every access to a freed block is found, whenever it happens: the run fails with
 * "use after free".  And to free a block is a write to all of it: where other threads use it too,
 * it is a step, and may race with their accesses.
 *
 * One bit for each 16 bytes of the heap says that they were freed.  The bits lie in memory that is
 * put back between runs like the program's own.
 */
#ifndef HD_RT_FREED_H
#define HD_RT_FREED_H

#include "rt.h"

/* The bits; NULL: this is not looked at. */
extern uint64_t *hd_rt_freed_bits;

#define HD_RT_FREED_HEAP ((uintptr_t)HEDDLE_WIRE_HEAP)
#define HD_RT_FREED_ROOM ((uintptr_t)1 << 41) /* bytes of the heap that have bits */

void hd_rt_freed_init(void);

/* Before a block is freed: a step, if others use it.  Then another thread may have freed it. */
void hd_rt_freed_point(const void *block, size_t size, uintptr_t code);

/* Is it a block that was freed before?  Then to free it is a step in the runs to come. */
bool hd_rt_freed_again(const void *block);

/* It is freed by the current thread; returns the word to put before the block, which says who freed
 * it. */
uint64_t hd_rt_freed_add(const void *block, size_t size, uintptr_t code);

/* The run fails: something is wrong with that block. */
_Noreturn void hd_rt_freed_fail(enum heddle_wire_fault_kind kind, const char *what,
                                const void *block, uintptr_t code);

void hd_rt_freed_found(unsigned kind, uintptr_t address, size_t size, uintptr_t code);

/* An access, or another operation at that address, is done now. */
static inline void hd_rt_freed_check(unsigned kind, const volatile void *address, size_t size,
                                     uintptr_t code) {
    uintptr_t at = (uintptr_t)address - HD_RT_FREED_HEAP;
    if (HD_RT_UNLIKELY(at < HD_RT_FREED_ROOM) && hd_rt_freed_bits)
        hd_rt_freed_found(kind, (uintptr_t)address, size, code);
}

#endif
