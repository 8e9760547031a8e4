#include "held.h"

#include <time.h>

static void *f(void *x) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    assert(b.tv_sec - a.tv_sec <= 1);
    return 0;
}
static void *g(void *x) {
    return 0;
}
int main(void) {
    both(f, g);
}
