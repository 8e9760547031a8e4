// A wait with a time limit: its time is up, or it wakes, for a reason or without one; and waits
// that are begun again, which end by themselves so many times.
//@ outcomes 0:1t
//@ options --spurious
//@ outcomes 0:1t 0:2t
//@ options --wakes=2
//@ outcomes 0:1t 0:2t 0:3t
//@ options --wakes=3
//@ outcomes 0:1t 0:2t 0:3t 0:3w
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *nothing(void *argument) {
    return argument;
}

int main(void) {
    pthread_t other;
    struct timespec until = {.tv_sec = 1};
    pthread_create(&other, NULL, nothing, NULL);
    pthread_mutex_lock(&lock);
    int waits = 1;
    int result = pthread_cond_timedwait(&condition, &lock, &until);
    for (; result == 0 && waits < 3; waits++)
        result = pthread_cond_timedwait(&condition, &lock, &until);
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    printf("%d%s", waits, result == ETIMEDOUT ? "t" : "w");
    return 0;
}
