#include "held.h"

static void *f(void *x) {
    FILE *s = fopen("/dev/null", "w");
    fputs("a", s);
    fclose(s);
    return 0;
}
int main(void) {
    both(f, f);
}
