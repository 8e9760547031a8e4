/* msync fails if nothing is there any more.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    munmap(PLACE, PAGE);
    return unused;
}

int main(void) {
    map(PLACE, MAP_FIXED);
    pthread_t thread = begin(other);
    int error = msync(PLACE, PAGE, MS_ASYNC);
    end(thread);
    assert(!error);
}
