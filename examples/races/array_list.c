/*
 * A list in a growing array, after the dissertation's array lists: every method but one
 * takes the list's lock.
 *
 * size() reads the count without the lock.  It is called only if an element was not found.
 * With FIXED size() takes the lock.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, ADDS = 3 };

static pthread_mutex_t ListLock = PTHREAD_MUTEX_INITIALIZER;
static int *items;
static int size, room;

static void add(int item) {
    pthread_mutex_lock(&ListLock);
    if (size == room) {
        room = room ? 2 * room : 2;
        items = realloc(items, (size_t)room * sizeof *items);
        if (!items)
            exit(2);
    }
    items[size++] = item;
    pthread_mutex_unlock(&ListLock);
}

static int has(int item) {
    int found = 0;
    pthread_mutex_lock(&ListLock);
    for (int i = 0; i < size && !found; i++)
        found = items[i] == item;
    pthread_mutex_unlock(&ListLock);
    return found;
}

static int get_size(void) {
#ifdef FIXED
    pthread_mutex_lock(&ListLock);
    int now = size;
    pthread_mutex_unlock(&ListLock);
    return now;
#else
    return size;
#endif
}

static void *work(void *argument) {
    int own = (int)(size_t)argument;
    for (int i = 0; i < ADDS; i++)
        add(own * 100 + i);
    if (!has((own + 1) * 100) && get_size() < ADDS)
        add(-1);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int workers = count > 1 ? atoi(words[1]) : 2;
    if (workers < 1 || workers > MOST)
        return 2;
    for (int i = 0; i < workers; i++)
        pthread_create(&threads[i], NULL, work, (void *)(size_t)i);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    return size >= workers * ADDS ? 0 : 1;
}
