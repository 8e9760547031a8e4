// Constants that inputs meet: in comparisons of several sizes and in a switch; not the limits of
// loops.
// word: explore --sv-comp = false(unreach-call), 1, 70000
// word: check --sv-comp = false(unreach-call), 1
// word: explore --sv-comp --inputs=any:0..9 = unknown, 0
// built: explore --sv-comp = false(unreach-call), 1
// witness: explore --sv-comp = 4 waypoints
#include <pthread.h>

extern long __VERIFIER_nondet_long(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error() {
}

long far;
short near;

static void *ask(void *unused) {
    far = __VERIFIER_nondet_long();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, ask, 0);
    pthread_join(thread, 0);
    if (far > -70000)
        return 0;
    near = __VERIFIER_nondet_short();
    for (int i = 0; i < 31; i++)
        near += i == 40;
    switch (near) {
    case 310:
        if (__VERIFIER_nondet_uchar() >= 200)
            reach_error();
        break;
    }
    return 0;
}
