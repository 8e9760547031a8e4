/* A mutex is used after it was destroyed, if the thread is late. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *last(void *unused) {
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, last, NULL);
    pthread_mutex_lock(&lock);
    int seen = done;
    pthread_mutex_unlock(&lock);
#ifdef CLEAN
    pthread_join(thread, NULL);
    seen = 1;
#endif
    pthread_mutex_destroy(&lock);
    if (seen) {
        pthread_mutex_init(&lock, NULL);
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
#ifndef CLEAN
    pthread_join(thread, NULL);
#endif
    return 0;
}
