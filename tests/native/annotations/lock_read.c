/* Readers share a lock: what one of them writes races. */
#include "annotations.h"
static own_lock lock;
static int data;
#ifdef CLEAN
enum { WRITES = 1 };
#else
enum { WRITES = 0 };
#endif
static void *reads(void *unused) {
    lock_own(&lock, 0);
    void *result = data ? unused : NULL;
    unlock_own(&lock, 0);
    return result;
}
static void *writes(void *unused) {
    lock_own(&lock, WRITES);
    data = 1;
    unlock_own(&lock, WRITES);
    return unused;
}
int main(void) {
    run_two(reads, writes);
    return 0;
}
