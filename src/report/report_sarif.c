/*
 * A report as SARIF 2.1.0, the format of code-scanning front ends (GitHub, GitLab by
 * conversion, editors).  A finding is a result: its first place is the location, the
 * others are related locations, the schedule is a code flow with a thread flow for
 * each thread, in which executionOrder is the step.
 *
 * Front ends drop results without a file: one that has no place in a source is put on
 * the input itself.  Files below the current folder have relative addresses, which are
 * those of the repository when heddle runs at its top.
 */
#include <string.h>
#include <unistd.h>

#include "report_answer.h"
#include "report_result.h"

static const char schema[] = "https://json.schemastore.org/sarif-2.1.0.json";

/* ---- Addresses ---- */

/* All but what a path in an address may have as it is. */
static void add_escaped(hd_vec_char *uri, const char *path) {
    static const char digits[] = "0123456789ABCDEF";
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~/";
    for (; *path; path++) {
        if (strchr(plain, *path)) {
            hd_vec_push(uri, *path);
            continue;
        }
        hd_vec_push(uri, '%');
        hd_vec_push(uri, digits[(unsigned char)*path >> 4]);
        hd_vec_push(uri, digits[*path & 15]);
    }
}

static void write_artifact(hd_json *json, const char *file) {
    hd_vec_char uri = {0};
    const char *path = hd_report_short(file);
    bool inside = *path != '/';
    for (const char *c = inside ? "" : "file://"; *c; c++)
        hd_vec_push(&uri, *c);
    add_escaped(&uri, path);
    hd_json_open(json, "artifactLocation", '{');
    hd_json_string(json, "uri", uri.data, uri.length);
    if (inside)
        hd_json_text(json, "uriBaseId", "%SRCROOT%");
    hd_json_close(json);
    hd_vec_release(&uri);
}

/* ---- Locations ---- */

static void write_message(hd_json *json, const char *text) {
    hd_json_open(json, "message", '{');
    hd_json_text(json, "text", text);
    hd_json_close(json);
}

static void write_physical(hd_json *json, const char *file, uint32_t line) {
    if (!file)
        return;
    hd_json_open(json, "physicalLocation", '{');
    write_artifact(json, file);
    hd_json_open(json, "region", '{');
    hd_json_uint(json, "startLine", line ? line : 1);
    hd_json_close(json);
    hd_json_close(json);
}

static void write_function(hd_json *json, const char *name) {
    if (!name)
        return;
    hd_json_open(json, "logicalLocations", '[');
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "name", name);
    hd_json_text(json, "kind", "function");
    hd_json_close(json);
    hd_json_close(json);
}

/* "thread: what happens there" */
static void write_place_message(hd_json *json, const char *role, const char *thread,
                                const char *text) {
    hd_vec_char message = {0};
    const char *parts[] = {role, role && (thread || text) ? ": " : NULL, thread,
                           thread && text ? ": " : NULL, text};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const char *c = parts[i]; c && *c; c++)
            hd_vec_push(&message, *c);
    hd_json_open(json, "message", '{');
    hd_json_string(json, "text", message.data ? message.data : "", message.length);
    hd_json_close(json);
    hd_vec_release(&message);
}

static const char *function_of(const hd_report_place *place) {
    return place->stack.length ? place->stack.data[0].function : NULL;
}

static void write_main_location(const hd_report *report, const hd_report_finding *finding,
                                hd_json *json) {
    const hd_report_place *place = NULL;
    for (size_t i = 0; i < finding->places.length && !place; i++)
        if (finding->places.data[i].file)
            place = &finding->places.data[i];
    hd_json_open(json, "locations", '[');
    hd_json_open(json, NULL, '{');
    write_physical(json, place ? place->file : report->input, place ? place->line : 1);
    if (place)
        write_function(json, function_of(place));
    hd_json_close(json);
    hd_json_close(json);
}

static void write_related(const hd_report_finding *finding, hd_json *json) {
    if (!finding->places.length)
        return;
    hd_json_open(json, "relatedLocations", '[');
    for (size_t i = 0; i < finding->places.length; i++) {
        const hd_report_place *place = &finding->places.data[i];
        hd_json_open(json, NULL, '{');
        hd_json_uint(json, "id", i + 1);
        write_physical(json, place->file, place->line);
        write_function(json, function_of(place));
        write_place_message(json, place->role, place->thread, place->text);
        hd_json_close(json);
    }
    hd_json_close(json);
}

