/* There is no room for such a guard.  truth: fails and races. */
#include "given.h"

static pthread_attr_t attributes;

static void *nothing(void *unused) {
    return unused;
}

static void *other(void *unused) {
    pthread_t thread;
    assert(pthread_create(&thread, &attributes, nothing, NULL) == 0);
    end(thread);
    return unused;
}

int main(void) {
    pthread_attr_init(&attributes);
    pthread_t thread = begin(other);
    pthread_attr_setguardsize(&attributes, (size_t)1 << 62);
    end(thread);
}
