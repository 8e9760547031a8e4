#include "base_pipe.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base_clock.h"
#include "base_progress.h"
#include "base_stop.h"

static double patience;
static atomic_bool gave_up;
static atomic_int standard_wrong; /* what failed of standard output, 0: nothing */

void hd_pipe_patience(double seconds) {
    patience = seconds;
}

double hd_pipe_left(double begun, double most) {
    double left = patience > 0 ? begun + patience - hd_progress_clock() : most;
    return left < 0 ? 0 : left < most ? left : most;
}

bool hd_pipe_gave_up(void) {
    return atomic_load(&gave_up);
}

void hd_pipe_give_up(void) {
    atomic_store(&gave_up, true);
}

bool hd_pipe_is(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/* Waits until some bytes can be written.  What it waited for once the clock was over is counted
 * over all calls: a reader that takes a little now and then must not make the command late. */
static bool wait_for_reader(int fd) {
    const double slice = 0.1, moment = 0.5;
    static _Thread_local double waited_late, waited;
    struct pollfd awaited = {.fd = fd, .events = POLLOUT};
    for (;;) {
        double begun = hd_progress_clock();
        int ready = poll(&awaited, 1, (int)(slice * 1000));
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
        double took = hd_progress_clock() - begun;
        waited += took;
        waited_late += hd_clock_look() != HD_CLOCK_GOES || hd_stop_asked() ? took : 0;
        if (waited_late > moment || (patience > 0 && waited > patience + moment))
            return false;
    }
}

/* A pipe that can be written to takes PIPE_BUF bytes without a wait. */
int hd_pipe_write(int fd, const void *data, size_t size) {
    const char *from = data;
    while (size) {
        if (!wait_for_reader(fd)) {
            hd_pipe_give_up();
            return ETIME;
        }
        ssize_t written = write(fd, from, size < PIPE_BUF ? size : PIPE_BUF);
        if (written < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (written < 0)
            return errno;
        from += written;
        size -= (size_t)written;
    }
    return 0;
}

const char *hd_pipe_error(int number) {
    if (number != ETIME)
        return strerror(number);
    return hd_stop_asked() ? "it is not read, and a signal came"
                           : "it is not read, and the time is up";
}

int hd_pipe_standard_error(void) {
    return standard_wrong;
}

#ifdef __GLIBC__
/* What failed once is not tried again: each try would wait. */
static ssize_t write_standard(void *unused, const char *from, size_t size) {
    (void)unused;
    if (!standard_wrong)
        standard_wrong = hd_pipe_write(STDOUT_FILENO, from, size);
    errno = standard_wrong;
    return standard_wrong ? 0 : (ssize_t)size;
}

void hd_pipe_standard_output(void) {
    if (!hd_pipe_is(STDOUT_FILENO))
        return;
    FILE *made = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_standard});
    if (made)
        stdout = made;
}
#else
void hd_pipe_standard_output(void) {
} /* its stream cannot be replaced */
#endif
