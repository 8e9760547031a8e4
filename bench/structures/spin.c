/* A lock that is counted down: below one it is held, and waited for by looking at it. */
#include "locked.h"

static atomic_int left = 1;

static void take(int id) {
    (void)id;
    while (atomic_fetch_sub(&left, 1) != 1)
        while (atomic_load(&left) <= 0)
            ;
}

static void release(int id) {
    (void)id;
    atomic_store(&left, 1);
}
