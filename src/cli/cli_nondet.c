/*
 * heddle nondet: can a read see another write?  Of a program: do all schedules end alike?
 */
#include "cli_nondet.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli_ask.h"
#include "cli_keep.h"

enum {
    PAPER = HD_CLI_OWN,
    ALL,
    VALUES,
    VARIABLE,
    THREAD,
    LOCATION,
    READS,
    SUMMARY,
    OUTPUT,
    HTML,
    EFFORT,
    EXECUTIONS,
    DEPTH,
    THREADS,
    INPUTS,
    VOLATILE,
    SUPPRESSIONS,
    ACCEPT,
    CHECKPOINT,
    RESUME,
    CHECKPOINT_EVERY,
    MPI
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"paper", 0, NULL, "decide as published: witness order graphs, then choice graphs"},
    {"all", 0, NULL, "list every feasible witness, not one for each read; every outcome"},
    {"values", 0, NULL, "only reads that can see another value"},
    {"variable", 0, "NAME", "only reads of this variable"},
    {"thread", 0, "NAME", "only reads by this thread"},
    {"location", 0, "TEXT", "only reads at this location"},
    {"reads", 0, NULL, "stop at the first witness of each read"},
    {"summary", 0, NULL, "print only counts, no findings"},
    {"witness", 'o', "FILE", "save the printed schedules, in FILE, FILE.2, ..."},
    HD_CLI_HTML,
    {"effort", 0, "N", "work for one question, in thousands of steps; 0: no limit"},
    {"executions", 0, "N", "programs: stop after N executions"},
    {"depth", 0, "N", "programs: cut a thread off after N steps"},
    {"threads", 'j', "K", "workers (default: one for each processor)"},
    HD_CLI_INPUTS,
    HD_CLI_VOLATILE,
    {"suppressions", 0, "FILE", "leave out reads, marks and output that a rule in FILE names"},
    HD_CLI_ACCEPT,
    HD_CLI_KEEP,
    {0},
};

/* ---- Options ---- */

static bool find_name(const hd_cli_nondet_answer *answer, int row, enum heddle_class class,
                      uint32_t *id) {
    const char *name = answer->arguments->values[row];
    if (!name)
        return true;
    *id = hd_names_find(&answer->trace.tables.names[class], name, strlen(name));
    if (*id != HD_NAMES_NONE)
        return true;
    hd_cli_fail("%s: there is no %s '%s'", hd_text_name(answer->path), hd_trace_classes[class].name,
                hd_text_name(name));
    return false;
}

static bool read_options(hd_cli_nondet_answer *answer, uint64_t *effort) {
    const hd_cli_arguments *arguments = answer->arguments;
    hd_nondet_options *o = &answer->r.options;
    hd_nondet_options_init(o);
    o->paper = hd_cli_given(arguments, PAPER);
    o->all = hd_cli_given(arguments, ALL);
    o->values = hd_cli_given(arguments, VALUES);
    o->reads = hd_cli_given(arguments, READS);
    o->count_only = hd_cli_given(arguments, SUMMARY);
    if (!hd_cli_witness(arguments, OUTPUT, &answer->output))
        return false;
    if (o->paper && hd_cli_given(arguments, MPI)) {
        hd_cli_usage(arguments, "--paper has one process; leave out --mpi");
        return false;
    }
    if (o->paper && o->values) {
        hd_cli_usage(arguments, "--paper knows no values; leave out --values");
        return false;
    }
    if (o->reads && (o->paper || o->all || o->values)) {
        hd_cli_usage(arguments, "--reads is exact, with one witness a read: leave out --%s",
                     o->paper ? "paper"
                     : o->all ? "all"
                              : "values");
        return false;
    }
    double seconds;
    uint64_t workers;
    if (!hd_cli_number(arguments, THREADS, hd_pool_cores(), 1, HD_CLI_MOST_WORKERS, &workers) ||
        !hd_cli_number(arguments, EFFORT, 2000000, 0, UINT32_MAX, effort) ||
        !hd_cli_seconds(arguments, HD_CLI_TIME, 0, &seconds))
        return false;
    o->workers = (unsigned)workers;
    o->deadline = hd_cli_given(arguments, HD_CLI_TIME) ? arguments->started + seconds : 0;
    return true;
}

static bool read_filters(hd_cli_nondet_answer *answer) {
    hd_nondet_options *o = &answer->r.options;
    return find_name(answer, VARIABLE, HEDDLE_CLASS_VARIABLE, &o->variable) &&
           find_name(answer, THREAD, HEDDLE_CLASS_THREAD, &o->thread) &&
           find_name(answer, LOCATION, HEDDLE_CLASS_LOCATION, &o->location);
}

bool hd_cli_nondet_suppressions(const hd_cli_arguments *arguments, int row,
                                hd_finding_filter *filter) {
    hd_error error = {""};
    const char *file = hd_cli_suppressions(arguments, row);
    if (!file || hd_finding_suppressions_load(filter, file, &error))
        return true;
    hd_cli_fail("%s", error.text);
    return false;
}

