/* A loop that maps one more page in each round does not only wait.  truth: fails. */
#include "space.h"
#include <stdatomic.h>

static atomic_int flag;

static void *other(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    while (!flag)
        assert(map(PLACE, MAP_FIXED_NOREPLACE) != MAP_FAILED);
    end(thread);
}
