#include "held.h"

static void *f(void *x) {
    close(2);
    return 0;
}
static void *g(void *x) {
    assert(fprintf(stderr, "x") == 1);
    return 0;
}
int main(void) {
    both(f, g);
}
