#include "held.h"

volatile int *a, *b;
static void *f(void *x) {
    int v = *a;
    *a = v + 1;
    return 0;
}
static void *g(void *x) {
    int v = *b;
    *b = v + 1;
    return 0;
}
int main(void) {
    int d = memfd_create("x", 0);
    ftruncate(d, 4096);
    a = mmap(0, 4096, 3, MAP_SHARED, d, 0);
    b = mmap(0, 4096, 3, MAP_SHARED, d, 0);
    both(f, g);
    assert(*a == 2);
}
