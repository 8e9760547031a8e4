/*
 * A bounded buffer.  Its first version waits with `if`: a consumer that was woken finds the buffer
 * empty if another consumer came first.  The second one waits with `while`, and is proved.
 *
 *     heddle test buffer.c
 */
#include <heddle/test.h>

enum { SIZE = 1 };

typedef struct buffer {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int values[SIZE], used;
} buffer;

static buffer shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
                        PTHREAD_COND_INITIALIZER, {0}, 0};

static void put(buffer *b, int value) {
    pthread_mutex_lock(&b->lock);
    while (b->used == SIZE)
        pthread_cond_wait(&b->not_full, &b->lock);
    b->values[b->used++] = value;
    pthread_cond_signal(&b->not_empty);
    pthread_mutex_unlock(&b->lock);
}

static int take_what_is_left(buffer *b) {
    int value = b->values[--b->used];
    pthread_cond_signal(&b->not_full);
    pthread_mutex_unlock(&b->lock);
    return value;
}

static int take_wrong(buffer *b) {
    pthread_mutex_lock(&b->lock);
    if (b->used == 0)
        pthread_cond_wait(&b->not_empty, &b->lock);
    return take_what_is_left(b);
}

static int take(buffer *b) {
    pthread_mutex_lock(&b->lock);
    while (b->used == 0)
        pthread_cond_wait(&b->not_empty, &b->lock);
    return take_what_is_left(b);
}

static void *consume_wrong(void *b) {
    HEDDLE_EQUAL(take_wrong(b), 7);
    return NULL;
}

static void *consume(void *b) {
    HEDDLE_EQUAL(take(b), 7);
    return NULL;
}

/* The buffer never has less than nothing in it: looked at before and after every step. */
HEDDLE_INVARIANT(if_takes_from_an_empty_buffer, shared.used >= 0 && shared.used <= SIZE);
HEDDLE_INVARIANT(while_waits_again, shared.used >= 0 && shared.used <= SIZE);

HEDDLE_TEST_FAILS(if_takes_from_an_empty_buffer) {
    heddle_thread(consume_wrong, &shared);
    heddle_thread(consume_wrong, &shared);
    put(&shared, 7);
    put(&shared, 7);
}

HEDDLE_TEST(while_waits_again) {
    heddle_thread(consume, &shared);
    heddle_thread(consume, &shared);
    put(&shared, 7);
    put(&shared, 7);
}
