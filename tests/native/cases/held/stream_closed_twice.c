#include "held.h"

FILE *s;
static void *f(void *x) {
    fclose(s);
    return 0;
}
int main(void) {
    s = fopen("/dev/null", "w");
    both(f, f);
}
