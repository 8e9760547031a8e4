/*
 * Running the compiler.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "launch_compiler.h"

bool hd_launch_command_run(const hd_launch_command *command, FILE *said) {
    int file = said ? fileno(said) : -1;
    hd_child child = {.words = command->words.data, .input = -1, .output = file, .error = file};
    hd_error error = {""};
    if (hd_clock_look() != HD_CLOCK_GOES)
        return false;
    if (hd_child_start(&child, &error))
        return hd_child_wait(&child);
    fprintf(said ? said : stderr, "%s%s\n", said ? "" : "heddle: ", error.text);
    return false;
}

bool hd_launch_command_read(char **words, unsigned seconds, FILE *said) {
    hd_clock clock = {.until = hd_progress_clock() + seconds};
    hd_child child = {.words = words, .input = -1, .output = fileno(said), .error = -1};
    hd_error error = {""};
    fflush(said);
    hd_clock_begin(&clock);
    bool good = hd_child_start(&child, &error);
    if (good)
        good = hd_child_wait(&child);
    else
        hd_log_write(HD_LOG_ERROR, "%s", error.text);
    hd_clock_end(&clock);
    return good;
}

/* Does the system refuse something to the compiler?  Then what it says about the source, or about
 * the linker that ended, is not why. */
static bool is_by_system(const char *line) {
    static const int causes[] = {ENOSPC, EDQUOT, EIO, ENOMEM, EFBIG};
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (strstr(line, strerror(causes[i])))
            return true;
    return false;
}

void hd_launch_command_reason(FILE *said, char *why, size_t size) {
    char line[1024];
    bool told = false;
    rewind(said);
    for (bool first = true; fgets(line, sizeof line, said); first = false) {
        bool tells = strstr(line, "error:") || strstr(line, "undefined reference");
        bool system = is_by_system(line);
        if (system || (!told && (first || tells)))
            hd_text_printable(why, size, line, strcspn(line, "\n"));
        if (system)
            return;
        told |= tells;
    }
}

static void tell_room(const char *folder, hd_error *error) {
    static const unsigned long long little = 1 << 20;
    struct statvfs room;
    hd_error before = *error;
    if (statvfs(folder, &room) != 0)
        return;
    unsigned long long left = (unsigned long long)room.f_bavail * room.f_frsize;
    if (left < little)
        hd_error_set(error, "%s; %llu KiB are left in %s", before.text, left >> 10,
                     hd_text_name(folder));
}

void hd_launch_command_room(const char *output, hd_error *error) {
    const char *slash = strrchr(output, '/'), *other = hd_file_temporary();
    char *folder = slash ? hd_mem_string(output, slash > output ? (size_t)(slash - output) : 1)
                         : hd_mem_string(".", 1);
    tell_room(folder, error);
    if (strncmp(folder, other, strlen(other)) != 0)
        tell_room(other, error);
    free(folder);
}

bool hd_launch_command_cut(const char *source, hd_error *error) {
    const char *why = hd_clock_why();
    return why && !hd_error_set(error, "%.200s: %s while it was compiled", source, why);
}
