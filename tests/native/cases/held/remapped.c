/* With an old size of 0, mremap makes a second mapping. */
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
    a = mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    b = mremap((void *)a, 0, 4096, MREMAP_MAYMOVE);
    assert(b != MAP_FAILED);
    both(f, g);
    assert(*a == 2);
}
