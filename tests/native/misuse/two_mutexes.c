/* Two threads wait for one condition variable, each with a mutex of its own. */
#include <pthread.h>
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int goes[2];
static void *waiter(void *number) {
    pthread_mutex_t *lock = &locks[(long)number];
    pthread_mutex_lock(lock);
    while (!goes[(long)number])
        pthread_cond_wait(&condition, lock);
    pthread_mutex_unlock(lock);
    return NULL;
}
static void release(long number) {
    pthread_mutex_lock(&locks[number]);
    goes[number] = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&locks[number]);
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, (void *)0);
#ifdef CLEAN
    release(0);
    pthread_join(a, NULL);
#endif
    pthread_create(&b, NULL, waiter, (void *)1);
#ifndef CLEAN
    release(0);
    pthread_join(a, NULL);
#endif
    release(1);
    pthread_join(b, NULL);
    return 0;
}
