/* The same in one order.  truth: right. */
#include "space.h"

static void *other(void *unused) {
    map(PLACE + PAGE, MAP_FIXED);
    return unused;
}

int main(void) {
    char *page = map(PLACE, MAP_FIXED);
    end(begin(other));
    pthread_t thread = begin(other);
    end(thread);
    assert(mremap(page, PAGE, 2 * PAGE, 0) == MAP_FAILED);
}
