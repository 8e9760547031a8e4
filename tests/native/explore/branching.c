// What is written depends on what was read.
//@ case -DN=2 | executions=11 naive
//@ case -DN=3 | executions=28
//@ case -DN=4 | executions=103
//@ case -DN=5 | executions=311 only=sdpor
//@ case -DN=8 | executions=10063 only=sdpor long
//@ case -DN=9 | executions=31780 only=sdpor long
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define THREADS N
#define LOAD(cell) atomic_load_explicit(&(cell), memory_order_relaxed)
#define STORE(cell, value) atomic_store_explicit(&(cell), (value), memory_order_relaxed)

atomic_int x[N];

static void *work(void *argument) {
    int id = (int)(intptr_t)argument;
    for (int i = 0; i < 2; i++)
        if (LOAD(x[id]) == 0)
            STORE(x[(id + 1) % N], 1);
    return argument;
}

int main(void) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
