/*
 * A buffer for one item, whose operations wait.
 *
 *     heddle test buffer.c
 *
 * waits: producers and consumers wait on one condition variable.  A signal that is meant for a
 * producer can wake a consumer, which waits again, and then no thread is woken.
 *
 * waits_apart: each side has a condition variable of its own.
 */
#include <heddle/linear.h>

typedef struct buffer {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int full;
    long long value;
} buffer;

static buffer shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
                        PTHREAD_COND_INITIALIZER, 0, 0};

static void put(buffer *b, long long value, pthread_cond_t *not_full, pthread_cond_t *not_empty) {
    pthread_mutex_lock(&b->lock);
    while (b->full)
        pthread_cond_wait(not_full, &b->lock);
    b->full = 1;
    b->value = value;
    pthread_cond_signal(not_empty);
    pthread_mutex_unlock(&b->lock);
}

static long long take(buffer *b, pthread_cond_t *not_full, pthread_cond_t *not_empty) {
    pthread_mutex_lock(&b->lock);
    while (!b->full)
        pthread_cond_wait(not_empty, &b->lock);
    b->full = 0;
    long long value = b->value;
    pthread_cond_signal(not_full);
    pthread_mutex_unlock(&b->lock);
    return value;
}

/* ---- The model ---- */

typedef struct slot {
    int full;
    long long value;
} slot;

static long long model_put(slot *model, long long value) {
    if (model->full)
        return HEDDLE_WAITS;
    model->full = 1;
    model->value = value;
    return HEDDLE_DONE;
}

static long long model_take(slot *model) {
    if (!model->full)
        return HEDDLE_WAITS;
    model->full = 0;
    return model->value;
}

/* ---- One condition variable ---- */

HEDDLE_LINEAR_FAILS(waits, slot, "threads=3 with=deadlock") {
}

HEDDLE_OPERATION(waits, put, "fresh") {
    put(&shared, a, &shared.not_full, &shared.not_full);
    return HEDDLE_DONE;
}

HEDDLE_MODEL(waits, put) {
    return model_put(model, a);
}

HEDDLE_OPERATION(waits, take) {
    return take(&shared, &shared.not_full, &shared.not_full);
}

HEDDLE_MODEL(waits, take) {
    return model_take(model);
}

/* ---- Two ---- */

HEDDLE_LINEAR(waits_apart, slot) {
}

HEDDLE_OPERATION(waits_apart, put, "fresh") {
    put(&shared, a, &shared.not_full, &shared.not_empty);
    return HEDDLE_DONE;
}

HEDDLE_MODEL(waits_apart, put) {
    return model_put(model, a);
}

HEDDLE_OPERATION(waits_apart, take) {
    return take(&shared, &shared.not_full, &shared.not_empty);
}

HEDDLE_MODEL(waits_apart, take) {
    return model_take(model);
}
