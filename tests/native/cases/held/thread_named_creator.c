#define _GNU_SOURCE
#include "held.h"

/* A thread that is created has the name of its creator, which another thread sets. */
static char got[16];
static void *look(void *x) {
    pthread_getname_np(pthread_self(), got, sizeof got);
    return 0;
}
static pthread_t first;
static void *name(void *x) {
    pthread_setname_np(first, "other");
    return 0;
}
int main(void) {
    pthread_t namer, child;
    first = pthread_self();
    pthread_setname_np(first, "own");
    pthread_create(&namer, 0, name, 0);
    pthread_create(&child, 0, look, 0);
    pthread_join(child, 0);
    pthread_join(namer, 0);
#ifdef SWAP
    assert(got[0] != 'o' || got[1] != 't');
#else
    assert(got[0] != 'o' || got[1] != 'w');
#endif
}
