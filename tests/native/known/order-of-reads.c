// expected: false(unreach-call); with -DFIXED: true
// The copy may be newer than the original if it is read last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int original, copy;

static void *writer(void *unused) {
    for (int k = 1; k <= 2; k++) {
        atomic_store(&original, k);
        atomic_store(&copy, k);
    }
    return unused;
}

static void *reader(void *unused) {
#ifdef FIXED
    int b = atomic_load(&copy), a = atomic_load(&original);
#else
    int a = atomic_load(&original), b = atomic_load(&copy);
#endif
    assert(b <= a);
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
