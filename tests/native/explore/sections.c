// Atomic sections depend on each other only if they touch the same memory: the order of the two of
// y matters, not that of the others.  With a section that may end the run all orders count.
//@ case | executions=2 naive
//@ case -DASSUMES | naive
//@ case -DWRONG | violations=some naive
#include <heddle/svcomp.h>
#include <pthread.h>

int x[2], y;

static void *work(void *number) {
    long me = (long)number;
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        x[me]++;
        __VERIFIER_atomic_end();
    }
    __VERIFIER_atomic_begin();
#ifdef ASSUMES
    __VERIFIER_assume(y == me);
#endif
    y++;
#ifdef WRONG
    if (y == 2)
        reach_error();
#endif
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
