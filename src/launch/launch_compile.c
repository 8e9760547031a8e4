/*
 * Running the compiler.
 */
#include <string.h>

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

void hd_launch_command_reason(FILE *said, char *why, size_t size) {
    char line[1024];
    rewind(said);
    for (bool first = true; fgets(line, sizeof line, said); first = false) {
        bool tells = strstr(line, "error:") || strstr(line, "undefined reference");
        if (first || tells)
            hd_text_printable(why, size, line, strcspn(line, "\n"));
        if (tells)
            return;
    }
}

bool hd_launch_command_cut(const char *source, hd_error *error) {
    const char *why = hd_clock_why();
    return why && !hd_error_set(error, "%.200s: %s while it was compiled", source, why);
}
