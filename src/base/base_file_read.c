#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base_file.h"

static int read_path(const char *path, size_t limit, hd_vec_char *to, bool *opened) {
    enum { PIECE = 1 << 16 };
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "re");
    *opened = file != NULL;
    if (!file)
        return errno;
    size_t got, left = limit < SIZE_MAX ? limit + 1 : limit;
    do {
        hd_vec_reserve(to, to->length + PIECE + 1);
        got = fread(to->data + to->length, 1, left < PIECE ? left : PIECE, file);
        to->length += got;
        left -= got;
    } while (got);
    int wrong = ferror(file) ? errno : 0;
    to->data[to->length] = '\0';
    if (!standard)
        fclose(file);
    return wrong;
}

int hd_file_read(const char *path, size_t limit, hd_vec_char *to) {
    bool opened;
    return read_path(path, limit, to, &opened);
}

bool hd_file_load(const char *path, hd_vec_char *to, hd_error *error) {
    bool opened;
    int wrong = read_path(path, SIZE_MAX, to, &opened);
    return !wrong || hd_error_set(error, "%s: cannot %s: %s",
                                  strcmp(path, "-") == 0 ? "standard input" : path,
                                  opened ? "read" : "open", strerror(wrong));
}
