/*
 * heddle race: can two accesses collide?
 */
#include "cli_race.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli_drive.h"

enum {
    METHOD = HD_CLI_OWN,
    ALL,
    SUMMARY,
    OUTPUT,
    HTML,
    EFFORT,
    SUPPRESSIONS,
    BASELINE,
    SEEDS,
    EXECUTIONS,
    TIME,
    NO_PREDICT,
    NO_EXTEND,
    NO_HINT,
    KEEP_T1
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"method", 'm', "NAME", "how to look; the methods are below"},
    {"all", 0, NULL, "every pair of events, not one for each pair of places"},
    {"summary", 0, NULL, "counts only, no findings"},
    {"witness", 'o', "FILE", "save the schedules printed; of several, FILE, FILE.2, ..."},
    HD_CLI_HTML,
    {"effort", 0, "N", "work for one question, in millions of steps; 0: no limit"},
    {"suppressions", 0, "FILE", "pass over what its rules name, but count it"},
    {"baseline", 0, "FILE", "only what is not in FILE, an earlier --json answer"},
    {"seeds", 0, "N", "of a program: start from so many runs, of schedules 0 to N - 1 (8)"},
    {"executions", 0, "N", "of a program: of one search, at most (1000); 0: no limit"},
    {"time", 0, "TIME", "of a program: for one search, at most (10s)"},
    {"no-predict", 0, NULL, "of a program: only the stages of the paper, without the solver"},
    {"no-extend", 0, NULL, "likewise, without the longer prefix of stage III"},
    {"no-hint", 0, NULL, "likewise, and the second thread is not preferred (table 3)"},
    {"keep-t1", 0, NULL, "likewise, and the first thread is not left out (table 5)"},
    {0},
};

const char *const hd_cli_race_methods[HD_RACE_METHODS] = {
    [HD_RACE_PREDICTIVE] = "predictive",
    [HD_RACE_HB] = "hb",
    [HD_RACE_SHB] = "shb",
    [HD_RACE_LOCKSET] = "lockset",
    [HD_RACE_LOCKSET_PLAIN] = "lockset-plain",
};

static void more_help(FILE *to) {
    fputs("\nMethods:", to);
    for (int i = 0; i < HD_RACE_METHODS; i++)
        fprintf(to, " %s", hd_cli_race_methods[i]);
    fputs(" (default: predictive)\n", to);
}

/* ---- Options ---- */

static bool read_method(hd_cli_race_answer *answer) {
    const char *name = answer->arguments->values[METHOD];
    for (int i = 0; name && i < HD_RACE_METHODS; i++)
        if (strcmp(name, hd_cli_race_methods[i]) == 0) {
            answer->options.method = (enum hd_race_method)i;
            return true;
        }
    if (name)
        hd_cli_usage(answer->arguments, "there is no method '%s'", hd_cli_name(name));
    return !name;
}

static bool read_options(hd_cli_race_answer *answer) {
    const hd_cli_arguments *arguments = answer->arguments;
    uint64_t effort;
    hd_race_options_init(&answer->options);
    answer->options.all = hd_cli_given(arguments, ALL);
    answer->output = arguments->values[OUTPUT];
    if (answer->output && strcmp(answer->output, "-") == 0) {
        hd_cli_usage(arguments, "--witness wants a file, standard output has the answer");
        return false;
    }
    if (!read_method(answer) || !hd_cli_number(arguments, EFFORT, 2000, 0, UINT32_MAX, &effort))
        return false;
    if (answer->output && answer->options.method != HD_RACE_PREDICTIVE) {
        hd_cli_usage(arguments, "only the method predictive has schedules to save");
        return false;
    }
    answer->options.limit = effort * 1000000;
    return true;
}

/* Suppressions and baseline: what both traces and programs have. */
static bool read_filter(const hd_cli_arguments *arguments, hd_finding_filter *filter) {
    hd_error error = {""};
    const char *rules = arguments->values[SUPPRESSIONS], *before = arguments->values[BASELINE];
    if ((!rules || hd_finding_suppressions_load(filter, rules, &error)) &&
        (!before || hd_finding_baseline_load(filter, before, &error)))
        return true;
    hd_cli_fail("%s", error.text);
    return false;
}

/* What is for traces or for programs only. */
static bool check_input(const hd_cli_arguments *arguments, bool program) {
    static const int of_traces[] = {METHOD, ALL, HTML};
    for (int row = SEEDS; !program && row <= KEEP_T1; row++)
        if (hd_cli_given(arguments, row)) {
            hd_cli_usage(arguments, "--%s is for programs", options[row].name);
            return false;
        }
    for (size_t i = 0; program && i < sizeof of_traces / sizeof of_traces[0]; i++)
        if (hd_cli_given(arguments, of_traces[i])) {
            hd_cli_usage(arguments, "--%s is for traces", options[of_traces[i]].name);
            return false;
        }
    if (!program && arguments->operand_count > 1) {
        hd_cli_usage(arguments, "one word too many: '%s'", hd_cli_name(arguments->operands[1]));
        return false;
    }
    return true;
}

