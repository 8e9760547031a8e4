/*
 * A shared database, as DQueries of the paper's table 1: queries read under a read-write
 * lock, updates change under it.
 *
 * Queries count what they found in the table's statistics, a write, while they hold the lock
 * for reading: two queries can do so at the same time, but only if both find their key,
 * which depends on the updates before them.  With FIXED the statistics have a lock.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, ROWS = 6, QUERIES = 3 };

static pthread_rwlock_t TableLock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t HitLock = PTHREAD_MUTEX_INITIALIZER;
static int keys[ROWS];
static int hits, misses;

static void count_hit(void) {
#ifdef FIXED
    pthread_mutex_lock(&HitLock);
#endif
    hits++;
#ifdef FIXED
    pthread_mutex_unlock(&HitLock);
#endif
}

static void query(int key) {
    int found = 0;
    pthread_rwlock_rdlock(&TableLock);
    for (int i = 0; i < ROWS; i++)
        found |= keys[i] == key;
    if (found)
        count_hit();
    pthread_rwlock_unlock(&TableLock);
}

static void update(int row, int key) {
    pthread_rwlock_wrlock(&TableLock);
    if (!keys[row])
        misses++;
    keys[row] = key;
    pthread_rwlock_unlock(&TableLock);
}

static void *client(void *argument) {
    int own = (int)(size_t)argument;
    for (int i = 0; i < QUERIES; i++) {
        update((own * 2 + i) % ROWS, own * 10 + i);
        query((own + 1) * 10 + i);
        query(own * 10 + i);
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int clients = count > 1 ? atoi(words[1]) : 2;
    if (clients < 1 || clients > MOST)
        return 2;
    pthread_mutex_lock(&HitLock);
    hits = 0;
    pthread_mutex_unlock(&HitLock);
    for (int i = 0; i < clients; i++)
        pthread_create(&threads[i], NULL, client, (void *)(size_t)i);
    for (int i = 0; i < clients; i++)
        pthread_join(threads[i], NULL);
    return misses > ROWS ? 1 : 0;
}
