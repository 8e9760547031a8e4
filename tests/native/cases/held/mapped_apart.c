/* Two parts of one file. */
#include "held.h"

int *a, *b;
static void *f(void *x) {
    ++*a;
    return 0;
}
static void *g(void *x) {
    ++*b;
    return 0;
}
int main(void) {
    int d = memfd_create("x", 0);
    ftruncate(d, 8192);
    a = mmap(0, 4096, 3, MAP_SHARED, d, 0);
    b = mmap(0, 4096, 3, MAP_SHARED, d, 4096);
    both(f, g);
    assert(*a == 1 && *b == 1);
}
