/*
 * Frees are not counted: they go to free() directly, and need no wrapper.  Instead the allocator is
 * asked how much is in use, and after that as many bytes can be taken without asking as were left.
 * Memory that is freed meanwhile makes this stricter, never laxer.
 */
#include "base_budget.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base_mem.h"
#include "base_progress.h"
#include "base_text.h"

/* Close to the limit, so much is taken between two questions; it may go beyond the budget. */
enum { SLACK = 1 << 20 };

static atomic_size_t budget;
static atomic_size_t unasked; /* bytes that can be taken before the allocator is asked again */

void hd_mem_budget_set(size_t bytes) {
    atomic_store(&budget, bytes && bytes < HD_MEM_BUDGET_LEAST ? HD_MEM_BUDGET_LEAST : bytes);
    atomic_store(&unasked, 0);
}

size_t hd_mem_budget(void) {
    return atomic_load_explicit(&budget, memory_order_relaxed);
}

/* --- what is in use ------------------------------------------------------------------------- */

/* There only in a process with the address sanitizer, whose allocator mallinfo does not know. */
extern size_t
__sanitizer_get_current_allocated_bytes(void) /* NOLINT(bugprone-reserved-identifier) */
    __attribute__((weak));

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
static size_t allocated(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
#else
static size_t allocated(void) {
    return 0;
}
#endif

/* Pages of this process alone that are in memory: hd_mem_pages has some. */
static size_t resident(void) {
    char text[128];
    unsigned long long size, all, shared;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    // NOLINTNEXTLINE(cert-err34-c): the kernel writes the number
    if (sscanf(text, "%llu %llu %llu", &size, &all, &shared) != 3 || all < shared)
        return 0;
    return (size_t)(all - shared) * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t in_use(void) {
    if (__sanitizer_get_current_allocated_bytes)
        return __sanitizer_get_current_allocated_bytes();
    size_t by_malloc = allocated(), by_pages = resident();
    // cppcheck-suppress unsignedLessThanZero ; 2.10 takes the first to be always 0
    return by_malloc > by_pages ? by_malloc : by_pages;
}

bool hd_mem_budget_allows(size_t bytes) {
    size_t limit = hd_mem_budget();
    if (!limit)
        return true;
    size_t used = in_use();
    return used <= limit && bytes <= limit - used;
}

static _Noreturn void refuse(void) {
    char number[32];
    hd_progress_hide();
    hd_mem_fatal("needs more than %s MB of memory; --memory=SIZE allows it",
                 hd_text_grouped(number, hd_mem_budget() >> 20));
}

static void ask(size_t bytes) {
    size_t limit = hd_mem_budget(), used = in_use();
    if (used > limit || bytes > limit - used)
        refuse();
    size_t left = limit - used - bytes;
    atomic_store_explicit(&unasked, left > SLACK ? left : SLACK, memory_order_relaxed);
}

void hd_mem_budget_check(void) {
    if (hd_mem_budget())
        ask(0);
}

void hd_mem_budget_take(size_t bytes) {
    if (!hd_mem_budget())
        return;
    size_t left = atomic_load_explicit(&unasked, memory_order_relaxed);
    while (bytes <= left)
        if (atomic_compare_exchange_weak_explicit(&unasked, &left, left - bytes,
                                                  memory_order_relaxed, memory_order_relaxed))
            return;
    ask(bytes);
}

/* --- how much it is ------------------------------------------------------------------------- */

/* The first number of the file, or of its line that begins so; SIZE_MAX if none exists. */
static size_t number_in(const char *path, const char *line) {
    char text[256];
    size_t skip = strlen(line);
    unsigned long long value;
    size_t result = SIZE_MAX;
    FILE *file = fopen(path, "re");
    while (file && result == SIZE_MAX && fgets(text, sizeof text, file))
        // NOLINTNEXTLINE(cert-err34-c): the kernel writes the number
        if (strncmp(text, line, skip) == 0 && sscanf(text + skip, "%llu", &value) == 1)
            result = (size_t)value;
    if (file)
        fclose(file);
    return result;
}

static size_t free_memory(void) {
    size_t kib = number_in("/proc/meminfo", "MemAvailable:");
    size_t most = number_in("/sys/fs/cgroup/memory.max", ""),
           used = number_in("/sys/fs/cgroup/memory.current", "");
    size_t free = kib < SIZE_MAX / 1024 ? kib * 1024 : SIZE_MAX;
    size_t mine = most == SIZE_MAX || used == SIZE_MAX ? SIZE_MAX : most > used ? most - used : 0;
    return free < mine ? free : mine;
}

size_t hd_mem_budget_default(void) {
    size_t free = free_memory();
    return free == SIZE_MAX ? 0 : free / 4 > HD_MEM_BUDGET_LEAST ? free / 4 : HD_MEM_BUDGET_LEAST;
}

bool hd_mem_budget_parse(const char *text, size_t *bytes) {
    static const struct {
        const char *name;
        unsigned shift;
    } units[] = {{"", 20}, {"K", 10}, {"M", 20}, {"G", 30}, {"T", 40}};
    size_t digits = strspn(text, "0123456789");
    uint64_t value;
    if (!hd_text_u64(text, digits, &value) || value == 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(text + digits, units[i].name) == 0 && value <= SIZE_MAX >> units[i].shift) {
            *bytes = (size_t)value << units[i].shift;
            return true;
        }
    return false;
}
