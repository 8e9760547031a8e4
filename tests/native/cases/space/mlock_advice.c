/* What is locked cannot be dropped.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    mlock(PLACE, PAGE);
    return unused;
}

int main(void) {
    map(PLACE, MAP_FIXED);
    pthread_t thread = begin(other);
    int error = madvise(PLACE, PAGE, MADV_DONTNEED);
    end(thread);
    assert(!error);
}
