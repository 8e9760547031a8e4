/* Three threads meet at a barrier twice; one of them is told that it is the last. */
//@ free
//@ output 2 ok
//@ events fork=3 join=3 bin=6 bout=6
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static int arrived[2], serial;

static void *worker(void *unused) {
    for (int round = 0; round < 2; round++) {
        __atomic_add_fetch(&arrived[round], 1, __ATOMIC_SEQ_CST);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            __atomic_add_fetch(&serial, 1, __ATOMIC_SEQ_CST);
        assert(__atomic_load_n(&arrived[round], __ATOMIC_SEQ_CST) == 3);
    }
    return unused;
}

int main(void) {
    pthread_t thread[3];
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&barrier);
    printf("%d ok\n", serial);
    return 0;
}
