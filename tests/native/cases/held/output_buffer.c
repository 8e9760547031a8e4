#include "held.h"

static void *f(void *x) {
    printf("a");
    return 0;
}
static void *g(void *x) {
    putchar('b');
    return 0;
}
int main(void) {
    static char text[64];
    setvbuf(stdout, text, _IOFBF, sizeof text);
    both(f, g);
#ifdef SWAP
    assert(text[0] == 'b');
#else
    assert(text[0] == 'a');
#endif
}
