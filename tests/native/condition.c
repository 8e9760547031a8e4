/* A bounded buffer, a broadcast, and waits that time out. */
//@ output 10 ok
//@ events fork=3 join=3
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int buffer[2], used, sum, done;

static void *producer(void *unused) {
    for (int i = 1; i <= 4; i++) {
        pthread_mutex_lock(&lock);
        while (used == 2)
            pthread_cond_wait(&not_full, &lock);
        buffer[used++] = i;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_broadcast(&not_empty);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!used && !done)
            pthread_cond_wait(&not_empty, &lock);
        if (!used)
            break;
        sum += buffer[--used];
        pthread_cond_signal(&not_full);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, producer, NULL);
    pthread_create(&thread[1], NULL, consumer, NULL);
    pthread_create(&thread[2], NULL, consumer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    pthread_cond_t never;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&never, &clock);
    pthread_mutex_lock(&lock);
    struct timespec before, after, until;
    clock_gettime(CLOCK_MONOTONIC, &before);
    until = before;
    until.tv_sec += 3600;
    assert(pthread_cond_timedwait(&never, &lock, &until) == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec - before.tv_sec >= 3600);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    assert(pthread_cond_clockwait(&never, &lock, CLOCK_REALTIME, &until) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    printf("%d ok\n", sum);
    return 0;
}
