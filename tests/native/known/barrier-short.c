// expected: false(no-deadlock); with -DFIXED: true
// A barrier for one more than come.
#include <pthread.h>

pthread_barrier_t all;
#ifdef FIXED
enum { EXPECTED = 2 };
#else
enum { EXPECTED = 3 };
#endif

static void *work(void *unused) {
    pthread_barrier_wait(&all);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&all, NULL, EXPECTED);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
