#include "held.h"

static char b[64];
FILE *s;
static void *f(void *x) {
    fputs("abc", s);
    fflush(s);
    return 0;
}
static void *g(void *x) {
    assert(b[0] != 'a');
    return 0;
}
int main(void) {
    s = fmemopen(b, 64, "w");
    both(f, g);
    fclose(s);
}
