#include "report_sources.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of one file, and of all together. */
enum { MOST_FILE = 2 << 20, MOST_ALL = 16 << 20 };

static const char *const endings[] = {
    ".c",   ".h",   ".cc",  ".cpp",   ".cxx", ".c++", ".hh", ".hpp",  ".hxx", ".h++", ".inc",
    ".ipp", ".tcc", ".inl", ".hdm",   ".rs",  ".go",  ".d",  ".java", ".kt",  ".cs",  ".scala",
    ".py",  ".f90", ".zig", ".swift", ".m",   ".mm",  ".S",  ".s",    ".y",   ".l",
};

static bool is_source(const char *name) {
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/* How much of "file:line" or "file:line:column" is the file; 0 if it is neither. */
static size_t file_part(const char *text, size_t length) {
    size_t end = 0;
    for (int numbers = 0; numbers < 2; numbers++) {
        size_t at = length;
        while (at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9')
            at--;
        if (at == length || at < 2 || text[at - 1] != ':')
            break;
        length = end = at - 1;
    }
    return end;
}

void hd_report_sources_collect(const hd_trace_tables *tables, hd_names *files) {
    const hd_names *locations = &tables->names[HEDDLE_CLASS_LOCATION];
    for (uint32_t i = 0; i < locations->length; i++) {
        const char *text = hd_names_text(locations, i);
        size_t length = file_part(text, hd_names_size(locations, i));
        if (length > 0 && length < 4096)
            hd_names_add(files, text, length);
    }
}

/* Fills `text` with a regular file of text; else says why not. */
static const char *read_file(const char *path, hd_vec_char *text) {
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return strerror(errno);
    const char *wrong = NULL;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
        wrong = "not a regular file";
    else if (about.st_size > MOST_FILE)
        wrong = "too large";
    else {
        hd_vec_reserve(text, (size_t)about.st_size + 1);
        ssize_t got = 0;
        while (text->length < (size_t)about.st_size &&
               (got = read(fd, text->data + text->length, (size_t)about.st_size - text->length)) >
                   0)
            text->length += (size_t)got;
        if (got < 0)
            wrong = strerror(errno);
        else if (memchr(text->data, '\0', text->length))
            wrong = "not text";
    }
    close(fd);
    return wrong;
}

static const char *find_file(const char *name, const char *folder, hd_vec_char *text) {
    char path[2 * 4096];
    if (!is_source(name))
        return "its name does not end as a source's";
    const char *wrong = read_file(name, text);
    if (wrong && folder && name[0] != '/') {
        snprintf(path, sizeof path, "%.4000s/%s", folder, name);
        hd_vec_clear(text);
        wrong = read_file(path, text);
    }
    return wrong;
}

void hd_report_sources_write(const hd_names *files, const char *folder, hd_json *json) {
    size_t total = 0;
    hd_json_open(json, "sources", '[');
    for (uint32_t i = 0; i < files->length; i++) {
        hd_vec_char text = {0};
        const char *name = hd_names_text(files, i);
        const char *wrong =
            hd_clock_over() ? "there was no time left to read it" : find_file(name, folder, &text);
        if (!wrong && total + text.length > MOST_ALL)
            wrong = "there are too many sources";
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "file", name);
        if (wrong)
            hd_json_text(json, "missing", wrong);
        else
            hd_json_string(json, "text", text.data, text.length);
        hd_json_close(json);
        total += wrong ? 0 : text.length;
        hd_vec_release(&text);
    }
    hd_json_close(json);
}
