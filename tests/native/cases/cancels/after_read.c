/* truth: shaky.  Cancelled in a read that has taken the byte: the C library may act, and the byte
 * is lost. */
#include <assert.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int ends[2];

static void *work(void *unused) {
    char byte;
    return read(ends[0], &byte, 1) == 1 ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    int left;
    if (pipe(ends) < 0)
        return 1;
    pthread_create(&thread, NULL, work, NULL);
    if (write(ends[1], "x", 1) != 1)
        return 1;
    pthread_cancel(thread);
    pthread_join(thread, &result);
    ioctl(ends[0], FIONREAD, &left);
    assert(left == (result == PTHREAD_CANCELED));
}
