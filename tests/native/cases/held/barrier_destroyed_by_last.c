/* POSIX lets the serial thread destroy it at once. */
#include "held.h"

pthread_barrier_t b;
static void *f(void *x) {
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&b);
    return 0;
}
int main(void) {
    pthread_barrier_init(&b, 0, 2);
    both(f, f);
}
