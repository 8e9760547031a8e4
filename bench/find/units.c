// A semaphore as a lock, which one path gives back twice: from then on two threads are inside.
#include "find.h"
#ifndef N
#define N 3
#endif
static sem_t unit;
static atomic_int inside, work_left = 2;

static void *work(void *argument) {
    (void)argument;
    sem_wait(&unit);
    assert(atomic_fetch_add(&inside, 1) == 0);
    bool last = atomic_fetch_sub(&work_left, 1) == 1;
    atomic_fetch_sub(&inside, 1);
    if (last)
        sem_post(&unit); // wrong: it is given back below
    sem_post(&unit);
    return NULL;
}

int main(void) {
    sem_init(&unit, 0, 1);
    start_all(N + 1, work);
    join_all(N + 1);
    return 0;
}
