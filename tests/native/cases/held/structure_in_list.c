#include "held.h"

struct s {
    int a, b;
} g0 = {0, 0};
static int sum(int n, ...) {
    va_list l;
    va_start(l, n);
    struct s x = va_arg(l, struct s);
    va_end(l);
    return x.a + x.b;
}
static void *f(void *x) {
    g0.a = 1;
    g0.b = -1;
    return 0;
}
static void *g(void *x) {
    assert(sum(1, g0) == 0);
    return 0;
}
int main(void) {
    both(f, g);
}
