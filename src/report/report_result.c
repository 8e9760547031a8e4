#include "report_result.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void hd_report_init(hd_report *report, const char *command, const char *input) {
    *report = (hd_report){0};
    report->command = hd_report_keep(report, command);
    report->input = hd_report_keep(report, input);
}

void hd_report_finding_release(hd_report_finding *finding) {
    hd_report_places_release(&finding->places);
    hd_vec_release(&finding->steps);
    hd_vec_release(&finding->found_by);
    hd_vec_release(&finding->said);
}

void hd_report_release(hd_report *report) {
    for (size_t i = 0; i < report->findings.length; i++)
        hd_report_finding_release(&report->findings.data[i]);
    hd_vec_release(&report->findings);
    for (size_t i = 0; i < report->parts.length; i++)
        hd_verdict_release(&report->parts.data[i].verdict);
    hd_verdict_release(&report->verdict);
    hd_vec_release(&report->parts);
    hd_vec_release(&report->tests);
    hd_vec_release(&report->arguments);
    hd_vec_release(&report->files.blind);
    hd_vec_release(&report->files.bare);
    hd_vec_release(&report->files.absent);
    hd_arena_release(&report->arena);
    *report = (hd_report){0};
}

const char *hd_report_keep(hd_report *report, const char *text) {
    return text ? hd_arena_string(&report->arena, text, strlen(text)) : NULL;
}

const char *hd_report_format(hd_report *report, const char *format, ...) {
    va_list arguments;
    size_t length;
    va_start(arguments, format);
    char *text = hd_text_formatted(&length, format, arguments);
    va_end(arguments);
    const char *kept = hd_arena_string(&report->arena, text, length);
    free(text);
    return kept;
}

bool hd_report_goes_on(double *over, size_t number) {
    enum { ALWAYS = 16 };
    static const double moment = 0.15;
    if (number < ALWAYS || !hd_clock_over())
        return true;
    if (*over <= 0)
        *over = hd_progress_clock();
    return hd_progress_clock() - *over < moment;
}

const char *const hd_report_left_out = "left out: no time was left to write it";

void hd_report_say_left_out(const char *path, size_t count) {
    if (count)
        hd_log_write(HD_LOG_WARNING, "%s: no time was left to write the schedule of %s",
                     hd_text_name(path), hd_text_count(count, "finding", "findings"));
}

hd_report_part *hd_report_part_of(hd_report *report, const char *command) {
    for (size_t i = 0; i < report->parts.length; i++)
        if (strcmp(report->parts.data[i].command, command) == 0)
            return &report->parts.data[i];
    hd_vec_push(&report->parts, (hd_report_part){.command = hd_report_keep(report, command)});
    return hd_vec_last(&report->parts);
}

hd_report_finding *hd_report_new(hd_report *report, const char *rule, const char *command) {
    const hd_report_rule *known = hd_report_rule_of(rule);
    /* Made first: what it takes memory for may end here, and then it is not in the list. */
    hd_report_finding made = {.rule = known,
                              .id = hd_report_keep(report, rule),
                              .level = known->level,
                              .count = 1,
                              .serial = report->findings.length};
    hd_vec_push(&report->findings, made);
    hd_report_finding *finding = hd_vec_last(&report->findings);
    hd_vec_push(&finding->found_by, hd_report_keep(report, command));
    return finding;
}

/* A reason is told with the command that has it. */
static void add_reasons(hd_report *report, const hd_report_part *part) {
    const hd_verdict *from = &part->verdict;
    for (size_t i = 0; !part->covered && i < from->why_not.length; i++)
        hd_verdict_not(&report->verdict, from->why_not.data[i].code, "%s: %s", part->command,
                       from->why_not.data[i].text);
}

void hd_report_judge(hd_report *report) {
    hd_verdict_release(&report->verdict);
    hd_verdict_init(&report->verdict, "all that was asked");
    if (!report->parts.length)
        hd_verdict_not(&report->verdict, "unasked", "nothing was asked");
    for (size_t i = 0; i < report->parts.length; i++) {
        add_reasons(report, &report->parts.data[i]);
        hd_verdict_join_rests(&report->verdict, &report->parts.data[i].verdict);
    }
    report->verdict.found = hd_report_count(report, HD_REPORT_ERROR) > 0 ||
                            hd_report_count(report, HD_REPORT_WARNING) > 0;
}

size_t hd_report_count(const hd_report *report, enum hd_report_level level) {
    size_t count = 0;
    for (size_t i = 0; i < report->findings.length; i++)
        count += report->findings.data[i].level == level && !report->findings.data[i].known;
    return count;
}

const char *hd_report_proof_name(enum hd_report_proof proof) {
    static const char *const names[] = {[HD_REPORT_UNPROVED] = "unproved",
                                        [HD_REPORT_CHECKED] = "checked",
                                        [HD_REPORT_SEEN] = "seen",
                                        [HD_REPORT_REPLAYED] = "replayed"};
    return names[proof];
}

const char *hd_report_short(const char *file) {
    char here[4096];
    if (!file || !getcwd(here, sizeof here))
        return file;
    size_t length = strlen(here);
    if (strncmp(file, "./", 2) == 0)
        return file + 2;
    bool inside = length > 1 && strncmp(file, here, length) == 0 && file[length] == '/';
    return inside ? file + length + 1 : file;
}
