/* pthread_getname_np stores the text.  truth: fails and races. */
#include "given.h"

static char name[16];

static void *other(void *unused) {
    pthread_getname_np(pthread_self(), name, sizeof name);
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    char first = name[0];
    end(thread);
    assert(!first && name[0]);
}
