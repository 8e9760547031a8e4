/* A file that is closed cannot be mapped.  truth: fails. */
#include "space.h"

static int file;

static void *other(void *unused) {
    close(file);
    return unused;
}

int main(void) {
    file = memfd_create("x", 0);
    ftruncate(file, PAGE);
    pthread_t thread = begin(other);
    void *page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, file, 0);
    end(thread);
    assert(page != MAP_FAILED);
}
