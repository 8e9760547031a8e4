/* Two threads want the same page, and the second of them fails.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    map(PLACE, MAP_FIXED_NOREPLACE);
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    void *mine = map(PLACE, MAP_FIXED_NOREPLACE);
    end(thread);
    assert(mine == PLACE);
}
