// How often a thread adds is an input.  With the inputs 2 and 1 the sum is 3, or less if an
// addition is lost; with inputs of 0 nothing happens.
// verdict: false
// verdict of --inputs=2,1: false
// verdict of --inputs=0: true
// verdict of --inputs=any:0,-1: true
#include <pthread.h>

extern void reach_error(void);
extern void assume_abort_if_not(int);
extern int __VERIFIER_nondet_int(void);

int sum;

static void *add(void *times) {
    for (long i = 0; i < (long)times; i++)
        sum++;
    return 0;
}

int main(void) {
    int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
    pthread_t a, b;
    assume_abort_if_not(first >= 0 && first < 3 && second >= 0 && second < 3);
    pthread_create(&a, 0, add, (void *)(long)first);
    pthread_create(&b, 0, add, (void *)(long)second);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (sum != first + second)
        reach_error();
    return 0;
}
