/* truth: right.  A thread that waits in read is cancelled there. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int files[2];
void *work(void *unused) {
    char c;
    read(files[0], &c, 1);
    return unused;
}
int main(void) {
    pthread_t t;
    void *result;
    pipe(files);
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
