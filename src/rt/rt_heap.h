/*
 * What the files of the heap share: rt_heap.c has the functions of C, rt_heap_cxx.c those of C++.
 */
#ifndef HD_RT_HEAP_H
#define HD_RT_HEAP_H

#include "rt.h"

/* Is it in the part of the address space that blocks are taken from under control? */
bool hd_rt_heap_ours(const void *block);

/* Explored: may it be in a block that this thread has allocated? */
bool hd_rt_heap_owned(uint32_t thread, uint64_t address);

/* Are they taken from there now? */
bool hd_rt_heap_on(void);

/* Takes one; NULL, with errno, if there is no memory. */
void *hd_rt_heap_allocate(size_t size, size_t alignment, uintptr_t code);

/* Gives one back. */
void hd_rt_heap_release(void *block, uintptr_t code);

/* Is it a block that was freed, and had room for that many bytes? */
bool hd_rt_heap_freed(const void *block, size_t room);

/* A freed block is allocated again. */
void hd_rt_heap_revive(void *block, size_t size);

/* A block of the C library's: of a free run it gets its name all the same. */
void *hd_rt_heap_noted(void *block, size_t size, uintptr_t code);

#endif
