/* pthread_create reads the attributes.  truth: fails and races. */
#include "given.h"

static pthread_attr_t attributes;

static void *nothing(void *unused) {
    return unused;
}

static void *other(void *unused) {
    pthread_t thread;
    pthread_create(&thread, &attributes, nothing, NULL);
    assert(pthread_join(thread, NULL) == 0);
    return unused;
}

int main(void) {
    pthread_attr_init(&attributes);
    pthread_t thread = begin(other);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    end(thread);
}
