/*
 * Lines of a source.  The debugging information of a file that was preprocessed speaks of the files
 * and lines that it was made of; a witness speaks of its own lines.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine_sequence.h"

static const char *last_part(const char *path, size_t length) {
    const char *at = path + length;
    while (at > path && at[-1] != '/')
        at--;
    return at;
}

/* `# 12 "file.c" 2`, `#line 12 "file.c"`: what the next line is. */
static bool read_marker(const char *at, const char *end, const char **file, size_t *length,
                        uint32_t *line) {
    if (at == end || *at != '#')
        return false;
    at++;
    while (at < end && isblank((unsigned char)*at))
        at++;
    if (end - at > 4 && strncmp(at, "line", 4) == 0)
        at += 4;
    while (at < end && isblank((unsigned char)*at))
        at++;
    if (at == end || !isdigit((unsigned char)*at))
        return false;
    *line = (uint32_t)strtoul(at, NULL, 10);
    const char *name = memchr(at, '"', (size_t)(end - at));
    const char *close = name ? memchr(name + 1, '"', (size_t)(end - name - 1)) : NULL;
    if (close) {
        *file = last_part(name + 1, (size_t)(close - name - 1));
        *length = (size_t)(close - *file);
    }
    return true;
}

static void split(hd_engine_source *source, const char *path) {
    const char *at = source->text.data, *end = at + source->text.length;
    const char *file = last_part(path, strlen(path));
    size_t length = strlen(file);
    uint32_t line = 1;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        struct hd_engine_source_line it = {at, (size_t)(stop - at), file, length, line};
        if (read_marker(at, stop, &file, &length, &line))
            it.line = 0;
        else
            line++;
        hd_vec_push(&source->lines, it);
        at = stop + (stop < end);
    }
}

bool hd_engine_source_load(hd_engine_source *source, const char *path, hd_error *error) {
    *source = (hd_engine_source){0};
    if (!hd_file_load(path, &source->text, error)) {
        hd_engine_source_release(source);
        return false;
    }
    split(source, path);
    return true;
}

void hd_engine_source_release(hd_engine_source *source) {
    hd_vec_release(&source->text);
    hd_vec_release(&source->lines);
}

/* Where the word is, from its n-th occurrence on, at the beginning of a name; NULL: it is not. */
static const char *find_word(const struct hd_engine_source_line *line, const char *word,
                             size_t number) {
    size_t length = strlen(word);
    const char *end = line->begin + line->length;
    for (const char *at = line->begin; at + length <= end; at++) {
        bool inside = at > line->begin && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (!inside && memcmp(at, word, length) == 0 && !number--)
            return at;
    }
    return NULL;
}

uint32_t hd_engine_source_find(const hd_engine_source *source, const char *file, uint32_t line,
                               const char *word) {
    const char *name = last_part(file, strlen(file));
    uint32_t found = 0;
    for (size_t i = 0; i < source->lines.length; i++) {
        const struct hd_engine_source_line *it = &source->lines.data[i];
        if (it->line != line || !line || strlen(name) != it->file_length ||
            memcmp(name, it->file, it->file_length) != 0)
            continue;
        if (word && (!find_word(it, word, 0) || find_word(it, word, 1)))
            continue;
        if (found)
            return 0;
        found = (uint32_t)i + 1;
    }
    return found;
}

uint32_t hd_engine_source_column(const hd_engine_source *source, uint32_t number,
                                 const char *word) {
    const struct hd_engine_source_line *line = &source->lines.data[number - 1];
    const char *at = find_word(line, word, 0);
    return at ? (uint32_t)(at - line->begin) + 1 : 0;
}

uint32_t hd_engine_source_call(const hd_engine_source *source, uint32_t number, const char *word) {
    const struct hd_engine_source_line *line = &source->lines.data[number - 1];
    const char *at = find_word(line, word, 0), *end = line->begin + line->length;
    unsigned depth = 0;
    for (; at && at < end; at++) {
        depth += *at == '(';
        if (*at == ')' && !--depth)
            return (uint32_t)(at - line->begin) + 1;
    }
    return 0;
}
