/*
 * A buffer of one place with one condition for both sides: a signal can wake the wrong thread.
 *
 * Producers wait until the place is empty, consumers until it is full, on the same condition.  A
 * consumer's signal is meant for a producer, but may wake the other consumer, which finds nothing
 * and waits again.  Then all wait.  Every access is protected by the mutex, and there is one lock.
 */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool full;

static void set(bool to) {
    pthread_mutex_lock(&mutex);
    while (full == to)
        pthread_cond_wait(&changed, &mutex);
    full = to;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static void *producer(void *unused) {
    set(true);
    return unused;
}

static void *consumer(void *unused) {
    set(false);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i % 2 ? consumer : producer, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
