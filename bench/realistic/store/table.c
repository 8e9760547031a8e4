/* A hash table with chains.  The number of a bucket and that of its stripe are from the hash. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

static pthread_rwlock_t growing = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t stripes[STRIPES];
static entry **buckets;
static size_t bucket_count;
#if BUG == 1
static size_t entries;
#else
static atomic_size_t entries;
#endif

unsigned long table_hash(const char *key) {
    unsigned long hash = 5381;
    for (; *key; key++)
        hash = hash * 33 ^ (unsigned char)*key;
    return hash;
}

void table_open(void) {
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&stripes[i], NULL);
    bucket_count = FIRST_BUCKETS;
    buckets = calloc(bucket_count, sizeof(entry *));
    if (!buckets)
        abort();
}

void table_enter(void) {
    pthread_rwlock_rdlock(&growing);
}

void table_leave(void) {
    pthread_rwlock_unlock(&growing);
}

void table_lock(unsigned long hash) {
    pthread_mutex_lock(&stripes[hash % STRIPES]); /* bug 4 */
}

void table_unlock(unsigned long hash) {
    pthread_mutex_unlock(&stripes[hash % STRIPES]);
}

/* In the order of their numbers, and once if they are the same. */
void table_lock_two(unsigned long one, unsigned long other) {
    unsigned long low = one % STRIPES, high = other % STRIPES;
#if BUG != 3
    if (low > high) {
        unsigned long swap = low;
        low = high;
        high = swap;
    }
#endif
    pthread_mutex_lock(&stripes[low]); /* bug 3 */
    if (high != low)
        pthread_mutex_lock(&stripes[high]); /* bug 3 */
}

void table_unlock_two(unsigned long one, unsigned long other) {
    pthread_mutex_unlock(&stripes[one % STRIPES]);
    if (one % STRIPES != other % STRIPES)
        pthread_mutex_unlock(&stripes[other % STRIPES]);
}

void table_lock_all(void) {
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_lock(&stripes[i]);
}

void table_unlock_all(void) {
    for (int i = STRIPES; i-- > 0;)
        pthread_mutex_unlock(&stripes[i]);
}

entry *table_find(const char *key, unsigned long hash) {
    entry *e = buckets[hash % bucket_count]; /* bug 2 */
    while (e && strcmp(e->key, key) != 0)
        e = e->next; /* bug 2 */
    return e;
}

void table_insert(entry *e) {
    entry **bucket = &buckets[e->hash % bucket_count]; /* bug 2 */
    e->next = *bucket;                                 /* bug 2 */
    *bucket = e;                                       /* bug 2 */
    entries++;                                         /* bug 1 */
}

bool table_take_out(entry *e) {
    entry **at = &buckets[e->hash % bucket_count]; /* bug 2 */
    while (*at && *at != e)
        at = &(*at)->next;
    if (!*at)
        return false;
    *at = e->next; /* bug 2 */
    entries--;     /* bug 1 */
    return true;
}

size_t table_size(void) {
    return entries; /* bug 1 */
}

static void rehash(size_t room) {
    entry **larger = calloc(room, sizeof(entry *));
    if (!larger)
        abort();
    for (size_t i = 0; i < bucket_count; i++) /* bug 2 */
        for (entry *e = buckets[i], *next; e; e = next) {
            next = e->next;                   /* bug 2 */
            e->next = larger[e->hash % room]; /* bug 2 */
            larger[e->hash % room] = e;
        }
    free(buckets);       /* bug 2 */
    buckets = larger;    /* bug 2 */
    bucket_count = room; /* bug 2 */
}

void table_grow(void) {
#if BUG == 2
    pthread_rwlock_rdlock(&growing);
    bool full = entries > LOAD * bucket_count; /* bug 2 */
    if (full) {
        pthread_mutex_lock(&stripes[0]);
        rehash(2 * bucket_count);
        pthread_mutex_unlock(&stripes[0]);
    }
    pthread_rwlock_unlock(&growing);
#else
    bool full;
    pthread_rwlock_rdlock(&growing);
    full = entries > LOAD * bucket_count; /* bug 1 */
    pthread_rwlock_unlock(&growing);
    if (!full)
        return;
    pthread_rwlock_wrlock(&growing);
    if (entries > LOAD * bucket_count)
        rehash(2 * bucket_count);
    pthread_rwlock_unlock(&growing);
#endif
}

void table_each_in(unsigned stripe, void (*visit)(entry *e, void *context), void *context) {
    for (size_t i = stripe; i < bucket_count; i += STRIPES)
        for (entry *e = buckets[i], *next; e; e = next) {
            next = e->next;
            visit(e, context);
        }
}

void table_each(void (*visit)(entry *e, void *context), void *context) {
    for (unsigned stripe = 0; stripe < STRIPES; stripe++)
        table_each_in(stripe, visit, context);
}

static void free_entry(entry *e, void *unused) {
    (void)unused;
    free(e);
}

void table_free(void) {
    table_each(free_entry, NULL);
    free(buckets);
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_destroy(&stripes[i]);
}
