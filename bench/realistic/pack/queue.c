/* A bounded queue. */
#include <assert.h>

#include "pack.h"

void queue_init(queue *q) {
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->filled, NULL);
    pthread_cond_init(&q->drained, NULL);
    q->first = q->count = 0;
    q->closed = false;
}

/* False: the queue was closed, and the block is still the caller's. */
bool queue_put(queue *q, block *b) {
    bool put = false;
    pthread_mutex_lock(&q->lock);
    while (q->count == QUEUE_SIZE && !q->closed)
        pthread_cond_wait(&q->drained, &q->lock);
    if (!q->closed) {
        q->entries[(q->first + q->count++) % QUEUE_SIZE] = b;
        progress_read(b->size); /* bug 5 */
        put = true;
        pthread_cond_signal(&q->filled);
    }
    pthread_mutex_unlock(&q->lock);
    return put;
}

block *queue_take(queue *q) {
    block *b = NULL;
    pthread_mutex_lock(&q->lock);
#if BUG == 2
    if (q->count == 0 && !q->closed)
#else
    while (q->count == 0 && !q->closed)
#endif
        pthread_cond_wait(&q->filled, &q->lock); /* bug 2 */
    if (q->count > 0 || !q->closed) {
        assert(q->count > 0); /* bug 2 */
        b = q->entries[q->first];
        q->first = (q->first + 1) % QUEUE_SIZE;
        q->count--;
        pthread_cond_signal(&q->drained);
    }
    pthread_mutex_unlock(&q->lock);
    return b;
}

void queue_close(queue *q) {
    pthread_mutex_lock(&q->lock);
    q->closed = true;
#if BUG == 3
    pthread_cond_signal(&q->filled); /* bug 3 */
#else
    pthread_cond_broadcast(&q->filled);
#endif
    pthread_cond_broadcast(&q->drained);
    pthread_mutex_unlock(&q->lock);
}

int queue_length(queue *q) {
    int count;
    pthread_mutex_lock(&q->lock); /* bug 5 */
    count = q->count;
    pthread_mutex_unlock(&q->lock);
    return count;
}

void queue_release(queue *q) {
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->filled);
    pthread_cond_destroy(&q->drained);
}
