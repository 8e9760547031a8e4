// truth: fails. erand48 uses the multiplier that lcong48 sets.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *sets(void *unused) {
    unsigned short parameters[7] = {1, 2, 3, 4, 5, 6, 7};
    lcong48(parameters);
    return unused;
}

int main(void) {
    pthread_t thread;
    unsigned short x[3] = {1, 2, 3}, y[3] = {1, 2, 3};
    pthread_create(&thread, NULL, sets, NULL);
    double first = erand48(x);
    assert(first == erand48(y));
    return pthread_join(thread, NULL);
}
