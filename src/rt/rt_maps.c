#include "rt_maps.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "rt_explore.h"

static uintptr_t number_at(const char **at) {
    uintptr_t number = 0;
    for (;; ++*at) {
        char c = **at;
        if (c >= '0' && c <= '9')
            number = number << 4 | (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            number = number << 4 | (uintptr_t)(c - 'a' + 10);
        else
            return number;
    }
}

long hd_rt_read_file(const char *path, char *text, size_t room) {
    long file = hd_rt_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
    size_t length = 0;
    long got = 1;
    if (file < 0)
        return file;
    while (got > 0 && length < room - 1) {
        got = hd_rt_syscall(SYS_read, file, (long)(text + length), (long)(room - 1 - length), 0, 0,
                            0);
        length += got > 0 ? (size_t)got : 0;
    }
    hd_rt_syscall(SYS_close, file, 0, 0, 0, 0, 0);
    text[length] = '\0';
    return got < 0 ? got : (long)length;
}

/* A line: "low-high rw-p offset 08:01 inode path". */
static hd_rt_mapping mapping_at(const char *line) {
    hd_rt_mapping it;
    it.low = number_at(&line);
    line++;
    it.high = number_at(&line);
    it.writable = line[2] == 'w';
    it.shared = line[4] == 's';
    line += 6;
    it.offset = number_at(&line);
    line++;
    it.device = number_at(&line) << 32;
    line++;
    it.device |= number_at(&line);
    line++;
    it.inode = 0;
    for (; *line >= '0' && *line <= '9'; line++)
        it.inode = 10 * it.inode + (uint64_t)(*line - '0');
    return it;
}

bool hd_rt_maps(hd_rt_maps_each *each, void *context) {
    enum { MOST = 1 << 20 };
    static char *text;
    if (!text)
        text = hd_rt_reset_pages(MOST);
    long length = text ? hd_rt_read_file("/proc/self/maps", text, MOST) : 0;
    if (length <= 0 || length == MOST - 1)
        return false;
    for (const char *line = text; line < text + length; line++) {
        hd_rt_mapping it = mapping_at(line);
        if (!each(&it, context))
            return false;
        while (*line && *line != '\n')
            line++;
    }
    return true;
}

/* Is the file, or the part of it, already mapped?  And one of the two can be written to. */
typedef struct twin {
    uint64_t device, inode, low, high; /* of the file; and offsets */
    bool writable;
} twin;

static bool is_apart(const hd_rt_mapping *it, void *context) {
    const twin *other = context;
    return it->inode != other->inode || it->device != other->device || it->offset >= other->high ||
           it->offset + (it->high - it->low) <= other->low || !(it->shared || other->writable) ||
           !(it->writable || other->writable);
}

bool hd_rt_maps_file(int file, uint64_t *device, uint64_t *inode) {
    struct stat status;
    if (hd_rt_syscall(SYS_fstat, file, (long)&status, 0, 0, 0, 0) < 0)
        return false;
    *device = (uint64_t)major(status.st_dev) << 32 | minor(status.st_dev);
    *inode = status.st_ino;
    return true;
}

bool hd_rt_maps_twice(const uintptr_t *arguments) {
    twin it = {.low = arguments[5],
               .high = arguments[5] + arguments[1],
               .writable = arguments[2] & PROT_WRITE};
    if (!(arguments[3] & MAP_SHARED) || (int)arguments[4] < 0 ||
        !hd_rt_maps_file((int)arguments[4], &it.device, &it.inode))
        return false;
    return !hd_rt_maps(is_apart, &it);
}
