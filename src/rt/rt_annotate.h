/*
 * What the program itself says about its synchronisation, in the words of ThreadSanitizer
 * (<sanitizer/tsan_interface.h>, dynamic_annotations.h).
 *
 * A release or acquire of an object is an update or a read of a word that stands for the object,
 * with that memory order: the order of two such operations is what they say, and no more.  A lock
 * is a lock like others; who holds it is known by its annotations alone.  An access may be exempt:
 * it is an access, and a step where it is explored, but no race with it counts.
 */
#ifndef HD_RT_ANNOTATE_H
#define HD_RT_ANNOTATE_H

#include "rt.h"

/* The runtime begins. */
void hd_rt_annotate_start(void);

/* Has the program said of some access that it is exempt? */
extern bool hd_rt_annotate_any;

/* Is this access of the present thread?  Kind is that of a plain read or write. */
bool hd_rt_annotate_exempts(unsigned kind, uintptr_t address, size_t size);

/* The present thread's next step is such an operation there; and its step may be none, as it is in
 * the code of a lock, which need not wait.  Explored. */
void hd_rt_annotate_uses(unsigned kind, uintptr_t address, uint32_t size);
bool hd_rt_annotate_passes(const hd_rt_thread *self);

/* The block is freed: what was said about its memory ends. */
void hd_rt_annotate_freed(uintptr_t block, size_t size);

void hd_rt_annotate_order(bool release, const volatile void *object, uintptr_t code);
void hd_rt_annotate_benign(const volatile void *address, size_t size, uintptr_t code);

/* They count again there. */
void hd_rt_annotate_checked(const volatile void *address, size_t size, uintptr_t code);

/* Reads, or writes, of the present thread are exempt from now on, and no longer. */
enum { HD_RT_READS = 1, HD_RT_WRITES = 2 };
void hd_rt_annotate_ignore(unsigned which, bool begin, uintptr_t code);

/* All are in an atomic section of the present thread (rt_svcomp.c).  Recorded. */
void hd_rt_annotate_section(bool begin, uintptr_t code);

/* Atomic operations of the present thread order nothing from now on, and no longer. */
void hd_rt_annotate_unordered(bool begin);
extern bool hd_rt_annotate_any_unordered; /* has the program said so? */
static inline bool hd_rt_annotate_is_unordered(void) {
    return HD_RT_UNLIKELY(hd_rt_annotate_any_unordered) && hd_rt_self && hd_rt_self->unordered;
}

/* The present thread enters the code of a lock, or of a condition variable (HD_RT_SIGNALS), whose
 * steps are steps; and leaves it.  hd_rt_thread.within says how deep it is. */
enum { HD_RT_WITHIN = 0x7f, HD_RT_SIGNALS = 0x80 };
void hd_rt_annotate_within(bool begin, uintptr_t code);

/* Is it one of the program's own threads, and does the program still run?  What it told. */
bool hd_rt_annotate_on(void);
void hd_rt_annotate_told(uint32_t what); /* HEDDLE_WIRE_TOLD_... */

/* rt_annotate_lock.c */
void hd_rt_annotate_start_locks(void);

/* The present thread has taken the lock; is about to give it back. */
void hd_rt_annotate_acquired(const volatile void *lock, bool writing, uintptr_t code);
void hd_rt_annotate_released(const volatile void *lock, bool writing, uintptr_t code);
void hd_rt_annotate_destroyed(const volatile void *lock, uintptr_t code);

#endif
