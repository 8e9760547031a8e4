/* A read-write lock is used after it was destroyed. */
#include <pthread.h>
#include <semaphore.h>
static pthread_rwlock_t object;
int main(void) {
    pthread_rwlock_init(&object, NULL);
    pthread_rwlock_rdlock(&object);
    pthread_rwlock_unlock(&object);
    pthread_rwlock_destroy(&object);
#ifdef CLEAN
    pthread_rwlock_init(&object, NULL);
#endif
    pthread_rwlock_rdlock(&object);
    pthread_rwlock_unlock(&object);
    return 0;
}
