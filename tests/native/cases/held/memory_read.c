#include "held.h"

static char b[64] = "xyz";
FILE *s;
static void *f(void *x) {
    int c = fgetc(s);
    assert(c == 'x');
    return 0;
}
static void *g(void *x) {
    b[0] = 'a';
    return 0;
}
int main(void) {
    s = fmemopen(b, 64, "r");
    both(f, g);
    fclose(s);
}
