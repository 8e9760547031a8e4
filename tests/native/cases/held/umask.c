#include "held.h"

static void *f(void *x) {
    umask(0);
    return 0;
}
static void *g(void *x) {
    int d = open("held.txt", O_RDWR | O_CREAT, 0666);
    struct stat s;
    fstat(d, &s);
    unlink("held.txt");
    assert((s.st_mode & 0777) == 0644);
    return 0;
}
int main(void) {
    umask(022);
    both(f, g);
}
