/*
 * What verdicts about traces and programs have in common.
 */
#include "engine_verdict.h"

#include <string.h>

#include "launch/launch.h"

/* ---- Traces ---- */

static void rest_on_order(hd_verdict *verdict, uint64_t guessed, uint64_t unexplained) {
    hd_verdict_rests(verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "the events of one recorded run, reordered; other branches are not asked");
    if (!guessed)
        return;
    hd_verdict_basis *basis = hd_verdict_rests(verdict, "guessed-order", NULL, HD_VERDICT_SHAKY,
                                               "threads ran freely: the order of %s was guessed",
                                               hd_text_count(guessed, "access", "accesses"));
    hd_verdict_figure(basis, "guessed", guessed);
    hd_verdict_figure(basis, "unexplained", unexplained);
}

static void damaged(hd_verdict *verdict, bool incomplete, uint64_t lost) {
    if (incomplete && lost)
        hd_verdict_not(verdict, "damaged", "the trace is incomplete: %s lost",
                       hd_text_count(lost, "event", "events"));
    else if (incomplete)
        hd_verdict_not(verdict, "damaged", "the trace is incomplete");
}

void hd_engine_verdict_stopped(hd_verdict *verdict, const char *fault) {
    if (*fault)
        hd_verdict_not(
            verdict, "cut",
            "a run was stopped at a failure, and what would have followed was not looked at: %s",
            fault);
}

void hd_engine_verdict_late(hd_verdict *verdict, bool late) {
    if (late && hd_clock_look() == HD_CLOCK_STOPPED)
        hd_verdict_not(verdict, "interrupted", "interrupted before all of the trace was read");
    else if (late)
        hd_verdict_not(verdict, "limit",
                       "stopped by the limit on time before all of the trace was read");
}

/* What was doubtful in the run. */
static void note_end(hd_verdict *verdict, const hd_trace_end *end) {
    for (size_t i = 0; i < end->notes.length; i++)
        hd_verdict_note(verdict, end->notes.data[i].code, "%s", end->notes.data[i].text);
}

/* What would have followed if the run had not ended where it did. */
static void judge_end(hd_verdict *verdict, const hd_trace_end *end) {
    if (!hd_trace_end_early(end))
        return;
    hd_vec_char text = {0};
    hd_trace_end_describe(end, &text);
    hd_verdict_not(verdict, "cut", "the run did not come to its end: %s", text.data);
    hd_vec_release(&text);
}

/* The events that are there; NULL after the last one. */
static const heddle_event *event_there(const hd_trace *trace, size_t i) {
    if (trace->sparse)
        return i < trace->kept.length ? hd_trace_event(trace, trace->kept.data[i]) : NULL;
    return i < hd_trace_length(trace) ? hd_trace_event(trace, (uint32_t)i + 1) : NULL;
}

/* What the program said by annotations: accesses that are exempt, and orders. */
static void rest_on_annotations(hd_verdict *verdict, const hd_trace *trace) {
    const hd_names *variables = &trace->tables.names[HEDDLE_CLASS_VARIABLE];
    hd_verdict_basis *basis = NULL;
    uint64_t exempt = trace->exempt;
    const heddle_event *event;
    for (size_t i = 0; (event = event_there(trace, i)) != NULL; i++)
        exempt += hd_trace_is_exempt(event);
    if (exempt) {
        basis = hd_verdict_rests(verdict, "annotations", "exempt-accesses", HD_VERDICT_FIRM,
                                 "races of %s that annotations exempt are not reported",
                                 hd_text_count(exempt, "access", "accesses"));
        hd_verdict_figure(basis, "exempt", exempt);
    }
    hd_bits named;
    hd_bits_init(&named, variables->length);
    for (size_t i = 0; exempt && (event = event_there(trace, i)) != NULL; i++) {
        if (!hd_trace_is_exempt(event) || hd_bits_has(&named, event->object))
            continue;
        hd_bits_set(&named, event->object);
        hd_verdict_name(basis, hd_trace_object_name(&trace->tables, event));
    }
    hd_bits_release(&named);
    if (trace->end.told_orders)
        hd_verdict_rests(verdict, "annotations", "orders", HD_VERDICT_FIRM,
                         "annotations say what orders threads: accesses that only they order "
                         "are not races");
}

