/*
 * Freed memory of a free-running program.  If one thread frees a block and another gets the same
 * address, their accesses look like those of two threads to one variable that nothing orders: a
 * false race.  So blocks go back to the C library late, the oldest first, when there are too many
 * of them.
 */
#include "rt_quarantine.h"

#include <malloc.h>

#include "rt_real.h"

void __libc_free(void *);

#define MOST_BYTES ((size_t)256 << 20)
enum { MOST_BLOCKS = 1 << 20 };

static void **blocks; /* a ring */
static size_t first, count, bytes;
static uint32_t busy;
static bool said;

static void enter(void) {
    while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
        hd_rt_real.sched_yield();
}

static void leave(void) {
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

/* The oldest block, if there are too many; NULL: there are not. */
static void *too_old(void) {
    if (count < MOST_BLOCKS && bytes <= MOST_BYTES)
        return NULL;
    void *block = blocks[first];
    first = (first + 1) % MOST_BLOCKS;
    count--;
    bytes -= malloc_usable_size(block);
    return block;
}

void hd_rt_quarantine(void *block) {
    enter();
    if (!blocks)
        blocks = hd_rt_pages(MOST_BLOCKS * sizeof *blocks);
    if (!blocks) {
        leave();
        return; /* no memory: it is never used again */
    }
    void *old = too_old();
    blocks[(first + count++) % MOST_BLOCKS] = block;
    bytes += malloc_usable_size(block);
    bool word = old && !said;
    said |= word;
    leave();
    if (word)
        hd_rt_say("so much memory was freed that it is used again: what is called a race on it "
                  "may be none");
    for (; old; leave()) {
        __libc_free(old);
        enter();
        old = too_old();
    }
}
