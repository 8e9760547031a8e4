/* A failed assertion that needs a certain order. */
//@ free
//@ any-exit 0 1
//@ finds assertion failed: x == 2
//@ seeds 30
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *unused) {
    int seen = x;
    x = seen + 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
