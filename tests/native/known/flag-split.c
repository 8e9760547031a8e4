// expected: false(unreach-call); with -DFIXED: true
// A lock that is tested in one step and set in another.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int taken, inside;

static int take(void) {
#ifdef FIXED
    return atomic_exchange(&taken, 1) == 0;
#else
    if (atomic_load(&taken))
        return 0;
    atomic_store(&taken, 1);
    return 1;
#endif
}

static void *work(void *unused) {
    if (take()) {
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        atomic_store(&taken, 0);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
