#include "held.h"

static void *f(void *x) {
    write(2, "a", 1);
    return 0;
}
static void *g(void *x) {
    fprintf(stderr, "b");
    return 0;
}
/* Standard error is a pipe of the program, so in which order threads write to it can be read. */
int main(void) {
    int p[2], saved = dup(2);
    char text[2] = "";
    pipe(p);
    close(2);
    dup(p[1]);
    both(f, g);
    read(p[0], text, 2);
    dup2(saved, 2);
#ifdef SWAP
    assert(text[0] == 'b');
#else
    assert(text[0] == 'a');
#endif
}
