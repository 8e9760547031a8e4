#include "held.h"

static void *f(void *x) {
    assert(syscall(SYS_getpid) > 0);
    return 0;
}
int main(void) {
    both(f, f);
}
