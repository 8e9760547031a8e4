// expected: false(no-deadlock); with -DFIXED: true
// A thread that tried an odd number of times does not give the lock back.
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int work;

static void *worker(void *unused) {
    int odd = 0;
    while (atomic_exchange(&lock, 1))
        odd ^= 1;
    work++;
#ifndef FIXED
    if (!odd)
#endif
        atomic_store(&lock, 0);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
