/* A thread unlocks a mutex that another one holds. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *unused) {
#ifdef CLEAN
    pthread_mutex_lock(&lock);
#endif
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
#ifndef CLEAN
    pthread_mutex_lock(&lock);
#endif
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    return 0;
}
