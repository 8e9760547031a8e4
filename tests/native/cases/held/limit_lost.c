/* Two threads lower the limit by one each. */
#include "held.h"

static void *f(void *x) {
    struct rlimit r;
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_cur -= 1;
    setrlimit(RLIMIT_NOFILE, &r);
    return 0;
}
int main(void) {
    struct rlimit r;
    getrlimit(RLIMIT_NOFILE, &r);
    r.rlim_cur = 100;
    setrlimit(RLIMIT_NOFILE, &r);
    both(f, f);
    getrlimit(RLIMIT_NOFILE, &r);
    assert(r.rlim_cur == 98);
}
