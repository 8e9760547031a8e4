#include "base_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base_clock.h"
#include "base_file_batch.h"
#include "base_mem.h"
#include "base_pipe.h"
#include "base_progress.h"
#include "base_stop.h"
#include "base_text.h"

enum { BUFFER_SIZE = 1 << 17 };

struct hd_file {
    int fd;
    bool pipe;       /* somebody reads it, or not */
    int failure;     /* errno of the first failed write, 0 if none */
    char *path;      /* as the user gave it */
    char *temporary; /* NULL: written directly */
    uint64_t flushed;
    uint64_t begun; /* of these, bytes that were told to go to the disk */
    size_t used;
    char buffer[2 * BUFFER_SIZE];
};

/* --- into place ------------------------------------------------------------------------------ */

/* A file that is written but not in its place: its bytes may not be on the disk. */
struct written {
    int fd;
    char *path;      /* as the user gave it */
    char *temporary; /* what comes before ".tmpN" is its final name */
};

/* Commits that wait for each other: at most so many, for each has an open file. */
enum { MOST_TOGETHER = 256 };
static atomic_bool failed;

static _Thread_local struct batch {
    unsigned depth; /* of begins */
    size_t count;
    struct written files[MOST_TOGETHER];
} batch;

/* Some file systems have nothing to sync. */
static bool cannot_sync(int failure) {
    return failure == EINVAL || failure == ENOSYS || failure == EROFS || failure == ENOTSUP;
}

/* The path up to this character, if there is one, into the buffer; else the other text.  Nothing is
 * allocated: memory may have run out (hd_file_batch_abandon). */
static void path_up_to(char buffer[PATH_MAX], const char *path, char last, const char *other) {
    const char *end = strrchr(path, last);
    snprintf(buffer, PATH_MAX, "%.*s", end ? (int)(end - path) : (int)strlen(other),
             end ? path : other);
}

/* Makes the new names durable too, where that can be done; the files are whole in any case. */
static void sync_folder(const char *folder) {
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)!fsync(fd);
        close(fd);
    }
}

/* The bytes go to the disk, if they are not there, then the file takes its name.  The cause of a
 * failure, or 0. */
static int put_in_place(const struct written *file, bool synced) {
    int failure = 0;
    if (!synced && fsync(file->fd) != 0 && !cannot_sync(errno))
        failure = errno;
    if (close(file->fd) != 0 && !failure)
        failure = errno;
    char target[PATH_MAX];
    path_up_to(target, file->temporary, '.', "");
    if (!failure && rename(file->temporary, target) != 0)
        failure = errno;
    if (failure)
        unlink(file->temporary);
    return failure;
}

/* One sync of the file system for many files on it: each sync of a file makes the disk empty its
 * cache, which takes milliseconds.  If that fails, those of the files say which of them did. */
static bool sync_together(const struct written *files, size_t count) {
    enum { MANY = 8 };
    struct stat first, other;
    if (count < MANY || fstat(files[0].fd, &first) != 0)
        return false;
    for (size_t i = 1; i < count; i++)
        if (fstat(files[i].fd, &other) != 0 || other.st_dev != first.st_dev)
            return false;
    return syncfs(files[0].fd) == 0;
}

/* All files, then their folder, once for those in the same one. */
static bool put_all_in_place(struct written *files, size_t count, hd_error *error) {
    bool good = true, synced = sync_together(files, count);
    char folder[PATH_MAX], last[PATH_MAX] = "";
    for (size_t i = 0; i < count; i++) {
        int failure = put_in_place(&files[i], synced);
        if (failure)
            failed = true;
        if (failure && good)
            good = hd_error_set(error, "%s: cannot write: %s", files[i].path, strerror(failure));
        path_up_to(folder, files[i].temporary, '/', ".");
        if (i && strcmp(folder, last) != 0)
            sync_folder(*last ? last : "/");
        memcpy(last, folder, sizeof last);
        hd_stop_remove(files[i].temporary);
        free(files[i].temporary);
        free(files[i].path);
    }
    if (count)
        sync_folder(*last ? last : "/");
    return good;
}

static bool commit_batch(hd_error *error) {
    size_t count = batch.count;
    batch.count = 0;
    return put_all_in_place(batch.files, count, error);
}

bool hd_file_unwritten(void) {
    return failed;
}

void hd_file_batch_begin(void) {
    batch.depth++;
}

bool hd_file_batch_end(hd_error *error) {
    if (!batch.depth) /* it was abandoned on the way */
        return true;
    return --batch.depth || commit_batch(error);
}

