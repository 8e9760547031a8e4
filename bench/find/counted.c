// An object with a counter of references: a reader finds it, then adds its reference; in between
// the last reference may be dropped.
#include "find.h"
#ifndef N
#define N 3
#endif
static atomic_int references = 1, alive = 1, shown = 1;

static void drop(void) {
    if (atomic_fetch_sub(&references, 1) == 1)
        atomic_store(&alive, 0);
}

static void *use(void *argument) {
    (void)argument;
    if (!atomic_load(&shown))
        return NULL;
    atomic_fetch_add(&references, 1); // wrong: it may be 0 by now
    assert(atomic_load(&alive));
    drop();
    return NULL;
}

static void *remove_it(void *argument) {
    (void)argument;
    atomic_store(&shown, 0);
    drop();
    return NULL;
}

int main(void) {
    start_all(N, use);
    start(N, remove_it);
    join_all(N + 1);
    return 0;
}
