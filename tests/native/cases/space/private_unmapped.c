/* A private mapping that is gone when files are written.  truth: right. */
#include "space.h"

static int file;

static void *other(void *unused) {
    pwrite(file, "x", 1, 0);
    return unused;
}

int main(void) {
    file = memfd_create("x", 0);
    ftruncate(file, PAGE);
    munmap(mmap(NULL, PAGE, BOTH, MAP_PRIVATE, file, 0), PAGE);
    end(begin(other));
}
