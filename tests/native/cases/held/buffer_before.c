#include "held.h"

static char b[256];
FILE *s;
static void *f(void *x) {
    fputs("abc", s);
    return 0;
}
static void *g(void *x) {
    assert(b[0] != 'a');
    return 0;
}
int main(void) {
    s = fopen("/dev/null", "w");
    setvbuf(s, b, _IOFBF, 256);
    both(f, g);
    fclose(s);
}
