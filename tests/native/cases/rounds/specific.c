// truth: fails. Each round sets another thread-specific value, once by each of the two names.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int flag;
static char room[3];
static pthread_key_t key;
static tss_t slot;

static void *set(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_key_create(&key, NULL);
    tss_create(&slot, NULL);
    pthread_setspecific(key, room);
    tss_set(slot, room);
    pthread_create(&other, NULL, set, NULL);
    while (!flag) {
        char *now = pthread_getspecific(key);
        if (now == tss_get(slot))
            pthread_setspecific(key, now == room + 2 ? now : now + 1);
        else
            tss_set(slot, now);
    }
    pthread_join(other, NULL);
    assert(tss_get(slot) != room + 2);
}
