#define _GNU_SOURCE
#include "held.h"

#include <stdatomic.h>

/* A thread that has ended cannot be named; one that lives can. */
static pthread_t it;
static _Atomic int there;
static void *f(void *x) {
    it = pthread_self();
    there = 1;
    return 0;
}
static void *g(void *x) {
    while (!there)
        ;
#ifdef SWAP
    char name[16];
    assert(pthread_getname_np(it, name, sizeof name) != 0);
#else
    assert(pthread_setname_np(it, "aa") != 0);
#endif
    return 0;
}
int main(void) {
    both(f, g);
}
