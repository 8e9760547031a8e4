// A race: an attempt to lock that fails orders nothing, so it does not make the write visible.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *writes(void *unused) {
    data = 1;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    int found = 0;
    pthread_create(&thread, NULL, writes, NULL);
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    else
        found = data;
    pthread_join(thread, NULL);
    return found > 1;
}
