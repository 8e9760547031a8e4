#include "held.h"

static void *f(void *x) {
    fclose(stdout);
    return 0;
}
static void *g(void *x) {
    assert(puts("xy") >= 0);
    return 0;
}
int main(void) {
    both(f, g);
    _exit(0);
}
