// expected: false(unreach-call); with -DFIXED: true
// An object is published before it is complete.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int field;
_Atomic(atomic_int *) object;

static void *publish(void *unused) {
#ifdef FIXED
    atomic_store(&field, 1);
    atomic_store(&object, &field);
#else
    atomic_store(&object, &field);
    atomic_store(&field, 1);
#endif
    return unused;
}

static void *use(void *unused) {
    atomic_int *seen = atomic_load(&object);
    if (seen)
        assert(atomic_load(seen) == 1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
