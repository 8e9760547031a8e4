/* The second who asks for a page gets another one.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    map(PLACE, 0);
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    void *mine = map(PLACE, 0);
    end(thread);
    assert(mine == PLACE);
}
