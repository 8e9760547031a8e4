// expected: false(unreach-call); with -DFIXED: true
// A reader looks at the sequence number once, not again afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int sequence, low, high;

static void *writer(void *unused) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&low, 1);
    atomic_store(&high, 1);
    atomic_fetch_add(&sequence, 1);
    return unused;
}

static void *reader(void *unused) {
    int before = atomic_load(&sequence);
    int a = atomic_load(&low), b = atomic_load(&high);
#ifdef FIXED
    int same = atomic_load(&sequence) == before;
#else
    int same = 1;
#endif
    if (before % 2 == 0 && same)
        assert(a == b);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
