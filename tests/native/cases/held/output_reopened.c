#include "held.h"

static void *f(void *x) {
    freopen("held.txt", "w", stdout);
    return 0;
}
static void *g(void *x) {
    printf("xy");
    return 0;
}
int main(void) {
    both(f, g);
    fflush(stdout);
    struct stat s = {0};
    stat("held.txt", &s);
    unlink("held.txt");
    assert(s.st_size == 0);
}
