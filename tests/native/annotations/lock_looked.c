/* The word of a lock is looked at by other code: what that sees is not explored, and said so. */
#include "annotations.h"
static long lock, sum;
static void *adds(void *unused) {
    __tsan_mutex_pre_lock(&lock, 0);
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST))
        ;
    __tsan_mutex_post_lock(&lock, 0, 0);
    sum++;
    __tsan_mutex_pre_unlock(&lock, 0);
    __atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
    __tsan_mutex_post_unlock(&lock, 0);
    return unused;
}
static void *looks(void *unused) {
#ifdef CLEAN
    return unused;
#else
    return __atomic_load_n(&lock, __ATOMIC_SEQ_CST) ? &sum : unused;
#endif
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, adds, NULL);
    run_two(adds, looks);
    pthread_join(thread, NULL);
    return 0;
}
