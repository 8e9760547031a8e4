/*
 * What the program was given as standard input, output and error.  Where that goes only others see,
 * so it takes no step to write there.  The program can put a file of its own in the place of one,
 * or give the stream memory of its own: then a write is what it is elsewhere.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_explore.h"
#include "rt_file.h"
#include "rt_foreign.h"
#include "rt_world.h"

enum { GIVEN = STDERR_FILENO + 1 };

static struct { uint64_t device, inode; } given[GIVEN];
static uint32_t known; /* those that were open, as bits */

static bool look_at(int file, uint64_t *device, uint64_t *inode) {
    struct stat status;
    if (hd_rt_world_call(SYS_fstat, file, (long)&status, 0, 0, 0, 0) < 0)
        return false;
    *device = status.st_dev;
    *inode = status.st_ino;
    return true;
}

void hd_rt_given_init(void) {
    for (int file = 0; file < GIVEN; file++)
        if (look_at(file, &given[file].device, &given[file].inode))
            known |= 1U << file;
}

bool hd_rt_given(int file) {
    uint64_t device, inode;
    if (file < 0 || file >= GIVEN || !look_at(file, &device, &inode))
        return false;
    for (int i = 0; i < GIVEN; i++)
        if (known >> i & 1 && given[i].device == device && given[i].inode == inode)
            return true;
    return false;
}

/* Is it what standard output was at the start? */
static bool is_output(uint64_t device, uint64_t inode) {
    return known >> STDOUT_FILENO & 1 && given[STDOUT_FILENO].device == device &&
           given[STDOUT_FILENO].inode == inode;
}

bool hd_rt_given_is_output(int file) {
    uint64_t device, inode;
    if (!(known >> STDOUT_FILENO & 1) || file < 0 || !look_at(file, &device, &inode))
        return file == STDOUT_FILENO;
    return is_output(device, inode);
}

bool hd_rt_given_is_compared(int file) {
    return hd_rt.wire->prints && hd_rt_given_is_output(file);
}

int hd_rt_given_duplicate(int folder, const char *name, bool closes) {
    enum { MOST = 1024 };
    struct stat status;
    uint64_t device, inode;
    if (hd_rt_syscall(SYS_newfstatat, folder, (long)name, (long)&status, 0, 0, 0) < 0 ||
        !is_output(status.st_dev, status.st_ino))
        return -1;
    for (int file = 0; file < MOST; file++) {
        long how = hd_rt_syscall(SYS_fcntl, file, F_GETFL, 0, 0, 0, 0);
        if (how >= 0 && (how & O_ACCMODE) != O_RDONLY && look_at(file, &device, &inode) &&
            is_output(device, inode))
            return (int)hd_rt_syscall(SYS_fcntl, file, closes ? F_DUPFD_CLOEXEC : F_DUPFD, 0, 0, 0,
                                      0);
    }
    return -1;
}

bool hd_rt_given_output(const FILE *stream) {
    enum { OF_FILE = 0x2000 }; /* not of memory: the number of the file is one */
    return stream && (stream == stdout || stream == stderr) && stream->_flags & OF_FILE &&
           !hd_rt_kept(stream) && hd_rt_given(stream->_fileno);
}

void hd_rt_given_replaced(int file) {
    const FILE *const list[] = {stdout, stderr};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i] && hd_rt_given_output(list[i]) && list[i]->_fileno == file &&
            list[i]->_IO_write_ptr > list[i]->_IO_write_base)
            hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_OUTPUT;
}
