/* truth: fails.  Cancelled in sem_wait before there is a unit, a thread may yet take it. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t units;

static void *work(void *unused) {
    sem_wait(&units);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_init(&units, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    sem_post(&units);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
}