/* Calls of functions that are not known by all that they access. */
static void rest_on_module(hd_verdict *verdict, const hd_trace_end *end, size_t first) {
    const hd_trace_unseen *list = end->unseen.data;
    size_t count = 0;
    for (size_t i = 0; i < end->unseen.length; i++)
        if (strcmp(list[i].module, list[first].module) == 0 && count++ == 0 && i < first)
            return;
    if (strcmp(list[first].function, "others") == 0 &&
        strcmp(list[first].module, "libraries") == 0) { /* recording_end.c */
        hd_verdict_rests(verdict, "unseen-code", "libraries", HD_VERDICT_SHAKY,
                         "more functions were called than a recording names, and not all that "
                         "they access is in it");
        return;
    }
    hd_verdict_basis *basis =
        count == 1 ? hd_verdict_rests(verdict, "unseen-code", list[first].module, HD_VERDICT_SHAKY,
                                      "not all that %s of %s accesses is in the recording",
                                      list[first].function, list[first].module)
                   : hd_verdict_rests(verdict, "unseen-code", list[first].module, HD_VERDICT_SHAKY,
                                      "not all that %s and %s of %s access is in the recording",
                                      list[first].function,
                                      hd_text_count(count - 1, "other function", "other functions"),
                                      list[first].module);
    hd_verdict_figure(basis, "functions", count);
    for (size_t i = first; i < end->unseen.length; i++)
        if (strcmp(list[i].module, list[first].module) == 0)
            hd_verdict_name(basis, list[i].function);
}

