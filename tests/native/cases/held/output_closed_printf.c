#include "held.h"

static void *f(void *x) {
    close(1);
    return 0;
}
static void *g(void *x) {
    assert(printf("x\n") == 2);
    assert(fflush(stdout) == 0);
    return 0;
}
int main(void) {
    both(f, g);
    return 0;
}
