// expected: false(unreach-call); with -DFIXED: true
// Two sums that grow by each other reach 8, and not more.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int i = 1, j = 1;
#ifdef FIXED
enum { MOST = 8 };
#else
enum { MOST = 7 };
#endif

static void *one(void *unused) {
    for (int k = 0; k < 2; k++)
        i = i + j;
    return unused;
}

static void *other(void *unused) {
    for (int k = 0; k < 2; k++)
        j = j + i;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(i <= MOST && j <= MOST);
    return 0;
}
