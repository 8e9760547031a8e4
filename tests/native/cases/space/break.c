/* The end of the data segment.  truth: fails. */
#include "space.h"

static void *other(void *unused) {
    sbrk(PAGE);
    return unused;
}

int main(void) {
    char *before = sbrk(0);
    pthread_t thread = begin(other);
    char *now = sbrk(0);
    end(thread);
    assert(now == before);
}
