/* Threads that lock pages of their own.  truth: right. */
#include "space.h"

static void *other(void *unused) {
    assert(mlock(PLACE + 4 * PAGE, PAGE) == 0 && munlock(PLACE + 4 * PAGE, PAGE) == 0);
    return unused;
}

int main(void) {
    map(PLACE, MAP_FIXED);
    map(PLACE + 4 * PAGE, MAP_FIXED);
    pthread_t thread = begin(other);
    assert(mlock(PLACE, PAGE) == 0 && msync(PLACE, PAGE, MS_SYNC) == 0);
    end(thread);
}
