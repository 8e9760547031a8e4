/*
 * Blocks of the heap: what of their memory may be used.  An address is never used twice, so every
 * access to a freed block is found, whenever it happens, and every one to what lies between blocks:
 * the run fails there.  And to free a block is a write to all of it: in an explored program, where
 * other threads use it too, it is a step, and may race with their accesses.
 *
 * One byte for each 16 bytes of the heap says what may be used of them (the *shade*).  In an
 * explored program these lie in memory that is put back between runs like the program's own.  In a
 * recorded one they are looked at only for words that the recorder does not know (rt_pack.h): one
 * that is freed becomes unknown again.
 */
#ifndef HD_RT_FREED_H
#define HD_RT_FREED_H

#include "rt.h"
#include "rt_written.h"

enum {
    HD_RT_GRAIN = 16, /* bytes that have one shade; also what stands before a block */
    /* A shade: 0, all of the grain may be used; less than a grain, as many bytes of it; or: */
    HD_RT_BETWEEN = 0x40, /* it lies between blocks */
    HD_RT_FREED = 0x80
};

/* The shades; NULL: this is not looked at. */
extern uint8_t *hd_rt_freed_shades;

/* Of a recorded program: for each page of the heap, how many bytes of it are allocated.  Where
 * nothing is, shades may be gone.  NULL: they never are. */
extern uint32_t *hd_rt_freed_live;

#define HD_RT_HEAP_REGION ((uintptr_t)1 << 34)
#define HD_RT_FREED_HEAP ((uintptr_t)HEDDLE_WIRE_HEAP)

/* The regions of explored threads: the first threads have one each, the others, of which few
 * programs have any, a part of one; then come those that threads take when theirs is full. */
enum { HD_RT_HEAP_WHOLE = 1024, HD_RT_HEAP_PARTS = 8 };
#define HD_RT_HEAP_FURTHER                                                                         \
    (HD_RT_HEAP_WHOLE + (HEDDLE_WIRE_EXPLORED - HD_RT_HEAP_WHOLE) / HD_RT_HEAP_PARTS)

/* Bytes of the heap that have shades: the first regions of explored threads, and some more. */
#define HD_RT_FREED_ROOM ((uintptr_t)(HD_RT_HEAP_FURTHER + 64) * HD_RT_HEAP_REGION)

void hd_rt_freed_init(void);

/* A block is taken, where nothing was between `low` and `high`. */
void hd_rt_freed_made(uintptr_t low, uintptr_t block, size_t size, uintptr_t high);

/* Nothing is allocated any more on these pages; the next block will be at `next`. */
void hd_rt_freed_pages(uintptr_t low, uintptr_t high, uintptr_t next);

/* Before a block is freed: a step, if others use it.  Then another thread may have freed it. */
void hd_rt_freed_point(const void *block, size_t size, uintptr_t code);

/* Is it a block that was freed before?  Then to free it is a step in the runs to come. */
bool hd_rt_freed_again(const void *block);

/* It is freed by the current thread; returns the word to put before the block, which says who freed
 * it. */
uint64_t hd_rt_freed_add(const void *block, size_t size, uintptr_t code);

/* Does a block begin there that was freed?  It is allocated again, with all of that room. */
bool hd_rt_freed_is(const void *block);
void hd_rt_freed_revive(uintptr_t block, size_t size, size_t room);

/* What is freed is not from the heap: the run fails if it is a variable of the program. */
void hd_rt_freed_variable(const void *block, uintptr_t code);

/* The run fails: something is wrong with that block. */
_Noreturn void hd_rt_freed_fail(enum heddle_wire_fault_kind kind, const char *what,
                                const void *block, uintptr_t code);

/* The stacks of an explored program's threads: where they begin, and that of main, which lies above
 * all else. */
#define HD_RT_FREED_STACKS ((uintptr_t)0x080000000000)
#define HD_RT_FREED_STACKS_ROOM ((uintptr_t)HEDDLE_WIRE_EXPLORED << 30)
extern uintptr_t hd_rt_freed_main;

/* Something on a stack is used: the run fails if its function has returned, or its thread has
 * ended. */
extern bool hd_rt_freed_contexts; /* the program may have stacks of its own in those of threads */
void hd_rt_freed_stack(unsigned kind, uintptr_t address, size_t size, uintptr_t code);

/* The last block that was taken there; NULL: it is not known. */
const heddle_wire_block *hd_rt_freed_block(uintptr_t address);

void hd_rt_freed_found(unsigned kind, uintptr_t address, size_t size, uintptr_t code);

/* An access, or another operation at that address, is done now. */
static inline void hd_rt_freed_check(unsigned kind, const volatile void *address, size_t size,
                                     uintptr_t code) {
    uintptr_t at = (uintptr_t)address - HD_RT_FREED_HEAP;
    if (!hd_rt_freed_shades)
        return;
    if (HD_RT_LIKELY(at >= HD_RT_FREED_ROOM)) {
        if (HD_RT_UNLIKELY((uintptr_t)address - HD_RT_FREED_STACKS < HD_RT_FREED_STACKS_ROOM ||
                           (uintptr_t)address >= hd_rt_freed_main))
            hd_rt_freed_stack(kind, (uintptr_t)address, size, code);
        return;
    }
    bool plain = kind - 1 <= HEDDLE_ATOMIC_RMW;
    if (hd_rt_written && plain && kind != HEDDLE_READ + 1 && kind != HEDDLE_ATOMIC_READ + 1)
        hd_rt_written_add((uintptr_t)address, size);
    if (HD_RT_UNLIKELY(!plain || hd_rt_freed_shades[at / HD_RT_GRAIN] ||
                       at % HD_RT_GRAIN + size > HD_RT_GRAIN ||
                       (hd_rt_freed_live && !hd_rt_freed_live[at / HEDDLE_WIRE_PAGE])))
        hd_rt_freed_found(kind, (uintptr_t)address, size, code);
}

#endif
