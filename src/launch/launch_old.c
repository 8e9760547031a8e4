#include "launch_old.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch_compiler.h"

/* ---- 32 bits ---- */

/* What the library takes to be this large, whatever the program says. */
static const struct {
    const char *name;
    size_t size;
} objects[] = {
    {"pthread_attr_t", sizeof(pthread_attr_t)},
    {"pthread_mutex_t", sizeof(pthread_mutex_t)},
    {"pthread_mutexattr_t", sizeof(pthread_mutexattr_t)},
    {"pthread_cond_t", sizeof(pthread_cond_t)},
    {"pthread_condattr_t", sizeof(pthread_condattr_t)},
    {"pthread_rwlock_t", sizeof(pthread_rwlock_t)},
    {"pthread_rwlockattr_t", sizeof(pthread_rwlockattr_t)},
    {"pthread_barrier_t", sizeof(pthread_barrier_t)},
    {"pthread_barrierattr_t", sizeof(pthread_barrierattr_t)},
    {"sem_t", sizeof(sem_t)},
};

static void append(hd_vec_char *to, const char *from, size_t length) {
    for (size_t i = 0; i < length; i++)
        hd_vec_push(to, from[i]);
}

/* Words with any blanks between, as "typedef unsigned int size_t ;"; NULL: not there. */
static const char *find_words(const char *at, const char *const *words, size_t count) {
    for (; (at = strstr(at, words[0])); at++) {
        const char *next = at;
        size_t i = 0;
        for (; i < count && strncmp(next, words[i], strlen(words[i])) == 0; i++) {
            next += strlen(words[i]);
            next += strspn(next, " \t\n");
        }
        if (i == count)
            return at;
    }
    return NULL;
}

/* The size of pointers is not told; that of size_t is. */
static bool is_narrow(const char *text) {
    static const char *const words[] = {"typedef", "unsigned", "int", "size_t", ";"};
    return find_words(text, words, sizeof words / sizeof *words) != NULL;
}

/* "typedef union ... name;": its beginning and its last brace. */
static const char *find_union(const char *text, const char *name, const char **brace) {
    const char *words[] = {"}", name, ";"};
    *brace = find_words(text, words, sizeof words / sizeof *words);
    const char *at = *brace;
    unsigned depth = 0;
    while (at && at > text) {
        depth += *at == '}';
        depth -= *at == '{';
        if (!depth)
            break;
        at--;
    }
    return at;
}

/* The digits of "char __size[24]" between the two, of the outermost level. */
static const char *find_size(const char *begin, const char *end, size_t *length) {
    static const char word[] = "__size[";
    const char *last = NULL;
    for (const char *at = begin; (at = strstr(at, word)) && at < end; at++)
        last = at + strlen(word);
    *length = last ? strspn(last, "0123456789") : 0;
    return *length ? last : NULL;
}

typedef struct change {
    const char *at; /* digits */
    size_t length, size;
} change;

static int compare_changes(const void *a, const void *b) {
    const change *one = a, *other = b;
    return (one->at > other->at) - (one->at < other->at);
}

bool hd_launch_old_widen(const char *text, size_t length, hd_vec_char *to, hd_error *error) {
    change changes[sizeof objects / sizeof *objects];
    size_t count = 0;
    if (!is_narrow(text))
        return false;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        const char *brace, *begin = find_union(text, objects[i].name, &brace);
        size_t digits;
        if (!brace)
            continue;
        const char *size = find_size(begin, brace, &digits);
        if (!size)
            return hd_error_set(error,
                                "preprocessed for 32 bits, with a %s that is not known here; "
                                "preprocess it again on this machine",
                                objects[i].name);
        if (strtoul(size, NULL, 10) < objects[i].size)
            changes[count++] = (change){size, digits, objects[i].size};
    }
    qsort(changes, count, sizeof *changes, compare_changes);
    const char *at = text;
    for (size_t i = 0; i < count; i++) {
        append(to, at, (size_t)(changes[i].at - at));
        hd_text_append(to, "%zu", changes[i].size);
        at = changes[i].at + changes[i].length;
    }
    append(to, at, (size_t)(text + length - at));
    return true;
}

