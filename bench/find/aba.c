// A stack of numbered nodes by compare-and-swap of the top alone, whose nodes are used again: one
// thread reads the top and its next node, another pops two and pushes the first back.
#include "find.h"
enum { NODES = 3, NONE = -1 };
static atomic_int top, next[NODES], owner[NODES];

static int pop(void) {
    for (;;) {
        int node = atomic_load(&top);
        if (node == NONE)
            return NONE;
        int after = atomic_load(&next[node]);
        if (atomic_compare_exchange_strong(&top, &node, after))
            return node;
    }
}

static void push(int node) {
    for (;;) {
        int old = atomic_load(&top);
        atomic_store(&next[node], old);
        if (atomic_compare_exchange_strong(&top, &old, node))
            return;
    }
}

static void use(int node) {
    assert(atomic_fetch_add(&owner[node], 1) == 0);
}

static void *pop_two(void *argument) {
    (void)argument;
    int first = pop(), second = pop();
    if (first != NONE)
        use(first);
    if (second != NONE)
        use(second);
    if (first != NONE) {
        atomic_fetch_sub(&owner[first], 1);
        push(first);
    }
    return NULL;
}

static void *pop_one(void *argument) {
    (void)argument;
    for (int i = 0; i < 2; i++) {
        int node = pop();
        if (node != NONE)
            use(node);
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < NODES; i++)
        next[i] = i + 1 < NODES ? i + 1 : NONE;
    start(0, pop_two);
    start(1, pop_one);
    join_all(2);
    return 0;
}
