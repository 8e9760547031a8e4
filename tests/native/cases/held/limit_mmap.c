#include "held.h"

static void *f(void *x) {
    struct rlimit r;
    getrlimit(RLIMIT_AS, &r);
    r.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_AS, &r);
    return 0;
}
static void *g(void *x) {
    void *p = mmap(0, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(p != MAP_FAILED);
    return 0;
}
int main(void) {
    both(f, g);
}
