#include "held.h"

static void *f(void *x) {
    write(2, "a", 1);
    fprintf(stderr, "c");
    return 0;
}
static void *g(void *x) {
    fprintf(stderr, "b");
    return 0;
}
/* One output in the place of the other is not a file of the program. */
int main(void) {
    dup2(1, 2);
    both(f, g);
}
