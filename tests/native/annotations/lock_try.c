/* A try of a lock of the program's own: it may fail, and then the data is not the thread's. */
#include "annotations.h"
static own_lock lock;
static int sum;
static void *adds(void *unused) {
    lock_own(&lock, 1);
    sum++;
    unlock_own(&lock, 1);
    return unused;
}
static void *tries(void *unused) {
    int taken = try_own(&lock);
#ifdef CLEAN
    if (!taken)
        return unused;
#endif
    sum++;
    if (taken)
        unlock_own(&lock, 1);
    return unused;
}
int main(void) {
    run_two(adds, tries);
    return 0;
}
