/* The same with a call that fails if something is there.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    munmap(PLACE, PAGE);
    return unused;
}

int main(void) {
    map(PLACE, MAP_FIXED);
    pthread_t thread = begin(other);
    void *again = map(PLACE, MAP_FIXED_NOREPLACE);
    end(thread);
    assert(again == MAP_FAILED);
}
