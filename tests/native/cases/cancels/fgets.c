/* truth: fails.  fgets is a cancellation point if it reads: the thread may end there, before it
 * sets done. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

atomic_int done;
FILE *stream;
void *work(void *unused) {
    char line[9];
    fgets(line, sizeof line, stream);
    done = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    stream = fopen("/dev/zero", "r");
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    void *result;
    pthread_join(t, &result);
    assert(done);
    return 0;
}