static void write_stacks(const hd_report_finding *finding, hd_json *json) {
    bool any = false;
    for (size_t i = 0; i < finding->places.length; i++)
        any |= finding->places.data[i].stack.length > 0;
    if (!any)
        return;
    hd_json_open(json, "stacks", '[');
    for (size_t i = 0; i < finding->places.length; i++) {
        const hd_report_place *place = &finding->places.data[i];
        if (!place->stack.length)
            continue;
        hd_json_open(json, NULL, '{');
        write_place_message(json, place->role, place->thread, NULL);
        hd_json_open(json, "frames", '[');
        for (size_t k = 0; k < place->stack.length; k++) {
            hd_json_open(json, NULL, '{');
            hd_json_open(json, "location", '{');
            write_physical(json, place->stack.data[k].file, place->stack.data[k].line);
            write_function(json, place->stack.data[k].function);
            hd_json_close(json);
            hd_json_close(json);
        }
        hd_json_close(json);
        hd_json_close(json);
    }
    hd_json_close(json);
}

/* ---- The schedule ---- */

static void write_step(const hd_report_step *step, size_t number, hd_json *json) {
    hd_json_open(json, NULL, '{');
    hd_json_open(json, "location", '{');
    write_physical(json, step->file, step->line);
    write_place_message(json, NULL, step->thread, step->text);
    hd_json_close(json);
    hd_json_uint(json, "executionOrder", number);
    hd_json_close(json);
}

static const char *thread_of(const hd_report_step *step) {
    return step->thread ? step->thread : "";
}

/* Names, each once, in the order of their first use. */
typedef HD_VEC(const char *) name_list;

static size_t index_of(name_list *list, const char *name) {
    for (size_t i = 0; i < list->length; i++)
        if (strcmp(list->data[i], name) == 0)
            return i;
    hd_vec_push(list, name);
    return list->length - 1;
}

static void write_thread(const hd_report_finding *finding, const char *thread, hd_json *json) {
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "id", thread);
    hd_json_open(json, "locations", '[');
    for (size_t i = 0; i < finding->steps.length; i++)
        if (strcmp(thread_of(&finding->steps.data[i]), thread) == 0)
            write_step(&finding->steps.data[i], i + 1, json);
    hd_json_close(json);
    hd_json_close(json);
}

static void write_flows(const hd_report_finding *finding, hd_json *json) {
    name_list threads = {0};
    for (size_t i = 0; i < finding->steps.length; i++)
        index_of(&threads, thread_of(&finding->steps.data[i]));
    if (!threads.length)
        return;
    hd_json_open(json, "codeFlows", '[');
    hd_json_open(json, NULL, '{');
    write_message(json, "The schedule that shows it; executionOrder is the step.");
    hd_json_open(json, "threadFlows", '[');
    for (size_t i = 0; i < threads.length; i++)
        write_thread(finding, threads.data[i], json);
    hd_json_close(json);
    hd_json_close(json);
    hd_json_close(json);
    hd_vec_release(&threads);
}

/* ---- Rules and results ---- */

static void write_words(hd_json *json, const char *key, const char *text) {
    hd_json_open(json, key, '{');
    hd_json_text(json, "text", text);
    hd_json_close(json);
}

static void write_rule(const hd_report_finding *finding, hd_json *json) {
    const hd_report_rule *rule = finding->rule;
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "id", finding->id);
    hd_json_text(json, "name", rule->name);
    write_words(json, "shortDescription", rule->name);
    write_words(json, "fullDescription", rule->text);
    write_words(json, "help", rule->help);
    hd_json_open(json, "defaultConfiguration", '{');
    hd_json_text(json, "level", hd_report_level_name(rule->level));
    hd_json_close(json);
    hd_json_open(json, "properties", '{');
    hd_json_open(json, "tags", '[');
    hd_json_text(json, NULL, "concurrency");
    hd_json_close(json);
    hd_json_close(json);
    hd_json_close(json);
}

static void write_properties(const hd_report_finding *finding, bool flows, hd_json *json) {
    hd_json_open(json, "properties", '{');
    hd_json_text(json, "proof", hd_report_proof_name(finding->proof));
    if (!flows)
        hd_json_text(json, "schedule", hd_report_left_out);
    if (finding->unordered)
        hd_json_bool(json, "unordered", true);
    if (finding->variable)
        hd_json_text(json, "variable", finding->variable);
    if (finding->witness)
        hd_json_text(json, "witness", finding->witness);
    if (finding->replay)
        hd_json_text(json, "replay", finding->replay);
    hd_json_close(json);
}

