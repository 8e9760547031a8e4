#include "held.h"

int d;
static void *f(void *x) {
    dup2(d, 2);
    return 0;
}
static void *g(void *x) {
    write(2, "x", 1);
    return 0;
}
int main(void) {
    d = open("held.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    both(f, g);
    struct stat s;
    fstat(d, &s);
    unlink("held.txt");
    assert(s.st_size == 0);
}
