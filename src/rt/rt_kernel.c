#include "rt_kernel.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "rt_explore.h"
#include "rt_maps.h"
#include "rt_string.h"
#include "rt_watch.h"

#define MOST_KEPT ((uint64_t)64 << 20) /* bytes of files and shared memory */

enum { FILES = 256, MAPPINGS = 64, PIECE = 1 << 16, INHERITED = 1024 };

enum sort {
    LOST,    /* it cannot be put back */
    REGULAR, /* a file with an offset; its contents too, if it can be written to */
    PIPE,    /* the end that is read from, of one whose other end is here too */
    COUNTER  /* an event descriptor */
};

typedef struct descriptor {
    int file;
    enum sort sort;
    int flags; /* of fcntl */
    uint64_t inode, device;
    int64_t offset;
    uint64_t count;  /* of a counter */
    char *content;   /* of a file or a pipe, NULL: not kept */
    uint64_t length; /* of the content */
    int other;       /* of a pipe: the end that is written to */
} descriptor;

typedef struct shared {
    uintptr_t low;
    uint64_t length;
    char *content;
} shared;

static struct {
    descriptor files[FILES];
    uint32_t file_count;
    shared mappings[MAPPINGS];
    uint32_t mapping_count;
    uint64_t kept; /* bytes */
    char *piece;   /* PIECE bytes */
    uint64_t inherited[INHERITED / 64];
    bool noted;
} kernel;

void hd_rt_kernel_left(const char *what) {
    heddle_wire_explore *explore = hd_rt_explore;
    if (!explore->left[0])
        hd_rt_text(explore->left, sizeof explore->left, what);
}

/* Room for what is kept; NULL if that is too much. */
static char *room_for(uint64_t size) {
    if (size > MOST_KEPT - kernel.kept)
        return NULL;
    kernel.kept += size;
    return hd_rt_reset_pages(size ? size : 1);
}

/* --- descriptors that are open -------------------------------------------------------------- */

typedef void each_file(int file);

struct entry { /* as getdents64 has it */
    uint64_t inode;
    int64_t next;
    uint16_t length;
    uint8_t type;
    char name[];
};

static int number_of(const char *name) {
    int number = 0;
    if (*name < '0' || *name > '9')
        return -1;
    for (; *name >= '0' && *name <= '9' && number < 1 << 20; name++)
        number = 10 * number + (*name - '0');
    return number;
}

static void all_files(each_file *each) {
    char list[4096] __attribute__((aligned(8)));
    long folder = hd_rt_syscall(SYS_openat, AT_FDCWD, (long)"/proc/self/fd",
                                O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0, 0);
    long length;
    if (folder < 0)
        return;
    while ((length = hd_rt_syscall(SYS_getdents64, folder, (long)list, sizeof list, 0, 0, 0)) > 0)
        for (long at = 0; at < length;) {
            const struct entry *it = (const struct entry *)(list + at);
            int file = number_of(it->name);
            if (file >= 0 && file != folder)
                each(file);
            at += it->length;
        }
    hd_rt_syscall(SYS_close, folder, 0, 0, 0, 0, 0);
}

static void inherit(int file) {
    if (file < INHERITED)
        kernel.inherited[file / 64] |= (uint64_t)1 << file % 64;
}

void hd_rt_kernel_inherit(void) {
    all_files(inherit);
}

static bool is_inherited(int file) {
    return file >= INHERITED || kernel.inherited[file / 64] >> file % 64 & 1;
}

/* --- files ---------------------------------------------------------------------------------- */

static bool is_output(const struct stat *status) {
    struct stat output;
    return hd_rt_syscall(SYS_fstat, STDOUT_FILENO, (long)&output, 0, 0, 0, 0) == 0 &&
           output.st_ino == status->st_ino && output.st_dev == status->st_dev;
}

/* The file once more, to read from: a descriptor to write to may not be enough for that. */
static long reader_of(int file) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return hd_rt_syscall(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
}

static bool read_at(long file, char *to, uint64_t size, uint64_t at) {
    for (uint64_t done = 0; done < size;) {
        long got = hd_rt_syscall(SYS_pread64, file, (long)(to + done), (long)(size - done),
                                 (long)(at + done), 0, 0);
        if (got <= 0)
            return false;
        done += (uint64_t)got;
    }
    return true;
}

static void note_content(descriptor *it, uint64_t size) {
    if ((it->flags & O_ACCMODE) == O_RDONLY)
        return;
    long reader = reader_of(it->file);
    it->content = reader >= 0 ? room_for(size) : NULL;
    it->length = size;
    if (it->content && !read_at(reader, it->content, size, 0))
        it->content = NULL;
    if (reader >= 0)
        hd_rt_syscall(SYS_close, reader, 0, 0, 0, 0, 0);
}

