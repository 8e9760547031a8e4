// Inputs are choices: 3 of main, 4 of the thread, and two orders of the accesses to x.
//@ case -DRANGE=3 | executions=24 races=1 naive
//@ case -DRANGE=3 -DMEET=5 | violations=some races=1 naive
//@ case -DRANGE=1 -DNONDET | executions=120 races=1 naive
#include <assert.h>
#include <heddle/mark.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

#ifndef MEET
#define MEET 9999
#endif

int x;

static void *write_input(void *unused) {
    int chosen = (int)heddle_choose(0, RANGE);
    x = chosen;
    return unused;
}

int main(void) {
    pthread_t thread;
    int sum = (int)heddle_choose(-1, 1);
#ifdef NONDET /* 5 values, and 2 */
    sum += 100 * __VERIFIER_nondet_int() + 1000 * __VERIFIER_nondet_bool();
#endif
    pthread_create(&thread, NULL, write_input, NULL);
    sum += 2 * x;
    pthread_join(thread, NULL);
    assert(sum != MEET);
    return 0;
}
