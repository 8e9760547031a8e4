/* Which of two threads gets the higher address.  truth: fails. */
#include "space.h"

static char *theirs;

static void *other(void *unused) {
    theirs = map(NULL, 0);
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    char *mine = map(NULL, 0);
    end(thread);
#ifdef SWAP
    assert(mine < theirs);
#else
    assert(mine > theirs);
#endif
}
