/* Treiber's stack: each thread pushes, then pops. */
#include "structure.h"

struct node {
    struct node *next;
    int value;
};

static struct node nodes[N];
static _Atomic(struct node *) top;
static int popped[N];

static void push(struct node *node) {
    struct node *seen;
    do {
        seen = atomic_load(&top);
        node->next = seen;
    } while (!atomic_compare_exchange_strong(&top, &seen, node));
}

static struct node *pop(void) {
    struct node *seen, *next;
    do {
        seen = atomic_load(&top);
        if (!seen)
            return NULL;
        next = seen->next;
    } while (!atomic_compare_exchange_strong(&top, &seen, next));
    return seen;
}

static void client(int id) {
    nodes[id].value = id;
    push(&nodes[id]);
    struct node *node = pop();
    assert(node);
    popped[node->value]++;
}

static void finish(void) {
    for (int i = 0; i < N; i++)
        assert(popped[i] == 1);
}
