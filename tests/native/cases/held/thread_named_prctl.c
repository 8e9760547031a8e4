#define _GNU_SOURCE
#include "held.h"

#include <string.h>
#include <sys/prctl.h>

/* The name that a thread gives itself by prctl is the one that others ask for. */
static pthread_t it;
static void *f(void *x) {
    prctl(PR_SET_NAME, "worker");
    return 0;
}
int main(void) {
    char name[16] = "";
    pthread_create(&it, 0, f, 0);
    int error = pthread_getname_np(it, name, sizeof name);
    pthread_join(it, 0);
#ifdef SWAP
    assert(error || strcmp(name, "worker") == 0);
#else
    assert(error || strcmp(name, "worker") != 0);
#endif
}