static bool same_content(const descriptor *it, uint64_t size) {
    long reader = size == it->length ? reader_of(it->file) : -1;
    bool same = reader >= 0;
    for (uint64_t at = 0; at < size && same; at += PIECE) {
        uint64_t length = size - at < PIECE ? size - at : PIECE;
        same = read_at(reader, kernel.piece, length, at) &&
               hd_rt_starts(kernel.piece, it->content + at, length);
    }
    if (reader >= 0)
        hd_rt_syscall(SYS_close, reader, 0, 0, 0, 0, 0);
    return same;
}

static bool write_content(const descriptor *it) {
    hd_rt_syscall(SYS_fcntl, it->file, F_SETFL, it->flags & ~O_APPEND, 0, 0, 0);
    bool done = hd_rt_syscall(SYS_ftruncate, it->file, (long)it->length, 0, 0, 0, 0) == 0 &&
                hd_rt_syscall(SYS_pwrite64, it->file, (long)it->content, (long)it->length, 0, 0,
                              0) == (long)it->length;
    hd_rt_syscall(SYS_fcntl, it->file, F_SETFL, it->flags, 0, 0, 0);
    return done;
}

static void restore_content(const descriptor *it) {
    struct stat status;
    if ((it->flags & O_ACCMODE) == O_RDONLY ||
        hd_rt_syscall(SYS_fstat, it->file, (long)&status, 0, 0, 0, 0) != 0)
        return;
    if (it->content && same_content(it, (uint64_t)status.st_size))
        return;
    if (it->content ? !write_content(it) : (uint64_t)status.st_size != it->length)
        hd_rt_kernel_left("what it writes to a file that is open before main");
}

static void restore_regular(const descriptor *it) {
    restore_content(it);
    hd_rt_syscall(SYS_lseek, it->file, it->offset, SEEK_SET, 0, 0, 0);
}

/* --- pipes and counters --------------------------------------------------------------------- */

static void set_waiting(const descriptor *it, bool waits) {
    int flags = waits ? it->flags : it->flags | O_NONBLOCK;
    hd_rt_syscall(SYS_fcntl, it->file, F_SETFL, flags, 0, 0, 0);
}

static int bytes_in(int file) {
    int count = 0;
    hd_rt_syscall(SYS_ioctl, file, FIONREAD, (long)&count, 0, 0, 0);
    return count;
}

static void drain(const descriptor *it) {
    set_waiting(it, false);
    while (hd_rt_syscall(SYS_read, it->file, (long)kernel.piece, PIECE, 0, 0, 0) > 0)
        ;
    set_waiting(it, true);
}

/* What is in a pipe is taken out, and put in again. */
static void note_pipe(descriptor *it) {
    it->length = (uint64_t)bytes_in(it->file);
    it->content = it->length <= PIECE ? room_for(it->length) : NULL;
    if (!it->content) {
        it->sort = LOST;
        return;
    }
    if (it->length) {
        hd_rt_syscall(SYS_read, it->file, (long)it->content, (long)it->length, 0, 0, 0);
        hd_rt_syscall(SYS_write, it->other, (long)it->content, (long)it->length, 0, 0, 0);
    }
}

static void restore_pipe(const descriptor *it) {
    if (bytes_in(it->file))
        drain(it);
    if (it->length)
        hd_rt_syscall(SYS_write, it->other, (long)it->content, (long)it->length, 0, 0, 0);
}

static const char *after_name(const char *text, const char *name) {
    size_t length = hd_rt_length(name, SIZE_MAX);
    for (; *text; text++)
        if (hd_rt_starts(text, name, length))
            return text + length;
    return NULL;
}

/* False if it is not a counter. */
static bool find_count(int file, uint64_t *count) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", file);
    if (hd_rt_read_file(path, text, sizeof text) <= 0)
        return false;
    const char *at = after_name(text, "eventfd-count:");
    for (; at && (*at == ' ' || *at == '\t'); at++)
        ;
    for (*count = 0; at && *at > ' '; at++)
        *count = *count << 4 | (uint64_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    return at != NULL;
}

static void restore_counter(const descriptor *it) {
    uint64_t now;
    if (find_count(it->file, &now) && now == it->count)
        return;
    drain(it);
    if (it->count)
        hd_rt_syscall(SYS_write, it->file, (long)&it->count, sizeof it->count, 0, 0, 0);
}

/* --- all of them ---------------------------------------------------------------------------- */

