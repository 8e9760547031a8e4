// A service that is stopped: it waits until no call is pending, but a call looks at the flag before
// it counts itself.
#include "find.h"
#ifndef N
#define N 2
#endif
static atomic_int stopping, pending, stopped;

static void *call(void *argument) {
    (void)argument;
    for (int i = 0; i < 3; i++) {
        if (atomic_load(&stopping))
            return NULL;
        atomic_fetch_add(&pending, 1); // wrong: it may have stopped since
        assert(!atomic_load(&stopped));
        atomic_fetch_sub(&pending, 1);
    }
    return NULL;
}

static void *stop(void *argument) {
    (void)argument;
    atomic_store(&stopping, 1);
    while (atomic_load(&pending))
        ;
    atomic_store(&stopped, 1);
    return NULL;
}

int main(void) {
    start_all(N, call);
    start(N, stop);
    join_all(N + 1);
    return 0;
}
