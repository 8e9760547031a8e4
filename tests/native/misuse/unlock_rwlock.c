/* A reader gives back a lock that another thread reads with. */
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *other(void *unused) {
#ifdef CLEAN
    pthread_rwlock_rdlock(&lock);
#endif
    pthread_rwlock_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
#ifdef CLEAN
    pthread_rwlock_unlock(&lock);
#endif
    return 0;
}
