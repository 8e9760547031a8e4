/*
 * The forms of a report, and its baseline, by the options of a command.
 */
#include <string.h>
#include <unistd.h>

#include "cli_report.h"
#include "cli_verdict.h"

static const char *value(const hd_cli_arguments *arguments, const char *option) {
    return arguments->values[hd_cli_row(arguments->command, option)];
}

static const struct {
    const char *option;
    bool (*write)(const hd_report *report, const char *path, hd_error *error);
} forms[] = {{"sarif", hd_report_write_sarif},
             {"junit", hd_report_write_junit},
             {"dot", hd_report_write_dot}};

enum { FORMS = sizeof forms / sizeof *forms };

static bool read_files(const hd_cli_arguments *arguments) {
    for (size_t i = 0; i < FORMS; i++) {
        const char *path = value(arguments, forms[i].option);
        if (path && strcmp(path, "-") == 0) {
            hd_cli_usage(arguments, "--%s wants a file, standard output has the answer",
                         forms[i].option);
            return false;
        }
    }
    const char *page = value(arguments, "html");
    hd_error error = {""};
    if (page && strcmp(page, "-") == 0) {
        hd_cli_usage(arguments, "--html wants a file, standard output has the answer");
        return false;
    }
    if (page && !hd_report_page_there(&error)) {
        hd_cli_fail("%s", error.text);
        return false;
    }
    if (value(arguments, "update-baseline") && !value(arguments, "baseline")) {
        hd_cli_usage(arguments, "--update-baseline wants --baseline=FILE too");
        return false;
    }
    return true;
}

static bool read_look(const hd_cli_arguments *arguments, hd_report_look *look) {
    const char *when = value(arguments, "color");
    hd_report_look_init(look, stdout);
    look->only_new = value(arguments, "ci") != NULL;
    look->notes = value(arguments, "notes") != NULL;
    if (!when || strcmp(when, "auto") == 0)
        return true;
    look->colour = strcmp(when, "always") == 0;
    if (look->colour || strcmp(when, "never") == 0)
        return true;
    hd_cli_usage(arguments, "--color takes always, never or auto, not '%s'", hd_text_name(when));
    return false;
}

/* A baseline that is not there yet is an empty one when it is to be written. */
static bool load_baseline(const hd_cli_arguments *arguments, hd_report *report) {
    const char *path = value(arguments, "baseline");
    hd_error error = {""};
    if (!path || (value(arguments, "update-baseline") && access(path, F_OK) != 0) ||
        hd_report_baseline_load(report, path, &error))
        return true;
    hd_cli_fail("%s", error.text);
    return false;
}

bool hd_cli_report_read(const hd_cli_arguments *arguments, hd_report_look *look) {
    hd_report none;
    if (!read_files(arguments) || !read_look(arguments, look))
        return false;
    hd_report_init(&none, arguments->command->name, "");
    bool good = load_baseline(arguments, &none);
    hd_report_release(&none);
    return good;
}

/* What is written to the baseline is known from now on. */
static void judge(const hd_cli_arguments *arguments, hd_report *report) {
    hd_report_judge(report);
    bool found = report->verdict.found && !value(arguments, "update-baseline");
    hd_cli_verdict_end(&report->verdict, arguments, found);
}

/* False after saying why. */
static bool is_done(bool good, hd_error *error) {
    if (!good)
        hd_cli_fail("%s", error->text);
    error->text[0] = '\0';
    return good;
}

bool hd_cli_report_write(const hd_cli_arguments *arguments, hd_report *report) {
    hd_error error = {""};
    bool good = load_baseline(arguments, report);
    judge(arguments, report);
    if (!good)
        return false;
    if (value(arguments, "update-baseline"))
        good =
            is_done(hd_report_baseline_save(report, value(arguments, "baseline"), &error), &error);
    for (size_t i = 0; i < FORMS; i++) {
        const char *path = value(arguments, forms[i].option);
        if (path)
            good &= is_done(forms[i].write(report, path, &error), &error);
    }
    const char *page = value(arguments, "html");
    return (!page || hd_cli_report_page(arguments, page, report)) && good;
}

int hd_cli_report_print(const hd_cli_arguments *arguments, const hd_report *report,
                        const hd_report_look *look) {
    hd_error error = {""};
    if (!hd_cli_given(arguments, HD_CLI_JSON))
        hd_report_print(report, look, stdout);
    else if (!hd_report_write_json(report, "-", &error))
        return hd_cli_fail("%s", error.text);
    return hd_verdict_status(&report->verdict);
}