/* "FILE:LINE" is where a function of the program itself is. */
static bool is_place(const char *text) {
    const char *colon = strrchr(text, ':');
    return colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

static void rest_on_functions(hd_verdict *verdict, const hd_trace_end *end) {
    const hd_trace_unseen *list = end->unseen.data;
    hd_vec_char text = {0};
    size_t count = 0, first = 0;
    for (size_t i = 0; i < end->unseen.length; i++)
        if (is_place(list[i].module) && count++ == 0)
            first = i;
    if (!count)
        return;
    hd_verdict_basis *basis = hd_verdict_rests(
        verdict, "unseen-access", "functions", HD_VERDICT_SHAKY,
        "%zu function%s with inline assembly or the like, or without instrumentation (%s %s%s): "
        "what memory %s is not in the recording",
        count, count == 1 ? "" : "s", list[first].function, list[first].module,
        count == 1 ? "" : ", ...", count == 1 ? "it uses" : "they use");
    hd_verdict_figure(basis, "functions", count);
    for (size_t i = first; i < end->unseen.length; i++)
        if (is_place(list[i].module)) {
            hd_vec_clear(&text);
            hd_trace_end_print_unseen(&list[i], &text);
            hd_verdict_name(basis, text.data);
        }
    hd_vec_release(&text);
}

/* A file of the program; true if the entry is one. */
static bool rest_on_file(hd_verdict *verdict, const hd_trace_unseen *it) {
    bool mute = strcmp(it->function, "?") == 0;
    if (!mute && strcmp(it->function, "*") != 0)
        return false;
    hd_verdict_rests(verdict, "unseen-code", it->module, HD_VERDICT_SHAKY,
                     mute ? "%s has no debug information: objects that were linked in without "
                            "instrumentation would not be noticed"
                          : "%s, or a part of it, was linked in without instrumentation: what it "
                            "does is not in the recording",
                     it->module);
    return true;
}

static void rest_on_calls(hd_verdict *verdict, const hd_trace_end *end) {
    for (size_t i = 0; i < end->unseen.length; i++)
        if (!is_place(end->unseen.data[i].module) && !rest_on_file(verdict, &end->unseen.data[i]))
            rest_on_module(verdict, end, i);
    rest_on_functions(verdict, end);
}

static bool is_code(const char *name) {
    const hd_verdict_code *code = hd_verdict_codes();
    while (code->name && strcmp(code->name, name) != 0)
        code++;
    return code->name != NULL;
}

/* The file may be from a later heddle, which has more codes. */
void hd_engine_verdict_doubts(hd_verdict *verdict, const hd_trace_end *end,
                              enum hd_verdict_trust trust) {
    for (size_t i = 0; i < end->doubts.length; i++) {
        const hd_trace_doubt *doubt = &end->doubts.data[i];
        if (is_code(doubt->code))
            hd_verdict_rests(verdict, doubt->code, doubt->what, trust, "%s", doubt->text);
        else
            hd_verdict_rests(verdict, "recording", doubt->code, trust, "%s", doubt->text);
    }
}

/* `answers`: a deadlock that the run ended in is itself an answer to the question. */
static void rest_on_recording(hd_verdict *verdict, const hd_trace *trace, bool answers) {
    damaged(verdict, trace->incomplete, trace->lost);
    hd_engine_verdict_late(verdict, trace->late);
    note_end(verdict, &trace->end);
    if (!answers || trace->end.how != HD_TRACE_END_DEADLOCK)
        judge_end(verdict, &trace->end);
    if (trace->loset)
        hd_verdict_rests(verdict, "recording", NULL, HD_VERDICT_FIRM,
                         "the events and the order that the file gives");
    else
        rest_on_order(verdict, trace->guessed, trace->unexplained);
    hd_engine_verdict_doubts(verdict, &trace->end, HD_VERDICT_SHAKY);
    rest_on_annotations(verdict, trace);
    rest_on_calls(verdict, &trace->end);
}

void hd_engine_verdict_recording(hd_verdict *verdict, const hd_trace *trace) {
    rest_on_recording(verdict, trace, false);
}

void hd_engine_verdict_deadlocks(hd_verdict *verdict, const hd_trace *trace) {
    rest_on_recording(verdict, trace, true);
}

void hd_engine_verdict_cursor(hd_verdict *verdict, const hd_trace_cursor *cursor) {
    damaged(verdict, hd_trace_cursor_incomplete(cursor), hd_trace_cursor_lost(cursor));
    hd_engine_verdict_late(verdict, hd_trace_cursor_late(cursor));
    note_end(verdict, hd_trace_cursor_end(cursor));
    judge_end(verdict, hd_trace_cursor_end(cursor));
    rest_on_order(verdict, hd_trace_cursor_guessed(cursor), hd_trace_cursor_unexplained(cursor));
    hd_engine_verdict_doubts(verdict, hd_trace_cursor_end(cursor), HD_VERDICT_SHAKY);
    rest_on_calls(verdict, hd_trace_cursor_end(cursor));
}

void hd_engine_verdict_reading(hd_verdict *verdict, const char *asked, bool incomplete,
                               uint64_t lost) {
    hd_verdict_init(verdict, asked);
    damaged(verdict, incomplete, lost);
    hd_verdict_rests(verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "the events that are in the file");
}

/* ---- Programs ---- */

static void rest_on_sizes(hd_verdict *verdict) {
    if (hd_launch_old_narrow())
        hd_verdict_rests(verdict, "data-model", NULL, HD_VERDICT_SHAKY,
                         "the source was preprocessed for 32 bits, and ran with 64: long and "
                         "pointers are larger");
}

void hd_engine_verdict_inputs(hd_verdict *verdict, hd_engine_words words, bool reads_input) {
    const char *input = reads_input ? "standard input as given" : "empty standard input";
    hd_verdict_basis *basis =
        words.count ? hd_verdict_rests(verdict, "inputs", NULL, HD_VERDICT_FIRM,
                                       "%s, %s, this environment and these files",
                                       hd_text_count(words.count, "argument", "arguments"), input)
                    : hd_verdict_rests(verdict, "inputs", NULL, HD_VERDICT_FIRM,
                                       "no arguments, %s, this environment and these files", input);
    hd_verdict_figure(basis, "arguments", words.count);
    rest_on_sizes(verdict);
}

void hd_engine_note_incomplete(const char *name, bool incomplete, uint64_t lost) {
    char count[32];
    const char *shown = strcmp(name, "-") == 0 ? "standard input" : hd_text_name(name);
    if (incomplete && lost)
        hd_log_write(HD_LOG_WARNING, "%s: incomplete trace, %s events lost", shown,
                     hd_text_grouped(count, lost));
    else if (incomplete)
        hd_log_write(HD_LOG_WARNING, "%s: incomplete trace", shown);
}

static void rest_on_suppressions(hd_verdict *verdict, const hd_finding_filter *filter,
                                 const char *one, const char *many) {
    hd_verdict_basis *basis = hd_verdict_rests(
        verdict, "suppressions", NULL, HD_VERDICT_FIRM, "%s: suppressions name %s",
        hd_text_count(filter->suppressed, one, many), filter->suppressed == 1 ? "it" : "them");
    hd_verdict_figure(basis, "suppressed", filter->suppressed);
    for (size_t i = 0; i < filter->rules.length; i++)
        if (filter->rules.data[i].used)
            hd_verdict_name(basis, filter->rules.data[i].line);
}

void hd_engine_verdict_left_out(hd_verdict *verdict, const hd_finding_filter *filter,
                                const char *one, const char *many) {
    if (filter->suppressed)
        rest_on_suppressions(verdict, filter, one, many);
    for (size_t i = 0; i < filter->rules.length; i++)
        if (!filter->rules.data[i].used)
            hd_verdict_note(verdict, "suppression-unused", "this suppression named no finding: %s",
                            filter->rules.data[i].line);
}

void hd_engine_verdict_filter(hd_verdict *verdict, const hd_finding_filter *filter) {
    hd_engine_verdict_left_out(verdict, filter, "finding is not reported",
                               "findings are not reported");
}
