/*
 * The stacks of threads that run freely.  The C library would use that of a detached thread again
 * at once, and two threads that nothing orders would seem to race there.  So each thread gets one
 * of its own, at addresses that no thread has after it unless it is joined; those of a detached
 * thread stay, but for their pages.
 *
 * What is on a stack is gone when its thread ends, whether or not that is joined later.
 */
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt_free.h"
#include "rt_string.h"

enum { GUARD = 4096 };

static struct {
    uintptr_t low;
    size_t size;
    bool detached;
} stacks[HEDDLE_WIRE_THREADS];

bool hd_rt_free_stack(uint32_t id, const pthread_attr_t *asked, pthread_attr_t *made) {
    void *base = NULL;
    size_t size = 0, wanted = 0;
    int state = PTHREAD_CREATE_JOINABLE;
    pthread_attr_init(made);
    if (asked) {
        pthread_attr_getstack(asked, &base, &wanted);
        if (wanted && (uintptr_t)base + wanted) /* without an address its end is 0 */
            return false;
        hd_rt_copy(made, asked, sizeof *made);
    }
    if (pthread_attr_getstacksize(made, &size) != 0)
        return false;
    pthread_attr_getdetachstate(made, &state);
    size = (size + 4095) & ~(size_t)4095;
    long at = hd_rt_syscall(SYS_mmap, 0, (long)(size + GUARD), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (at < 0 && at > -4096)
        return false;
    hd_rt_syscall(SYS_mprotect, at, GUARD, PROT_NONE, 0, 0, 0);
    stacks[id].low = (uintptr_t)at + GUARD;
    stacks[id].size = size;
    stacks[id].detached = state == PTHREAD_CREATE_DETACHED;
    return pthread_attr_setstack(made, (char *)at + GUARD, size) == 0;
}

void hd_rt_free_stack_joined(uint32_t id) {
    if (stacks[id].low)
        hd_rt_syscall(SYS_munmap, (long)(stacks[id].low - GUARD), (long)(stacks[id].size + GUARD),
                      0, 0, 0, 0);
    stacks[id].low = 0;
}

void hd_rt_free_stack_ends(uint32_t id, uintptr_t code) {
    enum { NEAR = 1 << 16 }; /* what this function and the C library still need */
    if (!stacks[id].low)
        return;
    hd_rt_record_gone(stacks[id].low, stacks[id].size, code);
    if (!__atomic_load_n(&stacks[id].detached, __ATOMIC_RELAXED))
        return;
    uintptr_t here = ((uintptr_t)__builtin_frame_address(0) - NEAR) & ~(uintptr_t)4095;
    if (here > stacks[id].low && here - stacks[id].low < stacks[id].size)
        hd_rt_syscall(SYS_madvise, (long)stacks[id].low, (long)(here - stacks[id].low),
                      MADV_DONTNEED, 0, 0, 0);
}

void hd_rt_free_stack_detached(uint32_t id) {
    if (id < HEDDLE_WIRE_THREADS)
        __atomic_store_n(&stacks[id].detached, true, __ATOMIC_RELAXED);
}
