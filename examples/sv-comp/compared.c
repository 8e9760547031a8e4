// An error for one value of an input, and only if the other thread has not raised the limit yet.
// The value is found because the program compares the input with it.
// verdict: false
// verdict of --inputs=any:0..9: true
// brute force
#include <pthread.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

unsigned limit = 4000;

static void *raise_limit(void *unused) {
    limit = 5000;
    return unused;
}

int main(void) {
    pthread_t thread;
    unsigned wanted = __VERIFIER_nondet_uint();
    pthread_create(&thread, 0, raise_limit, 0);
    unsigned allowed = limit;
    pthread_join(thread, 0);
    if (wanted == 4321 && wanted > allowed)
        reach_error();
    return 0;
}
