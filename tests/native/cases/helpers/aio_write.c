/* When the bytes are taken is not explored.  truth: fails or shaky. */
#include <aio.h>
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

static char byte = 'a';

int main(void) {
    char got;
    int file = memfd_create("x", 0);
    struct aiocb request = {.aio_fildes = file, .aio_buf = &byte, .aio_nbytes = 1};
    aio_write(&request);
    byte = 'b';
    while (aio_error(&request) == EINPROGRESS)
        sched_yield();
    assert(pread(file, &got, 1, 0) == 1 && got == 'a');
}
