// A thread looks at a flag without the lock that the notification is under: the wake-up is lost.
//@ case | executions=3 deadlocks=1 naive
//@ case -DRIGHT | executions=2 naive
//@ finds wake up on changed
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

static void *waiter(void *unused) {
#ifdef RIGHT
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_lock(&lock);
    int seen = ready;
    pthread_mutex_unlock(&lock);
    if (!seen) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
