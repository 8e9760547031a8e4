// Two threads with many independent steps before a read and a write that must come in the wrong
// order, late in both.
#include "find.h"
enum { BEFORE = 40 };
static atomic_int noise[2], x, y;

static void *one(void *argument) {
    (void)argument;
    for (int i = 0; i < BEFORE; i++)
        atomic_fetch_add(&noise[i % 2], 1);
    int seen = atomic_load(&x);
    atomic_store(&y, seen + 1);
    return NULL;
}

static void *two(void *argument) {
    (void)argument;
    for (int i = 0; i < BEFORE; i++)
        atomic_fetch_add(&noise[i % 2], 1);
    int seen = atomic_load(&y);
    atomic_store(&x, seen + 1);
    return NULL;
}

int main(void) {
    start(0, one);
    start(1, two);
    join_all(2);
    assert(!(atomic_load(&x) == 1 && atomic_load(&y) == 1));
    return 0;
}
