// N setters write a, then b.  The checker, which is created last, must read b before any of them
// wrote it and a after one did.
#include "find.h"
#ifndef N
#define N 2
#endif
static atomic_int a, b;

static void *set(void *argument) {
    (void)argument;
    atomic_store(&a, 1);
    atomic_store(&b, -1);
    return NULL;
}

static void *look(void *argument) {
    (void)argument;
    int first = atomic_load(&a), second = atomic_load(&b);
    assert((first == 0 && second == 0) || (first == 1 && second == -1));
    return NULL;
}

int main(void) {
    start_all(N, set);
    start(N, look);
    join_all(N + 1);
    return 0;
}
