// expected: false(unreach-call) false(no-data-race); with -DFIXED: true
// The result of a thread is read before it is joined.
#include <assert.h>
#include <pthread.h>

int result;

static void *work(void *unused) {
    result = 42;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
#ifdef FIXED
    pthread_join(a, NULL);
    assert(result == 42);
#else
    assert(result == 42);
    pthread_join(a, NULL);
#endif
    return 0;
}
