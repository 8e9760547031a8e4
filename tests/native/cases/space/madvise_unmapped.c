/* madvise fails if nothing is there any more.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    munmap(PLACE, PAGE);
    return unused;
}

int main(void) {
    map(PLACE, MAP_FIXED);
    pthread_t thread = begin(other);
    int error = madvise(PLACE, PAGE, MADV_NORMAL);
    end(thread);
    assert(!error);
}
