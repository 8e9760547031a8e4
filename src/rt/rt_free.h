/*
 * Free-running mode: the program's threads are real, each has a lane of records of its own.
 * Synchronisation carries its place in the order of all synchronisation; plain accesses are ordered
 * only by that, so that the order of concurrent accesses of two threads is guessed.
 */
#ifndef HD_RT_FREE_H
#define HD_RT_FREE_H

#include "rt.h"

void hd_rt_free_init(void);

/* The thread's records from here on have the next place; so many follow that are exactly there. */
void hd_rt_free_order(uintptr_t code, unsigned records);

/* What synchronises, at the next place. */
void hd_rt_free_record(unsigned op, uint64_t address, uintptr_t code);
void hd_rt_free_fence(unsigned memory_order, uintptr_t code);

/* Around an atomic operation; the second records it. */
void hd_rt_free_lock(const volatile void *address);
void hd_rt_free_unlock(unsigned kind, unsigned size, const volatile void *address, uintptr_t code,
                       uint64_t value);

/* An atomic operation that no other thread can do at the same time. */
void hd_rt_free_atomic(unsigned kind, unsigned size, const volatile void *address, uintptr_t code,
                       uint64_t value);
int hd_rt_free_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                      void *argument, uintptr_t code);

/* Around a real join: the thread's number, while its handle is still its own; and what the call
 * returned, which is returned.  Not in a free run they do nothing. */
uint32_t hd_rt_free_number(pthread_t handle);
int hd_rt_free_joined(uint32_t id, int error, uintptr_t code);

/* A lock was taken, or not (`error`), by the real call; returns the error. */
int hd_rt_free_taken(unsigned kind, void *lock, int error, uintptr_t code);

/* Around a real condition wait. */
void hd_rt_free_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uintptr_t code);
void hd_rt_free_woken(pthread_cond_t *condition, pthread_mutex_t *mutex, uintptr_t code);

/* In between, of one that has no end but by another thread; and before and after that one's signal:
 * after it, because a wait may begin while it is on its way. */
void hd_rt_free_forever(const pthread_cond_t *condition);
void hd_rt_free_signalled(const pthread_cond_t *condition);

/* Does the thread wait for a condition that was not signalled since?  Of what else it may wait for
 * nothing is known. */
bool hd_rt_free_waits(uint32_t thread);

/* Is that code of the dynamic loader?  It allocates and frees for threads that are made and joined,
 * at an order that is its own. */
bool hd_rt_free_loader(uintptr_t code);

/* --- rt_free_stack.c ------------------------------------------------------------------------- */

/* The attributes of a new thread, with a stack of its own; false: those that it asked for. */
bool hd_rt_free_stack(uint32_t id, const pthread_attr_t *asked, pthread_attr_t *made);
void hd_rt_free_stack_joined(uint32_t id); /* or it was not made */

/* The thread ends, at the end of the function; a thread will be detached. */
void hd_rt_free_stack_ends(uint32_t id, uintptr_t code);
void hd_rt_free_stack_detached(uint32_t id);

#endif
