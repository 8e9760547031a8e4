#include "held.h"

static void *f(void *x) {
    struct rlimit r;
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_cur = 64;
    setrlimit(RLIMIT_NOFILE, &r);
    return 0;
}
static void *g(void *x) {
    assert(getdtablesize() != 64);
    return 0;
}
int main(void) {
    both(f, g);
}
