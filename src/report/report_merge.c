/*
 * Findings that are the same defect become one.
 *
 * Two are the same if their rules are and they speak of the same places.  For a
 * deadlock it is enough that one's places are among the other's: a search says of
 * every thread where it waits, a prediction only of those in the cycle.  One that
 * knows no place (a recorded run that just ended badly) is the same as any other of
 * its rule.  A read that can see another write, at an access that races, is part of
 * the race.
 */
#include <stdlib.h>
#include <string.h>

#include "finding/finding.h"
#include "report_result.h"

/* ---- The same places ---- */

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_place(const hd_report_place *a, const hd_report_place *b) {
    if (a->file && b->file)
        return a->line == b->line && strcmp(a->file, b->file) == 0;
    return !a->file && !b->file && a->event && a->event == b->event;
}

static bool has_place(const hd_report_finding *finding, const hd_report_place *place) {
    for (size_t i = 0; i < finding->places.length; i++)
        if (same_place(&finding->places.data[i], place))
            return true;
    return false;
}

static bool places_within(const hd_report_finding *a, const hd_report_finding *b) {
    for (size_t i = 0; i < a->places.length; i++)
        if (!has_place(b, &a->places.data[i]))
            return false;
    return true;
}

static bool is_rule(const hd_report_finding *finding, const char *id) {
    return strcmp(finding->id, id) == 0;
}

/* Is `b` the same defect as `a`, or a part of it? */
static bool same_defect(const hd_report_finding *a, const hd_report_finding *b) {
    if (is_rule(a, "race") && is_rule(b, "nondet"))
        return same_text(a->variable, b->variable) && b->places.length &&
               has_place(a, &b->places.data[0]);
    if (strcmp(a->id, b->id) != 0)
        return false;
    if (!a->places.length || !b->places.length)
        return a->proof == HD_REPORT_SEEN || b->proof == HD_REPORT_SEEN ||
               same_text(a->message, b->message);
    if (is_rule(a, "deadlock"))
        return places_within(a, b) || places_within(b, a);
    if (is_rule(a, "state")) /* of one predicate, one state is enough */
        return same_text(a->message, b->message);
    if (is_rule(a, "nondet"))
        return same_text(a->variable, b->variable) && same_text(a->message, b->message) &&
               same_place(&a->places.data[0], &b->places.data[0]);
    return same_text(a->variable, b->variable) && places_within(a, b) && places_within(b, a);
}

/* ---- Putting two together ---- */

static void add_finder(hd_report_finding *to, const char *command) {
    for (size_t i = 0; i < to->found_by.length; i++)
        if (strcmp(to->found_by.data[i], command) == 0)
            return;
    hd_vec_push(&to->found_by, command);
}

static void exchange(hd_report_finding *a, hd_report_finding *b) {
    hd_report_finding kept = *a;
    *a = *b;
    *b = kept;
}

/* The better proved of the two has the word, and one with places before one without. */
static bool better(const hd_report_finding *a, const hd_report_finding *b) {
    if (strcmp(a->id, b->id) != 0)
        return false;
    if ((a->places.length > 0) != (b->places.length > 0))
        return a->places.length > 0;
    return a->proof > b->proof;
}

static void absorb(hd_report_finding *to, hd_report_finding *from) {
    if (better(from, to))
        exchange(to, from);
    for (size_t i = 0; i < from->found_by.length; i++)
        add_finder(to, from->found_by.data[i]);
    if (strcmp(to->id, from->id) == 0)
        to->count += from->count;
    if (!to->witness && !to->replay) {
        to->witness = from->witness;
        to->replay = from->replay;
    }
    hd_report_places_release(&from->places);
    hd_vec_release(&from->steps);
    hd_vec_release(&from->found_by);
}

/* ---- Fingerprints ---- */

/* The text of a line of a source file without the space around it; NULL if it cannot be
 * had; to be freed. */
static char *source_line(const char *path, uint32_t line) {
    FILE *file = fopen(path, "re");
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

/* A place by the name of its file and the text of its line, so that code that moves
 * stays the same place; without the source by the number of the line. */
static char *name_place(const hd_report_place *place) {
    char *name = NULL, *line = place->file ? source_line(place->file, place->line) : NULL;
    const char *file = place->file ? place->file : "", *slash = strrchr(file, '/');
    int length;
    if (slash)
        file = slash + 1;
    if (line)
        length = asprintf(&name, "%s %s", file, line);
    else
        length = asprintf(&name, "%s:%u %u", file, place->line, place->file ? 0 : place->event);
    free(line);
    return length < 0 ? hd_mem_string("", 0) : name;
}

/* What else tells two apart: threads in a cycle are told by their places alone. */
static uint64_t fingerprint(const hd_report_finding *finding) {
    size_t count = 0;
    char **names = HD_NEW_ARRAY(char *, finding->places.length + 2);
    size_t most = is_rule(finding, "state") ? 0 : is_rule(finding, "nondet") ? 1 : SIZE_MAX;
    for (size_t i = 0; i < finding->places.length && i < most; i++) {
        const hd_report_place *place = &finding->places.data[i];
        if (place->text && strstr(place->text, "join ") == place->text)
            continue; /* who waits for the others is no part of the cycle */
        names[count++] = name_place(place);
    }
    if (finding->variable)
        names[count++] = hd_mem_string(finding->variable, strlen(finding->variable));
    if (!count && finding->message)
        names[count++] = hd_mem_string(finding->message, strlen(finding->message));
    uint64_t print = hd_finding_fingerprint(finding->id, (const char *const *)names, count);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return print;
}

/* ---- All of them ---- */

/* What has a place comes before what has none. */
static int compare_places(const hd_report_finding *a, const hd_report_finding *b) {
    const hd_report_place *p = a->places.length && a->places.data[0].file ? a->places.data : NULL;
    const hd_report_place *q = b->places.length && b->places.data[0].file ? b->places.data : NULL;
    if (!p || !q)
        return (p == NULL) - (q == NULL);
    int order = strcmp(p->file, q->file);
    return order ? order : (p->line > q->line) - (p->line < q->line);
}

static int compare(const void *x, const void *y) {
    const hd_report_finding *a = x, *b = y;
    if (a->level != b->level)
        return a->level < b->level ? 1 : -1;
    int order = strcmp(a->id, b->id);
    if (!order)
        order = compare_places(a, b);
    if (!order)
        order = strcmp(a->variable ? a->variable : "", b->variable ? b->variable : "");
    return order ? order : (a->serial > b->serial) - (a->serial < b->serial);
}

void hd_report_merge(hd_report *report) {
    size_t kept = 0;
    /* What has a place comes first: one without joins it, not the other way round; and a
     * race before the reads that are part of it. */
    if (report->findings.length)
        qsort(report->findings.data, report->findings.length, sizeof *report->findings.data,
              compare);
    for (size_t i = 0; i < report->findings.length; i++) {
        hd_report_finding finding = report->findings.data[i];
        size_t same = 0;
        while (same < kept && !same_defect(&report->findings.data[same], &finding))
            same++;
        if (same < kept)
            absorb(&report->findings.data[same], &finding);
        else
            report->findings.data[kept++] = finding;
    }
    report->findings.length = kept;
    for (size_t i = 0; i < kept; i++)
        report->findings.data[i].fingerprint = fingerprint(&report->findings.data[i]);
    if (kept)
        qsort(report->findings.data, kept, sizeof *report->findings.data, compare);
}
