/* A race at the end of a long run: two threads take a lock as often as the argument says
 * (100 times), and then count without it. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rounds, guarded, late;

static void *work(void *unused) {
    for (long i = 0; i < rounds; i++) {
        pthread_mutex_lock(&lock);
        guarded++;
        pthread_mutex_unlock(&lock);
    }
    late++;
    return unused;
}

int main(int argc, char **argv) {
    pthread_t threads[2];
    rounds = argc > 1 ? atol(argv[1]) : 100;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
