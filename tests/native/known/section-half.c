// expected: false(unreach-call); with -DFIXED: true
// Another thread sees a pair that is changed in two atomic sections.
#include <heddle/svcomp.h>
#include <pthread.h>

int first, second;

static void *change(void *unused) {
    __VERIFIER_atomic_begin();
    first++;
#ifndef FIXED
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
#endif
    second++;
    __VERIFIER_atomic_end();
    return unused;
}

static void *look(void *unused) {
    __VERIFIER_atomic_begin();
    if (first != second)
        reach_error();
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, change, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