/* False if its schedule is left out. */
static bool write_result(const hd_report *report, size_t number, size_t rule, double *over,
                         hd_json *json) {
    const hd_report_finding *finding = &report->findings.data[number];
    bool flows = !finding->steps.length || hd_report_goes_on(over, number);
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "ruleId", finding->id);
    hd_json_uint(json, "ruleIndex", rule);
    hd_json_text(json, "kind", "fail");
    hd_json_text(json, "level", hd_report_level_name(finding->level));
    write_message(json, finding->message ? finding->message : finding->rule->text);
    write_main_location(report, finding, json);
    write_related(finding, json);
    write_stacks(finding, json);
    if (flows)
        write_flows(finding, json);
    hd_json_open(json, "partialFingerprints", '{');
    hd_report_fingerprint_write(json, "heddle/v1", finding->fingerprint);
    hd_json_close(json);
    if (report->against_baseline)
        hd_json_text(json, "baselineState", finding->known ? "unchanged" : "new");
    hd_json_uint(json, "occurrenceCount", finding->count ? finding->count : 1);
    write_properties(finding, flows, json);
    hd_json_close(json);
    return flows;
}

/* The rules that there are results of, in the order of their first one. */
static void write_driver(const hd_report *report, name_list *rules, hd_json *json) {
    hd_json_open(json, "tool", '{');
    hd_json_open(json, "driver", '{');
    hd_json_text(json, "name", "heddle");
    hd_json_text(json, "version", HEDDLE_VERSION);
    hd_json_text(json, "semanticVersion", HEDDLE_VERSION);
    hd_json_open(json, "rules", '[');
    for (size_t i = 0; i < report->findings.length; i++) {
        size_t before = rules->length;
        if (index_of(rules, report->findings.data[i].id) == before)
            write_rule(&report->findings.data[i], json);
    }
    hd_json_close(json);
    hd_json_close(json);
    hd_json_close(json);
}

/* What was not answered is a notification, so that an empty list of results does not
 * look like an answer. */
static void write_notification(hd_json *json, const char *code, const char *text) {
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "level", "warning");
    hd_json_open(json, "descriptor", '{');
    hd_json_text(json, "id", code);
    hd_json_close(json);
    write_message(json, text);
    hd_json_close(json);
}

static void write_invocation(const hd_report *report, hd_json *json) {
    const hd_verdict *verdict = &report->verdict;
    int status = hd_verdict_status(verdict);
    hd_json_open(json, "invocations", '[');
    hd_json_open(json, NULL, '{');
    hd_json_bool(json, "executionSuccessful", true);
    hd_json_uint(json, "exitCode", (uint64_t)status);
    hd_json_text(json, "exitCodeDescription",
                 status == HD_VERDICT_FOUND     ? "found"
                 : status == HD_VERDICT_NOTHING ? "nothing found, complete, nothing shaky"
                 : hd_verdict_complete(verdict) ? "nothing found, but it rests on something shaky"
                                                : "nothing found, but not complete");
    hd_json_open(json, "toolExecutionNotifications", '[');
    for (size_t i = 0; i < verdict->why_not.length; i++)
        write_notification(json, verdict->why_not.data[i].code, verdict->why_not.data[i].text);
    for (size_t i = 0; i < verdict->rests_on.length; i++)
        if (verdict->rests_on.data[i]->trust == HD_VERDICT_SHAKY &&
            !verdict->rests_on.data[i]->accepted)
            write_notification(json, verdict->rests_on.data[i]->code,
                               verdict->rests_on.data[i]->text);
    hd_json_close(json);
    hd_json_close(json);
    hd_json_close(json);
}

bool hd_report_write_sarif(const hd_report *report, const char *path, hd_error *error) {
    hd_file *file = hd_file_create(path, error);
    name_list rules = {0};
    hd_json json;
    if (!file)
        return false;
    hd_json_init(&json, file);
    hd_json_open(&json, NULL, '{');
    hd_json_text(&json, "$schema", schema);
    hd_json_text(&json, "version", "2.1.0");
    hd_json_open(&json, "runs", '[');
    hd_json_open(&json, NULL, '{');
    write_driver(report, &rules, &json);
    write_invocation(report, &json);
    hd_json_open(&json, "properties", '{');
    hd_verdict_write(&report->verdict, &json);
    hd_json_close(&json);
    hd_json_text(&json, "columnKind", "unicodeCodePoints");
    hd_json_open(&json, "results", '[');
    size_t left_out = 0;
    double over = 0;
    for (size_t i = 0; i < report->findings.length; i++)
        left_out +=
            !write_result(report, i, index_of(&rules, report->findings.data[i].id), &over, &json);
    hd_json_close(&json);
    hd_json_close(&json);
    hd_json_close(&json);
    hd_json_close(&json);
    hd_json_end(&json);
    hd_vec_release(&rules);
    hd_report_say_left_out(path, left_out);
    return hd_file_commit(file, error);
}
