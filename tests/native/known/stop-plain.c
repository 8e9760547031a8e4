// expected: false(no-data-race); with -DFIXED: true
// A flag that ends a worker is a plain variable.
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
atomic_int stop;
#else
int stop;
#endif

static void *work(void *unused) {
    for (int round = 0; round < 2 && !stop; round++)
        ;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    stop = 1;
    pthread_join(a, NULL);
    return 0;
}
