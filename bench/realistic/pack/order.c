/*
 * Compressed blocks come in any order and leave in that of the input.  A worker that is too far
 * ahead of the writer waits.
 */
#include <assert.h>

#include "pack.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER, left = PTHREAD_COND_INITIALIZER;
static block *slots[WINDOW];
static unsigned long next, last;
static bool ended, closed;

void order_open(void) {
    next = last = 0;
    ended = closed = false;
}

/* False: the work is cancelled, and the block is still the caller's. */
bool order_put(block *b) {
    bool put = false;
    pthread_mutex_lock(&lock);
    while (b->number >= next + WINDOW && !closed)
        pthread_cond_wait(&left, &lock);
    if (!closed) {
        assert(!slots[b->number % WINDOW]);
        slots[b->number % WINDOW] = b;
        put = true;
        if (b->number == next)
            pthread_cond_signal(&arrived);
    }
    pthread_mutex_unlock(&lock);
    return put;
}

block *order_take(void) {
    block *b;
    pthread_mutex_lock(&lock);
    while (!slots[next % WINDOW] && !closed && !(ended && next == last))
        pthread_cond_wait(&arrived, &lock); /* bug 4 */
    b = slots[next % WINDOW];
    if (b) {
        slots[next % WINDOW] = NULL;
        next++;
        pthread_cond_broadcast(&left);
    }
    pthread_mutex_unlock(&lock);
    return b;
}

/* There are so many blocks and no more. */
void order_end(unsigned long blocks) {
    pthread_mutex_lock(&lock);
    ended = true;
    last = blocks;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
}

/* What is there can still be taken, in order; nothing new comes. */
void order_close(void) {
    pthread_mutex_lock(&lock);
    closed = true;
    pthread_cond_broadcast(&arrived);
    pthread_cond_broadcast(&left);
    pthread_mutex_unlock(&lock);
}

/* Gives back what the writer did not take. */
void order_skip(void) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < WINDOW; i++)
        if (slots[i]) {
            pool_give(slots[i]);
            slots[i] = NULL;
        }
    pthread_mutex_unlock(&lock);
}
