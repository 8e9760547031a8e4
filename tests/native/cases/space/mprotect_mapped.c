/* mprotect fails if nothing is there yet.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    map(PLACE, MAP_FIXED);
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    int error = mprotect(PLACE, PAGE, PROT_READ);
    end(thread);
    assert(error);
}
