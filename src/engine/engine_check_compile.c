/*
 * heddle check of a source: the program that is made of it.
 */
#include <errno.h>
#include <string.h>

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

static bool compile_with(hd_engine_check *check, char **arguments, int count, bool cxx,
                         hd_error *error) {
    hd_launch_command command;
    char why[512] = "";
    FILE *said = tmpfile();
    if (!said)
        return hd_error_set(error, "cannot make a file: %s", strerror(errno));
    bool good = hd_launch_command_make(&command, NULL, cxx, arguments, count, error);
    if (good) {
        good = hd_launch_command_run(&command, said);
        hd_launch_command_reason(said, why, sizeof why);
        if (!good && hd_stop_asked())
            hd_error_set(error, "%s: ended by %s", hd_text_name(check->input),
                         hd_stop_name(hd_stop_asked()));
        else if (!good)
            hd_error_set(error, "%s: it does not compile: %s; 'heddle %s %s' says more",
                         hd_text_name(check->input), why, cxx ? "c++" : "cc",
                         hd_text_name(check->input));
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

bool hd_engine_check_compile(hd_engine_check *check, hd_error *error) {
    const char *dot = strrchr(check->input, '.');
    bool cxx = strcmp(dot, ".c") != 0 && strcmp(dot, ".i") != 0;
    HD_VEC(const char *) words = {0};
    check->program = hd_engine_check_path(check, "program");
    if (!cxx && (check->sv_comp || strcmp(dot, ".i") == 0))
        return compile_old(check, error);
    hd_vec_push(&words, HD_LAUNCH_ALL_READS);
    hd_vec_push(&words, "-g");
    hd_vec_push(&words, check->input);
    hd_vec_push(&words, "-o");
    hd_vec_push(&words, check->program);
    for (size_t i = 0; i < check->flags.count; i++)
        hd_vec_push(&words, check->flags.data[i]);
    hd_vec_push(&words, "-pthread");
    bool good = compile_with(check, (char **)(uintptr_t)words.data, (int)words.length, cxx, error);
    hd_vec_release(&words);
    return good;
}
