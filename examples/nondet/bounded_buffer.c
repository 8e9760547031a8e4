/*
 * A bounded buffer with one lock and two conditions: producers put numbers, consumers take them.
 * Which consumer takes which number depends on the schedule; their sum does not.
 *
 *   bounded_buffer [PRODUCERS [CONSUMERS [ITEMS [SIZE]]]]
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 16 };

typedef struct buffer {
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
    int items[MOST];
    int size, count, in, out;
    int producing; /* producers that have not finished */
} buffer;

static buffer shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
                        PTHREAD_COND_INITIALIZER, {0}, 3, 0, 0, 0, 0};
static int producers = 2, consumers = 2, items = 8;
static int sums[MOST];

static void put(buffer *b, int item) {
    pthread_mutex_lock(&b->lock);
    while (b->count == b->size)
        pthread_cond_wait(&b->not_full, &b->lock);
    b->items[b->in] = item;
    b->in = (b->in + 1) % b->size;
    b->count++;
    pthread_cond_signal(&b->not_empty);
    pthread_mutex_unlock(&b->lock);
}

/* 0: the producers have finished, and nothing is left. */
static int take(buffer *b) {
    int item = 0;
    pthread_mutex_lock(&b->lock);
    while (b->count == 0 && b->producing > 0)
        pthread_cond_wait(&b->not_empty, &b->lock);
    if (b->count > 0) {
        item = b->items[b->out];
        b->out = (b->out + 1) % b->size;
        b->count--;
        pthread_cond_signal(&b->not_full);
    }
    pthread_mutex_unlock(&b->lock);
    return item;
}

static void *produce(void *argument) {
    int own = (int)(size_t)argument;
    for (int i = 0; i < items; i++)
        put(&shared, own * items + i + 1);
    pthread_mutex_lock(&shared.lock);
    shared.producing--;
    pthread_cond_broadcast(&shared.not_empty);
    pthread_mutex_unlock(&shared.lock);
    return NULL;
}

static void *consume(void *argument) {
    int own = (int)(size_t)argument, item;
    while ((item = take(&shared)) != 0)
        sums[own] += item;
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[2 * MOST];
    if (count > 1)
        producers = atoi(words[1]);
    if (count > 2)
        consumers = atoi(words[2]);
    if (count > 3)
        items = atoi(words[3]);
    if (count > 4)
        shared.size = atoi(words[4]);
    if (producers < 1 || producers > MOST || consumers < 1 || consumers > MOST || items < 1 ||
        shared.size < 1 || shared.size > MOST)
        return 2;
    shared.producing = producers;
    for (int i = 0; i < producers; i++)
        pthread_create(&threads[i], NULL, produce, (void *)(size_t)i);
    for (int i = 0; i < consumers; i++)
        pthread_create(&threads[producers + i], NULL, consume, (void *)(size_t)i);
    for (int i = 0; i < producers + consumers; i++)
        pthread_join(threads[i], NULL);
    int sum = 0, whole = producers * items;
    for (int i = 0; i < consumers; i++)
        sum += sums[i];
    return sum != whole * (whole + 1) / 2;
}
