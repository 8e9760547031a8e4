/* truth: fails.  fopen is a cancellation point in the C library: the thread may end there, before
 * it sets done. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

atomic_int done;

void *work(void *unused) {
    FILE *stream = fopen("/dev/null", "r");
    if (stream)
        fclose(stream);
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
