// truth: right. To destroy a barrier waits for those that have not left it yet.
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *meets(void *unused) {
    if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
        pthread_barrier_destroy(barrier);
        free(barrier);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&thread, NULL, meets, NULL);
    meets(NULL);
    return pthread_join(thread, NULL);
}
