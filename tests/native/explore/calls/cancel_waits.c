// Cancelled in a condition wait: its handler has the lock.  Cancelling can be put off.
//@ outcomes 0:1,0,1 0:0,1,0
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int cleaned, through, ready;

static void clean(void *mutex) {
    cleaned = 1;
    pthread_mutex_unlock(mutex);
}

static void *work(void *unused) {
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    pthread_mutex_lock(&lock);
    pthread_testcancel();
    pthread_setcancelstate(before, NULL);
    pthread_cleanup_push(clean, &lock);
    while (!ready)
        pthread_cond_wait(&condition, &lock);
    through = 1;
    pthread_cleanup_pop(0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, &result);
    printf("%d,%d,%d", result == PTHREAD_CANCELED, through, cleaned);
    return 0;
}
