#include "held.h"

static int sum(int n, ...) {
    va_list l;
    int r = 0;
    va_start(l, n);
    while (n--)
        r += va_arg(l, int);
    va_end(l);
    return r;
}
static void *f(void *x) {
    assert(sum(3, 1, 2, 3) == 6);
    return 0;
}
int main(void) {
    both(f, f);
}
