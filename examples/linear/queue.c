/*
 * The queue of Michael and Scott (1996), twice.
 *
 *     heddle test queue.c
 *
 * queue: linearizable.
 *
 * late_link: an enqueue moves the tail first, and links its node to the queue after that.  In
 * between, the queue looks as if it ended before the node, so that a dequeue finds it empty although
 * an enqueue has returned.
 */
#include <heddle/linear.h>

#include <stdatomic.h>

typedef struct node {
    _Atomic(struct node *) next;
    long long value;
} node;

static _Atomic(node *) head, tail; /* the first node is the one that was dequeued last */

static node *new_node(long long value) {
    node *made = malloc(sizeof *made);
    if (!made)
        abort();
    atomic_init(&made->next, NULL);
    made->value = value;
    return made;
}

static void begin(void) {
    node *first = new_node(0);
    atomic_store(&head, first);
    atomic_store(&tail, first);
}

static void enqueue(long long value) {
    node *added = new_node(value);
    for (;;) {
        node *last = atomic_load(&tail), *next = atomic_load(&last->next);
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next); /* help who is late */
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, added)) {
            atomic_compare_exchange_strong(&tail, &last, added);
            return;
        }
    }
}

static long long dequeue(void) {
    for (;;) {
        node *first = atomic_load(&head), *last = atomic_load(&tail);
        node *next = atomic_load(&first->next);
        if (!next)
            return HEDDLE_EMPTY;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&head, &first, next))
            return next->value;
    }
}

static void enqueue_late(long long value) {
    node *added = new_node(value), *last = atomic_exchange(&tail, added);
    atomic_store(&last->next, added);
}

/* ---- The model ---- */

typedef struct items {
    int first, end;
    long long value[8];
} items;

static long long model_enqueue(items *model, long long value) {
    model->value[model->end++] = value;
    return HEDDLE_DONE;
}

static long long model_dequeue(items *model) {
    return model->first < model->end ? model->value[model->first++] : HEDDLE_EMPTY;
}

/* ---- As it was published ---- */

HEDDLE_LINEAR(queue, items) {
    begin();
}

HEDDLE_OPERATION(queue, enqueue, "fresh") {
    enqueue(a);
    return HEDDLE_DONE;
}

HEDDLE_MODEL(queue, enqueue) {
    return model_enqueue(model, a);
}

HEDDLE_OPERATION(queue, dequeue) {
    return dequeue();
}

HEDDLE_MODEL(queue, dequeue) {
    return model_dequeue(model);
}

/* ---- The link comes late ---- */

static long long dequeue_alone(void) {
    for (;;) {
        node *first = atomic_load(&head), *next = atomic_load(&first->next);
        if (!next)
            return HEDDLE_EMPTY;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return next->value;
    }
}

HEDDLE_LINEAR_FAILS(late_link, items, "with=linearizability") {
    begin();
}

HEDDLE_OPERATION(late_link, enqueue, "fresh") {
    enqueue_late(a);
    return HEDDLE_DONE;
}

HEDDLE_MODEL(late_link, enqueue) {
    return model_enqueue(model, a);
}

HEDDLE_OPERATION(late_link, dequeue) {
    return dequeue_alone();
}

HEDDLE_MODEL(late_link, dequeue) {
    return model_dequeue(model);
}
