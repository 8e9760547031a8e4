// expected: false(unreach-call) false(no-data-race); with -DFIXED: true
// Readers count themselves, but the last one leaves without the lock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
int readers;

static void *reader(void *unused) {
    pthread_mutex_lock(&counting);
    readers++;
    pthread_mutex_unlock(&counting);
#ifdef FIXED
    pthread_mutex_lock(&counting);
#endif
    readers--;
#ifdef FIXED
    pthread_mutex_unlock(&counting);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(readers == 0);
    return 0;
}