static bool narrow;

bool hd_launch_old_narrow(void) {
    return narrow;
}

/* A copy beside the output, which says whose it is; NULL: the source is as it should be. */
static char *make_copy(const char *source, const char *output, hd_error *error) {
    hd_vec_char text = {0}, wide = {0};
    char *path = NULL;
    int wrong = hd_file_read(source, SIZE_MAX, &text);
    hd_text_append(&wide, "# 1 \"%s\"\n", source);
    if (wrong)
        hd_error_set(error, "cannot read: %s", strerror(wrong));
    else if (hd_launch_old_widen(text.data, text.length, &wide, error)) {
        if (asprintf(&path, "%s.wide.i", output) < 0)
            hd_mem_made(NULL);
        hd_stop_add(path);
        FILE *file = fopen(path, "we");
        bool good = file && fwrite(wide.data, 1, wide.length, file) == wide.length;
        good = file && fclose(file) == 0 && good;
        if (!good)
            hd_error_set(error, "%s: cannot write: %s", path, strerror(errno));
    }
    hd_vec_release(&text);
    hd_vec_release(&wide);
    return path;
}

/* ---- The compiler ---- */

/* What gcc and clang accepted when the program was written, and refuse by now. */
static const char *const dialect[] = {"-std=gnu11",
                                      "-Wno-implicit-function-declaration",
                                      "-Wno-implicit-int",
                                      "-Wno-int-conversion",
                                      "-Wno-incompatible-pointer-types",
                                      "-Wno-incompatible-function-pointer-types",
                                      "-Wno-return-mismatch",
                                      "-Wno-declaration-missing-parameter-type"};

/* One attempt; `why` is set if the compiler refuses it. */
static bool try_words(const char *source, const char *output, const char *const *more, size_t count,
                      bool old_inline, char *why, size_t size, hd_error *error) {
    HD_VEC(const char *) words = {0};
    hd_launch_command command;
    FILE *said = tmpfile();
    if (!said)
        return hd_error_set(error, "cannot make a file: %s", strerror(errno));
    for (size_t i = 0; i < sizeof dialect / sizeof *dialect; i++)
        hd_vec_push(&words, dialect[i]);
    if (old_inline)
        hd_vec_push(&words, "-fgnu89-inline");
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&words, more[i]);
    hd_vec_push(&words, "-o");
    hd_vec_push(&words, output);
    char *word = hd_launch_command_source(source);
    hd_vec_push(&words, word);
    bool good = hd_launch_command_make(&command, NULL, false, (char **)(uintptr_t)words.data,
                                       (int)words.length, error);
    free(word);
    if (good) {
        good = hd_launch_command_run(&command, said);
        if (!good && !*why)
            hd_launch_command_reason(said, why, size);
        hd_launch_command_release(&command);
    }
    hd_vec_release(&words);
    fclose(said);
    return good;
}

bool hd_launch_old_make(const char *source, const char *output, const char *const *more,
                        size_t count, hd_error *error) {
    char why[512] = "";
    hd_error problem = {""};
    char *copy = make_copy(source, output, &problem);
    bool good = false;
    for (int old_inline = 0; !problem.text[0] && !good && old_inline < 2; old_inline++)
        good = try_words(copy ? copy : source, output, more, count, old_inline != 0, why,
                         sizeof why, &problem);
    if (copy) {
        unlink(copy);
        hd_stop_remove(copy);
    }
    narrow |= good && copy;
    if (good || hd_launch_command_cut(source, error))
        ;
    else if (problem.text[0])
        hd_error_set(error, "%.200s: %s", source, problem.text);
    else {
        hd_error_set(error, "%.200s: it does not compile%s: %s", source,
                     copy ? " for 64 bits, and was preprocessed for 32" : "", why);
        hd_launch_command_room(output, error);
    }
    free(copy);
    return good;
}
