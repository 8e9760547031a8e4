/* truth: fails.  A cancellation point: the thread may end there, before it sets done. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;
int file;
void *work(void *unused) {
    file = openat(AT_FDCWD, "/dev/null", O_RDONLY);
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
