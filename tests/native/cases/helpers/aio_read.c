/* When the bytes come is not explored.  truth: fails or shaky. */
#include <aio.h>
#include <assert.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static char byte;

int main(void) {
    int file = memfd_create("x", 0);
    pwrite(file, "x", 1, 0);
    struct aiocb request = {.aio_fildes = file, .aio_buf = &byte, .aio_nbytes = 1};
    aio_read(&request);
    char seen = byte;
    while (aio_error(&request) == EINPROGRESS)
        ;
    assert(aio_return(&request) == 1 && byte == 'x');
    assert(!seen);
}
