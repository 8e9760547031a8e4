#include "finding_filter.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hd_finding_filter_release(hd_finding_filter *filter) {
    for (size_t i = 0; i < filter->rules.length; i++)
        free(filter->rules.data[i].pattern);
    hd_vec_release(&filter->rules);
    hd_map_release(&filter->known);
    *filter = (hd_finding_filter){0};
}

/* The whole file, with a NUL behind it. */
static bool read_all(const char *path, hd_vec_char *to, hd_error *error) {
    FILE *file = fopen(path, "re");
    if (!file)
        return hd_error_set(error, "%s: %s", path, strerror(errno));
    char buffer[4096];
    size_t length;
    while ((length = fread(buffer, 1, sizeof buffer, file)) > 0)
        for (size_t i = 0; i < length; i++)
            hd_vec_push(to, buffer[i]);
    bool good = !ferror(file);
    fclose(file);
    hd_vec_push(to, '\0');
    return good || hd_error_set(error, "%s: %s", path, strerror(errno));
}

/* ---- Suppressions ---- */

static bool read_rule(hd_finding_filter *filter, char *line, hd_error *error) {
    static const char *const kinds[] = {"variable:", "file:", "function:"};
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length && strchr(" \t\r", line[length - 1]))
        line[--length] = '\0';
    if (!length || *line == '#')
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t word = strlen(kinds[i]);
        if (strncmp(line, kinds[i], word) != 0 || length == word)
            continue;
        char kind = i == 0 ? 'v' : i == 1 ? 'f' : 'n';
        hd_vec_push(&filter->rules,
                    (struct hd_finding_rule){kind, hd_mem_string(line + word, length - word)});
        return true;
    }
    return hd_error_set(
        error, "'%.80s' is no rule; these are variable:NAME, file:NAME, function:NAME", line);
}

bool hd_finding_suppressions_load(hd_finding_filter *filter, const char *path, hd_error *error) {
    hd_vec_char text = {0};
    bool good = read_all(path, &text, error);
    filter->on = true;
    unsigned number = 1;
    for (char *line = text.data; good && line; number++) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        good = read_rule(filter, line, error) || hd_error_prefix(error, "%s:%u: ", path, number);
        line = end ? end + 1 : NULL;
    }
    hd_vec_release(&text);
    return good;
}

/* ---- Baselines ---- */

/* A reader of JSON that keeps the texts of "fingerprint" and passes over all else. */
struct reader {
    const char *at;
    hd_finding_filter *filter;
    unsigned depth;
};

static void skip_blanks(struct reader *r) {
    r->at += strspn(r->at, " \t\r\n");
}

/* A text; its first bytes, as they stand, go to `to`. */
static bool read_text(struct reader *r, char *to, size_t size) {
    size_t length = 0;
    if (*r->at++ != '"')
        return false;
    for (; *r->at && *r->at != '"'; r->at++) {
        if (*r->at == '\\' && !*++r->at)
            return false;
        if (length + 1 < size)
            to[length++] = *r->at;
    }
    to[length] = '\0';
    return *r->at++ == '"';
}

static bool read_value(struct reader *r, const char *key);

static bool read_items(struct reader *r, char close) {
    char key[16];
    r->at++;
    skip_blanks(r);
    if (*r->at == close)
        return r->at++, true;
    for (;;) {
        skip_blanks(r);
        *key = '\0';
        if (close == '}') {
            if (!read_text(r, key, sizeof key))
                return false;
            skip_blanks(r);
            if (*r->at++ != ':')
                return false;
        }
        if (!read_value(r, key))
            return false;
        skip_blanks(r);
        if (*r->at == close)
            return r->at++, true;
        if (*r->at++ != ',')
            return false;
    }
}

static bool read_fingerprint(struct reader *r) {
    char text[32], *end;
    bool added;
    if (!read_text(r, text, sizeof text))
        return false;
    uint64_t print = strtoull(text, &end, 16);
    if (*end || !*text)
        return false;
    hd_map_at(&r->filter->known, print, &added);
    return true;
}

static bool read_value(struct reader *r, const char *key) {
    enum { DEEPEST = 64 };
    char text[8];
    bool good;
    skip_blanks(r);
    if (*r->at == '{' || *r->at == '[') {
        if (++r->depth > DEEPEST)
            return false;
        good = read_items(r, *r->at == '{' ? '}' : ']');
        r->depth--;
        return good;
    }
    if (*r->at == '"')
        return strcmp(key, "fingerprint") == 0 ? read_fingerprint(r)
                                               : read_text(r, text, sizeof text);
    size_t length = strspn(r->at, "-+.0123456789abcdefghijklmnopqrstuvwxyzE");
    r->at += length;
    return length > 0;
}

bool hd_finding_baseline_load(hd_finding_filter *filter, const char *path, hd_error *error) {
    hd_vec_char text = {0};
    bool good = read_all(path, &text, error);
    filter->on = true;
    if (good) {
        struct reader reader = {.at = text.data, .filter = filter};
        good = read_value(&reader, "");
        skip_blanks(&reader);
        good = good && *reader.at == '\0' && text.data[strspn(text.data, " \t\r\n")] == '{';
        if (!good)
            hd_error_set(error, "%s: not an answer of --json: wrong at byte %zu", path,
                         (size_t)(reader.at - text.data));
    }
    hd_vec_release(&text);
    return good;
}

/* ---- Findings ---- */

static bool matches(const char *pattern, const char *text) {
    return text && *text && fnmatch(pattern, text, 0) == 0;
}

/* "file:12" matches as it is, as "file", and by the last part of the path. */
static bool matches_place(const char *pattern, const char *place) {
    char file[512];
    if (!place || matches(pattern, place))
        return place != NULL;
    snprintf(file, sizeof file, "%s", place);
    char *colon = strrchr(file, ':');
    if (colon)
        *colon = '\0';
    const char *slash = strrchr(file, '/');
    return matches(pattern, file) || (slash && matches(pattern, slash + 1));
}

static bool is_named(const struct hd_finding_rule *rule, const hd_finding_about *about) {
    if (rule->kind == 'v')
        return matches(rule->pattern, about->variable);
    for (int i = 0; i < 2; i++)
        if (rule->kind == 'f' ? matches_place(rule->pattern, about->places[i])
                              : matches(rule->pattern, about->functions[i]))
            return true;
    return false;
}

bool hd_finding_filter_drops(hd_finding_filter *filter, const hd_finding_about *about) {
    for (size_t i = 0; i < filter->rules.length; i++)
        if (is_named(&filter->rules.data[i], about)) {
            filter->suppressed++;
            return true;
        }
    if (!hd_map_find(&filter->known, about->fingerprint))
        return false;
    filter->not_new++;
    return true;
}
