/* truth: fails.  A cancellation point: the thread may end there, before it sets done. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int done;
int file;
void *work(void *unused) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    fcntl(file, F_SETLKW, &lock);
    done = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    file = open("/dev/zero", O_RDWR);
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    void *result;
    pthread_join(t, &result);
    assert(done);
    return 0;
}
