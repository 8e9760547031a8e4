/*
 * Freed memory that is handed out again in an explored program (explore --reuse).
 *
 * A request may be given any block that was freed before, is of the same size, rounded up to 16
 * bytes, and is aligned as asked for, or a new one: which of them is a choice of the search.  A
 * request asks for one block after the other, in the order of their addresses; so each choice is
 * between two, and what it depends on is the set of freed blocks, not the order in which they were
 * freed.
 *
 * The freed blocks of a size are a state that threads share: to free a block changes it, to ask for
 * one looks at it, and changes it if there is one.  A block that is chosen counts as freed until a
 * second step, which is one only if other threads use its words: before that step they use freed
 * memory, after it memory that is allocated.
 *
 * Only what is done while there are other threads is looked at, and no request for an alignment of
 * more than 512 KiB.
 */
#ifndef HD_RT_REUSE_H
#define HD_RT_REUSE_H

#include "rt.h"

/* A freed block for the request, which is allocated now; NULL: it gets a new one. */
void *hd_rt_reuse_take(size_t size, size_t alignment, uintptr_t code);

/* A block is about to be freed, which a write to it has said: a step, if other threads may get it.
 */
void hd_rt_reuse_point(const void *block, size_t size, uintptr_t code);

/* Is there a block that the thread's next step, a request, may get? */
bool hd_rt_reuse_has(const hd_rt_thread *thread);

#endif
