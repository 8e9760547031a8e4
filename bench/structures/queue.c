/* The queue of Michael and Scott: each thread appends, and of three the first two, of four the
 * first, take one out. */
#include "structure.h"

struct node {
    _Atomic(struct node *) next;
    int value;
};

enum { TAKERS = N < 4 ? 2 : 1 };

static struct node nodes[N + 1];
static _Atomic(struct node *) head = &nodes[N], tail = &nodes[N];
static int taken[N];

static void append(struct node *node) {
    struct node *last, *next;
    atomic_store(&node->next, NULL);
    for (;;) {
        last = atomic_load(&tail);
        next = atomic_load(&last->next);
        if (last != atomic_load(&tail))
            continue;
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node))
            break;
    }
    atomic_compare_exchange_strong(&tail, &last, node);
}

static int take_out(void) {
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first != atomic_load(&head))
            continue;
        if (first == last) {
            if (!next)
                return -1;
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
    }
}

static void client(int id) {
    nodes[id].value = id;
    append(&nodes[id]);
    if (id < TAKERS) {
        int value = take_out();
        assert(value >= 0);
        taken[value]++;
    }
}

static void finish(void) {
    int count = 0;
    for (int i = 0; i < N; i++)
        count += taken[i];
    assert(count == TAKERS);
}
