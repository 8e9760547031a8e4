// expected: false(unreach-call); with -DFIXED: true
// Whoever wakes does not look whether there is still something for it.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int items;

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (!items)
#else
    if (!items)
#endif
        pthread_cond_wait(&changed, &lock);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void put(void) {
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, consumer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    put();
    put();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
