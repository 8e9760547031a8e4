#include "held.h"

long a, b;
static void *f(void *x) {
    a = sysconf(_SC_PAGESIZE);
    return 0;
}
static void *g(void *x) {
    b = sysconf(_SC_NPROCESSORS_ONLN);
    return 0;
}
int main(void) {
    both(f, g);
    assert(a > 0 && b > 0);
}
