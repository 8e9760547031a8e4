// One looks for a cell that is not zero while the others make some so.
//@ case -DN=3 | executions=6
//@ case -DN=6 | executions=96
//@ case -DN=11 | executions=5632 only=sdpor long
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define THREADS N
#define LOAD(cell) atomic_load_explicit(&(cell), memory_order_relaxed)
#define STORE(cell, value) atomic_store_explicit(&(cell), (value), memory_order_relaxed)

atomic_int a[N];

static void *work(void *argument) {
    int id = (int)(intptr_t)argument;
    if (id == 0) {
        int i = 0;
        while (i < N && LOAD(a[i]) == 0)
            i++;
    } else {
        int value = LOAD(a[id - 1]);
        STORE(a[id], value + 1);
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
