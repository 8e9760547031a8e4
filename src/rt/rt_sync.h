/*
 * Synchronisation objects under control.  An operation that takes something says in
 * `size` of what kind it is (heddle/wire_objects.h), so that the scheduler can ask whether it
 * could be taken now.
 */
#ifndef HD_RT_SYNC_H
#define HD_RT_SYNC_H

#include <stdio.h>

#include "rt.h"

bool hd_rt_sync_available(uint32_t sort, const void *object, const hd_rt_thread *thread);
uint32_t hd_rt_sync_holder(uint32_t sort, const void *object); /* thread + 1, 0: not known */
bool hd_rt_sync_readable(uint32_t sort, const void *object);   /* can it be taken for reading? */
bool hd_rt_rwlock_available(const void *lock, bool writing);
bool hd_rt_once_available(uint32_t sort, const void *once);
bool hd_rt_guard_available(const void *guard);

/* rt_stream.c: of a FILE's own lock. */
bool hd_rt_stream_available(const void *stream, const hd_rt_thread *thread);
uint32_t hd_rt_stream_holder(const void *stream);

/* Before a call that writes to the stream.  True if it has taken the lock, which is to be left
 * after the call. */
bool hd_rt_stream_enter(FILE *stream, uintptr_t code);
void hd_rt_stream_leave(FILE *stream, uintptr_t code);

/* The last before such a call, where the stream was not taken: it waits until the lock is free. A
 * step if the program locks streams. */
void hd_rt_stream_await(FILE *stream, uintptr_t code);

/* The point before an operation that may have to wait, with flags HEDDLE_WIRE_TRY if
 * it does not wait, and a deadline or HD_RT_FOREVER. */
bool hd_rt_point_with(unsigned kind, unsigned flags, const volatile void *address, uint32_t size,
                      uintptr_t code, int64_t deadline);

/* The same for a wait outside an explored program, without a look for signals before it. */
bool hd_rt_point_outside(unsigned flags, const volatile void *address, uint32_t size,
                         uintptr_t code, int64_t deadline);

/* Takes and gives back a mutex, as part of a condition wait. */
int hd_rt_mutex_take(pthread_mutex_t *mutex, uintptr_t code, int64_t deadline);
int hd_rt_mutex_give(pthread_mutex_t *mutex, enum heddle_wire_fault_kind fault, const char *verb,
                     uintptr_t code);

/* Has the thread the mutex, so that taking it, or giving it back, changes nothing for others? */
bool hd_rt_mutex_nested(const pthread_mutex_t *mutex, const hd_rt_thread *thread, bool giving);

/* The thread ends: robust mutexes that it still has are given back. */
void hd_rt_mutex_orphans(void);

/* Is it cancelled, and would act on it?  And is it at a point where it does? */
bool hd_rt_cancel_pending(const hd_rt_thread *thread);
bool hd_rt_cancel_due(const hd_rt_thread *thread);

#endif
