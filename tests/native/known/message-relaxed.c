// expected: false(no-data-race); with -DFIXED: true
// A flag says that the data is there, but orders nothing.
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;
#ifdef FIXED
enum { SAY = memory_order_release, HEAR = memory_order_acquire };
#else
enum { SAY = memory_order_relaxed, HEAR = memory_order_relaxed };
#endif

static void *sender(void *unused) {
    data = 7;
    atomic_store_explicit(&ready, 1, SAY);
    return unused;
}

static void *receiver(void *unused) {
    if (atomic_load_explicit(&ready, HEAR))
        return (void *)(long)data;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
