// A sequence lock whose reader does not look whether a write had begun when it started.
#include "find.h"
static atomic_int sequence, a, b;

static void *write_pairs(void *argument) {
    (void)argument;
    for (int i = 1; i <= 3; i++) {
        atomic_fetch_add(&sequence, 1);
        atomic_store(&a, i);
        atomic_store(&b, i);
        atomic_fetch_add(&sequence, 1);
    }
    return NULL;
}

static void *read_pairs(void *argument) {
    (void)argument;
    for (int i = 0; i < 2; i++) {
        int before = atomic_load(&sequence); // wrong: it may be odd
        int first = atomic_load(&a), second = atomic_load(&b);
        assert(before != atomic_load(&sequence) || first == second);
    }
    return NULL;
}

int main(void) {
    start(0, write_pairs);
    start(1, read_pairs);
    start(2, read_pairs);
    join_all(3);
    return 0;
}
