// Inputs of several types, of two threads and a loop; the first one decides where the others are
// asked for.
// word: explore --sv-comp --inputs=any:0..3 = false(unreach-call), 1
// witness: explore --sv-comp --inputs=any:0..3 = 6 waypoints
// witness: check --sv-comp --inputs=any:0..3 = 6 waypoints
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error() {
}

int small, sum;
unsigned long large;

static void *ask(void *unused) {
    large = __VERIFIER_nondet_ulong();
    return unused;
}

int main(void) {
    pthread_t thread;
    int times = __VERIFIER_nondet_int();
    if (times != 2)
        return 0;
    pthread_create(&thread, 0, ask, 0);
    for (int i = 0; i < times; i++)
        sum += __VERIFIER_nondet_int() /* in a loop */;
    pthread_join(thread, 0);
    if (sum == 5 && large == 3 && __VERIFIER_nondet_bool()) {
        reach_error();
    }
    return 0;
}
