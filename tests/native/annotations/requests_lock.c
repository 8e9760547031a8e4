/* Client requests of Helgrind and DRD: a lock by its holds, and a benign race. */
#include "annotations.h"
#include <valgrind/drd.h>
#include <valgrind/helgrind.h>
static int lock, sum, hits;
static void *adds(void *unused) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_RELAXED))
        ;
#ifdef CLEAN
    VALGRIND_HG_MUTEX_LOCK_POST(&lock);
#endif
    sum++;
#ifdef CLEAN
    VALGRIND_HG_MUTEX_UNLOCK_PRE(&lock);
#endif
    __atomic_store_n(&lock, 0, __ATOMIC_RELAXED);
    ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN();
    hits++;
    ANNOTATE_IGNORE_READS_AND_WRITES_END();
    return unused;
}
int main(void) {
    run_two(adds, adds);
    return 0;
}
