/* A read-write lock is destroyed by its holder. */
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
    pthread_rwlock_rdlock(&lock);
#ifdef CLEAN
    pthread_rwlock_unlock(&lock);
#endif
    pthread_rwlock_destroy(&lock);
    return 0;
}
