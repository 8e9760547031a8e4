// A plain mutex that its holder takes again: nobody goes on; with a limit its time is up.
//@ outcomes 0:110 deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int careless;

static void *work(void *unused) {
    careless = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    int again = careless ? pthread_mutex_lock(&lock)
                         : pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &until);
    pthread_join(thread, NULL);
    printf("%d", again);
    return 0;
}
