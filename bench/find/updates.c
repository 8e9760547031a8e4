// Two threads, each adds 1 by a load and a store, N times.  The sum can be 2, if each thread's last
// store follows a load of the other's first round.
#include "find.h"
#ifndef N
#define N 3
#endif
static atomic_int sum;

static void *add(void *argument) {
    (void)argument;
    for (int i = 0; i < N; i++)
        atomic_store(&sum, atomic_load(&sum) + 1);
    return NULL;
}

int main(void) {
    start_all(2, add);
    join_all(2);
    assert(atomic_load(&sum) > 2);
    return 0;
}