static bool read_drive(hd_cli_drive *drive) {
    const hd_cli_arguments *arguments = drive->arguments;
    hd_drive_options *o = &drive->options;
    uint64_t effort;
    hd_drive_options_init(o);
    o->no_hint = hd_cli_given(arguments, NO_HINT);
    o->keep_t1 = hd_cli_given(arguments, KEEP_T1);
    o->no_extend = hd_cli_given(arguments, NO_EXTEND);
    o->no_predict = hd_cli_given(arguments, NO_PREDICT) || o->no_extend || o->no_hint || o->keep_t1;
    drive->summary = hd_cli_given(arguments, SUMMARY);
    drive->output = arguments->values[OUTPUT];
    if (drive->output && strcmp(drive->output, "-") == 0) {
        hd_cli_usage(arguments, "--witness wants a file, standard output has the answer");
        return false;
    }
    if (!hd_cli_number(arguments, EFFORT, 2000, 0, UINT32_MAX, &effort) ||
        !hd_cli_number(arguments, SEEDS, o->seeds, 1, UINT32_MAX, &o->seeds) ||
        !hd_cli_number(arguments, EXECUTIONS, o->most_executions, 0, UINT64_MAX,
                       &o->most_executions) ||
        !hd_cli_seconds(arguments, TIME, o->most_seconds, &o->most_seconds))
        return false;
    o->effort = effort * 1000000;
    return read_filter(arguments, &drive->filter);
}

static int run_program(const hd_cli_arguments *arguments) {
    hd_cli_drive drive = {.arguments = arguments};
    int status = read_drive(&drive) ? hd_cli_drive_run(&drive) : HD_CLI_BAD;
    hd_finding_filter_release(&drive.filter);
    return status;
}

static int status_of(const hd_race_result *result) {
    return result->races ? HD_CLI_FOUND : result->unproved ? HD_CLI_LIMIT : HD_CLI_OK;
}

/* ---- Findings ---- */

char *hd_cli_race_file(const char *output, size_t i) {
    size_t size = strlen(output) + 24;
    char *file = hd_mem_zero(size, 1);
    if (i == 0)
        snprintf(file, size, "%s", output);
    else
        snprintf(file, size, "%s.%zu", output, i + 1);
    return file;
}

bool hd_cli_race_save(const char *output, const char *path, const hd_trace *trace,
                      hd_finding *finding, size_t i, hd_error *error) {
    if (!output || !finding->witness)
        return true;
    hd_witness *witness = finding->witness;
    free(witness->verdict);
    free(witness->trace);
    witness->verdict = hd_mem_string(finding->message, strlen(finding->message));
    witness->trace = hd_mem_string(path, strlen(path));
    char *file = hd_cli_race_file(output, i);
    bool good = hd_witness_save(witness, trace, file, error);
    free(file);
    return good;
}

static const char *place_of(const hd_cli_race_answer *answer, uint32_t event) {
    if (!event)
        return NULL;
    return hd_trace_location(&answer->trace.tables, hd_trace_event(&answer->trace, event));
}

static bool is_dropped(hd_cli_race_answer *answer, const hd_finding *finding) {
    hd_finding_about about = {.variable = finding->variable,
                              .places = {place_of(answer, finding->events.data[0]),
                                         place_of(answer, finding->events.data[1])},
                              .fingerprint = finding->fingerprint};
    return hd_finding_filter_drops(&answer->filter, &about);
}

/* Keeps what it is given. */
static int keep(void *context, hd_finding *finding) {
    hd_cli_race_answer *answer = context;
    if (answer->filter.on && is_dropped(answer, finding)) {
        answer->dropped += strcmp(finding->rule, "race-unproved") != 0;
        return 0;
    }
    if (strcmp(finding->rule, "race-unproved") == 0)
        hd_vec_push(&answer->unproved, *finding);
    else
        hd_vec_push(&answer->found, *finding);
    *finding = (hd_finding){.rule = finding->rule};
    return 0;
}

/* Findings on their way out, one by one. */
struct stream {
    hd_cli_race_answer *answer;
    hd_json *json; /* NULL: text */
    hd_error *error;
    bool failed; /* to save */
};

static int put(void *context, hd_finding *finding) {
    struct stream *stream = context;
    hd_cli_race_answer *answer = stream->answer;
    if (strcmp(finding->rule, "race-unproved") == 0)
        return 0; /* was told before */
    stream->failed = !hd_cli_race_save(answer->output, answer->path, &answer->trace, finding,
                                       answer->shown, stream->error);
    if (stream->failed)
        return 1;
    if (stream->json)
        hd_cli_race_write_finding(answer, finding, stream->json);
    else
        hd_cli_race_print_finding(answer, finding);
    hd_cli_page_finding(&answer->page, finding);
    answer->shown++;
    return 0;
}

/* Pairs of places are few enough to keep; pairs of events are counted first and then
 * told one by one. */
