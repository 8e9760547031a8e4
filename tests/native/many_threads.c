/* Many threads, all of which write one variable. */
#include <pthread.h>

#ifndef THREADS
#define THREADS 80
#endif

static long written;

static void *work(void *unused) {
    written++;
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
