#include "held.h"

static void *f(void *x) {
    printf("a");
    return 0;
}
static void *g(void *x) {
    printf("b");
    return 0;
}
#ifdef SWAP
#define FIRST 'b'
#else
#define FIRST 'a'
#endif
/* What is in the buffer goes to the pipe. */
int main(void) {
    int p[2];
    char text[4] = "";
    pipe(p);
    setvbuf(stdout, NULL, _IOFBF, 4096);
    both(f, g);
    dup2(p[1], 1);
    printf("cd");
    fflush(stdout);
    read(p[0], text, 2);
    assert(text[0] == FIRST);
}
