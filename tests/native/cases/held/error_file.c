#include "held.h"

static void *f(void *x) {
    fputs("a", stderr);
    fflush(stderr);
    return 0;
}
static void *g(void *x) {
    dprintf(2, "b");
    return 0;
}
/* The file that freopen opens is the program's. */
int main(void) {
    char text[2] = "";
    freopen("held.txt", "w", stderr);
    both(f, g);
    int d = open("held.txt", O_RDONLY);
    read(d, text, 2);
    unlink("held.txt");
#ifdef SWAP
    assert(text[0] == 'b');
#else
    assert(text[0] == 'a');
#endif
}
