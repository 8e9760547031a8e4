/*
 * heddle race: can two accesses collide?
 */
#include "cli_race.h"

#include <stdlib.h>
#include <string.h>

enum { METHOD = HD_CLI_OWN, ALL, SUMMARY, OUTPUT, HTML, EFFORT };

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"method", 'm', "NAME", "how to look; the methods are below"},
    {"all", 0, NULL, "every pair of events, not one for each pair of places"},
    {"summary", 0, NULL, "counts only, no findings"},
    {"witness", 'o', "FILE", "save the schedules printed; of several, FILE, FILE.2, ..."},
    HD_CLI_HTML,
    {"effort", 0, "N", "work for one question, in millions of steps; 0: no limit"},
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

/* Keeps what it is given. */
static int keep(void *context, hd_finding *finding) {
    hd_cli_race_answer *answer = context;
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
    answer->options.count_only = answer->options.all || hd_cli_given(answer->arguments, SUMMARY);
    return hd_race_run(&answer->trace, &answer->options, &answer->result, keep, answer, error);
}

static bool tell(hd_cli_race_answer *answer, hd_json *json, hd_error *error) {
    struct stream stream = {.answer = answer, .json = json, .error = error};
    hd_race_result again;
    if (hd_cli_given(answer->arguments, SUMMARY))
        return true;
    for (size_t i = 0; i < answer->found.length; i++)
        if (put(&stream, &answer->found.data[i]))
            return false;
    if (!answer->options.all)
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
    if (!read_options(&answer))
        return HD_CLI_BAD;
    int status = HD_CLI_BAD;
    if (!hd_trace_load(&answer.trace, answer.path, 0, &error))
        status = hd_cli_fail("%s", error.text);
    else {
        hd_cli_note_incomplete(answer.path, answer.trace.incomplete, answer.trace.lost);
        if (hd_cli_page_begin(&answer.page, arguments, HTML, answer.path, &answer.trace)) {
            status = hd_cli_given(arguments, HD_CLI_JSON) ? answer_as_json(&answer)
                                                          : answer_as_text(&answer);
            status = end_page(&answer, status);
        }
    }
    release(&answer.found);
    release(&answer.unproved);
    hd_trace_release(&answer.trace);
    return status;
}

const hd_cli_command hd_cli_race = {
    .name = "race",
    .operands = "TRACE",
    .summary = "Whether two accesses can collide",
    .details =
        "Looks for two accesses of a variable by different threads, one of them a write and\n"
        "one of them not atomic, that can both be next in a reordering of TRACE\n"
        "(doc/witness.md).  Each pair of places is shown with a schedule that was checked;\n"
        "the other methods than predictive report without proof.  Status 0: no race; 1:\n"
        "some; 3: none was found, but not all was decided.",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
    .more_help = more_help,
};
