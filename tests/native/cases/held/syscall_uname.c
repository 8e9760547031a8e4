#include "held.h"

struct utsname u;
static void *f(void *x) {
    syscall(SYS_uname, &u);
    return 0;
}
static void *g(void *x) {
    assert(u.sysname[0] == 0);
    return 0;
}
int main(void) {
    both(f, g);
}
