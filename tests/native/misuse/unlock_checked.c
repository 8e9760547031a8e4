/* A mutex that checks its owner refuses the unlock: a note. */
#include <pthread.h>
static pthread_mutex_t lock;
int main(void) {
    pthread_mutexattr_t checks;
    pthread_mutexattr_init(&checks);
    pthread_mutexattr_settype(&checks, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &checks);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#ifndef CLEAN
    pthread_mutex_unlock(&lock);
#endif
    pthread_mutex_destroy(&lock);
    return 0;
}
