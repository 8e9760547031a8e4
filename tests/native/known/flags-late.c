// expected: false(unreach-call); with -DFIXED: true
// Each looks at the other's flag before it raises its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int wants[2], inside;

static void *enter(void *number) {
    long me = (long)number;
#ifdef FIXED
    atomic_store(&wants[me], 1);
    if (atomic_load(&wants[1 - me]))
        return NULL;
#else
    if (atomic_load(&wants[1 - me]))
        return NULL;
    atomic_store(&wants[me], 1);
#endif
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, enter, (void *)0);
    pthread_create(&b, NULL, enter, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
