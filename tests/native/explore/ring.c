// Each copies a cell to the next one, once (R) or more often; the load and the store are two steps.
//@ case -DN=2 -DR=1 | executions=3 naive
//@ case -DN=4 -DR=1 | executions=15
//@ case -DN=2 -DR=2 | executions=19
//@ case -DN=3 -DR=2 | executions=151
//@ case -DN=12 -DR=1 | executions=4095 only=sdpor long
//@ case -DN=5 -DR=2 | executions=6751 only=sdpor long
//@ case -DN=6 -DR=2 | executions=42559 only=sdpor long
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define THREADS N
#define LOAD(cell) atomic_load_explicit(&(cell), memory_order_relaxed)
#define STORE(cell, value) atomic_store_explicit(&(cell), (value), memory_order_relaxed)

atomic_int x[N];

static void *work(void *argument) {
    int id = (int)(intptr_t)argument;
    for (int i = 0; i < R; i++) {
        int value = LOAD(x[id]);
        STORE(x[(id + 1) % N], value);
    }
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
