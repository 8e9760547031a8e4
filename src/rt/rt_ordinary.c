/*
 * Which ordinary file a descriptor is of, as a number that is the same in every run.  An inode is
 * not, where runs make files; the path is.  Renaming, linking or opening files changes the state of
 * all of them, so paths need not be the same for ever, and files with more than one are all one.
 */
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "rt_foreign.h"

enum { ROOM = 1 << 20 };

/* Of a file without a name the system makes one up, of #. */
static bool is_made_up(const char *path, long length) {
    while (length && path[length - 1] != '/')
        length--;
    return path[length] == '#';
}

static long without_mark(const char *path, long length) {
    static const char mark[] = " (deleted)";
    enum { MARK = sizeof mark - 1 };
    for (long i = 0; i < MARK; i++)
        if (length <= MARK || path[length - MARK + i] != mark[i])
            return length;
    return length - MARK;
}

uint64_t hd_rt_ordinary(int file) {
    struct stat status;
    char name[48], path[1024];
    uint64_t hash = 0;
    if (hd_rt_syscall(SYS_fstat, file, (long)&status, 0, 0, 0, 0) < 0 || !S_ISREG(status.st_mode) ||
        status.st_nlink > 1)
        return 0;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    long length =
        hd_rt_syscall(SYS_readlinkat, -100, (long)name, (long)path, sizeof path - 1, 0, 0);
    if (length <= 0 || length >= (long)sizeof path - 1)
        return 0;
    path[length] = 0;
    if (is_made_up(path, length))
        return 0;
    length = without_mark(path, length);
    for (long i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)path[i]) * UINT64_C(0x100000001b3);
    return HEDDLE_WIRE_FILE_STATES + 16 * ((hash ^ hash >> 32) % ROOM);
}
