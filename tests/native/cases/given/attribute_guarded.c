/* A guard for which there is room, a mask of signals.  truth: clean. */
#include "given.h"

static void *masked(void *unused) {
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    assert(sigismember(&now, SIGUSR1) && !sigismember(&now, SIGUSR2));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    pthread_attr_init(&attributes);
    pthread_attr_setguardsize(&attributes, 1 << 20);
    assert(pthread_attr_setsigmask_np(&attributes, &mask) == 0);
    assert(pthread_create(&thread, &attributes, masked, NULL) == 0);
    end(thread);
}