static void note_file(int file) {
    struct stat status;
    if (file == STDOUT_FILENO || file == STDERR_FILENO || kernel.file_count == FILES ||
        hd_rt_syscall(SYS_fstat, file, (long)&status, 0, 0, 0, 0) != 0 || is_output(&status))
        return;
    descriptor *it = &kernel.files[kernel.file_count++];
    *it = (descriptor){.file = file,
                       .sort = LOST,
                       .flags = (int)hd_rt_syscall(SYS_fcntl, file, F_GETFL, 0, 0, 0, 0),
                       .inode = status.st_ino,
                       .device = status.st_dev,
                       .other = -1};
    if (S_ISREG(status.st_mode)) {
        it->sort = REGULAR;
        it->offset = hd_rt_syscall(SYS_lseek, file, 0, SEEK_CUR, 0, 0, 0);
        note_content(it, (uint64_t)status.st_size);
    } else if (S_ISFIFO(status.st_mode) && !is_inherited(file))
        it->sort = PIPE;
    else if (!(status.st_mode & S_IFMT) && !is_inherited(file) && find_count(file, &it->count))
        it->sort = COUNTER;
}

/* The end of a pipe that is read from finds the other one, which is then nothing by itself. */
static void pair_pipe(descriptor *it) {
    if ((it->flags & O_ACCMODE) == O_WRONLY)
        return;
    for (descriptor *other = kernel.files; other < kernel.files + kernel.file_count; other++)
        if (other->sort == PIPE && other->inode == it->inode && other->device == it->device &&
            (other->flags & O_ACCMODE) != O_RDONLY)
            it->other = other->file;
    if (it->other < 0)
        it->sort = LOST;
    else
        note_pipe(it);
}

static void restore_file(const descriptor *it) {
    if (it->sort == LOST)
        return;
    hd_rt_syscall(SYS_fcntl, it->file, F_SETFL, it->flags, 0, 0, 0);
    if (it->sort == REGULAR)
        restore_regular(it);
    else if (it->sort == PIPE && it->other >= 0)
        restore_pipe(it);
    else if (it->sort == COUNTER)
        restore_counter(it);
}

void hd_rt_kernel_used(int file, uint64_t inode) {
    for (const descriptor *it = kernel.files; it < kernel.files + kernel.file_count; it++)
        if (it->file == file && it->inode == inode && it->sort == LOST)
            hd_rt_kernel_left("what it does with a pipe, a socket or the like that is open "
                              "before main");
}

/* --- shared memory -------------------------------------------------------------------------- */

/* Copies between a mapping and memory of ours; returns how much.  Pages past the end of a mapped
 * file are missing, and do not crash this way. */
static long copy_mapping(long call, uintptr_t low, char *ours, uint64_t size) {
    struct iovec here = {ours, size}, there = {(void *)low, size};
    long self = hd_rt_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
    return hd_rt_syscall(call, self, (long)&here, 1, (long)&there, 1, 0);
}

static bool note_mapping(const hd_rt_mapping *it, void *unused) {
    (void)unused;
    uint64_t size = it->high - it->low;
    uintptr_t wire = (uintptr_t)hd_rt.wire;
    uintptr_t watch;
    uint64_t watched = hd_rt_watch_memory(&watch);
    if (!it->writable || !it->shared || (it->low >= wire && it->low < wire + hd_rt.wire_size) ||
        (it->low >= watch && it->low < watch + watched))
        return true;
    char *content = kernel.mapping_count < MAPPINGS ? room_for(size) : NULL;
    long got = content ? copy_mapping(SYS_process_vm_readv, it->low, content, size) : -1;
    if (got <= 0)
        hd_rt_kernel_left("what it writes to memory that is shared before main");
    else
        kernel.mappings[kernel.mapping_count++] = (shared){it->low, (uint64_t)got, content};
    return true;
}

static void restore_mapping(const shared *it) {
    for (uint64_t at = 0; at < it->length; at += PIECE) {
        uint64_t size = it->length - at < PIECE ? it->length - at : PIECE;
        if (copy_mapping(SYS_process_vm_readv, it->low + at, kernel.piece, size) == (long)size &&
            hd_rt_starts(kernel.piece, it->content + at, size))
            continue;
        if (copy_mapping(SYS_process_vm_writev, it->low + at, it->content + at, size) != (long)size)
            hd_rt_kernel_left("what it writes to memory that is shared before main");
    }
}

void hd_rt_kernel_note(void) {
    kernel.piece = hd_rt_reset_pages(PIECE);
    if (!kernel.piece)
        return;
    all_files(note_file);
    for (uint32_t i = 0; i < kernel.file_count; i++)
        if (kernel.files[i].sort == PIPE)
            pair_pipe(&kernel.files[i]);
    if (!hd_rt_maps(note_mapping, NULL))
        hd_rt_kernel_left("what it writes to memory that is shared before main");
    for (uint32_t i = 0; i < kernel.file_count; i++)
        hd_rt_explore->put_back += kernel.files[i].sort != LOST;
    hd_rt_explore->put_back += kernel.mapping_count;
    kernel.noted = true;
}

void hd_rt_kernel_restore(void) {
    if (!kernel.noted)
        return;
    for (uint32_t i = 0; i < kernel.file_count; i++)
        restore_file(&kernel.files[i]);
    for (uint32_t i = 0; i < kernel.mapping_count; i++)
        restore_mapping(&kernel.mappings[i]);
}
