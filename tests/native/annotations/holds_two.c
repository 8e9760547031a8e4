/* A lock that does not work: two threads have it at once. */
#include "annotations.h"
static int lock;
static void *takes(void *unused) {
#ifdef CLEAN
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST))
        ;
#else
    while (__atomic_load_n(&lock, __ATOMIC_SEQ_CST))
        ;
    __atomic_store_n(&lock, 1, __ATOMIC_SEQ_CST);
#endif
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1);
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 1);
    __atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
    return unused;
}
int main(void) {
    run_two(takes, takes);
    return 0;
}
