/*
 * Which bytes of the heap were written, so that a read of some that were not can be noted.  One bit
 * for each byte; in an explored program, in memory that is put back between runs like the program's
 * own.  In a recorded one accesses are looked at only if the recorder does not know their word yet,
 * or not in pieces of this size (rt_pack.h): a piece that it knows was written, or its first read
 * was looked at.
 *
 * A read is noted only if none of its bytes was written and all of them are zero, as new memory is:
 * padding that is read with what lies before it, and what code without instrumentation has written,
 * are not.  A copy (memcpy, realloc) reads nothing, and writes all of its target.
 */
#ifndef HD_RT_WRITTEN_H
#define HD_RT_WRITTEN_H

#include "rt.h"

/* NULL: this is not looked at. */
extern uint8_t *hd_rt_written;

void hd_rt_written_init(void);

/* These bytes, of blocks or not, are written; they were read. */
void hd_rt_written_add(uintptr_t address, size_t size);
void hd_rt_written_read(uintptr_t address, size_t size, uintptr_t code);

/* Calls of such libraries are seen from now on: what there is may have been written by others. */
void hd_rt_written_begin(void);

/* A library without instrumentation may write an object there, of a size that is not known: the
 * rest of its block counts as written. */
void hd_rt_written_object(uintptr_t address);

#endif
