// A word is shown before it is written, and only if two flags of other threads are seen in one
// order: a chain of N threads, each of which waits for nothing.
#include "find.h"
#ifndef N
#define N 4
#endif
static atomic_int stage[N + 1];

static void *pass(void *argument) {
    int own = number_of(argument);
    if (atomic_load(&stage[own]))
        atomic_store(&stage[own + 1], 1);
    return NULL;
}

static void *first(void *argument) {
    (void)argument;
    atomic_store(&stage[0], 1);
    return NULL;
}

// Threads are created against the order in which they have to run.
int main(void) {
    for (int i = N - 1; i >= 0; i--)
        start(i, pass);
    start(N, first);
    join_all(N + 1);
    assert(!atomic_load(&stage[N]));
    return 0;
}