void hd_file_batch_abandon(void) {
    batch.depth = 0;
    commit_batch(NULL);
}

/* --- inputs --------------------------------------------------------------------------------- */

static HD_VEC(struct input {
    dev_t device;
    ino_t number;
}) inputs;

void hd_file_protect(const char *path) {
    struct stat about;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
        hd_vec_push(&inputs, (struct input){about.st_dev, about.st_ino});
}

bool hd_file_may_replace(const char *path, hd_error *error) {
    struct stat about;
    if (!inputs.length || strcmp(path, "-") == 0 || stat(path, &about) != 0)
        return true;
    for (size_t i = 0; i < inputs.length; i++)
        if (inputs.data[i].device == about.st_dev && inputs.data[i].number == about.st_ino)
            return hd_error_set(error, "%s: is also an input; write to another file",
                                hd_text_name(path));
    return true;
}

/* --- output --------------------------------------------------------------------------------- */

/* A file beside `path` (or beside what it links to), with the mode a new file would have. */
static bool open_beside(hd_file *file, const char *target) {
    size_t length = strlen(target);
    free(file->temporary); /* of an earlier try */
    file->temporary = hd_mem_alloc(length + 16);
    for (unsigned try = 0; try < 1000; try++) {
        snprintf(file->temporary, length + 16, "%s.tmp%u", target,
                 (unsigned)getpid() % 100000 + try);
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->fd >= 0 || errno != EEXIST)
            break;
    }
    return file->fd >= 0;
}

/* What a link that leads to no file points to, through further links: the file that is to be made;
 * NULL, with errno, if there are too many.  To be freed. */
static char *follow_links(const char *path) {
    enum { MOST_LINKS = 40, MOST_LENGTH = 4096 };
    char *at = hd_mem_string(path, strlen(path)), text[MOST_LENGTH];
    for (int i = 0; i < MOST_LINKS; i++) {
        ssize_t length = readlink(at, text, sizeof text - 1);
        if (length < 0)
            return at;
        text[length] = '\0';
        const char *slash = text[0] == '/' ? NULL : strrchr(at, '/');
        size_t folder = slash ? (size_t)(slash - at) + 1 : 0;
        char *next = hd_mem_alloc(folder + (size_t)length + 1);
        memcpy(next, at, folder);
        memcpy(next + folder, text, (size_t)length + 1);
        free(at);
        at = next;
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

/* If there is no memory to note it, the temporary file goes at once. */
static void note_temporary(const hd_file *file) {
    hd_mem_guard guard;
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        unlink(file->temporary);
        hd_mem_fatal("%s", guard.text);
    }
    hd_stop_add(file->temporary);
    hd_mem_guard_end(&guard);
}

/* To open a pipe with a name waits for somebody who reads, as long as there is time. */
static int open_pipe(const char *path) {
    const struct timespec moment = {.tv_nsec = 20000000};
    double begun = hd_progress_clock();
    int fd;
    while ((fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)) < 0 && errno == ENXIO) {
        if (hd_clock_look() != HD_CLOCK_GOES || hd_pipe_left(begun, 1) <= 0) {
            hd_pipe_give_up();
            errno = ETIME;
            return -1;
        }
        nanosleep(&moment, NULL);
    }
    return fd; /* it stays so that a write never waits: hd_pipe_write does */
}

static bool open_output(hd_file *file, const char *path) {
    if (strcmp(path, "-") == 0) {
        file->fd = dup(STDOUT_FILENO);
        file->pipe = hd_pipe_is(file->fd);
        return file->fd >= 0;
    }
    if (!*path) { /* a temporary file could be made, but there is no name to give it */
        errno = ENOENT;
        return false;
    }
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        file->pipe = S_ISFIFO(status.st_mode);
        file->fd = file->pipe ? open_pipe(path) : open(path, O_WRONLY | O_CLOEXEC);
        return file->fd >= 0;
    }
    char *real = realpath(path, NULL); /* keep a symbolic link a link */
    bool known = real != NULL;
    if (!known)
        real = follow_links(path);
    bool opened = real && open_beside(file, real);
    if (opened)
        note_temporary(file);
    if (opened && known && fchmod(file->fd, status.st_mode & 07777) != 0)
        file->failure = errno;
    int cause = errno;
    free(real);
    errno = cause;
    return opened;
}

hd_file *hd_file_create(const char *path, hd_error *error) {
    return hd_file_may_replace(path, error) ? hd_file_renew(path, error) : NULL;
}

