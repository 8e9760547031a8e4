#include "held.h"

static void *f(void *x) {
    syscall(SYS_close, 1);
    return 0;
}
static void *g(void *x) {
    assert(write(1, "x", 1) == 1);
    return 0;
}
int main(void) {
    both(f, g);
}
