/*
 * Inputs that are not the same twice: numbers that the system draws, and what /proc tells.  The
 * runs of a search see some of their values, so an answer does not rest firmly on them.  Time is
 * virtual, and no such input.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_string.h"

void hd_rt_input(const char *what) {
    if (hd_rt.exploring && hd_rt_controlled() && !hd_rt_explore->input[0])
        hd_rt_text(hd_rt_explore->input, sizeof hd_rt_explore->input, what);
}

static bool is_drawn(const struct stat *status) {
    enum { MEMORY = 1, RANDOM = 8, URANDOM = 9, MISCELLANEOUS = 10, HARDWARE = 183 };
    unsigned major = major(status->st_rdev), minor = minor(status->st_rdev);
    return S_ISCHR(status->st_mode) &&
           ((major == MEMORY && (minor == RANDOM || minor == URANDOM)) ||
            (major == MISCELLANEOUS && minor == HARDWARE));
}

static bool is_told(int file) {
    enum { PROC = 0x9fa0 };
    struct statfs status;
    return hd_rt_syscall(SYS_fstatfs, file, (long)&status, 0, 0, 0, 0) == 0 &&
           status.f_type == PROC;
}

void hd_rt_input_file(int file) {
    struct stat status;
    char name[48], path[64];
    if (!hd_rt.exploring || !hd_rt_controlled() || hd_rt_explore->input[0] ||
        hd_rt_syscall(SYS_fstat, file, (long)&status, 0, 0, 0, 0) < 0 ||
        (!is_drawn(&status) && !(S_ISREG(status.st_mode) && is_told(file))))
        return;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    long length =
        hd_rt_syscall(SYS_readlinkat, -100, (long)name, (long)path, sizeof path - 1, 0, 0);
    path[length > 0 ? length : 0] = '\0';
    hd_rt_input(length > 0 ? path : "a random device");
}

void hd_rt_input_changed(int file) {
    if (hd_rt_explore->hidden & HEDDLE_WIRE_HIDES_PROC)
        return;
    long flags = hd_rt_syscall(SYS_fcntl, file, F_GETFL, 0, 0, 0, 0);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && is_told(file))
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_PROC;
}

void hd_rt_input_stream(const FILE *stream) {
    if (stream && stream->_fileno >= 0)
        hd_rt_input_file(stream->_fileno);
}
