/* What is locked cannot be dropped.  truth: fails. */
#include "space.h"

static int refused; /* it is not allowed to all users */

static void *other(void *unused) {
    refused = mlockall(MCL_CURRENT);
    return unused;
}

int main(void) {
    map(PLACE, MAP_FIXED);
    pthread_t thread = begin(other);
    int error = madvise(PLACE, PAGE, MADV_DONTNEED);
    end(thread);
    assert(!error && !refused);
}
