// Two threads add each other's number to their own, ROUNDS times, each time without an
// interruption.  The largest result is a Fibonacci number: with three rounds it is 21, if
// they take turns.  The program asks whether it is reached.
// verdict: false
#include <pthread.h>

#ifndef BOUND
#define BOUND 21
#endif
#define ROUNDS 3

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {
}

int left = 1, right = 1;

static void *grow_left(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        __VERIFIER_atomic_begin();
        left = left + right;
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *grow_right(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        __VERIFIER_atomic_begin();
        right = right + left;
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, grow_left, 0);
    pthread_create(&b, 0, grow_right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (left >= BOUND || right >= BOUND)
        reach_error();
    return 0;
}
