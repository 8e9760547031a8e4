/* A list of requests, and what follows each.  truth: right or shaky. */
#include <aio.h>
#include <assert.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

static sem_t done;

static void finished(union sigval value) {
    sem_post(value.sival_ptr);
}

int main(void) {
    char bytes[2] = {0};
    int file = memfd_create("x", 0);
    sem_init(&done, 0, 0);
    pwrite(file, "ab", 2, 0);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD,
                             .sigev_notify_function = finished,
                             .sigev_value = {.sival_ptr = &done}};
    struct aiocb first = {.aio_fildes = file,
                          .aio_buf = bytes,
                          .aio_nbytes = 1,
                          .aio_lio_opcode = LIO_READ,
                          .aio_sigevent = event},
                 second = first;
    second.aio_buf = bytes + 1;
    second.aio_offset = 1;
    struct aiocb *list[] = {&first, NULL, &second};
    assert(lio_listio(LIO_NOWAIT, list, 3, NULL) == 0);
    sem_wait(&done);
    sem_wait(&done);
    assert(aio_error(&first) == 0 && aio_error(&second) == 0 && bytes[0] == 'a' && bytes[1] == 'b');
}
