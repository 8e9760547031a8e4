/* truth: fails.  printf need not write: then it does not act on the cancel. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int late, saw;
void *work(void *unused) {
    while (!late)
        ;
    printf("x\n");
    saw = 1;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    late = 1;
    pthread_join(t, NULL);
    assert(!saw);
    return 0;
}