/* Asks all questions; the verdict then is what will be shown. */
static bool ask(hd_cli_nondet_answer *answer, hd_finding_sink *sink, void *context,
                hd_error *error) {
    answer->r.trace = &answer->trace;
    answer->r.each = sink;
    answer->r.context = context;
    hd_engine_question question = {.what = HD_ENGINE_NONDET,
                                   .path = answer->path,
                                   .trace = &answer->trace,
                                   .whole.reads = &answer->r};
    return hd_cli_ask(answer->arguments, &question, error);
}

/* ---- Text ---- */

/* Findings on their way out, one by one. */
struct stream {
    hd_cli_nondet_answer *answer;
    hd_json *json; /* NULL: text */
    size_t count;
    hd_error *error; /* of saving */
    bool failed;
};

static int put(void *context, hd_finding *finding) {
    struct stream *stream = context;
    if (!hd_cli_list_goes_on())
        return 1;
    if (!hd_engine_finding_save(stream->answer->output, stream->answer->path,
                                &stream->answer->trace, finding, stream->count, stream->error)) {
        stream->failed = true; /* which is told after the list */
        stream->answer->output = NULL;
    }
    if (stream->json)
        hd_cli_nondet_write_finding(stream->answer, finding, stream->count, stream->json);
    else
        hd_cli_nondet_print_finding(stream->answer, finding, stream->count);
    hd_cli_page_finding(&stream->answer->page, finding);
    stream->count++;
    return 0;
}

static bool stream_findings(hd_cli_nondet_answer *answer, hd_cli_answer *out, hd_error *error) {
    struct stream stream = {.answer = answer, .json = out ? &out->json : NULL, .error = error};
    uint64_t again = 0;
    if (!hd_engine_reads_found(&answer->r.result))
        return true;
    hd_file_batch_begin();
    bool good = hd_engine_reads_tell(&answer->r, put, &stream, &again, error);
    if (!hd_file_batch_end(stream.failed ? NULL : error) || stream.failed)
        return false;
    return hd_cli_list_is_cut(out, answer->path, "findings", stream.count,
                              again >= hd_engine_reads_asked(&answer->r.result)) ||
           good;
}

static bool print_all(hd_cli_nondet_answer *answer, hd_error *error) {
    bool summary = answer->r.options.count_only;
    answer->r.many = !summary;
    if (!ask(answer, NULL, NULL, error))
        return false;
    hd_cli_nondet_print(answer);
    return summary || stream_findings(answer, NULL, error);
}

/* One for each place in the program and variable is few enough to keep. */
static bool print_places(hd_cli_nondet_answer *answer, hd_error *error) {
    struct stream stream = {.answer = answer, .error = error};
    answer->r.options.grouped = true;
    if (!ask(answer, hd_finding_list_add, &answer->findings, error))
        return false;
    hd_cli_nondet_print(answer);
    size_t i = 0, count = answer->findings.found.length;
    hd_file_batch_begin();
    while (i < count && !put(&stream, &answer->findings.found.data[i]))
        i++;
    if (!hd_file_batch_end(stream.failed ? NULL : error) || stream.failed)
        return false;
    hd_cli_list_is_cut(NULL, answer->path, "findings", i, i == count);
    return true;
}

static int answer_as_text(hd_cli_nondet_answer *answer) {
    hd_error error = {""};
    bool good = answer->r.options.all ? print_all(answer, &error) : print_places(answer, &error);
    if (!good)
        return hd_cli_fail("%s: %s", hd_text_name(answer->path), error.text);
    return hd_verdict_status(&answer->r.verdict);
}

/* ---- JSON ---- */

static int answer_as_json(hd_cli_nondet_answer *answer) {
    hd_error error = {""};
    hd_cli_answer out;
    bool summary = answer->r.options.count_only;
    answer->r.many = !summary;
    if (!ask(answer, NULL, NULL, &error))
        return hd_cli_fail("%s: %s", hd_text_name(answer->path), error.text);
    if (!hd_cli_json_begin(&out, answer->arguments, answer->path, &answer->r.verdict))
        return HD_CLI_BAD;
    hd_cli_nondet_write_result(answer, &out.json);
    hd_cli_json_findings(&out);
    int status = hd_verdict_status(&answer->r.verdict);
    if (!summary && !stream_findings(answer, &out, &error))
        status = hd_cli_fail("%s: %s", hd_text_name(answer->path), error.text);
    return hd_cli_json_end(&out, status);
}

/* ---- For the lead ---- */

static int drop(void *context, hd_finding *finding) {
    (void)context;
    (void)finding;
    return 0;
}

/* The same questions in the same order. */
static int serve(hd_cli_nondet_answer *answer) {
    hd_nondet_options *o = &answer->r.options;
    hd_error error = {""};
    bool summary = o->count_only;
    bool counts = o->all || hd_cli_given(answer->arguments, HD_CLI_JSON);
    uint64_t again;
    o->grouped = !counts;
    answer->r.many = counts && !summary;
    return ask(answer, counts ? NULL : drop, NULL, &error) &&
                   (!counts || summary ||
                    hd_engine_reads_tell(&answer->r, drop, NULL, &again, &error))
               ? 0
               : HD_CLI_BAD;
}

