/*
 * A report's schedules for Graphviz: a cluster for each finding, a column for each
 * thread, a box for each step; solid arrows inside a thread, dashed ones where the
 * schedule changes threads, and the places of the finding at the end.
 */
#include <string.h>

#include "report_result.h"

/* Inside a quoted string of DOT, where a backslash is one of its own.  A name that is too
 * long for a picture (Graphviz takes 16 KiB) is cut, with "..." at its end. */
static void put(hd_file *file, const char *text) {
    char shown[256];
    size_t used = hd_text_printable(shown, sizeof shown, text, strlen(text));
    for (size_t i = 0; i < used; i++) {
        if (shown[i] == '"' || shown[i] == '\\')
            hd_file_write(file, "\\", 1);
        hd_file_write(file, shown + i, 1);
    }
}

static const char *name_of(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static void put_label(hd_file *file, const char *thread, const char *text, const char *source,
                      uint32_t line) {
    hd_file_print(file, "label=\"");
    put(file, thread ? thread : "");
    if (text) {
        hd_file_print(file, "\\n");
        put(file, text);
    }
    if (source) {
        hd_file_print(file, "\\n");
        put(file, name_of(source));
        hd_file_print(file, ":%u", line);
    }
    hd_file_print(file, "\"");
}

/* The last step of each thread so far. */
typedef HD_VEC(struct last_step {
    const char *thread;
    size_t step;
}) last_steps;

/* The step of the thread before this one, -1 if it is its first. */
static long before(last_steps *lasts, const char *thread, size_t step) {
    for (size_t i = 0; i < lasts->length; i++)
        if (strcmp(lasts->data[i].thread, thread) == 0) {
            long found = (long)lasts->data[i].step;
            lasts->data[i].step = step;
            return found;
        }
    hd_vec_push(lasts, (struct last_step){thread, step});
    return -1;
}

/* Threads have a group each, which Graphviz keeps in a column. */
static void write_steps(const hd_report_finding *finding, size_t number, hd_file *file) {
    last_steps lasts = {0};
    for (size_t i = 0; i < finding->steps.length; i++) {
        const hd_report_step *step = &finding->steps.data[i];
        long same = before(&lasts, step->thread ? step->thread : "", i);
        hd_file_print(file, "    s%zu_%zu [group=\"", number, i);
        put(file, step->thread ? step->thread : "");
        hd_file_print(file, "\", ");
        put_label(file, step->thread, step->text, step->file, step->line);
        hd_file_print(file, "];\n");
        if (same >= 0)
            hd_file_print(file, "    s%zu_%ld -> s%zu_%zu;\n", number, same, number, i);
        if (i && same != (long)i - 1)
            hd_file_print(file, "    s%zu_%zu -> s%zu_%zu [style=dashed, color=\"#888888\"];\n",
                          number, i - 1, number, i);
    }
    hd_vec_release(&lasts);
}

/* What comes next after the steps of its thread, or else after all of them. */
static void write_arrow(const hd_report_finding *finding, const hd_report_place *place,
                        size_t number, size_t i, hd_file *file) {
    size_t length = finding->steps.length, k = length;
    while (k > 0 && (!place->thread || !finding->steps.data[k - 1].thread ||
                     strcmp(finding->steps.data[k - 1].thread, place->thread) != 0))
        k--;
    if (length)
        hd_file_print(file, "    s%zu_%zu -> p%zu_%zu [color=\"#cc0000\"%s];\n", number,
                      (k ? k : length) - 1, number, i, k ? "" : ", style=dashed");
}

/* Writes that a read saw, or could see, are not next. */
static bool is_next(const hd_report_place *place) {
    static const char *const others[] = {"saw", "could see", "was", "could be"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(place->role, others[i]) == 0)
            return false;
    return true;
}

static void write_places(const hd_report_finding *finding, size_t number, bool steps,
                         hd_file *file) {
    for (size_t i = 0; i < finding->places.length; i++) {
        const hd_report_place *place = &finding->places.data[i];
        if (!is_next(place))
            continue;
        hd_file_print(file, "    p%zu_%zu [style=filled, fillcolor=\"#ffd0d0\", group=\"", number,
                      i);
        put(file, place->thread ? place->thread : "");
        hd_file_print(file, "\", ");
        put_label(file, place->thread ? place->thread : place->role, place->text, place->file,
                  place->line);
        hd_file_print(file, "];\n");
        if (steps)
            write_arrow(finding, place, number, i, file);
    }
}

bool hd_report_write_dot(const hd_report *report, const char *path, hd_error *error) {
    hd_file *file = hd_file_create(path, error);
    if (!file)
        return false;
    size_t left_out = 0;
    double over = 0;
    hd_file_print(file, "digraph heddle {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (size_t i = 0; i < report->findings.length; i++) {
        const hd_report_finding *finding = &report->findings.data[i];
        hd_file_print(file, "  subgraph cluster_%zu {\n    label=\"", i + 1);
        put(file, finding->rule->name);
        hd_file_print(file, ": ");
        put(file, finding->message ? finding->message : finding->rule->text);
        bool whole = !finding->steps.length || hd_report_goes_on(&over, i);
        if (!whole)
            hd_file_print(file, "\\nschedule %s", hd_report_left_out);
        hd_file_print(file, "\";\n");
        left_out += !whole;
        if (whole)
            write_steps(finding, i + 1, file);
        write_places(finding, i + 1, whole, file);
        hd_file_print(file, "  }\n");
    }
    hd_file_print(file, "}\n");
    hd_report_say_left_out(path, left_out);
    return hd_file_commit(file, error);
}
