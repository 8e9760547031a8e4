// truth: fails. The mutex is larger than its block.
#include <pthread.h>
#include <stdlib.h>

static void *makes(void *unused) {
    pthread_mutex_t *mutex = malloc(8);
    pthread_mutex_init(mutex, NULL);
    pthread_mutex_destroy(mutex);
    free(mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, makes, NULL);
    return pthread_join(thread, NULL);
}
