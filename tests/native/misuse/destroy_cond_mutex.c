/* A mutex is destroyed while a thread waits for a condition with it. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waits, goes;
static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    waits = 1;
    while (!goes)
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    int seen = waits;
    goes = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
#ifdef CLEAN
    seen = 0;
#endif
    if (seen)
        pthread_mutex_destroy(&lock);
    pthread_join(thread, NULL);
    return 0;
}
