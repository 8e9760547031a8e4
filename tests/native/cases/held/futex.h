/* A thread that waits at a word, and one that wakes it, in the ways of futex(2). */
#include "held.h"

#include <linux/futex.h>
#include <stdatomic.h>

static _Atomic int word;

static inline long wait_at(_Atomic int *at, int how, int value, unsigned mask) {
    return syscall(SYS_futex, at, how, value, NULL, NULL, mask);
}
static inline long wake_at(_Atomic int *at, int how, int most, unsigned mask) {
    return syscall(SYS_futex, at, how, most, NULL, NULL, mask);
}
