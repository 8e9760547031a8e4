/* Names that are too long, and that are not.  truth: clean. */
#include "given.h"

static void *other(void *unused) {
    char name[16] = "";
    assert(pthread_setname_np(pthread_self(), "0123456789abcdef") == ERANGE);
    assert(pthread_setname_np(pthread_self(), "0123456789abcde") == 0);
    assert(pthread_getname_np(pthread_self(), name, 15) == ERANGE);
    assert(pthread_getname_np(pthread_self(), name, 16) == 0 && !strcmp(name, "0123456789abcde"));
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    other(NULL);
    end(thread);
}
