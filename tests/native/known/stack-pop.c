// expected: false(unreach-call); with -DFIXED: true
// Two may pop the same element.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    struct node *next;
} nodes[2] = {{&nodes[1]}, {NULL}};
_Atomic(struct node *) top = &nodes[0];
atomic_int popped[2];

static void *pop(void *unused) {
    struct node *seen = atomic_load(&top);
#ifdef FIXED
    while (seen && !atomic_compare_exchange_strong(&top, &seen, seen->next))
        ;
#else
    if (seen)
        atomic_store(&top, seen->next);
#endif
    if (seen)
        assert(atomic_fetch_add(&popped[seen - nodes], 1) == 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pop, NULL);
    pthread_create(&b, NULL, pop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
