/* There is no such processor.  truth: clean. */
#include "given.h"

static void *other(void *unused) {
    pthread_t thread;
    pthread_attr_t attributes;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(CPU_SETSIZE - 1, &set);
    pthread_attr_init(&attributes);
    assert(pthread_attr_setaffinity_np(&attributes, sizeof set, &set) == 0);
    assert(pthread_create(&thread, &attributes, other, NULL) == EINVAL);
    return unused;
}

int main(void) {
    pthread_t thread = begin(other);
    other(NULL);
    end(thread);
}
