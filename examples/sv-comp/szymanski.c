// Szymanski's mutual exclusion for two threads: a waiting room with a door.
// verdict: true
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int flag[2];
int inside;

static void enter(int me) {
    int other = 1 - me;
    flag[me] = 1;
    __VERIFIER_assume(flag[other] < 3);
    flag[me] = 3;
    if (flag[other] == 1) {
        flag[me] = 2;
        __VERIFIER_assume(flag[other] == 4);
    }
    flag[me] = 4;
    if (me == 1)
        __VERIFIER_assume(flag[other] < 2);
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    if (me == 0)
        __VERIFIER_assume(flag[other] < 2 || flag[other] > 3);
    flag[me] = 0;
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
