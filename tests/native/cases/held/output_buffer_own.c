#include "held.h"

static void *f(void *x) {
    printf("a");
    return 0;
}
/* Whichever comes first. */
int main(void) {
    static char text[64];
    setvbuf(stdout, text, _IOFBF, sizeof text);
    both(f, f);
    assert(text[0] == 'a' && text[1] == 'a' && !text[2]);
}
