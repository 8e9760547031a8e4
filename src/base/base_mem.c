#include "base_mem.h"

#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base_budget.h"
#include "base_file_batch.h"
#include "base_stop.h"

enum { MOST_LOCKS = 8 };

static _Thread_local hd_mem_guard *innermost;
static _Thread_local pthread_mutex_t *locks[MOST_LOCKS]; /* that are held */
static _Thread_local unsigned lock_count;
static _Thread_local uint64_t to_fail; /* the allocation that is to fail; 0: none */
static _Thread_local bool to_spare;    /* this thread asked that one of another fails */
static _Atomic uint64_t to_fail_elsewhere;

void hd_mem_guard_begin(hd_mem_guard *guard) {
    guard->text[0] = '\0';
    guard->locks = lock_count;
    guard->outer = innermost;
    innermost = guard;
}

void hd_mem_guard_end(hd_mem_guard *guard) {
    innermost = guard->outer;
}

bool hd_mem_guarded(void) {
    return innermost != NULL;
}

void hd_mem_lock(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    assert(lock_count < MOST_LOCKS);
    locks[lock_count++] = mutex;
}

void hd_mem_unlock(pthread_mutex_t *mutex) {
    assert(lock_count && locks[lock_count - 1] == mutex);
    lock_count--;
    pthread_mutex_unlock(mutex);
}

_Noreturn void hd_mem_fatal(const char *format, ...) {
    char text[HD_MEM_FATAL];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!innermost) {
        fprintf(stderr, "heddle: %s\n", text);
        if (!lock_count)
            hd_file_batch_abandon();   /* what was committed is kept */
        exit(hd_stop_asked() ? 3 : 2); /* what a signal kept from its answer was not used badly */
    }
    hd_mem_guard *guard = innermost;
    memcpy(guard->text, text, sizeof text);
    innermost = guard->outer;
    while (lock_count > guard->locks)
        pthread_mutex_unlock(locks[--lock_count]);
    hd_file_batch_abandon();
    longjmp(guard->at, 1);
}

static _Noreturn void out_of_memory(size_t size) {
    hd_mem_fatal("out of memory (%zu bytes more were needed)", size);
}

void *hd_mem_made(void *memory) {
    if (!memory)
        hd_mem_fatal("out of memory");
    return memory;
}

void hd_mem_fail_at(uint64_t allocation) {
    to_fail = allocation;
}

void hd_mem_fail_elsewhere(uint64_t allocation) {
    to_spare = allocation != 0;
    atomic_store(&to_fail_elsewhere, allocation);
}

static bool fails(void) {
    if (to_fail && --to_fail == 0)
        return true;
    if (!atomic_load_explicit(&to_fail_elsewhere, memory_order_relaxed) || to_spare)
        return false;
    return atomic_fetch_sub(&to_fail_elsewhere, 1) == 1;
}

static size_t product(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        out_of_memory(SIZE_MAX);
    return bytes ? bytes : 1;
}

void *hd_mem_alloc(size_t size) {
    hd_mem_budget_take(size);
    void *memory = fails() ? NULL : malloc(size ? size : 1);
    if (!memory)
        out_of_memory(size);
    return memory;
}

void *hd_mem_zero(size_t count, size_t size) {
    hd_mem_budget_take(product(count, size));
    void *memory = fails() ? NULL : calloc(1, product(count, size));
    if (!memory)
        out_of_memory(product(count, size));
    return memory;
}

/* The old block counts as used until it is moved; a large one grows in its place. */
static void take_more(void *old, size_t size) {
    size_t had = old ? malloc_usable_size(old) : 0;
    if (size > had)
        hd_mem_budget_take(size - had);
}

void *hd_mem_resize(void *old, size_t count, size_t size) {
    take_more(old, product(count, size));
    void *memory = fails() ? NULL : realloc(old, product(count, size));
    if (!memory)
        out_of_memory(product(count, size));
    return memory;
}

char *hd_mem_string(const char *text, size_t length) {
    char *copy = hd_mem_alloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void *hd_mem_pages(size_t count, size_t size) {
    size_t bytes = product(count, size);
    void *pages = fails() ? MAP_FAILED
                          : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
        out_of_memory(bytes);
    return pages;
}

void hd_mem_pages_free(void *pages, size_t count, size_t size) {
    if (pages)
        munmap(pages, product(count, size));
}
