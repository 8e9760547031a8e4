// expected: false(unreach-call); with -DFIXED: true
// An atomic section asks for an input.
#include <heddle/svcomp.h>
#include <pthread.h>

int chosen, copied;

static void *choose(void *unused) {
    __VERIFIER_atomic_begin();
    chosen = __VERIFIER_nondet_bool();
    copied = chosen;
    __VERIFIER_atomic_end();
    return unused;
}

static void *look(void *unused) {
    __VERIFIER_atomic_begin();
#ifdef FIXED
    if (chosen != copied)
#else
    if (chosen)
#endif
        reach_error();
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, choose, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
