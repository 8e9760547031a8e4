/* truth: right.  The signal of a waiter that is cancelled wakes another one: main always joins
 * both. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int units;

static void give(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&mutex);
}

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(give, NULL);
    while (!units)
        pthread_cond_wait(&condition, &mutex);
    if (unused)
        pthread_cond_signal(&condition); /* the other takes it */
    else
        units--;
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, work, &units);
    pthread_create(&other, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    units = 1;
    pthread_cond_signal(&condition);
    pthread_cancel(one);
    pthread_mutex_unlock(&mutex);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
