// Peterson's mutual exclusion for two threads.  Waiting is an assumption: runs in which a
// thread goes round its waiting loop show nothing more than those in which it gets in.
// verdict: true
#include <pthread.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);

int wants[2], turn;
int inside;

static void section(void) {
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
}

static void enter(int me) {
    int other = 1 - me;
    wants[me] = 1;
    turn = other;
    __VERIFIER_assume(!wants[other] || turn == me);
    section();
    wants[me] = 0;
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
