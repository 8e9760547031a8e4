// One writes, the others read: each reads before or behind it.
//@ case -DN=2 | executions=2 naive
//@ case -DN=5 | executions=16
//@ case -DN=8 | executions=128 only=sdpor
//@ case -DN=14 | executions=8192 only=sdpor long
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define THREADS N
#define LOAD(cell) atomic_load_explicit(&(cell), memory_order_relaxed)
#define STORE(cell, value) atomic_store_explicit(&(cell), (value), memory_order_relaxed)

atomic_int x;

static void *work(void *id) {
    if ((intptr_t)id == 0)
        STORE(x, 1);
    else
        (void)LOAD(x);
    return id;
}

int main(void) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
