/* The entries in the order in which they were used, under one lock. */
#include <string.h>

#include "store.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *newest, *oldest;
static size_t count, most;

void lru_open(size_t limit) {
    newest = oldest = NULL;
    count = 0;
    most = limit;
}

static void link_newest(entry *e) {
    e->newer = NULL;
    e->older = newest;
    if (newest)
        newest->newer = e;
    else
        oldest = e;
    newest = e;
}

static void take_out(entry *e) {
    if (e->newer)
        e->newer->older = e->older;
    else
        newest = e->older;
    if (e->older)
        e->older->newer = e->newer;
    else
        oldest = e->newer;
}

void lru_add(entry *e) {
    pthread_mutex_lock(&lock);
    link_newest(e);
    count++;
    pthread_mutex_unlock(&lock);
}

void lru_touch(entry *e) {
    pthread_mutex_lock(&lock); /* bug 4 */
    if (e != newest) {
        take_out(e);
        link_newest(e);
    }
    pthread_mutex_unlock(&lock);
}

void lru_remove(entry *e) {
    pthread_mutex_lock(&lock); /* bug 4 */
    take_out(e);
    count--;
    pthread_mutex_unlock(&lock);
}

bool lru_oldest(char *key) {
    bool full;
    pthread_mutex_lock(&lock);
    full = count > most;
    if (full) {
        memcpy(key, oldest->key, KEY_SIZE);
#if BUG == 4
        /* Only if the key is still there. */
        unsigned long hash = table_hash(key);
        table_lock(hash); /* bug 4 */
        full = table_find(key, hash) != NULL;
        table_unlock(hash);
#endif
    }
    pthread_mutex_unlock(&lock);
    return full;
}
