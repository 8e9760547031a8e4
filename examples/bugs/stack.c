/*
 * A lock-free stack whose nodes come back: ABA.
 *
 * pop() reads the first node and the one after it, and then makes that one the first, if the first
 * is still the same.  In between the other thread may pop both and push the first again.  The
 * exchange succeeds, and a node that the other thread has taken is on the stack.  All accesses are
 * atomic.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    atomic_int taken;
};

static struct node a, b;
static struct node *_Atomic top = &a;

static struct node *pop(void) {
    struct node *first = top;
    while (first && !atomic_compare_exchange_weak(&top, &first, first->next))
        ;
    if (first)
        first->taken = 1;
    return first;
}

static void push(struct node *n) {
    struct node *first = top;
    n->taken = 0;
    do
        n->next = first;
    while (!atomic_compare_exchange_weak(&top, &first, n));
}

static void *one(void *unused) {
    pop();
    return unused;
}

static void *other(void *unused) {
    struct node *first = pop();
    pop();
    if (first)
        push(first);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    a.next = &b;
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    for (struct node *n = top; n; n = n->next)
        assert(!n->taken);
    return 0;
}
