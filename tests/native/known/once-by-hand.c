// expected: false(unreach-call); with -DFIXED: true
// Two may initialise.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int done, times;
pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise(void) {
    atomic_fetch_add(&times, 1);
}

static void *work(void *unused) {
#ifdef FIXED
    pthread_once(&once, initialise);
#else
    if (!atomic_load(&done)) {
        initialise();
        atomic_store(&done, 1);
    }
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&times) == 1);
    return 0;
}
