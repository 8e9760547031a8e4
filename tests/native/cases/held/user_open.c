#include "held.h"

static void *f(void *x) {
    seteuid(1000);
    return 0;
}
static void *g(void *x) {
    int d = open("/etc/shadow", O_RDONLY);
    assert(d >= 0);
    return 0;
}
int main(void) {
    if (getuid())
        return 0;
    both(f, g);
}
