#define _GNU_SOURCE
#include "held.h"

#include <string.h>
#include <sys/prctl.h>

/* Each thread has a name of its own: in what order they get theirs does not matter. */
static void *f(void *own) {
    char name[16];
#ifdef SWAP
    pthread_setname_np(pthread_self(), own);
    pthread_getname_np(pthread_self(), name, sizeof name);
#else
    prctl(PR_SET_NAME, own);
    prctl(PR_GET_NAME, name);
#endif
    assert(strcmp(name, own) == 0);
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, f, "one");
    pthread_create(&two, 0, f, "two");
    pthread_join(one, 0);
    pthread_join(two, 0);
}
