/*
 * From a command's JSON answer to the description: places and steps come from the
 * answer itself where it has them, else from the trace by event numbers.
 */
#include <stdlib.h>
#include <string.h>

#include "finding/finding.h"
#include "report_result.h"
#include "report_scene.h"

/* An answer on its way in. */
typedef struct source {
    hd_report *report;
    const hd_trace *trace; /* or NULL */
    hd_report_scene scene; /* of the trace */
    const char *command, *input;
    const char *predicate; /* that was asked for; NULL: none */
} source;

/* ---- Events of a trace ---- */

static bool is_event(const source *s, uint64_t number) {
    return s->trace && number >= 1 && number <= hd_trace_length(s->trace);
}

static void add_event(source *s, hd_report_finding *finding, const char *role, uint64_t number) {
    if (is_event(s, number))
        hd_vec_push(&finding->places,
                    hd_report_scene_place(&s->scene, &s->report->arena, role, (uint32_t)number));
}

/* ---- Places ---- */

/* Every answer says its places, but of detect, which says the last events of a state. */
static void add_places(source *s, hd_report_finding *finding, const hd_json_value *from) {
    const hd_json_value *frontier = hd_json_get(from, "frontier");
    hd_report_places_read(&finding->places, &s->report->arena, hd_json_get(from, "places"));
    for (const hd_json_value *f = hd_json_first(frontier); f; f = f->next)
        add_event(s, finding, "last", hd_json_uint_of(f, "event", 0));
}

/* ---- Steps ---- */

/* The text of a program's step ends with the variable that it accesses, whose value follows. */
static const char *with_value(source *s, const char *text, const hd_json_value *step) {
    const char *variable = hd_json_text_of(step, "variable");
    const hd_json_value *change = hd_json_first(hd_json_get(step, "changes"));
    const hd_json_value *value = variable && change ? hd_json_get(change, "to") : NULL;
    if (!text || !value || value->kind != HD_JSON_NUMBER)
        return text;
    int64_t number;
    bool whole = hd_text_i64(value->text, strlen(value->text), &number);
    return hd_report_format(s->report, "%s = %s", text,
                            whole ? hd_text_value(number) : value->text);
}

static void add_steps(source *s, hd_report_finding *finding, const hd_json_value *from) {
    for (const hd_json_value *v = hd_json_first(hd_json_get(from, "steps")); v; v = v->next) {
        hd_report_step step = {0};
        if (v->kind != HD_JSON_OBJECT)
            continue; /* just a thread: it does not say what it did */
        const char *text = hd_json_text_of(v, "text");
        step.thread = hd_report_keep(s->report, hd_json_text_of(v, "thread"));
        step.text = hd_report_keep(s->report, text ? text : hd_json_text_of(v, "statement"));
        step.text = with_value(s, step.text, v);
        step.event = (uint32_t)hd_json_uint_of(v, "event", 0);
        step.matters = hd_json_bool_of(v, "matters", false);
        step.file = hd_report_keep(s->report, hd_json_text_of(v, "file"));
        step.line = step.file ? (uint32_t)hd_json_uint_of(v, "line", 0) : 0;
        hd_vec_push(&finding->steps, step);
    }
    if (finding->steps.length)
        return;
    for (const hd_json_value *v = hd_json_first(hd_json_get(from, "schedule")); v; v = v->next) {
        uint64_t number;
        if (v->kind == HD_JSON_NUMBER && hd_text_u64(v->text, strlen(v->text), &number) &&
            is_event(s, number))
            hd_report_add_event(s->report, finding, s->trace, (uint32_t)number);
    }
}

/* ---- Findings ---- */

/* In answers of 0.1 the message of a deadlock of a model begins with the rule, which is shown
 * beside it anyway. */
static const char *message_of(const hd_json_value *from, const char *rule) {
    const char *message = hd_json_text_of(from, "message");
    size_t length = strlen(rule);
    bool said =
        message && strncmp(message, rule, length) == 0 && strncmp(message + length, ": ", 2) == 0;
    return said ? message + length + 2 : message;
}

/* The rule of a finding that has none: its command's. */
static const char *rule_of(const source *s, const hd_json_value *from) {
    const char *rule = hd_json_text_of(from, "rule");
    if (rule)
        return rule;
    return strcmp(s->command, "detect") == 0 ? "state" : s->command;
}

static enum hd_report_proof proof_of(const source *s, const hd_json_value *from) {
    const char *proof = hd_json_text_of(from, "proof");
    for (int i = HD_REPORT_UNPROVED; proof && i <= HD_REPORT_REPLAYED; i++)
        if (strcmp(proof, hd_report_proof_name((enum hd_report_proof)i)) == 0)
            return (enum hd_report_proof)i;
    /* Of a program a race or deadlock is only told when a replay showed it. */
    if (hd_json_text_of(from, "way"))
        return HD_REPORT_REPLAYED;
    if (strcmp(s->command, "explore") == 0)
        return HD_REPORT_SEEN;
    const hd_json_value *schedule = hd_json_get(from, "schedule");
    return schedule && schedule->kind == HD_JSON_ARRAY ? HD_REPORT_CHECKED : HD_REPORT_UNPROVED;
}

/* An answer that is a report already says who found it. */
static void add_finders(source *s, hd_report_finding *finding, const hd_json_value *from) {
    const hd_json_value *finders = hd_json_get(from, "found_by");
    if (!finders || finders->kind != HD_JSON_ARRAY || !finders->count)
        return;
    hd_vec_clear(&finding->found_by);
    for (const hd_json_value *f = hd_json_first(finders); f; f = f->next)
        if (f->kind == HD_JSON_STRING)
            hd_vec_push(&finding->found_by, hd_report_keep(s->report, f->text));
}

