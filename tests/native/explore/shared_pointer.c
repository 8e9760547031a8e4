// Which cell is written depends on a pointer that the other thread sets at its end.
//@ case -DN=1 | executions=3
//@ case -DN=10 | executions=21
//@ case -DN=100 | executions=201 only=sdpor long
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define THREADS 2
#define LOAD(cell) atomic_load_explicit(&(cell), memory_order_relaxed)
#define STORE(cell, value) atomic_store_explicit(&(cell), (value), memory_order_relaxed)

atomic_int p[2] = {0, 1}, cell[2];

static void *work(void *argument) {
    int id = (int)(intptr_t)argument;
    for (int i = 0; i < N; i++) {
        int which = LOAD(p[id]);
        int value = LOAD(cell[which]);
        STORE(cell[which], value + 1);
    }
    STORE(p[1 - id], id);
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
