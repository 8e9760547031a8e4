#include "held.h"

int *a;
static void *f(void *x) {
    __atomic_add_fetch(a, 1, 5);
    return 0;
}
int main(void) {
    int d = memfd_create("x", 0);
    ftruncate(d, 4096);
    a = mmap(0, 4096, 3, MAP_SHARED, d, 0);
    both(f, f);
    assert(*a == 2);
}
