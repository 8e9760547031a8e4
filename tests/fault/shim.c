/*
 * Faults of the system, for LD_PRELOAD; only in the process whose program is named heddle.  The
 * variable FAULT says which:
 *
 *     write=N:CODE   after N bytes that were written to files, write fails with that errno
 *     fsync=CODE     fsync fails; so do rename=CODE and close=CODE
 *     memory=N       the N-th allocation fails; memory=0 only counts, into the file of FAULT_COUNT
 *     short=N        a read or write moves at most N bytes; every third is interrupted first
 *
 * What the C library does inside, as in fwrite, is not seen.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static bool on;
static long bytes_left = -1, write_code, fsync_code, rename_code, close_code, most = -1;
static long to_fail = -1;
static atomic_long allocations, calls;

static long option(const char *text, const char *name, long none) {
    const char *at = strstr(text, name);
    return at ? strtol(at + strlen(name), NULL, 10) : none;
}

__attribute__((constructor)) static void read_options(void) {
    char path[4096];
    const char *text = getenv("FAULT"), *colon;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (!text || length <= 0)
        return;
    path[length] = '\0';
    const char *slash = strrchr(path, '/');
    if (!slash || strcmp(slash, "/heddle") != 0)
        return;
    bytes_left = option(text, "write=", -1);
    colon = strchr(text, ':');
    write_code = colon ? strtol(colon + 1, NULL, 10) : 0;
    fsync_code = option(text, "fsync=", 0);
    rename_code = option(text, "rename=", 0);
    close_code = option(text, "close=", 0);
    most = option(text, "short=", -1);
    to_fail = option(text, "memory=", -1);
    on = true;
}

__attribute__((destructor)) static void tell_count(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = on && path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", atomic_load(&allocations));
        fclose(file);
    }
}

static bool fails(void) {
    return on && to_fail >= 0 && atomic_fetch_add(&allocations, 1) + 1 == to_fail;
}

static bool is_interrupted(void) {
    return on && most > 0 && atomic_fetch_add(&calls, 1) % 3 == 0;
}

void *malloc(size_t size) {
    if (!fails())
        return __libc_malloc(size);
    errno = ENOMEM;
    return NULL;
}

void *calloc(size_t count, size_t size) {
    if (!fails())
        return __libc_calloc(count, size);
    errno = ENOMEM;
    return NULL;
}

void *realloc(void *old, size_t size) {
    if (!fails())
        return __libc_realloc(old, size);
    errno = ENOMEM;
    return NULL;
}

ssize_t write(int file, const void *data, size_t size) {
    if (is_interrupted()) {
        errno = EINTR;
        return -1;
    }
    if (on && most > 0 && size > (size_t)most)
        size = (size_t)most;
    if (on && bytes_left >= 0 && file > 2) {
        if (bytes_left == 0 && size) {
            errno = (int)write_code;
            return -1;
        }
        size = size < (size_t)bytes_left ? size : (size_t)bytes_left;
        bytes_left -= (long)size;
    }
    return syscall(SYS_write, file, data, size);
}

ssize_t read(int file, void *data, size_t size) {
    if (is_interrupted()) {
        errno = EINTR;
        return -1;
    }
    return syscall(SYS_read, file, data,
                   on && most > 0 && size > (size_t)most ? (size_t)most : size);
}

ssize_t pread(int file, void *data, size_t size, off_t at) {
    return syscall(SYS_pread64, file, data,
                   on && most > 0 && size > (size_t)most ? (size_t)most : size, at);
}

int fsync(int file) {
    if (on && fsync_code) {
        errno = (int)fsync_code;
        return -1;
    }
    return (int)syscall(SYS_fsync, file);
}

int rename(const char *from, const char *to) {
    if (on && rename_code) {
        errno = (int)rename_code;
        return -1;
    }
    int (*usual)(const char *, const char *) =
        (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    return usual(from, to);
}

int close(int file) {
    int result = (int)syscall(SYS_close, file);
    if (on && close_code && file > 2) {
        errno = (int)close_code;
        return -1;
    }
    return result;
}
