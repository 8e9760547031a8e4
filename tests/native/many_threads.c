/* More threads than can be driven, all of which write one variable. */
#include <pthread.h>

enum { THREADS = 80 };

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
