/*
 * Findings that are the same defect become one.
 *
 * Two are the same if their rules are and they speak of the same places.  For a
 * deadlock it is enough that one's places are among the other's: a search says of
 * every thread where it waits, a prediction only of those in the cycle.  Places
 * without a line are told by their event if they are of one trace, else by the lines
 * that call them, or by what happens there: of a program without debugging
 * information that is all that two searches have in common.  One that knows no
 * place (a recorded run that just ended badly) is the same as any other of its rule.
 * A read that can see another write, at an access that races, is part of the race.
 */
#include <stdlib.h>
#include <string.h>

#include "report_result.h"

/* ---- The same places ---- */

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const hd_report_frame *next_with_line(const hd_report_place *place, size_t *from) {
    while (*from < place->stack.length)
        if (place->stack.data[(*from)++].file)
            return &place->stack.data[*from - 1];
    return NULL;
}

static bool has_lines(const hd_report_place *place) {
    return next_with_line(place, &(size_t){0}) != NULL;
}

static bool same_callers(const hd_report_place *a, const hd_report_place *b) {
    for (size_t in_a = 0, in_b = 0;;) {
        const hd_report_frame *x = next_with_line(a, &in_a), *y = next_with_line(b, &in_b);
        if (!x || !y)
            return !x && !y;
        if (x->line != y->line || strcmp(x->file, y->file) != 0)
            return false;
    }
}

/* What has no line may lie in a library that is called from lines. */
static bool same_place(const hd_report_place *a, const hd_report_place *b) {
    if (a->file && b->file)
        return a->line == b->line && strcmp(a->file, b->file) == 0;
    if (a->file || b->file)
        return false;
    if (a->event && b->event)
        return a->event == b->event;
    if (has_lines(a) && has_lines(b))
        return same_callers(a, b);
    return a->access == b->access && same_text(a->text, b->text);
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

/* A thread that waits for the end of others is no part of the cycle, unless there is no other. */
static bool waits_within(const hd_report_finding *a, const hd_report_finding *b) {
    size_t count = 0;
    for (size_t i = 0; i < a->places.length; i++) {
        if (a->places.data[i].access == HD_REPORT_JOIN)
            continue;
        if (!has_place(b, &a->places.data[i]))
            return false;
        count++;
    }
    return count || places_within(a, b);
}

static bool is_sort(const hd_report_finding *finding, enum hd_finding_sort sort) {
    return finding->rule->sort == sort;
}

bool hd_report_at_same_places(const hd_report_finding *a, const hd_report_finding *b) {
    return a->places.length && b->places.length && places_within(a, b) && places_within(b, a);
}

bool hd_report_same(const hd_report_finding *a, const hd_report_finding *b) {
    if (is_sort(a, HD_FINDING_RACE) && is_sort(b, HD_FINDING_READ))
        return same_text(a->variable, b->variable) && b->places.length &&
               has_place(a, &b->places.data[0]);
    if (strcmp(a->id, b->id) != 0)
        return false;
    if (!a->places.length || !b->places.length)
        return a->proof == HD_REPORT_SEEN || b->proof == HD_REPORT_SEEN ||
               same_text(a->message, b->message);
    if (is_sort(a, HD_FINDING_DEADLOCK))
        return waits_within(a, b) || waits_within(b, a);
    if (is_sort(a, HD_FINDING_STATE)) /* of one predicate, one state is enough */
        return same_text(a->message, b->message);
    if (is_sort(a, HD_FINDING_READ))
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
    if (a->unordered != b->unordered) /* a state that has both next says more */
        return b->unordered;
    return a->proof > b->proof;
}

static void absorb(hd_report_finding *to, hd_report_finding *from) {
    if (better(from, to))
        exchange(to, from);
    for (size_t i = 0; i < from->found_by.length; i++)
        add_finder(to, from->found_by.data[i]);
    if (strcmp(to->id, from->id) == 0)
        to->count += from->count;
    to->told |= from->told;
    if (!to->witness && !to->replay) {
        to->witness = from->witness;
        to->replay = from->replay;
    }
    hd_report_places_release(&from->places);
    hd_vec_release(&from->steps);
    hd_vec_release(&from->found_by);
    for (size_t i = 0; i < from->said.length; i++)
        hd_vec_push(&to->said, from->said.data[i]);
    hd_vec_release(&from->said);
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

/* What has no place, and did not join one that has, is where its run failed. */
static void place_by_location(hd_report *report, hd_report_finding *finding) {
    hd_report_place place = {.role = "at"};
    if (finding->places.length || !finding->location)
        return;
    hd_report_split(&report->arena, finding->location, &place.file, &place.line);
    hd_vec_push(&finding->places, place);
    /* The message says what is wrong, as that of one that was explored. */
    size_t length = strlen(finding->location);
    if (finding->message && strncmp(finding->message, finding->location, length) == 0 &&
        strncmp(finding->message + length, ": ", 2) == 0)
        finding->message += length + 2;
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
        while (same < kept && !hd_report_same(&report->findings.data[same], &finding))
            same++;
        if (same < kept)
            absorb(&report->findings.data[same], &finding);
        else
            report->findings.data[kept++] = finding;
    }
    report->findings.length = kept;
    hd_report_lines lines = {0};
    for (size_t i = 0; i < kept; i++) {
        hd_report_finding *finding = &report->findings.data[i];
        place_by_location(report, finding);
        finding->fingerprint = hd_report_identity(&(hd_report_defect){.rule = finding->id,
                                                                      .variable = finding->variable,
                                                                      .message = finding->message,
                                                                      .places = &finding->places},
                                                  &lines);
    }
    hd_report_lines_release(&lines);
    if (kept)
        qsort(report->findings.data, kept, sizeof *report->findings.data, compare);
}
