#include "held.h"

static void *f(void *x) {
    if (setuid(1000))
        _exit(0);
    return 0;
}
static void *g(void *x) {
    assert(getuid() != 1000);
    return 0;
}
int main(void) {
    if (getuid())
        return 0;
    both(f, g);
}
