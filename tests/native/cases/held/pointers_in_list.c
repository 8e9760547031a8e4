#include "held.h"

typedef struct {
    int a, b;
} pair;
static long sum(int n, ...) {
    va_list l;
    long r = 0;
    va_start(l, n);
    while (n--)
        r += va_arg(l, size_t) + va_arg(l, pair *)->a;
    va_end(l);
    return r;
}
static void *f(void *x) {
    pair p = {1, 2};
    assert(sum(1, (size_t)4, &p) == 5);
    return 0;
}
int main(void) {
    both(f, f);
}
