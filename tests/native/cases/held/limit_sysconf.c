#include "held.h"

static void *f(void *x) {
    struct rlimit r = {64, 64};
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_cur = 64;
    setrlimit(RLIMIT_NOFILE, &r);
    return 0;
}
static void *g(void *x) {
    assert(sysconf(_SC_OPEN_MAX) != 64);
    return 0;
}
int main(void) {
    both(f, g);
}
