/* mlock fails if nothing is there yet.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    map(PLACE, MAP_FIXED);
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    int error = mlock(PLACE, PAGE);
    end(thread);
    assert(error);
}
