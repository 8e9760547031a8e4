#include "report_identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "finding/finding.h"
#include "report_answer.h"
#include "report_result.h"

void hd_report_lines_release(hd_report_lines *lines) {
    for (size_t i = 0; i < lines->names.length; i++)
        free(lines->names.data[i]);
    hd_vec_release(&lines->names);
    hd_names_release(&lines->places);
    *lines = (hd_report_lines){0};
}

/* ---- Places ---- */

/* The text of a line of a source file without the space around it; NULL if it cannot be
 * had; to be freed. */
static char *source_line(const char *path, uint32_t line) {
    int peeked = hd_file_peek(path);
    FILE *file = peeked < 0 ? NULL : fdopen(peeked, "r");
    char *text = NULL;
    size_t size = 0;
    ssize_t length = -1;
    if (!file)
        return NULL;
    for (uint32_t i = 0; i < line && (length = getline(&text, &size, file)) >= 0; i++)
        ;
    fclose(file);
    if (length < 0) {
        free(text);
        return NULL;
    }
    char *start = text + strspn(text, " \t");
    size_t rest = strcspn(start, "\r\n");
    while (rest && (start[rest - 1] == ' ' || start[rest - 1] == '\t'))
        rest--;
    char *kept = hd_mem_string(start, rest);
    free(text);
    return kept;
}

/* The name of the file and the text of the line; without the source the line's number. */
static char *name_line(const char *path, uint32_t line) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    char *name = NULL, *text = source_line(path, line);
    int length =
        text ? asprintf(&name, "%s %s", file, text) : asprintf(&name, "%s:%u 0", file, line);
    free(text);
    return length < 0 ? hd_mem_string("", 0) : name;
}

static const char *find_line(hd_report_lines *lines, const char *path, uint32_t line) {
    char *key = NULL;
    int length = asprintf(&key, "%s:%u", path, line);
    if (length < 0)
        hd_mem_made(NULL);
    uint32_t number = hd_names_add(&lines->places, key, (size_t)length);
    free(key);
    if (number == lines->names.length)
        hd_vec_push(&lines->names, name_line(path, line));
    return lines->names.data[number];
}

static char *name_event(const hd_report_place *place) {
    char *name = NULL;
    return asprintf(&name, ":0 %u", place->event) < 0 ? hd_mem_string("", 0) : name;
}

/* ---- The identity ---- */

/* A state is told by its predicate, a read by where it is. */
static size_t places_that_count(const hd_report_defect *defect) {
    enum hd_finding_sort sort = hd_report_rule_of(defect->rule)->sort;
    if (sort == HD_FINDING_STATE)
        return 0;
    return sort == HD_FINDING_READ && defect->places->length ? 1 : defect->places->length;
}

uint64_t hd_report_identity(const hd_report_defect *defect, hd_report_lines *lines) {
    size_t count = 0, events = 0, most = places_that_count(defect);
    const char **names = HD_NEW_ARRAY(const char *, most + 2);
    char **made = HD_NEW_ARRAY(char *, most + 1);
    for (size_t i = 0; i < most; i++) {
        const hd_report_place *place = &defect->places->data[i];
        if (place->access == HD_REPORT_JOIN)
            continue; /* who waits for the others is no part of the cycle */
        if (!place->file)
            made[events++] = name_event(place);
        names[count++] =
            place->file ? find_line(lines, place->file, place->line) : made[events - 1];
    }
    if (defect->variable)
        names[count++] = defect->variable;
    if (!count && defect->message)
        names[count++] = defect->message;
    uint64_t print = hd_finding_fingerprint(defect->rule, names, count);
    for (size_t i = 0; i < events; i++)
        free(made[i]);
    free(made);
    free(names);
    return print;
}

void hd_report_defect_write(const hd_report_defect *defect, hd_report_lines *lines, hd_json *json) {
    hd_report_fingerprint_write(json, "fingerprint", hd_report_identity(defect, lines));
    if (defect->unordered)
        hd_json_bool(json, "unordered", true);
    hd_report_places_write(defect->places, json);
}
