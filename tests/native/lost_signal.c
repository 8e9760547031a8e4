/* A signal that comes before the wait is lost. */
//@ any-exit 0 1
//@ finds main waits on condition ready
//@ seeds 20
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused) {
    pthread_cond_signal(&ready);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
