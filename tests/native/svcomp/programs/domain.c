// Some values of an int are not all: nothing is proved.
// word: explore --sv-comp = unknown, 3, [inputs:domain]
// word: explore --sv-comp --inputs=any:0..7 = unknown, 0, [inputs:asked]
// word: explore --sv-comp --inputs=3 = unknown, 0
// word: check --sv-comp = unknown, 3
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int given;

static void *take(void *unused) {
    given = __VERIFIER_nondet_int();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, take, 0);
    pthread_join(thread, 0);
    if (given * given == 121)
        reach_error();
    return 0;
}
