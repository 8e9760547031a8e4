#include "held.h"

pthread_barrier_t b;
static void *f(void *x) {
    pthread_barrier_wait(&b);
    return 0;
}
static void *g(void *x) {
    pthread_barrier_wait(&b);
    return 0;
}
static void *h(void *x) {
    pthread_barrier_destroy(&b);
    return 0;
}
int main(void) {
    pthread_barrier_init(&b, 0, 2);
    pthread_t t;
    pthread_create(&t, 0, h, 0);
    both(f, g);
    pthread_join(t, 0);
}
