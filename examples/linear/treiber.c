/*
 * The stack of Treiber (1986), four times.
 *
 *     heddle test treiber.c
 *
 * kept: popped nodes are never used again, and the stack is linearizable.
 *
 * reused: a popped node is used again by the next push.  A pop that was about to replace the top
 * node by its successor then finds the same node at the top, and does not see that its successor is
 * another one (ABA).
 *
 * tagged: the top has a number that each change increments, and nodes can be used again.
 *
 * freed: a popped node is freed.  The smallest client that fails has a pop that looks at a node which
 * another pop has freed.  A larger one shows ABA too, as with the option `reuse` malloc may hand out
 * the memory of a freed node again:
 *
 *     heddle cc -g treiber.c -o treiber
 *     heddle explore --reuse --stop=never -- ./treiber --run freed \
 *         --client '[push(1)] pop() | pop() push(2)'
 */
#include <heddle/linear.h>

#include <stdatomic.h>

/* The model of all three. */
typedef struct items {
    int count;
    long long value[8];
} items;

static long long model_push(items *model, long long value) {
    model->value[model->count++] = value;
    return HEDDLE_DONE;
}

static long long model_pop(items *model) {
    return model->count ? model->value[--model->count] : HEDDLE_EMPTY;
}

typedef struct node {
    struct node *_Atomic next;
    _Atomic long long value;
} node;

static _Atomic(node *) top;

static node *new_node(void) {
    node *made = malloc(sizeof *made);
    if (!made)
        abort();
    atomic_init(&made->next, NULL);
    atomic_init(&made->value, 0);
    return made;
}

static void push_node(node *pushed, long long value) {
    node *old = atomic_load(&top);
    atomic_store(&pushed->value, value);
    do
        atomic_store(&pushed->next, old);
    while (!atomic_compare_exchange_strong(&top, &old, pushed));
}

static node *pop_node(void) {
    node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, atomic_load(&old->next)))
        continue;
    return old;
}

/* ---- Nodes are never used again ---- */

HEDDLE_LINEAR(kept, items) {
}

HEDDLE_OPERATION(kept, push, "fresh") {
    push_node(new_node(), a);
    return HEDDLE_DONE;
}

HEDDLE_MODEL(kept, push) {
    return model_push(model, a);
}

HEDDLE_OPERATION(kept, pop) {
    node *popped = pop_node();
    return popped ? atomic_load(&popped->value) : HEDDLE_EMPTY;
}

HEDDLE_MODEL(kept, pop) {
    return model_pop(model);
}

/* ---- A popped node is used again ---- */

static _Atomic(node *) spare;

HEDDLE_LINEAR_FAILS(reused, items, "threads=2 operations=3 before=2 after=pop with=linearizability") {
}

HEDDLE_OPERATION(reused, push, "fresh") {
    node *pushed = atomic_exchange(&spare, NULL);
    push_node(pushed ? pushed : new_node(), a);
    return HEDDLE_DONE;
}

HEDDLE_MODEL(reused, push) {
    return model_push(model, a);
}

HEDDLE_OPERATION(reused, pop) {
    node *popped = pop_node(), *none = NULL;
    long long value = popped ? atomic_load(&popped->value) : HEDDLE_EMPTY;
    if (popped)
        atomic_compare_exchange_strong(&spare, &none, popped); /* if there is none yet */
    return value;
}

HEDDLE_MODEL(reused, pop) {
    return model_pop(model);
}

/* ---- The top has a number ---- */

enum { NODES = 8, NUMBER = 16 }; /* a node is an index from 1 on, with the number above it */

static struct {
    _Atomic unsigned next;
    _Atomic long long value;
} nodes[NODES];

static _Atomic unsigned tagged_top, tagged_spare, nodes_used;

static unsigned index_of(unsigned tagged) {
    return tagged & ((1u << NUMBER) - 1);
}

static unsigned with_next_number(unsigned tagged, unsigned index) {
    return ((tagged >> NUMBER) + 1) << NUMBER | index;
}

HEDDLE_LINEAR(tagged, items, "threads=2 operations=2 before=2 after=pop") {
}

HEDDLE_OPERATION(tagged, push, "fresh") {
    unsigned pushed = atomic_exchange(&tagged_spare, 0), old = atomic_load(&tagged_top);
    if (!pushed)
        pushed = atomic_fetch_add(&nodes_used, 1) + 1;
    atomic_store(&nodes[pushed].value, a);
    do
        atomic_store(&nodes[pushed].next, index_of(old));
    while (!atomic_compare_exchange_strong(&tagged_top, &old, with_next_number(old, pushed)));
    return HEDDLE_DONE;
}

HEDDLE_MODEL(tagged, push) {
    return model_push(model, a);
}

HEDDLE_OPERATION(tagged, pop) {
    unsigned old = atomic_load(&tagged_top), none = 0;
    while (index_of(old) &&
           !atomic_compare_exchange_strong(
               &tagged_top, &old, with_next_number(old, atomic_load(&nodes[index_of(old)].next))))
        continue;
    if (!index_of(old))
        return HEDDLE_EMPTY;
    long long value = atomic_load(&nodes[index_of(old)].value);
    atomic_compare_exchange_strong(&tagged_spare, &none, index_of(old));
    return value;
}

HEDDLE_MODEL(tagged, pop) {
    return model_pop(model);
}

/* ---- A popped node is freed ---- */

HEDDLE_LINEAR_FAILS(freed, items, "reuse with=use-after-free") {
}

HEDDLE_OPERATION(freed, push, "fresh") {
    push_node(new_node(), a);
    return HEDDLE_DONE;
}

HEDDLE_MODEL(freed, push) {
    return model_push(model, a);
}

HEDDLE_OPERATION(freed, pop) {
    node *old = atomic_load(&top);
    while (old) {
        node *next = atomic_load(&old->next);
        long long value = atomic_load(&old->value);
        if (atomic_compare_exchange_strong(&top, &old, next)) {
            free(old);
            return value;
        }
    }
    return HEDDLE_EMPTY;
}

HEDDLE_MODEL(freed, pop) {
    return model_pop(model);
}
