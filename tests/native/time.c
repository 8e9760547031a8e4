/* Sleeping takes no time, but the clocks say that it did. */
//@ output ok
//@ timeout 20
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void *sleeper(void *unused) {
    sleep(100);
    usleep(5000);
    nanosleep(&(struct timespec){50, 0}, NULL);
    return unused;
}

int main(void) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    time_t start = time(NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(b.tv_sec - a.tv_sec >= 150);
    assert(time(NULL) - start >= 150);
    b.tv_sec += 1000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &b, NULL);
    struct timeval now;
    gettimeofday(&now, NULL);
    assert(now.tv_sec - start >= 1150);
    /* By hand. */
    clock_gettime(CLOCK_MONOTONIC, &a);
    do
        clock_gettime(CLOCK_MONOTONIC, &b);
    while (b.tv_sec - a.tv_sec < 3);
    assert(poll(NULL, 0, 1000000) == 0);
    puts("ok");
    return 0;
}
