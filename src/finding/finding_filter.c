#include "finding_filter.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hd_finding_filter_release(hd_finding_filter *filter) {
    for (size_t i = 0; i < filter->rules.length; i++) {
        free(filter->rules.data[i].pattern);
        free(filter->rules.data[i].line);
    }
    hd_vec_release(&filter->rules);
    hd_map_release(&filter->known);
    *filter = (hd_finding_filter){0};
}

/* The whole file, NUL-terminated. */
static bool read_text(const char *path, hd_vec_char *to, hd_error *error) {
    if (!hd_file_load(path, to, error))
        return false;
    if (memchr(to->data, '\0', to->length))
        return hd_error_set(error, "%s: not a text file: it has a NUL byte", path);
    return true;
}

/* ---- Suppressions ---- */

static bool read_rule(hd_finding_filter *filter, char *line, hd_error *error) {
    static const struct {
        const char *name;
        char kind;
    } kinds[] = {{"variable:", 'v'}, {"file:", 'f'},           {"function:", 'n'}, {"race:", 'r'},
                 {"race_top:", 't'}, {"deadlock:", 'd'},       {"mutex:", 'o'},    {"thread:", 'o'},
                 {"signal:", 'o'},   {"called_from_lib:", 'o'}};
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length && strchr(" \t\r", line[length - 1]))
        line[--length] = '\0';
    if (!length || *line == '#')
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t word = strlen(kinds[i].name);
        if (strncmp(line, kinds[i].name, word) != 0 || length == word)
            continue;
        hd_vec_push(&filter->rules,
                    (struct hd_finding_rule){.kind = kinds[i].kind,
                                             .pattern = hd_mem_string(line + word, length - word),
                                             .line = hd_mem_string(line, length)});
        return true;
    }
    return hd_error_set(
        error,
        "'%.80s' is not a rule; rules are variable:NAME, file:NAME, function:NAME, and those of "
        "ThreadSanitizer, such as race:NAME",
        line);
}

/* The lines of a text, which is cut into them. */
static bool read_rules(hd_finding_filter *filter, const char *name, char *text, hd_error *error) {
    unsigned number = 1;
    filter->on = true;
    for (char *line = text; line; number++) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (!read_rule(filter, line, error))
            return hd_error_prefix(error, "%s:%u: ", name, number);
        line = end ? end + 1 : NULL;
    }
    return true;
}

bool hd_finding_suppressions_load(hd_finding_filter *filter, const char *path, hd_error *error) {
    hd_vec_char text = {0};
    bool good = read_text(path, &text, error) && read_rules(filter, path, text.data, error);
    hd_vec_release(&text);
    return good;
}

bool hd_finding_suppressions_take(hd_finding_filter *filter, const char *name, const char *text,
                                  hd_error *error) {
    char *own = hd_mem_string(text, strlen(text));
    bool good = read_rules(filter, name, own, error);
    free(own);
    return good;
}

/* ---- Baselines ---- */

bool hd_finding_fingerprint_read(const char *text, uint64_t *print) {
    if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return false;
    *print = strtoull(text, NULL, 16);
    return true;
}

/* The fingerprints of the list, and those listed with them as "also". */
// NOLINTNEXTLINE(misc-no-recursion): two levels, the file is as deep as it is
static bool take_all(hd_finding_filter *filter, const hd_json_value *findings) {
    bool good = findings && findings->kind == HD_JSON_ARRAY;
    for (const hd_json_value *f = hd_json_first(findings); good && f; f = f->next) {
        uint64_t print;
        bool added;
        const hd_json_value *also = hd_json_get(f, "also");
        good = hd_finding_fingerprint_read(hd_json_text_of(f, "fingerprint"), &print) &&
               (!also || take_all(filter, also));
        if (good)
            hd_map_at(&filter->known, print, &added);
    }
    return good;
}

bool hd_finding_baseline_load(hd_finding_filter *filter, const char *path, hd_error *error) {
    hd_json_document document;
    filter->on = true;
    if (!hd_json_load(&document, path, error))
        return false;
    bool good = take_all(filter, hd_json_get(document.root, "findings"));
    hd_json_release(&document);
    return good || hd_error_set(error,
                                "%s: not a baseline: no list of findings with their "
                                "fingerprints",
                                path);
}

bool hd_finding_baseline_has(const hd_finding_filter *filter, uint64_t fingerprint) {
    return hd_map_find(&filter->known, fingerprint) != NULL;
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

/* As ThreadSanitizer does it: the pattern is a part of the text, unless it says otherwise. */
static bool holds(const char *pattern, const char *text) {
    char shell[1024];
    size_t length = 0;
    bool begins = *pattern == '^', ends = false;
    if (!text || !*text)
        return false;
    if (!begins)
        shell[length++] = '*';
    for (const char *c = pattern + begins; *c && length + 3 < sizeof shell; c++) {
        ends = *c == '$' && !c[1];
        if (ends)
            break;
        if (strchr("?[\\", *c))
            shell[length++] = '\\';
        shell[length++] = *c;
    }
    if (!ends)
        shell[length++] = '*';
    shell[length] = '\0';
    return fnmatch(shell, text, 0) == 0;
}

/* The place is "file:12" or a file of its own. */
static bool holds_part(const char *pattern, const hd_finding_part *part) {
    char file[512];
    snprintf(file, sizeof file, "%s", part->place ? part->place : "");
    char *colon = strrchr(file, ':');
    if (colon)
        *colon = '\0';
    return holds(pattern, part->variable) || holds(pattern, part->function) || holds(pattern, file);
}

static bool names_part(const struct hd_finding_rule *rule, const hd_finding_part *part) {
    if (part->outer && rule->kind != 'r' && rule->kind != 'd')
        return false;
    if (strchr("rtd", rule->kind))
        return holds_part(rule->pattern, part);
    if (rule->kind == 'v')
        return matches(rule->pattern, part->variable);
    return rule->kind == 'f' ? matches_place(rule->pattern, part->place)
                             : matches(rule->pattern, part->function);
}

static bool is_named(const struct hd_finding_rule *rule, const hd_finding_about *about) {
    bool of_races = rule->kind == 'r' || rule->kind == 't';
    if (rule->kind == 'o' || (of_races && about->deadlock) ||
        (rule->kind == 'd' && !about->deadlock) || (about->meant && strchr("rtd", rule->kind)))
        return false;
    for (size_t i = 0; i < about->count; i++)
        if (names_part(rule, &about->parts[i]))
            return true;
    return false;
}

/* The rule that names it; NULL: none does. */
static struct hd_finding_rule *rule_of(const hd_finding_filter *filter,
                                       const hd_finding_about *about) {
    for (size_t i = 0; i < filter->rules.length; i++)
        if (is_named(&filter->rules.data[i], about))
            return &filter->rules.data[i];
    return NULL;
}

static bool is_known(const hd_finding_filter *filter, const hd_finding_about *about) {
    return hd_finding_baseline_has(filter, about->fingerprint) ||
           (about->former && hd_finding_baseline_has(filter, about->former));
}

bool hd_finding_filter_names(const hd_finding_filter *filter, const hd_finding_about *about) {
    return rule_of(filter, about) || is_known(filter, about);
}

bool hd_finding_filter_drops(hd_finding_filter *filter, const hd_finding_about *about) {
    struct hd_finding_rule *rule = rule_of(filter, about);
    if (rule) {
        filter->suppressed++;
        rule->used++;
        return true;
    }
    filter->not_new += is_known(filter, about);
    return is_known(filter, about);
}
