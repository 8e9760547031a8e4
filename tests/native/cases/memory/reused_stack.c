// A stack of nodes (Treiber), from which one thread pops a node; the other pops two, frees the
// first, and pushes one that it allocates.  If that gets the same address, the exchange of the
// first thread succeeds although the node that it puts on top was popped: ABA.  The first thread
// may also read a node that was freed.  -DHAZARD: it says which node it looks at, and that is not
// freed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct node {
    struct node *_Atomic next;
} node;

static node *_Atomic top, *_Atomic hazard;
static node *second;

static void push(node *it) {
    node *seen = atomic_load(&top);
    do
        atomic_store(&it->next, seen);
    while (!atomic_compare_exchange_strong(&top, &seen, it));
}

static node *pop(void) {
    node *seen = atomic_load(&top);
    while (seen && !atomic_compare_exchange_strong(&top, &seen, atomic_load(&seen->next)))
        ;
    return seen;
}

static void *pop_one(void *unused) {
#ifdef HAZARD
    node *seen = atomic_load(&top);
    atomic_store(&hazard, seen);
    if (!seen || atomic_load(&top) != seen)
        return unused; /* it would try again */
    node *next = atomic_load(&seen->next);
    atomic_compare_exchange_strong(&top, &seen, next);
#else
    pop();
#endif
    return unused;
}

static void *pop_and_push(void *unused) {
    node *first = pop();
    second = pop();
    if (first && atomic_load(&hazard) != first)
        free(first);
    push(calloc(1, sizeof(node)));
    return unused;
}

int main(void) {
    pthread_t one, other;
    push(calloc(1, sizeof(node)));
    push(calloc(1, sizeof(node)));
    pthread_create(&one, NULL, pop_one, NULL);
    pthread_create(&other, NULL, pop_and_push, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(!second || atomic_load(&top) != second);
    return 0;
}