hd_file *hd_file_renew(const char *path, hd_error *error) {
    hd_file *file = hd_mem_alloc(sizeof *file);
    file->fd = -1;
    file->failure = 0;
    file->pipe = false;
    file->temporary = NULL;
    file->flushed = file->begun = 0;
    file->used = 0;
    const char *shown = strcmp(path, "-") == 0 ? "standard output" : path;
    file->path = hd_mem_string(shown, strlen(shown));
    bool opened = open_output(file, path);
    if (!opened && (errno == EMFILE || errno == ENFILE) && batch.count) /* it has them */
        opened = commit_batch(error) && open_output(file, path);
    if (opened)
        return file;
    if (!hd_pipe_gave_up())
        failed = true;
    hd_error_set(error, "%s: cannot write: %s", file->path, hd_pipe_error(errno));
    free(file->temporary);
    free(file->path);
    free(file);
    return NULL;
}

static void write_out(hd_file *file, const char *from, size_t size) {
    if (file->pipe && !file->failure)
        file->failure = hd_pipe_write(file->fd, from, size);
    for (size_t done = 0; done < size && !file->failure && !file->pipe;) {
        ssize_t written = write(file->fd, from + done, size - done);
        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR)
            file->failure = errno;
    }
    file->flushed += size;
    /* A large file goes to the disk while it is written, so that the end need not wait for all. */
    enum { SHARE = 16 << 20 };
    if (file->temporary && !file->failure && file->flushed - file->begun >= SHARE) {
        (void)!sync_file_range(file->fd, (off_t)file->begun, (off_t)(file->flushed - file->begun),
                               SYNC_FILE_RANGE_WRITE);
        file->begun = file->flushed;
    }
}

static void flush(hd_file *file) {
    write_out(file, file->buffer, file->used);
    file->used = 0;
}

char *hd_file_reserve(hd_file *file, size_t size) {
    if (size > BUFFER_SIZE) {
        fprintf(stderr, "heddle: bug: hd_file_reserve of %zu bytes\n", size);
        abort();
    }
    if (file->used >= BUFFER_SIZE)
        flush(file);
    return file->buffer + file->used;
}

void hd_file_advance(hd_file *file, size_t size) {
    file->used += size;
}

void hd_file_write(hd_file *file, const void *data, size_t size) {
    if (size > BUFFER_SIZE) { /* it need not be copied */
        flush(file);
        write_out(file, data, size);
    } else if (size) {
        memcpy(hd_file_reserve(file, size), data, size);
        hd_file_advance(file, size);
    }
}

void hd_file_print(hd_file *file, const char *format, ...) {
    char *text;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        file->failure = ENOMEM;
        return;
    }
    hd_file_write(file, text, (size_t)length);
    free(text);
}

uint64_t hd_file_offset(const hd_file *file) {
    return file->flushed + file->used;
}

bool hd_file_failed(const hd_file *file) {
    return file->failure != 0;
}

static void destroy(hd_file *file) {
    if (file->temporary)
        hd_stop_remove(file->temporary);
    free(file->temporary);
    free(file->path);
    free(file);
}

/* Takes the file over, as what is left of it. */
static struct written leave(hd_file *file) {
    struct written written = {file->fd, file->path, file->temporary};
    free(file);
    return written;
}

static bool commit(hd_file *file, bool together, hd_error *error) {
    flush(file);
    if (file->temporary && !file->failure) {
        struct written written = leave(file);
        if (!together)
            return put_all_in_place(&written, 1, error);
        (void)!sync_file_range(written.fd, 0, 0, SYNC_FILE_RANGE_WRITE); /* begins with it */
        batch.files[batch.count++] = written;
        return batch.count < MOST_TOGETHER || commit_batch(error);
    }
    if (close(file->fd) != 0 && !file->failure)
        file->failure = errno;
    bool good = file->failure == 0;
    if (!good) {
        if (!hd_pipe_gave_up())
            failed = true;
        hd_error_set(error, "%s: cannot write: %s", file->path, hd_pipe_error(file->failure));
        if (file->temporary)
            unlink(file->temporary);
    }
    destroy(file);
    return good;
}

bool hd_file_commit(hd_file *file, hd_error *error) {
    return commit(file, batch.depth > 0, error);
}

bool hd_file_commit_now(hd_file *file, hd_error *error) {
    return commit(file, false, error);
}

void hd_file_abandon(hd_file *file) {
    if (!file)
        return;
    close(file->fd);
    if (file->temporary)
        unlink(file->temporary);
    destroy(file);
}

const char *hd_file_temporary(void) {
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}
