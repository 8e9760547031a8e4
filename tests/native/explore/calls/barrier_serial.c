// One of those who meet is told that it is the one, twice over the same barrier.
//@ outcomes 0:1,1
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

pthread_barrier_t barrier;
atomic_int chosen[2];

static void *meet(void *unused) {
    for (int round = 0; round < 2; round++)
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            chosen[round]++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, meet, NULL);
    meet(NULL);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    printf("%d,%d", chosen[0], chosen[1]);
    return 0;
}
