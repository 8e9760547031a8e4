// A loop that counts as inputs do: its limit is not a value of the input.
// word: explore --sv-comp = unknown, 3, were any of 0, 1, -1, 2, 3, and no others
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
void reach_error() {
}
int sum;

static void *count(void *unused) {
    for (int i = 0; i < 37; i++)
        sum += i == 38;
    return unused;
}

int main(void) {
    pthread_t thread;
    int given = __VERIFIER_nondet_int();
    pthread_create(&thread, 0, count, 0);
    pthread_join(thread, 0);
    if (sum * given)
        reach_error();
    return 0;
}
