/*
 * heddle slice: the part of a trace that a predicate leaves.
 */
#include <string.h>

#include "cli_cut.h"
#include "cli_detect.h"
#include "cli_verdict.h"

enum { OUTPUT = HD_CLI_OWN };

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"output", 'o', "FILE", "the file, whose name ends in .loset (standard output)"},
    {0},
};

static int fail(const hd_engine_slice *s, const char *path, const hd_error *error) {
    if (s->wrong.error.text[0])
        return hd_cli_detect_fail(s->text, &s->wrong);
    return hd_cli_fail("%s: %s", hd_text_name(path), error->text);
}

static bool save(const hd_engine_slice *s, const char *path, const char *output, hd_error *error) {
    hd_vec_char comment = {0};
    static const char between[] = " for ";
    for (const char *c = hd_text_name(path); *c; c++)
        hd_vec_push(&comment, *c);
    for (const char *c = between; *c; c++)
        hd_vec_push(&comment, *c);
    for (const char *c = s->text; *c; c++)
        hd_vec_push(&comment, (unsigned char)*c < ' ' ? ' ' : *c);
    hd_vec_push(&comment, '\0');
    bool good = hd_trace_loset_save(&s->slicing.trace, comment.data, output, error);
    hd_vec_release(&comment);
    return good;
}

static const char *what(const hd_predicate_slicing *slicing) {
    return slicing->regular ? "exactly the states in which it is true"
                            : "the smallest sublattice that has all states in which it is true";
}

static void print_text(const hd_engine_slice *s, const char *path, const char *output) {
    const hd_predicate_slicing *slicing = &s->slicing;
    if (!slicing->complete) {
        printf("%s: no slice for %s\n", hd_text_name(path), s->text);
    } else if (slicing->empty) {
        printf("%s: true in no state, so there is no slice: %s\n", hd_text_name(path), s->text);
    } else {
        printf("%s: the slice of %s for %s\n", hd_text_name(output), hd_text_name(path), s->text);
        printf("  states     %s\n", what(slicing));
        printf("  events     %u of %u, in %llu steps\n", hd_trace_length(&slicing->trace),
               hd_trace_length(s->trace), (unsigned long long)slicing->steps);
        printf("  predicate  %s%s\n", slicing->class,
               slicing->enumerated ? "; all states in which it is true were gone through" : "");
    }
    hd_cli_verdict_print(&s->verdict, 10);
}

static int status_of(const hd_engine_slice *s) {
    int status = hd_verdict_status(&s->verdict);
    return status == HD_CLI_OK && s->slicing.empty ? HD_CLI_FOUND : status;
}

static int write_json(const hd_cli_arguments *arguments, const hd_engine_slice *s,
                      const char *output) {
    const hd_predicate_slicing *slicing = &s->slicing;
    hd_cli_answer answer;
    if (!hd_cli_json_begin(&answer, arguments, arguments->operands[0], &s->verdict))
        return HD_CLI_BAD;
    hd_json_text(&answer.json, "predicate", s->text);
    hd_json_text(&answer.json, "predicate_class", slicing->class);
    hd_json_bool(&answer.json, "empty", slicing->empty);
    if (slicing->complete && !slicing->empty) {
        hd_json_text(&answer.json, "output", output);
        hd_json_bool(&answer.json, "regular", slicing->regular);
        hd_json_uint(&answer.json, "events", hd_trace_length(&slicing->trace));
        hd_json_uint(&answer.json, "steps", slicing->steps);
    }
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, status_of(s));
}

static int slice(const hd_cli_arguments *arguments, const hd_trace *trace, const char *output) {
    hd_error error = {""};
    hd_engine_slice s = {
        .trace = trace, .text = arguments->operands[1], .memory = hd_engine_states_memory()};
    const char *path = arguments->operands[0];
    bool good = hd_engine_slice_run(&s, &error);
    if (good && s.slicing.complete && !s.slicing.empty)
        good = save(&s, path, output, &error);
    int status = HD_CLI_BAD;
    bool quiet = strcmp(output, "-") == 0 && s.slicing.complete && !s.slicing.empty;
    if (!good) {
        status = fail(&s, path, &error);
    } else if (hd_cli_given(arguments, HD_CLI_JSON)) {
        status = write_json(arguments, &s, output);
    } else {
        if (!quiet)
            print_text(&s, path, output);
        status = hd_cli_flush(status_of(&s));
    }
    hd_engine_slice_release(&s);
    return status;
}

static int run(const hd_cli_arguments *arguments) {
    hd_error error = {""};
    hd_trace trace = {0};
    const char *output = hd_cli_given(arguments, OUTPUT) ? arguments->values[OUTPUT] : "-";
    bool standard = strcmp(output, "-") == 0;
    if (!standard && !hd_trace_is_loset(output))
        return hd_cli_usage(arguments, "--output: a slice is a loset, whose file ends in .loset");
    if (standard && hd_cli_given(arguments, HD_CLI_JSON))
        return hd_cli_usage(arguments, "--json wants an --output other than -");
    if (!hd_trace_load(&trace, arguments->operands[0], HD_TRACE_TIMED, &error))
        return hd_cli_fail("%s", error.text);
    hd_cli_note_trace(arguments->operands[0], &trace);
    int status = slice(arguments, &trace, output);
    hd_trace_release(&trace);
    return status;
}

const hd_cli_command hd_cli_slice = {
    .name = "slice",
    .operands = "TRACE PREDICATE",
    .summary = "Write the part of a trace in which a predicate can be true",
    .details =
        "Writes the slice of TRACE for PREDICATE (doc/detect.md): the smallest sublattice of\n"
        "its consistent states that has all states in which PREDICATE is true.  'heddle\n"
        "states' and 'heddle detect' read it.\n"
        "Status 0: written; 1: the predicate is true in no state, and nothing is written.",
    .options = options,
    .least = 2,
    .most = 2,
    .run = run,
};
