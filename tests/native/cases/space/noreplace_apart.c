/* Two threads want pages that are apart.  truth: right. */
#include "space.h"

static void *other(void *unused) {
    assert(map(PLACE + 2 * PAGE, MAP_FIXED_NOREPLACE) != MAP_FAILED);
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    void *mine = map(PLACE, MAP_FIXED_NOREPLACE);
    end(thread);
    assert(mine == PLACE);
}
