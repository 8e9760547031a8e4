// A lock made of an atomic function that waits by an assumption: inside, the assumption means
// that the function runs only when it holds.
// verdict: true
// brute force
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int held, count;

void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(held == 0);
    held = 1;
}

void __VERIFIER_atomic_release(void) {
    held = 0;
}

static void *add(void *unused) {
    __VERIFIER_atomic_acquire();
    int seen = count;
    count = seen + 1;
    __VERIFIER_atomic_release();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (count != 2)
        reach_error();
    return 0;
}