static bool look(hd_cli_race_answer *answer, hd_error *error) {
    answer->options.count_only =
        (answer->options.all || hd_cli_given(answer->arguments, SUMMARY)) && !answer->filter.on;
    bool good = hd_race_run(&answer->trace, &answer->options, &answer->result, keep, answer, error);
    answer->result.races -= answer->dropped;
    if (answer->filter.on)
        answer->result.unproved = answer->unproved.length;
    return good;
}

static bool tell(hd_cli_race_answer *answer, hd_json *json, hd_error *error) {
    struct stream stream = {.answer = answer, .json = json, .error = error};
    hd_race_result again;
    if (hd_cli_given(answer->arguments, SUMMARY))
        return true;
    for (size_t i = 0; i < answer->found.length; i++)
        if (put(&stream, &answer->found.data[i]))
            return false;
    if (!answer->options.all || answer->filter.on)
        return true;
    answer->options.count_only = false;
    return hd_race_run(&answer->trace, &answer->options, &again, put, &stream, error) &&
           !stream.failed;
}

static int fail(const hd_cli_race_answer *answer, const hd_error *error) {
    return hd_cli_fail("%s: %s", hd_cli_name(answer->path), error->text);
}

static int answer_as_text(hd_cli_race_answer *answer) {
    hd_error error = {""};
    if (!look(answer, &error))
        return fail(answer, &error);
    hd_cli_race_print(answer);
    if (!tell(answer, NULL, &error))
        return fail(answer, &error);
    hd_cli_race_print_unproved(answer);
    return status_of(&answer->result);
}

static int answer_as_json(hd_cli_race_answer *answer) {
    hd_error error = {""};
    hd_cli_answer out;
    if (!look(answer, &error))
        return fail(answer, &error);
    if (!hd_cli_json_begin(&out, answer->arguments, answer->path, answer->result.unproved == 0))
        return HD_CLI_BAD;
    hd_cli_race_write_result(answer, &out.json);
    hd_cli_json_findings(&out);
    int status = status_of(&answer->result);
    if (!tell(answer, &out.json, &error))
        status = fail(answer, &error);
    return hd_cli_json_end(&out, status);
}

/* The page has what is printed, and what could not be proved. */
static int end_page(hd_cli_race_answer *answer, int status) {
    if (status == HD_CLI_BAD)
        return hd_cli_page_end(&answer->page, status);
    for (size_t i = 0; i < answer->unproved.length; i++)
        hd_cli_page_finding(&answer->page, &answer->unproved.data[i]);
    hd_json *json = hd_cli_page_result(&answer->page, answer->result.unproved == 0);
    if (json)
        hd_cli_race_write_result(answer, json);
    return hd_cli_page_end(&answer->page, status);
}

static void release(hd_cli_race_findings *findings) {
    for (size_t i = 0; i < findings->length; i++)
        hd_finding_release(&findings->data[i]);
    hd_vec_release(findings);
}

static int run(const hd_cli_arguments *arguments) {
    hd_cli_race_answer answer = {.arguments = arguments, .path = arguments->operands[0]};
    hd_error error = {""};
    bool program = hd_cli_is_program(answer.path);
    if (!check_input(arguments, program))
        return HD_CLI_BAD;
    if (program)
        return run_program(arguments);
    int status = HD_CLI_BAD;
    if (!read_options(&answer) || !read_filter(arguments, &answer.filter))
        status = HD_CLI_BAD;
    else if (!hd_trace_load(&answer.trace, answer.path, 0, &error))
        status = hd_cli_fail("%s", error.text);
    else {
        hd_cli_note_trace(answer.path, &answer.trace);
        if (hd_cli_page_begin(&answer.page, arguments, HTML, answer.path, &answer.trace)) {
            status = hd_cli_given(arguments, HD_CLI_JSON) ? answer_as_json(&answer)
                                                          : answer_as_text(&answer);
            status = end_page(&answer, status);
        }
    }
    hd_finding_filter_release(&answer.filter);
    release(&answer.found);
    release(&answer.unproved);
    hd_trace_release(&answer.trace);
    return status;
}

const hd_cli_command hd_cli_race = {
    .name = "race",
    .operands = "TRACE|PROGRAM [ARGUMENT]...",
    .summary = "Whether two accesses can collide",
    .details =
        "Looks for two accesses of a variable by different threads, one of them a write and\n"
        "one of them not atomic, that can both be next in a reordering of TRACE\n"
        "(doc/witness.md).  Each pair of places is shown with a schedule that was checked;\n"
        "the other methods than predictive report without proof.  PROGRAM, made by heddle cc,\n"
        "is run, and driven to the races that its runs make likely; each is shown with a\n"
        "schedule that was replayed on it.  Status 0: no race; 1: some; 3: none was found,\n"
        "but not all was decided.",
    .options = options,
    .least = 1,
    .most = INT_MAX,
    .run = run,
    .more_help = more_help,
};
