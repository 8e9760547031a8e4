/*
 * Memory.  These never return NULL: out of memory is fatal here, in one place, with a clear message
 * and status 2, so that no caller needs a path for it.  So is what goes beyond the budget of the
 * process (base_budget.h).
 *
 * A library must not end its host.  So who asks can put a guard around the work, and what is
 * fatal leads back to it instead:
 *
 *     hd_mem_guard guard;
 *     hd_mem_guard_begin(&guard);
 *     if (setjmp(guard.at) == 0) {
 *         ... work
 *         hd_mem_guard_end(&guard);
 *     } else
 *         ... guard.text says what; the guard has ended
 *
 * A guard is of its thread; threads that work for another have base_worker.h.  What the work had
 * allocated and did not hand out is lost: memory, open files.  A mutex with which something is
 * allocated is locked by hd_mem_lock: it is given back on the way.
 */
#ifndef HD_BASE_MEM_H
#define HD_BASE_MEM_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h> /* pthread_mutex_t; <pthread.h> takes a tenth of what most files take to parse */

#define HD_PRINTF(format_at, rest_at) __attribute__((format(printf, format_at, rest_at)))

void *hd_mem_alloc(size_t size);
void *hd_mem_zero(size_t count, size_t size); /* overflow of the product is fatal too */
void *hd_mem_resize(void *old, size_t count, size_t size);
char *hd_mem_string(const char *text, size_t length); /* a copy, NUL-terminated */

/* A large table of which little may be used: pages of its own, zero, that cost nothing until they
 * are touched.  (calloc clears all of it if it reuses what was freed.)  They are not counted
 * against the budget until then: who fills such tables calls hd_mem_budget_check now and then. */
void *hd_mem_pages(size_t count, size_t size);
void hd_mem_pages_free(void *pages, size_t count, size_t size);

enum { HD_MEM_FATAL = 256 };

typedef struct hd_mem_guard {
    jmp_buf at;
    char text[HD_MEM_FATAL];
    struct hd_mem_guard *outer;
    unsigned locks; /* that were held when it began */
} hd_mem_guard;

void hd_mem_guard_begin(hd_mem_guard *guard);
void hd_mem_guard_end(hd_mem_guard *guard);
bool hd_mem_guarded(void); /* is there one? */

/* Mutexes of a thread are unlocked in the reverse order; few are held at a time. */
void hd_mem_lock(pthread_mutex_t *mutex);
void hd_mem_unlock(pthread_mutex_t *mutex);

/* What another library has allocated; fatal if that is NULL. */
void *hd_mem_made(void *memory);

/* What nothing can be done about: to the guard of this thread, else to standard error and
 * status 2. */
_Noreturn void hd_mem_fatal(const char *format, ...) HD_PRINTF(1, 2);

/* For tests: this thread's n-th allocation from now on fails, once; 0: none.  Or the n-th of all
 * other threads. */
void hd_mem_fail_at(uint64_t allocation);
void hd_mem_fail_elsewhere(uint64_t allocation);

#define HD_NEW(type) ((type *)hd_mem_zero(1, sizeof(type)))
#define HD_NEW_ARRAY(type, count) ((type *)hd_mem_zero((count), sizeof(type)))

#endif
