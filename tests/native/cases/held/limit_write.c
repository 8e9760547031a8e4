#include "held.h"

int d;
static void *f(void *x) {
    struct rlimit r;
    getrlimit(RLIMIT_FSIZE, &r);
    r.rlim_cur = 4;
    setrlimit(RLIMIT_FSIZE, &r);
    return 0;
}
static void *g(void *x) {
    assert(write(d, "0123456789", 10) == 10);
    return 0;
}
int main(void) {
    signal(SIGXFSZ, SIG_IGN);
    d = open("held.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
    both(f, g);
    close(d);
    unlink("held.txt");
}
