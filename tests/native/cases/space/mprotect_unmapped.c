/* mprotect fails if nothing is there any more.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    munmap(PLACE, PAGE);
    return unused;
}

int main(void) {
    map(PLACE, MAP_FIXED);
    pthread_t thread = begin(other);
    int error = mprotect(PLACE, PAGE, PROT_READ);
    end(thread);
    assert(!error);
}
