/* Handlers run in the reverse order. */
#include "held.h"

static int n;
static void h1(void) {
    n = n * 10 + 1;
    if (n == 21)
        _exit(1);
}
static void h2(void) {
    n = n * 10 + 2;
}
static void *f(void *x) {
    at_quick_exit(h1);
    return 0;
}
static void *g(void *x) {
    at_quick_exit(h2);
    return 0;
}
int main(void) {
    both(f, g);
    quick_exit(0);
}
