#include "held.h"

static void *f(void *x) {
    printf("a");
    return 0;
}
static void *g(void *x) {
    printf("b");
    return 0;
}
/* What was in the buffer has gone to the output that the program was given. */
int main(void) {
    int p[2];
    char text[4] = "";
    pipe(p);
    setvbuf(stdout, NULL, _IOFBF, 4096);
    both(f, g);
    fflush(stdout);
    dup2(p[1], 1);
    printf("cd");
    fflush(stdout);
    read(p[0], text, 2);
    assert(text[0] == 'c');
}
