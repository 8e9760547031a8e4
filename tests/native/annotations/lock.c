/* A lock of the program's own, whose code is not instrumented; a thread does without. */
#include "annotations.h"
static own_lock lock;
static int sum;
static void *adds(void *unused) {
    lock_own(&lock, 1);
    sum++;
    unlock_own(&lock, 1);
    return unused;
}
static void *adds_bare(void *unused) {
    sum++;
    return unused;
}
int main(void) {
#ifdef CLEAN
    run_two(adds, adds);
    (void)adds_bare;
#else
    run_two(adds, adds_bare);
#endif
    return 0;
}
