/* A page can be had again when it was unmapped.  truth: fails. */
#include "space.h"

static char *page;

static void *other(void *unused) {
    munmap(page, PAGE);
    return unused;
}

int main(void) {
    page = map(PLACE, 0);
    pthread_t thread = begin(other);
    char *again = map(PLACE, 0);
    end(thread);
    assert(again != page);
}
