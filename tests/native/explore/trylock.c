// A try comes before, between or behind what another thread does with the lock.
//@ case | executions=4 violations=2 naive
//@ case -DTIMED | executions=4 violations=2 naive
//@ case -DOTHER | executions=4 violations=2 naive
//@ finds assertion failed: got
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *trier(void *unused) {
#ifdef TIMED
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    int got = pthread_mutex_timedlock(&lock, &soon) == 0;
#else
    int got = pthread_mutex_trylock(&lock) == 0;
#endif
    assert(got);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
#ifdef OTHER
    pthread_create(&threads[0], NULL, trier, NULL);
    pthread_create(&threads[1], NULL, holder, NULL);
#else
    pthread_create(&threads[0], NULL, holder, NULL);
    pthread_create(&threads[1], NULL, trier, NULL);
#endif
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
