/*
 * heddle check of a source: the program that is made of it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_check.h"
#include "launch/launch.h"

bool hd_engine_check_is_source(const char *path) {
    static const char *const endings[] = {".c", ".i", ".cc", ".cpp", ".cxx", ".C"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

static bool is_cxx(const char *source) {
    const char *dot = strrchr(source, '.');
    return strcmp(dot, ".c") != 0 && strcmp(dot, ".i") != 0;
}

/* Runs the compiler; `source` is what a message speaks of. */
static bool compile_with(const char *source, const char *output, char **arguments, int count,
                         bool cxx, hd_error *error) {
    hd_launch_command command;
    char why[512] = "";
    FILE *said = tmpfile();
    if (!said)
        return hd_error_set(error, "cannot make a file: %s", strerror(errno));
    bool good = hd_launch_command_make(&command, NULL, cxx, arguments, count, error);
    if (good) {
        good = hd_launch_command_run(&command, said);
        hd_launch_command_reason(said, why, sizeof why);
        if (!good && !hd_launch_command_cut(hd_text_name(source), error)) {
            hd_error_set(error, "%s: it does not compile: %s; 'heddle %s %s' says more",
                         hd_text_name(source), why, cxx ? "c++" : "cc", hd_text_name(source));
            hd_launch_command_room(output, error);
        }
        hd_launch_command_release(&command);
    }
    fclose(said);
    return good;
}

/* A file of C that was written for another compiler, perhaps. */
static bool compile_old(hd_engine_check *check, hd_error *error) {
    HD_VEC(const char *) words = {0};
    const char *flags[HD_LAUNCH_MAKE_FLAGS];
    hd_launch_make_flags(hd_launch_options_is_sv_comp(), flags);
    for (size_t i = 0; flags[i]; i++)
        hd_vec_push(&words, flags[i]);
    for (size_t i = 0; i < check->flags.count; i++)
        hd_vec_push(&words, check->flags.data[i]);
    bool good = hd_launch_old_make(check->input, check->program, words.data, words.length, error);
    hd_vec_release(&words);
    return good;
}

typedef HD_VEC(const char *) words;

static const char *source_word(hd_engine_check *check, const char *source) {
    char *word = hd_launch_command_source(source);
    const char *kept = hd_report_keep(&check->report, word);
    free(word);
    return kept;
}

static void add_flags(const hd_engine_check *check, words *to) {
    for (size_t i = 0; i < check->flags.count; i++)
        hd_vec_push(to, check->flags.data[i]);
}

static bool run_compiler(const hd_engine_check *check, const char *source, const words *w, bool cxx,
                         hd_error *error) {
    return compile_with(source, check->program, (char **)(uintptr_t)w->data, (int)w->length, cxx,
                        error);
}

/* One of several sources, each by the compiler of its language. */
static bool compile_object(hd_engine_check *check, const char *source, const char *object,
                           hd_error *error) {
    words w = {0};
    hd_vec_push(&w, HD_LAUNCH_ALL_READS);
    hd_vec_push(&w, "-g");
    hd_vec_push(&w, "-c");
    hd_vec_push(&w, source_word(check, source));
    hd_vec_push(&w, "-o");
    hd_vec_push(&w, object);
    add_flags(check, &w);
    hd_vec_push(&w, "-pthread");
    bool good = run_compiler(check, source, &w, is_cxx(source), error);
    hd_vec_release(&w);
    return good;
}

static bool compile_several(hd_engine_check *check, hd_error *error) {
    words objects = {0};
    bool good = true, cxx = is_cxx(check->input);
    for (size_t i = 0; good && i <= check->sources.count; i++) {
        const char *source = i ? check->sources.data[i - 1] : check->input;
        const char *object =
            hd_engine_check_path(check, hd_report_format(&check->report, "%zu.o", i + 1));
        cxx |= is_cxx(source);
        good = compile_object(check, source, object, error);
        hd_vec_push(&objects, object);
    }
    if (good) {
        words w = {0};
        for (size_t i = 0; i < objects.length; i++)
            hd_vec_push(&w, objects.data[i]);
        hd_vec_push(&w, "-o");
        hd_vec_push(&w, check->program);
        add_flags(check, &w);
        hd_vec_push(&w, "-pthread");
        good = run_compiler(check, check->input, &w, cxx, error);
        hd_vec_release(&w);
    }
    for (size_t i = 0; i < objects.length; i++)
        unlink(objects.data[i]);
    hd_vec_release(&objects);
    return good;
}

bool hd_engine_check_compile(hd_engine_check *check, hd_error *error) {
    const char *dot = strrchr(check->input, '.');
    bool cxx = is_cxx(check->input);
    words w = {0};
    check->program = hd_engine_check_path(check, "program");
    if (check->sources.count)
        return compile_several(check, error);
    if (!cxx && (check->sv_comp || strcmp(dot, ".i") == 0))
        return compile_old(check, error);
    hd_vec_push(&w, HD_LAUNCH_ALL_READS);
    hd_vec_push(&w, "-g");
    hd_vec_push(&w, source_word(check, check->input));
    hd_vec_push(&w, "-o");
    hd_vec_push(&w, check->program);
    add_flags(check, &w);
    hd_vec_push(&w, "-pthread");
    bool good = run_compiler(check, check->input, &w, cxx, error);
    hd_vec_release(&w);
    return good;
}
