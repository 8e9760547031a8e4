// expected: false(unreach-call); with -DFIXED: true
// The load and the store of an addition are atomic, the addition is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;

static void *work(void *unused) {
#ifdef FIXED
    atomic_fetch_add(&count, 1);
#else
    int seen = atomic_load(&count);
    atomic_store(&count, seen + 1);
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&count) == 2);
    return 0;
}
