//@ case -DTHREADS=500 -DMEETS=0 | executions=1
//@ case -DTHREADS=1100 -DMEETS=0 | executions=1 slow
//@ case -DTHREADS=300 -DMEETS=3 | executions=8 slow
/* Many threads one after the other, each of which takes a lock; the creator
 * takes it too, of the last ones. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *increment(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, increment, NULL);
        if (i >= THREADS - MEETS) {
            pthread_mutex_lock(&lock);
            pthread_mutex_unlock(&lock);
        }
        pthread_join(thread, NULL);
    }
    assert(count == THREADS);
    return 0;
}
