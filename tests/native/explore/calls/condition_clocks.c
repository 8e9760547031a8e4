// Waits with a limit on the steady clock: by the attribute, and by the call.
//@ outcomes 0:0,110 0:110,0 0:110,110
#include <pthread.h>
#include <stdio.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t steady, called = PTHREAD_COND_INITIALIZER;

static void *signaller(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&steady);
    pthread_cond_broadcast(&called);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_condattr_t kind;
    pthread_condattr_init(&kind);
    pthread_condattr_setclock(&kind, CLOCK_MONOTONIC);
    pthread_cond_init(&steady, &kind);
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    pthread_create(&thread, NULL, signaller, NULL);
    pthread_mutex_lock(&lock);
    int first = pthread_cond_timedwait(&steady, &lock, &until);
    int second = pthread_cond_clockwait(&called, &lock, CLOCK_MONOTONIC, &until);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d,%d", first, second);
    return 0;
}
