// expected: false(unreach-call); with -DFIXED: true
// The flag is read again in the round, and may be set between the two reads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *waiter(void *unused) {
    int early = 0;
    while (!atomic_load(&flag)) {
#ifndef FIXED
        early = atomic_load(&flag);
#endif
    }
    assert(!early);
    return unused;
}

static void *setter(void *unused) {
    atomic_store(&flag, 1);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, waiter, 0);
    pthread_create(&threads[1], 0, setter, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
