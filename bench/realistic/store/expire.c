/* Time in ticks, and the thread that looks for entries that have expired. */
#include <stdlib.h>
#include <time.h>

#include "store.h"

enum { PERIOD = 5 * 1000 * 1000, BATCH = 4 }; /* nanoseconds; entries */

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static bool stop;
static atomic_ulong now;

unsigned long ticks(void) {
    return now;
}

typedef struct batch {
    char keys[BATCH][KEY_SIZE];
    int count;
    unsigned long tick;
} batch;

static void collect(entry *e, void *context) {
    batch *b = context;
    if (e->expires && e->expires <= b->tick && b->count < BATCH)
        for (int i = 0; i < KEY_SIZE; i++)
            b->keys[b->count][i] = e->key[i];
    b->count += e->expires && e->expires <= b->tick && b->count < BATCH;
}

static void expire_stripe(unsigned stripe) {
    batch b = {.tick = now};
    table_enter();
    table_lock(stripe);
    table_each_in(stripe, collect, &b);
    table_unlock(stripe);
    for (int i = 0; i < b.count; i++) {
        unsigned long hash = table_hash(b.keys[i]);
        entry *e;
        table_lock(hash);
        e = table_find(b.keys[i], hash);
        if (e && e->expires && e->expires <= b.tick) {
            table_take_out(e);
            lru_remove(e);
            append("expire", e->key, "");
            free(e); /* bug 6 */
        }
        table_unlock(hash);
    }
    table_leave();
}

static void *work(void *unused) {
    struct timespec until;
#if BUG == 7
    while (!stop) { /* bug 7 */
        pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    while (!stop) {
#endif
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PERIOD;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&ended, &lock, &until);
        pthread_mutex_unlock(&lock);
        now++;
        for (unsigned stripe = 0; stripe < STRIPES; stripe++)
            expire_stripe(stripe);
#if BUG != 7
        pthread_mutex_lock(&lock);
#endif
    }
#if BUG != 7
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

void expire_start(void) {
    if (pthread_create(&thread, NULL, work, NULL))
        abort();
}

void expire_stop(void) {
#if BUG == 7
    stop = true; /* bug 7 */
    pthread_cond_signal(&ended);
#else
    pthread_mutex_lock(&lock);
    stop = true;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(thread, NULL);
}
