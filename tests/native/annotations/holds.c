/* A lock that orders too little by its memory orders, and enough by its annotations. */
#include "annotations.h"
static int lock, sum;
static void *adds(void *unused) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_RELAXED))
        ;
#ifdef CLEAN
    AnnotateRWLockAcquired(__FILE__, __LINE__, &lock, 1);
#endif
    sum++;
#ifdef CLEAN
    AnnotateRWLockReleased(__FILE__, __LINE__, &lock, 1);
#endif
    __atomic_store_n(&lock, 0, __ATOMIC_RELAXED);
    return unused;
}
int main(void) {
    AnnotateRWLockCreate(__FILE__, __LINE__, &lock);
    run_two(adds, adds);
    AnnotateRWLockDestroy(__FILE__, __LINE__, &lock);
    return 0;
}
