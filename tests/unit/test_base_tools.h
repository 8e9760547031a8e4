/*
 * What the tests of the base room share: a directory of their own, standard streams into
 * files, files that must be.
 */
#ifndef TEST_BASE_TOOLS_H
#define TEST_BASE_TOOLS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "support_suite.h"

#define ITEMS(array) (sizeof(array) / sizeof((array)[0]))

static char directory[PATH_MAX];

static inline int make_directory(void **state) {
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/heddle-test-base-XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(directory) ? 0 : -1;
}

static inline int remove_entry(const char *path, const struct stat *status, int type,
                               struct FTW *ftw) {
    (void)status;
    (void)type;
    (void)ftw;
    return remove(path);
}

static inline int remove_directory(void **state) {
    (void)state;
    return nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* A path in the directory; good until the next but three. */
static const char *in_directory(const char *name) {
    static char paths[4][2 * PATH_MAX];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static inline unsigned entries_in(const char *path) {
    DIR *dir = opendir(path);
    assert_non_null(dir);
    unsigned count = 0;
    for (const struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

/* The whole file with a NUL behind it; to be freed. */
static char *slurp(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    hd_vec_char text = {0};
    for (int c; (c = getc(file)) != EOF;)
        hd_vec_push(&text, (char)c);
    fclose(file);
    if (length)
        *length = text.length;
    hd_vec_push(&text, '\0');
    return text.data;
}

static inline void assert_content(const char *path, const char *expected) {
    char *content = slurp(path, NULL);
    assert_string_equal(content, expected);
    free(content);
}

static inline void spill(const char *path, const char *content) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

/* Standard output or error goes to a file between the two calls. */
struct redirection {
    int stream, saved;
    char path[2 * PATH_MAX];
};

static inline void redirect(struct redirection *to, int stream) {
    fflush(NULL);
    to->stream = stream;
    to->saved = dup(stream);
    snprintf(to->path, sizeof to->path, "%s", in_directory("captured"));
    int fd = open(to->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0 && to->saved >= 0);
    dup2(fd, stream);
    close(fd);
}

static inline char *captured(struct redirection *from) {
    fflush(NULL);
    dup2(from->saved, from->stream);
    close(from->saved);
    char *text = slurp(from->path, NULL);
    unlink(from->path);
    return text;
}

static inline void assert_ends_in(const char *text, const char *end) {
    assert_true(strlen(text) >= strlen(end));
    assert_string_equal(text + strlen(text) - strlen(end), end);
}

static inline hd_file *create(const char *path) {
    hd_error error = {0};
    hd_file *file = hd_file_create(path, &error);
    if (!file)
        fail_msg("%s", error.text);
    return file;
}

static inline void commit(hd_file *file) {
    hd_error error = {0};
    if (!hd_file_commit(file, &error))
        fail_msg("%s", error.text);
    assert_string_equal(error.text, "");
}

#endif
