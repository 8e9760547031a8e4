#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base_clock.h"
#include "base_file.h"
#include "base_pipe.h"
#include "base_progress.h"
#include "base_stop.h"

/* To open a pipe with a name waits for somebody who writes, unless it may not wait at all. */
int hd_file_open(const char *path) {
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int hd_file_peek(const char *path) {
    struct stat about;
    bool regular = strcmp(path, "-") != 0 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
    return regular ? hd_file_open(path) : -1;
}

bool hd_file_wait(int fd, double until) {
    const double slice = 0.1; /* seconds between two looks at the clock */
    struct pollfd waited = {.fd = fd, .events = POLLIN};
    double begun = hd_progress_clock();
    for (;;) {
        int ready = poll(&waited, 1, 1 + (int)(hd_clock_left(slice) * 1000));
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
        if (hd_pipe_left(begun, 1) <= 0) {
            hd_pipe_give_up();
            return false;
        }
        if (hd_clock_look() != HD_CLOCK_GOES || (until > 0 && hd_progress_clock() >= until))
            return false;
    }
}

const char *hd_file_error(int number) {
    if (number == EFBIG)
        return "a device that has no end";
    if (number != ETIME)
        return strerror(number);
    return hd_stop_asked() ? "a signal came before its end"
                           : "the limit on time came before its end";
}

/* A device such as /dev/zero, not a terminal. */
static bool is_device(int fd) {
    struct stat about;
    return fstat(fd, &about) == 0 && S_ISCHR(about.st_mode) && !isatty(fd);
}

/* Adds `most` bytes, or all there are.  The cause of a failure, or 0. */
static int read_open(int fd, size_t most, hd_vec_char *to) {
    enum { PIECE = 1 << 16, SOON = 64 << 20 };
    double begun = hd_progress_clock();
    bool pipe = hd_pipe_is(fd); /* others are there at once; of a device, without an end */
    size_t first = to->length;
    for (;;) {
        hd_vec_reserve(to, to->length + PIECE + 1);
        bool timed = pipe || to->length - first >= SOON;
        if (to->length - first >= SOON && is_device(fd))
            return EFBIG;
        if (timed && hd_pipe_left(begun, 1) <= 0)
            hd_pipe_give_up();
        if (!hd_file_wait(fd, 0) ||
            (timed && (hd_pipe_left(begun, 1) <= 0 || hd_clock_look() != HD_CLOCK_GOES)))
            return ETIME;
        ssize_t got = read(fd, to->data + to->length, most < PIECE ? most : PIECE);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0)
            return got < 0 ? errno : 0;
        to->length += (size_t)got;
        most -= (size_t)got;
    }
}

static int read_path(const char *path, size_t limit, hd_vec_char *to, bool *opened) {
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : hd_file_open(path);
    *opened = fd >= 0;
    if (fd < 0)
        return errno;
    int wrong = read_open(fd, limit < SIZE_MAX ? limit + 1 : limit, to);
    to->data[to->length] = '\0';
    if (!standard)
        close(fd);
    return wrong;
}

int hd_file_read(const char *path, size_t limit, hd_vec_char *to) {
    bool opened;
    return read_path(path, limit, to, &opened);
}

bool hd_file_load(const char *path, hd_vec_char *to, hd_error *error) {
    bool opened;
    int wrong = read_path(path, SIZE_MAX, to, &opened);
    return !wrong || hd_error_set(error, "%s: cannot %s: %s",
                                  strcmp(path, "-") == 0 ? "standard input" : path,
                                  opened ? "read" : "open", hd_file_error(wrong));
}
