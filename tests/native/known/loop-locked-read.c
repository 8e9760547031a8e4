// expected: false(no-data-race); with -DFIXED: true
// A round of a waiting loop reads a variable; its next read is of a flag, and no race with the
// variable.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int flag;
int plain;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *unused) {
    while (atomic_load(&flag) != 2) {
#ifdef FIXED
        pthread_mutex_lock(&mutex);
#endif
        int seen = plain;
#ifdef FIXED
        pthread_mutex_unlock(&mutex);
#endif
        if (seen == 7)
            break;
    }
    return unused;
}

static void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    atomic_store(&flag, 1);
    plain = 5;
    pthread_mutex_unlock(&mutex);
    atomic_store(&flag, 2);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
