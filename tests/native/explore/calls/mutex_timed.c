// A lock with a time limit is had, or its time is up.
//@ outcomes 0:0 0:110
#include <pthread.h>
#include <stdio.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_create(&thread, NULL, holder, NULL);
    int got = pthread_mutex_timedlock(&lock, &until);
    if (!got)
        pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    printf("%d", got);
    return 0;
}
