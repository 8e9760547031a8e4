/* A thread gives back a lock that another one writes with. */
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *other(void *unused) {
#ifdef CLEAN
    pthread_rwlock_wrlock(&lock);
#endif
    pthread_rwlock_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
#ifndef CLEAN
    pthread_rwlock_wrlock(&lock);
#endif
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    return 0;
}
