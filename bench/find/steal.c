// A work-stealing queue: the owner pops at the tail and takes the lock only if the queue looks
// empty.  The test reads the head before the tail is moved, so both can take the last item.
#include "find.h"
enum { ITEMS = 3 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int head, tail, taken[ITEMS];

static bool steal(int *item) {
    bool got = false;
    pthread_mutex_lock(&lock);
    int at = atomic_load(&head);
    atomic_store(&head, at + 1);
    if (at < atomic_load(&tail)) {
        *item = at;
        got = true;
    } else
        atomic_store(&head, at);
    pthread_mutex_unlock(&lock);
    return got;
}

static bool pop(int *item) {
    int at = atomic_load(&tail) - 1;
    if (atomic_load(&head) < at) { // wrong: before the tail is moved
        atomic_store(&tail, at);
        *item = at;
        return true;
    }
    bool got = false;
    pthread_mutex_lock(&lock);
    atomic_store(&tail, at);
    if (atomic_load(&head) <= at) {
        *item = at;
        got = true;
    } else
        atomic_store(&tail, at + 1);
    pthread_mutex_unlock(&lock);
    return got;
}

static void *own(void *argument) {
    int item;
    (void)argument;
    for (int i = 0; i < ITEMS; i++)
        atomic_fetch_add(&tail, 1);
    for (int i = 0; i < ITEMS; i++)
        if (pop(&item))
            atomic_fetch_add(&taken[item], 1);
    return NULL;
}

static void *thief(void *argument) {
    int item;
    (void)argument;
    for (int i = 0; i < 2; i++)
        if (steal(&item))
            atomic_fetch_add(&taken[item], 1);
    return NULL;
}

int main(void) {
    start(0, own);
    start(1, thief);
    join_all(2);
    for (int i = 0; i < ITEMS; i++)
        assert(atomic_load(&taken[i]) <= 1);
    return 0;
}
