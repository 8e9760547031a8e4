/* A barrier is destroyed while a thread waits at it. */
#include <pthread.h>
static pthread_barrier_t barrier;
static int here;
static void *waiter(void *unused) {
    __atomic_store_n(&here, 1, __ATOMIC_SEQ_CST);
    pthread_barrier_wait(&barrier);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, waiter, NULL);
#ifdef CLEAN
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
#else
    if (__atomic_load_n(&here, __ATOMIC_SEQ_CST))
        pthread_barrier_destroy(&barrier);
    else {
        pthread_barrier_wait(&barrier);
        pthread_join(thread, NULL);
    }
#endif
    return 0;
}
