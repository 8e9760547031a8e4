#include "cli_drive.h"

#include <stdlib.h>
#include <string.h>

#include "cli_ask.h"

/* In the page: with the run that shows it. */
static void add_to_page(hd_cli_drive *drive, const hd_engine_driven *driven) {
    const hd_engine_drive *d = &drive->d;
    hd_finding finding;
    if (!drive->page.path)
        return;
    hd_finding_init(&finding, d->deadlocks ? HD_FINDING_DEADLOCK : HD_FINDING_RACE,
                    d->deadlocks ? "deadlock" : "race");
    finding.message = hd_engine_driven_text(d, driven);
    if (driven->variable)
        finding.variable = hd_mem_string(driven->variable, strlen(driven->variable));
    if (driven->found->places[1])
        finding.location =
            hd_mem_string(driven->found->places[1], strlen(driven->found->places[1]));
    hd_cli_page_schedule(&drive->page, d->machine, &finding, driven->found->claim,
                         &driven->found->schedule);
    hd_finding_release(&finding);
}

/* One that cannot be saved is told all the same. */
static bool tell(hd_cli_drive *drive, hd_json *json, hd_error *error) {
    hd_engine_drive *d = &drive->d;
    size_t shown = 0;
    bool good = true, saved = true;
    for (size_t i = 0; good && !drive->summary && i < d->result.found.length; i++) {
        hd_engine_driven driven;
        if (d->dropped[i])
            continue;
        good = hd_engine_driven_make(&driven, d, &d->result.found.data[i], error);
        if (good && d->output && !hd_engine_driven_save(d, &driven, shown, error)) {
            saved = false;
            d->output = NULL;
        }
        if (good && json)
            hd_cli_drive_write_found(d, &driven, shown, json);
        else if (good)
            hd_cli_drive_print_found(d, &driven, shown);
        if (good && drive->yaml && !shown) {
            hd_engine_shown first = hd_engine_driven_shown(d, &driven);
            good = hd_engine_sequence_save(&first, HD_ENGINE_NO_DATA_RACE, d->path, drive->yaml,
                                           error);
        }
        if (good)
            add_to_page(drive, &driven);
        hd_engine_driven_release(&driven);
        shown++;
    }
    return good && saved;
}

/* ---- The way through ---- */

static int answer_as_text(hd_cli_drive *drive, hd_error *error) {
    hd_cli_drive_print(&drive->d);
    if (!tell(drive, NULL, error))
        return hd_cli_fail("%s", error->text);
    hd_cli_drive_print_unproved(&drive->d);
    return hd_verdict_status(&drive->d.verdict);
}

static int answer_as_json(hd_cli_drive *drive, hd_error *error) {
    hd_cli_answer out;
    if (!hd_cli_json_begin(&out, drive->arguments, drive->d.path, &drive->d.verdict))
        return HD_CLI_BAD;
    hd_cli_drive_write_result(&drive->d, &out.json);
    if (drive->sv_comp)
        hd_cli_sv_comp_write(HD_ENGINE_NO_DATA_RACE, hd_engine_drive_word(&drive->d), &out.json);
    hd_cli_json_findings(&out);
    int status = hd_verdict_status(&drive->d.verdict);
    if (!tell(drive, &out.json, error))
        status = hd_cli_fail("%s", error->text);
    return hd_cli_json_end(&out, status);
}

static int answer(hd_cli_drive *drive) {
    hd_error error = {""};
    hd_engine_question question = {.what = drive->d.deadlocks ? HD_ENGINE_DEADLOCK : HD_ENGINE_RACE,
                                   .path = drive->d.path,
                                   .whole.drive = &drive->d};
    if (!hd_cli_ask(drive->arguments, &question, &error))
        return hd_cli_fail("%s", error.text);
    return hd_cli_given(drive->arguments, HD_CLI_JSON) ? answer_as_json(drive, &error)
                                                       : answer_as_text(drive, &error);
}

/* --time and --total, which the clock of the command holds. */
static bool read_time(hd_cli_drive *drive) {
    double time, total;
    if (!hd_cli_seconds(drive->arguments, HD_CLI_TIME, 0, &time) ||
        !hd_cli_seconds(drive->arguments, HD_CLI_TOTAL, 0, &total))
        return false;
    hd_drive_options_limit(&drive->d.options,
                           time > 0 && (total <= 0 || time < total) ? time : total);
    return true;
}

static bool read_options(hd_cli_drive *drive) {
    const hd_cli_arguments *arguments = drive->arguments;
    hd_drive_options *o = &drive->d.options;
    drive->summary = hd_cli_given(arguments, HD_CLI_RACE_SUMMARY);
    if (!hd_cli_misuse(arguments, HD_CLI_RACE_MISUSE) ||
        !hd_cli_volatile(arguments, HD_CLI_RACE_VOLATILE) ||
        !hd_cli_inputs(arguments, HD_CLI_RACE_INPUTS) ||
        !hd_cli_race_read_filter(arguments, &drive->d.filter))
        return false;
    o->whole = drive->d.filter.on;
    return hd_cli_race_read(arguments, &drive->d.output, &o->effort) &&
           hd_cli_number(arguments, HD_CLI_RACE_SEEDS, o->seeds, 1, UINT32_MAX, &o->seeds) &&
           hd_cli_number(arguments, HD_CLI_RACE_EXECUTIONS, o->most_executions, 0, UINT64_MAX,
                         &o->most_executions) &&
           hd_cli_number(arguments, HD_CLI_RACE_EXECUTIONS, o->whole_executions, 0, UINT64_MAX,
                         &o->whole_executions) &&
           read_time(drive);
}

/* The page has what is printed. */
static int end_page(hd_cli_drive *drive, int status) {
    hd_json *json =
        status == HD_CLI_BAD ? NULL : hd_cli_page_result(&drive->page, &drive->d.verdict);
    if (json)
        hd_cli_drive_write_result(&drive->d, json);
    return hd_cli_page_end(&drive->page, status);
}

int hd_cli_drive_run(hd_cli_drive *drive) {
    int status = HD_CLI_BAD;
    if (read_options(drive) &&
        hd_cli_page_begin(&drive->page, drive->arguments, HD_CLI_RACE_HTML, drive->d.path, NULL))
        status = end_page(drive, answer(drive));
    if (drive->sv_comp && status != HD_CLI_BAD && !hd_cli_given(drive->arguments, HD_CLI_JSON))
        printf("\n%s\n", hd_engine_drive_word(&drive->d));
    hd_engine_drive_release(&drive->d);
    return status;
}
