#include "held.h"

static void *f(void *x) {
    struct rlimit r;
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &r);
    return 0;
}
static void *g(void *x) {
    int d = open("/dev/null", O_RDONLY);
    assert(d >= 0);
    return 0;
}
int main(void) {
    both(f, g);
}
