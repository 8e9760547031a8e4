#include "held.h"

pthread_barrier_t b;
static void *f(void *x) {
    pthread_barrier_wait(&b);
    return 0;
}
static void *g(void *x) {
    pthread_barrier_init(&b, 0, 2);
    pthread_barrier_wait(&b);
    return 0;
}
int main(void) {
    pthread_barrier_init(&b, 0, 2);
    both(f, g);
}
