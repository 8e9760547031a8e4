// A barrier at which the same threads meet each time: their orders of arrival are one execution,
// unless a result tells who came last, or more threads come than pass together.
//@ case -DN=5 -DROUNDS=2 | executions=1
//@ case -DN=3 -DROUNDS=2 -DSHARED | executions=4
//@ case -DN=3 -DROUNDS=2 -DTOLD | executions=36
//@ case -DN=3 -DROUNDS=1 -DMORE | deadlocks=some executions=24
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef MORE
enum { THREADS = N + 1 };
#else
enum { THREADS = N };
#endif

pthread_barrier_t barrier;
int cell[THREADS];
int last;
atomic_int shared;

static void *work(void *argument) {
    int id = (int)(intptr_t)argument;
    for (int i = 0; i < ROUNDS; i++) {
#ifdef SHARED
        if (id < 2)
            shared++;
#endif
        cell[id]++;
#ifdef TOLD
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            last = id;
#else
        pthread_barrier_wait(&barrier);
#endif
    }
    return NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    pthread_barrier_init(&barrier, NULL, N);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
