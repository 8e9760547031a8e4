// A wait without a loop: only a wake-up without a reason breaks it.
//@ outcomes 0:1
//@ options --spurious
//@ outcomes 0:0 0:1
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;

static void *signaller(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, signaller, NULL);
    pthread_mutex_lock(&lock);
    if (!ready)
        pthread_cond_wait(&condition, &lock);
    int seen = ready;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d", seen);
    return 0;
}
