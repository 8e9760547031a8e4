/*
 * Which file of suppressions is meant: the option, or that of ThreadSanitizer's environment
 * variable, so that a job that is set up for one works with the other.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char separators[] = " ,:\n\t\r";

/* The value that begins there, which may be in quotes; where it ends. */
static const char *value_end(const char **value) {
    char quote = **value;
    if (quote != '"' && quote != '\'')
        return *value + strcspn(*value, separators);
    ++*value;
    return *value + strcspn(*value, quote == '"' ? "\"" : "'");
}

static void note_other(const char *name, size_t length) {
    char clean[256];
    hd_text_printable(clean, sizeof clean, name, length);
    hd_log_write(HD_LOG_NOTE, "TSAN_OPTIONS: heddle does not obey %s", clean);
}

/* The file in a list of NAME=VALUE; "" if it names no file.  Other names are told to who wants to
 * know more. */
static void find_file(const char *options, char *file, size_t size) {
    *file = '\0';
    for (const char *at = options + strspn(options, separators); *at;
         at += strspn(at, separators)) {
        size_t name = strcspn(at, "= ,:\n\t\r");
        const char *value = at[name] == '=' ? at + name + 1 : at + name;
        const char *end = value_end(&value);
        if (name == strlen("suppressions") && strncmp(at, "suppressions", name) == 0)
            snprintf(file, size, "%.*s", (int)(end - value), value);
        else
            note_other(at, name);
        at = *end == '"' || *end == '\'' ? end + 1 : end;
        if (at == value && !name)
            return;
    }
}

const char *hd_cli_suppressions(const hd_cli_arguments *arguments, int row) {
    static char file[4096];
    const char *options = getenv("TSAN_OPTIONS");
    if (arguments->values[row] || !options)
        return arguments->values[row];
    find_file(options, file, sizeof file);
    if (!*file)
        return NULL;
    hd_log_write(HD_LOG_WARNING, "suppressions are those of %s, as TSAN_OPTIONS says",
                 hd_text_name(file));
    return file;
}
