/* pthread_barrier_init reads its attributes.  truth: races. */
#include "given.h"

static pthread_barrierattr_t attributes;

static void *other(void *unused) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, &attributes, 1);
    return unused;
}

int main(void) {
    pthread_barrierattr_init(&attributes);
    pthread_t thread = begin(other);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    end(thread);
}
