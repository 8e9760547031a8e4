/* The assumption does not hold if the section comes first: then the section does not run yet, and
 * there is no other output than 2. */
#include <pthread.h>
#include <stdio.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *work(void *unused) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x == 1);
    x = 2;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    printf("%d\n", x);
    return 0;
}
