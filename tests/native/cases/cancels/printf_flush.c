/* truth: fails.  printf and fflush are cancellation points if they write: the thread may end
 * there, before it sets done. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int done;

void *work(void *unused) {
    printf("x\n");
    fflush(stdout);
    done = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    void *result;
    pthread_join(t, &result);
    assert(done);
    return 0;
}
