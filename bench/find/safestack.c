// A stack of three numbered nodes with a counter: a node is taken by an exchange of its next word.
// Three threads take and give back, twice; two of them can come to own one node.  The failure needs
// seven or more preemptions at exact places.
#include "find.h"
enum { NODES = 3 };
#ifndef ROUNDS
#define ROUNDS 2
#endif
static atomic_int head, count, next[NODES], value[NODES];

static int take(void) {
    while (atomic_load(&count) > 1) {
        int node = atomic_load(&head);
        int after = atomic_exchange(&next[node], -1);
        if (after >= 0) {
            int expected = node;
            if (atomic_compare_exchange_strong(&head, &expected, after)) {
                atomic_fetch_sub(&count, 1);
                return node;
            }
            atomic_exchange(&next[node], after);
        }
    }
    return -1;
}

static void give(int node) {
    int old = atomic_load(&head);
    do
        atomic_store(&next[node], old);
    while (!atomic_compare_exchange_strong(&head, &old, node));
    atomic_fetch_add(&count, 1);
}

static void *work(void *argument) {
    int own = number_of(argument);
    for (int i = 0; i < ROUNDS; i++) {
        int node;
        for (;;) {
            node = take();
            if (node >= 0)
                break;
            return NULL;
        }
        atomic_store(&value[node], own);
        assert(atomic_load(&value[node]) == own);
        give(node);
    }
    return NULL;
}

int main(void) {
    atomic_store(&count, NODES);
    for (int i = 0; i < NODES - 1; i++)
        next[i] = i + 1;
    next[NODES - 1] = -1;
    start_all(3, work);
    join_all(3);
    return 0;
}
