/* A private mapping shows what is written to its file, until it is written to itself.  That is not
   explored.  truth: fails or shaky. */
#include "space.h"

static int file;

static void *other(void *unused) {
    pwrite(file, "x", 1, 0);
    return unused;
}

int main(void) {
    file = memfd_create("x", 0);
    ftruncate(file, PAGE);
    char *page = mmap(NULL, PAGE, BOTH, MAP_PRIVATE, file, 0);
    pthread_t thread = begin(other);
    assert(*page != 'x');
    end(thread);
}
