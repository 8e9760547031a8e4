/* A mapping grows in place unless something follows it.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    map(PLACE + PAGE, MAP_FIXED);
    return unused;
}

int main(void) {
    char *page = map(PLACE, MAP_FIXED);
    pthread_t thread = begin(other);
    char *now = mremap(page, PAGE, 2 * PAGE, 0);
    end(thread);
    assert(now == page);
}
