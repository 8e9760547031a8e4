// Dekker's mutual exclusion reduced to its flags, read before they are set: wrong.
// verdict: false
// brute force
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int busy[2];
int inside;

static void enter(int me) {
    __VERIFIER_assume(!busy[1 - me]);
    busy[me] = 1;
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    busy[me] = 0;
}

static void *first(void *unused) {
    enter(0);
    return unused;
}

static void *second(void *unused) {
    enter(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    return 0;
}
