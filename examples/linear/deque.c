/*
 * The deque of Chase and Lev (2005) on an array that does not grow, twice.  One thread, the owner,
 * pushes and takes at the bottom; others steal at the top.
 *
 *     heddle test deque.c
 *
 * deque: linearizable.
 *
 * no_contest: the owner takes the last item without competing with thieves for it, so that one of
 * them may get the same item.
 *
 * Only one thread of a client, the owner, pushes and takes: HEDDLE_OPERATION_BY says so.
 */
#include <heddle/linear.h>

#include <stdatomic.h>

enum { SIZE = 8 };

static _Atomic long top, bottom;
static _Atomic long long slot[SIZE];

static void push(long long value) {
    long b = atomic_load(&bottom);
    atomic_store(&slot[b % SIZE], value);
    atomic_store(&bottom, b + 1);
}

static long long take(int competes) {
    long b = atomic_load(&bottom) - 1, t;
    atomic_store(&bottom, b);
    t = atomic_load(&top);
    if (t > b) {
        atomic_store(&bottom, b + 1);
        return HEDDLE_EMPTY;
    }
    long long value = atomic_load(&slot[b % SIZE]);
    if (t < b)
        return value;
    if (competes && !atomic_compare_exchange_strong(&top, &t, t + 1))
        value = HEDDLE_EMPTY; /* a thief was faster */
    else if (!competes)
        atomic_store(&top, t + 1);
    atomic_store(&bottom, b + 1);
    return value;
}

static long long steal(void) {
    for (;;) {
        long t = atomic_load(&top), b = atomic_load(&bottom);
        if (t >= b)
            return HEDDLE_EMPTY;
        long long value = atomic_load(&slot[t % SIZE]);
        if (atomic_compare_exchange_strong(&top, &t, t + 1))
            return value;
    }
}

/* ---- The model ---- */

typedef struct items {
    int first, end;
    long long value[8];
} items;

static long long model_push(items *model, long long value) {
    model->value[model->end++] = value;
    return HEDDLE_DONE;
}

static long long model_take(items *model) {
    return model->first < model->end ? model->value[--model->end] : HEDDLE_EMPTY;
}

static long long model_steal(items *model) {
    return model->first < model->end ? model->value[model->first++] : HEDDLE_EMPTY;
}

/* ---- As it was published ---- */

HEDDLE_LINEAR(deque, items, "before=2") {
}

HEDDLE_OPERATION_BY(deque, "owner", push, "fresh") {
    push(a);
    return HEDDLE_DONE;
}

HEDDLE_MODEL(deque, push) {
    return model_push(model, a);
}

HEDDLE_OPERATION_BY(deque, "owner", take) {
    return take(1);
}

HEDDLE_MODEL(deque, take) {
    return model_take(model);
}

HEDDLE_OPERATION(deque, steal) {
    return steal();
}

HEDDLE_MODEL(deque, steal) {
    return model_steal(model);
}

/* ---- The owner does not compete ---- */

HEDDLE_LINEAR_FAILS(no_contest, items, "with=linearizability") {
}

HEDDLE_OPERATION_BY(no_contest, "owner", push, "fresh") {
    push(a);
    return HEDDLE_DONE;
}

HEDDLE_MODEL(no_contest, push) {
    return model_push(model, a);
}

HEDDLE_OPERATION_BY(no_contest, "owner", take) {
    return take(0);
}

HEDDLE_MODEL(no_contest, take) {
    return model_take(model);
}

HEDDLE_OPERATION(no_contest, steal) {
    return steal();
}

HEDDLE_MODEL(no_contest, steal) {
    return model_steal(model);
}
