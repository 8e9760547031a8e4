#include "held.h"

static void *f(void *x) {
    chdir("/");
    return 0;
}
static void *g(void *x) {
    char b[200];
    getcwd(b, 200);
    assert(strcmp(b, "/"));
    return 0;
}
int main(void) {
    both(f, g);
}
