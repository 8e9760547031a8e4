// No race: an attempt that succeeds takes the lock, and orders what comes after it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *writes(void *unused) {
    pthread_mutex_lock(&mutex);
    data = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    int found = 0;
    pthread_create(&thread, NULL, writes, NULL);
    if (pthread_mutex_trylock(&mutex) == 0) {
        found = data;
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return found > 1;
}