static void add_finding(source *s, const hd_json_value *from) {
    const char *rule = rule_of(s, from);
    hd_report_finding *finding = hd_report_new(s->report, rule, s->command);
    add_finders(s, finding, from);
    finding->variable = hd_report_keep(s->report, hd_json_text_of(from, "variable"));
    finding->witness = hd_report_keep(s->report, hd_json_text_of(from, "witness"));
    finding->replay = hd_report_keep(s->report, hd_json_text_of(from, "replay"));
    finding->advice = hd_report_keep(s->report, hd_json_text_of(from, "advice"));
    finding->count = hd_json_uint_of(from, "count", 1);
    finding->unordered = hd_json_bool_of(from, "unordered", false);
    finding->proof = proof_of(s, from);
    uint64_t print;
    if (hd_finding_fingerprint_read(hd_json_text_of(from, "fingerprint"), &print))
        hd_vec_push(&finding->said, print);
    add_places(s, finding, from);
    add_steps(s, finding, from);
    hd_report_say(s->report, finding,
                  &(hd_report_said){.message = message_of(from, rule),
                                    .predicate = s->predicate,
                                    .of_trace = s->trace != NULL,
                                    .final = hd_json_text_of(from, "read") != NULL});
}

/* ---- The answer ---- */

/* The rows of an answer that is a report already. */
static void add_parts(source *s, const hd_json_value *parts) {
    for (const hd_json_value *p = hd_json_first(parts); p; p = p->next) {
        const char *command = hd_json_text_of(p, "command");
        const hd_json_value *seconds = hd_json_get(p, "seconds");
        if (!command)
            continue;
        hd_report_part *part = hd_report_part_of(s->report, command);
        part->inputs += hd_json_uint_of(p, "inputs", 0);
        part->complete += hd_json_uint_of(p, "complete", 0);
        part->found += hd_json_uint_of(p, "found", 0);
        part->covered |= hd_json_bool_of(p, "covered", false);
        part->detail = hd_report_keep(s->report, hd_json_text_of(p, "detail"));
        part->failed = hd_report_keep(s->report, hd_json_text_of(p, "failed"));
        if (seconds && seconds->kind == HD_JSON_NUMBER)
            part->seconds += strtod(seconds->text, NULL);
        hd_verdict_read_reasons(&part->verdict, hd_json_get(p, "why_not"));
    }
}

static bool parts_have_reasons(const hd_report *report) {
    for (size_t i = 0; i < report->parts.length; i++)
        if (!hd_verdict_complete(&report->parts.data[i].verdict))
            return true;
    return false;
}

/* The rows of a report have their own reasons.  One that was damaged, or that an earlier version
 * wrote, has them for all rows together: then they are those of the report. */
static void add_verdict(source *s, const hd_verdict *verdict, bool whole) {
    bool spread = whole && (hd_verdict_complete(verdict) || parts_have_reasons(s->report));
    if (spread && s->report->parts.length)
        hd_verdict_join_rests(&s->report->parts.data[0].verdict, verdict);
    else
        hd_verdict_join(&hd_report_part_of(s->report, s->command)->verdict, verdict);
}

static void count_answer(source *s, const hd_json_value *answer, const hd_verdict *verdict,
                         bool whole) {
    const hd_json_value *seconds = hd_json_get(answer, "seconds");
    const hd_json_value *parts = hd_json_get(hd_json_get(answer, "result"), "parts");
    if (hd_json_first(parts)) {
        add_parts(s, parts);
        add_verdict(s, verdict, whole);
        return;
    }
    const hd_json_value *findings = hd_json_get(answer, "findings");
    hd_report_count_answer(s->report, s->command, verdict, findings ? findings->count : 0,
                           seconds && seconds->kind == HD_JSON_NUMBER ? strtod(seconds->text, NULL)
                                                                      : 0);
    uint64_t executions = hd_json_uint_of(hd_json_get(answer, "result"), "executions", UINT64_MAX);
    if (executions != UINT64_MAX && strcmp(s->command, "explore") == 0)
        hd_report_part_of(s->report, s->command)->detail =
            hd_report_format(s->report, "%s", hd_text_count(executions, "execution", "executions"));
}

bool hd_report_add(hd_report *report, const hd_json_value *answer, const hd_trace *trace,
                   hd_error *error) {
    source s = {.report = report, .trace = trace, .command = hd_json_text_of(answer, "command")};
    const hd_json_value *findings = hd_json_get(answer, "findings");
    hd_report_scene_init(&s.scene, trace);
    if (!hd_json_text_of(answer, "heddle") || !s.command || !findings)
        return hd_error_set(error, "%s",
                            "not an answer of heddle: 'heddle', 'command' or "
                            "'findings' is missing");
    if (strcmp(s.command, "test") == 0 && hd_json_get(hd_json_get(answer, "result"), "names"))
        return hd_error_set(error, "%s", "a list of tests (--list), none of which was run");
    s.command = hd_report_keep(report, s.command);
    s.input = hd_report_keep(report, hd_json_text_of(hd_json_get(answer, "input"), "file"));
    s.predicate =
        hd_report_keep(report, hd_json_text_of(hd_json_get(answer, "result"), "predicate"));
    hd_verdict verdict;
    bool whole = hd_verdict_read(&verdict, answer);
    count_answer(&s, answer, &verdict, whole);
    hd_verdict_release(&verdict);
    for (const hd_json_value *f = hd_json_first(findings); f && !hd_clock_over(); f = f->next)
        if (f->kind == HD_JSON_OBJECT)
            add_finding(&s, f);
    hd_report_scene_release(&s.scene);
    return true;
}
