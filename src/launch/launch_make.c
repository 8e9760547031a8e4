#include "launch_make.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heddle/wire.h"
#include "launch_compiler.h"
#include "launch_old.h"

static const struct {
    const char *ending;
    bool cxx;
} endings[] = {{".c", false},  {".i", false},  {".cc", true}, {".cpp", true},
               {".cxx", true}, {".c++", true}, {".C", true},  {".ii", true}};

static bool find_ending(const char *path, bool *cxx) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i].ending) == 0) {
            *cxx = endings[i].cxx;
            return true;
        }
    return false;
}

static bool is_preprocessed(const char *path) {
    size_t length = strlen(path);
    return length > 2 && strcmp(path + length - 2, ".i") == 0;
}

bool hd_launch_is_source(const char *path) {
    bool cxx;
    return find_ending(path, &cxx);
}

/* ---- The folder ---- */

static char folder[PATH_MAX], program[PATH_MAX + NAME_MAX];
static pid_t owner;

static void clean_up(void) {
    if (getpid() != owner) /* a child that did not become another program */
        return;
    unlink(program);
    rmdir(folder);
}

static bool make_folder(hd_error *error) {
    snprintf(folder, sizeof folder, "%s/heddle-XXXXXX", hd_file_temporary());
    if (!mkdtemp(folder))
        return hd_error_set(error, "%.200s: cannot make a folder: %s", folder, strerror(errno));
    owner = getpid();
    hd_stop_add(folder);
    atexit(clean_up);
    return true;
}

/* The source's name without its ending. */
static void name_program(const char *source) {
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    const char *dot = strrchr(name, '.');
    snprintf(program, sizeof program, "%s/%.*s", folder, (int)(dot - name), name);
}

/* ---- The compiler ---- */

void hd_launch_make_flags(uint32_t sv_comp, const char **words) {
    size_t count = 0;
    words[count++] = HD_LAUNCH_ALL_READS;
    if (sv_comp) {
        words[count++] = "-w";
        words[count++] = "-finstrument-functions";
        words[count++] = "-fno-inline";
    }
    if (sv_comp & HEDDLE_WIRE_SV_OVERFLOW) {
        words[count++] = "-fsanitize=signed-integer-overflow";
        words[count++] = "-fsanitize-undefined-trap-on-error";
    }
    assert(count < HD_LAUNCH_MAKE_FLAGS);
    words[count] = NULL;
}

char *hd_launch_make(const char *source, uint32_t sv_comp, hd_error *error) {
    bool cxx = false;
    find_ending(source, &cxx);
    if (access(source, R_OK) != 0) {
        hd_error_set(error, "%.200s: %s", source, strerror(errno));
        return NULL;
    }
    if (!folder[0] && !make_folder(error))
        return NULL;
    name_program(source);
    hd_stop_add(program);
    const char *words[HD_LAUNCH_MAKE_FLAGS + 4];
    int count = 0;
    hd_launch_make_flags(sv_comp, words);
    while (words[count])
        count++;
    words[count++] = "-Wl,--build-id=none"; /* clang keeps the name of the program, made up here */
    if (!cxx && (sv_comp || is_preprocessed(source)))
        return hd_launch_old_make(source, program, words, (size_t)count, error)
                   ? hd_mem_string(program, strlen(program))
                   : NULL;
    words[count++] = "-o";
    words[count++] = program;
    char *word = hd_launch_command_source(source);
    words[count++] = word;
    char **arguments = (char **)(uintptr_t)words;
    hd_launch_command command;
    bool known = hd_launch_command_make(&command, NULL, cxx, arguments, count, error);
    free(word);
    if (!known)
        return NULL;
    bool good = hd_launch_command_run(&command, NULL);
    hd_launch_command_release(&command);
    if (!good) {
        if (!hd_launch_command_cut(source, error)) {
            hd_error_set(error, "%.200s: it does not compile", source);
            hd_launch_command_room(program, error);
        }
        return NULL;
    }
    return hd_mem_string(program, strlen(program));
}
