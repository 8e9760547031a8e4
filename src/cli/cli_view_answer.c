/*
 * What a command printed with --json, as a page.  Of race, deadlock, nondet and detect
 * the schedules are in the answer and are checked against the trace again; of check,
 * report and explore they are in files that it names.
 */
#include "cli_verdict.h"
#include "cli_view.h"

#include <stdlib.h>
#include <string.h>

#include "cli_report.h"

typedef struct answer {
    const hd_cli_arguments *arguments;
    const char *input, *path; /* of the answer and of the page */
    const hd_json_value *root;
    const char *command, *file; /* what was asked, of which trace */
    hd_trace trace;
    hd_cli_page page;
} answer;

/* ---- Schedules in the answer ---- */

static bool read_numbers(const hd_json_value *list, hd_vec_u32 *numbers) {
    for (const hd_json_value *item = hd_json_first(list); item; item = item->next) {
        uint64_t number;
        if (item->kind != HD_JSON_NUMBER || !hd_text_u64(item->text, strlen(item->text), &number) ||
            number > UINT32_MAX)
            return false;
        hd_vec_push(numbers, (uint32_t)number);
    }
    return true;
}

static uint32_t event_of(const hd_json_value *finding, const char *key) {
    uint64_t number = hd_json_uint_of(finding, key, 0);
    return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

static void read_read(const answer *a, const hd_json_value *finding, hd_witness_claim *claim) {
    const char *order = hd_json_text_of(finding, "order");
    const char *variable = hd_json_text_of(finding, "variable");
    bool final = hd_json_text_of(finding, "read") != NULL;
    claim->kind = final ? HD_WITNESS_FINAL_READ : HD_WITNESS_READ;
    claim->read = event_of(finding, "read");
    claim->sees = event_of(finding, "sees");
    claim->writer = event_of(finding, "writer");
    claim->challenger = event_of(finding, "challenger");
    claim->order = order && strcmp(order, "wcr") == 0   ? HD_WITNESS_WCR
                   : order && strcmp(order, "crw") == 0 ? HD_WITNESS_CRW
                                                        : HD_WITNESS_CR;
    if (final && variable)
        claim->variable = hd_names_find(&a->trace.tables.names[HEDDLE_CLASS_VARIABLE], variable,
                                        strlen(variable));
}

/* The state is what the schedule leads to. */
static void read_state(const answer *a, hd_witness *witness, bool keeps) {
    witness->claim.kind = HD_WITNESS_STATE;
    witness->claim.let_go = !keeps;
    hd_vec_resize(&witness->claim.counts, a->trace.tables.names[HEDDLE_CLASS_THREAD].length);
    for (size_t i = 0; i < witness->schedule.length; i++)
        if (witness->schedule.data[i] >= 1 &&
            witness->schedule.data[i] <= hd_trace_length(&a->trace))
            witness->claim.counts
                .data[hd_trace_event(&a->trace, witness->schedule.data[i])->thread]++;
}

static bool read_witness(const answer *a, const hd_json_value *finding, hd_witness *witness) {
    hd_witness_claim *claim = &witness->claim;
    if (!read_numbers(hd_json_get(finding, "schedule"), &witness->schedule))
        return false;
    if (strcmp(a->command, "race") == 0) {
        claim->between = event_of(finding, "between");
        claim->kind = claim->between ? HD_WITNESS_ATOMICITY : HD_WITNESS_RACE;
        claim->first = event_of(finding, "first");
        claim->second = event_of(finding, "second");
        claim->back = event_of(finding, "back");
    } else if (strcmp(a->command, "deadlock") == 0) {
        if (hd_json_get(finding, "recorded")) { /* the deadlock that the run ended in */
            claim->kind = HD_WITNESS_END;
            return true;
        }
        claim->kind = HD_WITNESS_DEADLOCK;
        return read_numbers(hd_json_get(finding, "acquires"), &claim->acquires);
    } else if (strcmp(a->command, "nondet") == 0)
        read_read(a, finding, claim);
    else
        read_state(a, witness, hd_json_first(hd_json_get(finding, "reads_changed")) == NULL);
    return true;
}

static void describe(const answer *a, const hd_json_value *finding, hd_finding *shown) {
    const char *message = hd_json_text_of(finding, "message");
    const char *variable = hd_json_text_of(finding, "variable");
    const char *print = hd_json_text_of(finding, "fingerprint");
    const char *predicate = hd_json_text_of(hd_json_get(a->root, "result"), "predicate");
    if (!message)
        message = predicate;
    if (message)
        shown->message = hd_mem_string(message, strlen(message));
    if (variable)
        shown->variable = hd_mem_string(variable, strlen(variable));
    if (print)
        shown->fingerprint = strtoull(print, NULL, 16);
    static const char *const keys[] = {"first", "second", "read", "writer", "challenger"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (event_of(finding, keys[i]))
            hd_vec_push(&shown->events, event_of(finding, keys[i]));
    read_numbers(hd_json_get(finding, "acquires"), &shown->events);
}

static bool add_finding(answer *a, const hd_json_value *finding, size_t number) {
    const hd_json_value *schedule = hd_json_get(finding, "schedule");
    hd_error error = {""};
    hd_finding shown;
    const char *rule = strcmp(a->command, "detect") == 0 ? "state" : a->command;
    hd_finding_init(&shown, hd_report_rule_of(rule)->sort, rule);
    describe(a, finding, &shown);
    bool good = true;
    if (schedule && schedule->kind == HD_JSON_ARRAY) {
        shown.witness = HD_NEW(hd_witness);
        hd_witness_init(shown.witness);
        good = read_witness(a, finding, shown.witness) ||
               hd_error_set(&error, "its schedule is not one of event numbers");
        good = good && hd_witness_check(shown.witness, &a->trace, &error);
    }
    if (good)
        hd_cli_page_finding(&a->page, &shown);
    else
        hd_cli_fail("%s: finding %zu is rejected: %s", hd_text_name(a->input), number, error.text);
    hd_finding_release(&shown);
    return good;
}

/* The result again, as it stands in the answer. */
static void copy(hd_json *json, const char *key, const hd_json_value *value) {
    switch (value->kind) {
    case HD_JSON_NULL:
        hd_json_null(json, key);
        break;
    case HD_JSON_BOOL:
        hd_json_bool(json, key, value->truth);
        break;
    case HD_JSON_NUMBER:
        hd_json_digits(json, key, value->text);
        break;
    case HD_JSON_STRING:
        hd_json_text(json, key, value->text);
        break;
    default:
        if (json->depth + 2 >= HD_JSON_DEPTH)
            break; /* deeper than any answer of ours */
        hd_json_open(json, key, value->kind == HD_JSON_ARRAY ? '[' : '{');
        for (const hd_json_value *item = value->first; item; item = item->next)
            copy(json, item->key, item);
        hd_json_close(json);
    }
}

static int write_schedules(answer *a) {
    hd_error error = {""};
    size_t number = 0;
    if (!hd_trace_load(&a->trace, a->file, 0, &error))
        return hd_cli_fail("%s", error.text);
    if (!hd_cli_page_start(&a->page, a->arguments, a->path, a->file, &a->trace))
        return HD_CLI_BAD;
    int status = HD_CLI_OK;
    const hd_json_value *findings = hd_json_get(a->root, "findings");
    for (const hd_json_value *f = hd_json_first(findings); f && status == HD_CLI_OK; f = f->next)
        if (!add_finding(a, f, ++number))
            status = HD_CLI_BAD;
    if (status == HD_CLI_OK) {
        hd_verdict verdict;
        hd_verdict_read(&verdict, a->root);
        hd_json *json = hd_cli_page_result(&a->page, &verdict);
        hd_verdict_release(&verdict);
        const hd_json_value *result = hd_json_get(a->root, "result");
        for (const hd_json_value *item = hd_json_first(result); item; item = item->next)
            copy(json, item->key, item);
    }
    return hd_cli_page_end(&a->page, status);
}

/* ---- Schedules in files ---- */

static int write_report(const answer *a) {
    hd_error error = {""};
    hd_report report;
    hd_report_init(&report, a->command, a->file);
    bool good = hd_report_add(&report, a->root, NULL, &error);
    if (!good)
        hd_cli_fail("%s: %s", hd_text_name(a->input), error.text);
    if (good)
        hd_report_merge(&report);
    good = good && hd_cli_report_page(a->arguments, a->path, &report);
    hd_report_release(&report);
    return good ? HD_CLI_OK : HD_CLI_BAD;
}

int hd_cli_view_answer(const hd_cli_arguments *arguments, const char *input, const char *path) {
    static const char *const with_schedules[] = {"race", "deadlock", "nondet", "detect"};
    hd_json_document document;
    hd_error error = {""};
    if (!hd_json_load(&document, input, &error))
        return hd_cli_fail("%s", error.text);
    answer a = {.arguments = arguments, .input = input, .path = path, .root = document.root};
    a.command = hd_json_text_of(document.root, "command");
    a.file = hd_json_text_of(hd_json_get(document.root, "input"), "file");
    int status = HD_CLI_BAD;
    bool of_trace = false;
    for (size_t i = 0; a.command && i < sizeof with_schedules / sizeof *with_schedules; i++)
        of_trace |= strcmp(a.command, with_schedules[i]) == 0;
    if (!a.command || !a.file)
        hd_cli_fail("%s: this is not what a command printed with --json", hd_text_name(input));
    else
        status = of_trace ? write_schedules(&a) : write_report(&a);
    hd_trace_release(&a.trace);
    hd_json_release(&document);
    return status;
}