/* With the page, if one is wanted. */
static int answer_all(hd_cli_nondet_answer *answer) {
    const hd_cli_arguments *arguments = answer->arguments;
    if (!hd_cli_page_begin(&answer->page, arguments, HTML, answer->path, &answer->trace))
        return HD_CLI_BAD;
    int status =
        hd_cli_given(arguments, HD_CLI_JSON) ? answer_as_json(answer) : answer_as_text(answer);
    hd_json *json = NULL;
    if (status != HD_CLI_BAD)
        json = hd_cli_page_result(&answer->page, &answer->r.verdict);
    if (json)
        hd_cli_nondet_write_result(answer, json);
    return hd_cli_page_end(&answer->page, status);
}

/* What is for traces or for programs only. */
static bool check_input(const hd_cli_arguments *arguments, bool program) {
    static const int of_traces[] = {PAPER,    VALUES, VARIABLE, THREAD,
                                    LOCATION, READS,  SUMMARY,  EFFORT};
    static const int of_programs[] = {EXECUTIONS, DEPTH,  INPUTS,          VOLATILE,
                                      CHECKPOINT, RESUME, CHECKPOINT_EVERY};
    const int *others = program ? of_traces : of_programs;
    size_t count =
        program ? sizeof of_traces / sizeof *of_traces : sizeof of_programs / sizeof *of_programs;
    for (size_t i = 0; i < count; i++)
        if (hd_cli_given(arguments, others[i])) {
            hd_cli_usage(arguments, "--%s is for %s", options[others[i]].name,
                         program ? "traces" : "programs");
            return false;
        }
    if (program || arguments->operand_count < 2)
        return true;
    hd_cli_usage(arguments, "one word too many: '%s'", hd_text_name(arguments->operands[1]));
    return false;
}

static int run_program(const hd_cli_arguments *arguments) {
    hd_cli_nondet_rows rows = {.all = ALL,
                               .output = OUTPUT,
                               .html = HTML,
                               .executions = EXECUTIONS,
                               .depth = DEPTH,
                               .threads = THREADS,
                               .inputs = INPUTS,
                               .suppressions = SUPPRESSIONS,
                               .checkpoint = CHECKPOINT};
    return hd_cli_nondet_program(arguments, &rows);
}

static int run(const hd_cli_arguments *arguments) {
    bool program = hd_engine_is_program(arguments->operands[0]);
    if (!check_input(arguments, program))
        return HD_CLI_BAD;
    if (program)
        return hd_cli_volatile(arguments, VOLATILE) ? run_program(arguments) : HD_CLI_BAD;
    hd_cli_nondet_answer answer = {.arguments = arguments, .path = arguments->operands[0]};
    hd_error error = {""};
    uint64_t effort;
    int status = HD_CLI_BAD;
    if (!hd_cli_crew(arguments, MPI) || !read_options(&answer, &effort)) {
        hd_cli_team_over(status, false, &error);
        return status;
    }
    answer.r.options.limit = effort * 1000;
    if (!hd_trace_load(&answer.trace, answer.path, HD_TRACE_TIMED, &error)) {
        status = hd_cli_fail("%s", error.text);
        hd_cli_team_over(status, false, &error);
        return status;
    }
    hd_report_scene_init(&answer.scene, &answer.trace);
    hd_finding_list_init(&answer.findings, 0);
    hd_cli_note_trace(answer.path, &answer.trace);
    if (read_filters(&answer) &&
        hd_cli_nondet_suppressions(arguments, SUPPRESSIONS, &answer.r.filter))
        status = hd_cli_serves() ? serve(&answer) : answer_all(&answer);
    hd_cli_team_over(status, status != HD_CLI_BAD, &error);
    hd_finding_list_release(&answer.findings);
    hd_engine_reads_release(&answer.r);
    hd_report_scene_release(&answer.scene);
    hd_trace_release(&answer.trace);
    return status;
}

const hd_cli_command hd_cli_nondet = {
    .name = "nondet",
    .operands = "TRACE|PROGRAM|SOURCE [ARGUMENT]...",
    .summary = "Find what depends on the schedule",
    .details =
        "Of a program: explores its schedules and compares what they print, return and mark.\n"
        "Two that differ are shown.  Status 0: all are the same, the search was complete and no\n"
        "assumption is shaky; 1: two differ; 3: no difference was found, but that is no proof.\n"
        "\n"
        "Of a trace: looks at all reorderings of TRACE (doc/witness.md) in which every other read "
        "sees\n"
        "what it saw.  Each read that can see another write is shown with a checked schedule.\n"
        "Status 0: all reads are deterministic; 1: some are not; 3: nothing was found, but\n"
        "that is no proof.",
    .options = options,
    .least = 1,
    .most = INT_MAX,
    .run = run,
};
