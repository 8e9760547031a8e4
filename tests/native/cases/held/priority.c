#include "held.h"

static void *f(void *x) {
    setpriority(PRIO_PROCESS, 0, 5);
    return 0;
}
static void *g(void *x) {
    errno = 0;
    assert(getpriority(PRIO_PROCESS, getpid()) != 5);
    return 0;
}
int main(void) {
    both(f, g);
}
