/*
 * heddle race: can two accesses collide?
 */
#include "cli_race.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_ask.h"
#include "cli_drive.h"
#include "cli_keep.h"

enum {
    NO_PREDICT = HD_CLI_RACE_MORE,
    NO_EXTEND,
    NO_HINT,
    KEEP_T1,
    SV_COMP,
    YAML,
    METHOD,
    THREADS,
    BLOCKS,
    MPI
};

static const hd_cli_option options[] = {
    HD_CLI_RACE_COMMON,
    HD_CLI_RACE_OPTIONS("list every pair of events, not one for each pair of places"),
    {"no-predict", 0, NULL, "programs: only the stages of the paper, without the solver"},
    {"no-extend", 0, NULL, "the same, without the longer prefix of stage III"},
    {"no-hint", 0, NULL, "the same, and the second thread is not preferred (table 3)"},
    {"keep-t1", 0, NULL, "the same, and the first thread may run (table 5)"},
    HD_CLI_SV_COMP,
    HD_CLI_YAML,
    {"method", 'm', "NAME", "the method; the names are below"},
    {"threads", 'j', "K", "traces: workers that predict (default: one for each processor)"},
    {"blocks", 0, NULL, "traces: ask instead which blocks are not serializable"},
    {"mpi", 0, NULL, "traces: share the work with the other processes of mpirun"},
    HD_CLI_ACCEPT,
    {0},
};

static void more_help(FILE *to) {
    fputs("\nMethods:", to);
    for (int i = 0; i < HD_RACE_METHODS; i++)
        fprintf(to, " %s", hd_engine_race_methods[i]);
    fputs(" (default: predictive)\n", to);
}

/* ---- Options ---- */

static bool read_method(hd_cli_race_answer *answer) {
    const char *name = answer->arguments->values[METHOD];
    for (int i = 0; name && i < HD_RACE_METHODS; i++)
        if (strcmp(name, hd_engine_race_methods[i]) == 0) {
            answer->p.options.method = (enum hd_race_method)i;
            return true;
        }
    if (name)
        hd_cli_usage(answer->arguments, "there is no method '%s'", hd_text_name(name));
    return !name;
}

static bool read_options(hd_cli_race_answer *answer) {
    const hd_cli_arguments *arguments = answer->arguments;
    uint64_t workers;
    answer->p.options.all = hd_cli_given(arguments, HD_CLI_RACE_ALL);
    if (!hd_cli_number(arguments, THREADS, hd_pool_cores(), 1, HD_CLI_MOST_WORKERS, &workers) ||
        !hd_cli_race_read(arguments, &answer->output, &answer->p.options.limit) ||
        !read_method(answer))
        return false;
    if (answer->output && answer->p.options.method != HD_RACE_PREDICTIVE) {
        hd_cli_usage(arguments, "only the method predictive has schedules to save");
        return false;
    }
    answer->p.options.blocks = hd_cli_given(arguments, BLOCKS);
    if (answer->p.options.blocks && arguments->values[METHOD]) {
        hd_cli_usage(arguments, "--blocks takes no --method");
        return false;
    }
    if (hd_cli_given(arguments, MPI) &&
        (answer->p.options.blocks || answer->p.options.method != HD_RACE_PREDICTIVE)) {
        hd_cli_usage(arguments, "--mpi is for the method predictive, and for races");
        return false;
    }
    answer->p.options.workers = (unsigned)workers;
    return true;
}

static void read_stages(const hd_cli_arguments *arguments, hd_drive_options *o) {
    o->no_hint = hd_cli_given(arguments, NO_HINT);
    o->keep_t1 = hd_cli_given(arguments, KEEP_T1);
    o->no_extend = hd_cli_given(arguments, NO_EXTEND);
    o->no_predict = hd_cli_given(arguments, NO_PREDICT) || o->no_extend || o->no_hint || o->keep_t1;
}

static int run_program(const hd_cli_arguments *arguments) {
    hd_cli_drive drive = {.arguments = arguments,
                          .sv_comp = hd_cli_given(arguments, SV_COMP),
                          .yaml = arguments->values[YAML]};
    if (!hd_cli_sv_comp(arguments, SV_COMP, HD_ENGINE_NO_DATA_RACE))
        return HD_CLI_BAD;
    hd_engine_drive_init(&drive.d, arguments->operands[0], hd_cli_program_words(arguments), false);
    read_stages(arguments, &drive.d.options);
    return hd_cli_drive_run(&drive);
}

/* ---- Findings ---- */

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
    if (finding->unproved)
        return 0; /* was told before */
    if (!hd_cli_list_goes_on())
        return 1;
    if (!hd_engine_finding_save(answer->output, answer->path, &answer->trace, finding,
                                answer->shown, stream->error)) {
        stream->failed = true; /* which is told after the list */
        answer->output = NULL;
    }
    if (stream->json)
        hd_cli_race_write_finding(answer, finding, stream->json);
    else
        hd_cli_race_print_finding(answer, finding);
    hd_cli_page_finding(&answer->page, finding);
    answer->shown++;
    return 0;
}

/* The list, as far as it goes. */
static bool list(hd_cli_race_answer *answer, hd_cli_answer *out, hd_error *error) {
    if (hd_cli_given(answer->arguments, HD_CLI_RACE_SUMMARY))
        return true;
    struct stream stream = {.answer = answer, .json = out ? &out->json : NULL, .error = error};
    hd_file_batch_begin();
    bool good = hd_engine_predict_tell(&answer->p, put, &stream, error);
    if (!hd_file_batch_end(stream.failed ? NULL : error) || stream.failed)
        return false;
    uint64_t counted =
        answer->p.options.count_only ? answer->p.races.races : answer->p.found.length;
    return hd_cli_list_is_cut(out, answer->path, "findings", answer->shown,
                              answer->shown >= counted) ||
           good;
}

/* Pairs of places are few enough to keep, pairs of events may not be. */
static bool look(hd_cli_race_answer *answer, hd_error *error) {
    answer->p.counts = hd_cli_given(answer->arguments, HD_CLI_RACE_SUMMARY);
    answer->p.many = answer->p.options.all && !answer->p.counts;
    hd_engine_question question = {.what = HD_ENGINE_RACE,
                                   .path = answer->path,
                                   .trace = &answer->trace,
                                   .whole.predict = &answer->p};
    return hd_cli_ask(answer->arguments, &question, error);
}

static int fail(const hd_cli_race_answer *answer, const hd_error *error) {
    return hd_cli_fail("%s: %s", hd_text_name(answer->path), error->text);
}

static int answer_as_text(hd_cli_race_answer *answer) {
    hd_error error = {""};
    if (!look(answer, &error))
        return fail(answer, &error);
    hd_cli_race_print(answer);
    if (!list(answer, NULL, &error))
        return fail(answer, &error);
    if (!hd_cli_given(answer->arguments, HD_CLI_RACE_SUMMARY))
        hd_cli_race_print_unproved(answer);
    return hd_verdict_status(&answer->p.verdict);
}

static int answer_as_json(hd_cli_race_answer *answer) {
    hd_error error = {""};
    hd_cli_answer out;
    if (!look(answer, &error))
        return fail(answer, &error);
    if (!hd_cli_json_begin(&out, answer->arguments, answer->path, &answer->p.verdict))
        return HD_CLI_BAD;
    hd_cli_race_write_result(answer, &out.json);
    hd_cli_json_findings(&out);
    int status = hd_verdict_status(&answer->p.verdict);
    if (!list(answer, &out, &error))
        status = fail(answer, &error);
    return hd_cli_json_end(&out, status);
}

/* The page has what is printed, and what could not be proved. */
static int end_page(hd_cli_race_answer *answer, int status) {
    if (status == HD_CLI_BAD)
        return hd_cli_page_end(&answer->page, status);
    for (size_t i = 0; i < answer->p.unproved.length; i++)
        hd_cli_page_finding(&answer->page, &answer->p.unproved.data[i]);
    hd_json *json = hd_cli_page_result(&answer->page, &answer->p.verdict);
    if (json)
        hd_cli_race_write_result(answer, json);
    return hd_cli_page_end(&answer->page, status);
}

/* A file that need not be in memory, since its pairs of places are found while it is read.  With a
 * limit on time it is read once; a page has the whole trace. */
static bool can_stream(const hd_cli_race_answer *answer) {
    struct stat status;
    return (answer->p.options.method == HD_RACE_HB || answer->p.options.method == HD_RACE_SHB) &&
           !answer->p.options.all && !answer->p.filter.on &&
           !hd_cli_given(answer->arguments, HD_CLI_RACE_HTML) &&
           !(hd_clock_left(INFINITY) < INFINITY) && stat(answer->path, &status) == 0 &&
           S_ISREG(status.st_mode);
}

static bool load(hd_cli_race_answer *answer, hd_error *error) {
    if (can_stream(answer) && hd_race_stream(answer->path, answer->p.options.method == HD_RACE_SHB,
                                             &answer->trace, &answer->known)) {
        if (!answer->trace.end.suppressions.length) {
            answer->p.options.known = &answer->known;
            return true;
        }
        hd_trace_release(&answer->trace); /* rules name places, of which it has not all */
    }
    return hd_trace_load(&answer->trace, answer->path, HD_TRACE_TIMED, error);
}

static int run(const hd_cli_arguments *arguments) {
    hd_cli_race_answer answer = {.arguments = arguments, .path = arguments->operands[0]};
    hd_error error = {""};
    bool program = hd_engine_is_program(answer.path);
    if (!hd_cli_race_check_input(arguments, program, METHOD))
        return HD_CLI_BAD;
    if (program)
        return run_program(arguments);
    int status = HD_CLI_BAD;
    hd_engine_predict_init(&answer.p, &answer.trace, false);
    if (!hd_cli_crew(arguments, MPI) || !read_options(&answer) ||
        !hd_cli_race_read_filter(arguments, &answer.p.filter))
        status = HD_CLI_BAD;
    else if (!load(&answer, &error))
        status = hd_cli_fail("%s", error.text);
    else if (hd_cli_serves())
        status = look(&answer, &error) ? 0 : HD_CLI_BAD;
    else {
        hd_cli_note_trace(answer.path, &answer.trace);
        answer.holds = hd_order_holds_create(&answer.trace);
        if (hd_cli_page_begin(&answer.page, arguments, HD_CLI_RACE_HTML, answer.path,
                              &answer.trace)) {
            status = hd_cli_given(arguments, HD_CLI_JSON) ? answer_as_json(&answer)
                                                          : answer_as_text(&answer);
            status = end_page(&answer, status);
        }
    }
    hd_cli_team_over(status, status != HD_CLI_BAD, &error);
    hd_engine_predict_release(&answer.p);
    hd_vec_release(&answer.known.pairs);
    hd_order_holds_free(answer.holds);
    hd_trace_release(&answer.trace);
    return status;
}

const hd_cli_command hd_cli_race = {
    .name = "race",
    .operands = "TRACE|PROGRAM|SOURCE [ARGUMENT]...",
    .summary = "Find accesses that can race",
    .details =
        "Looks for two accesses of a variable by different threads, one of them a write and\n"
        "one of them not atomic, that can both be next in a reordering of TRACE\n"
        "(doc/witness.md).  Each pair of places is shown with a checked schedule; methods\n"
        "other than predictive report without proof.  With --blocks, looks for blocks\n"
        "(heddle_begin, heddle_end) between two accesses of which another thread can come, so\n"
        "that they have no serial order.  PROGRAM, made by heddle cc or here from\n"
        "SOURCE, is run and driven to the races that its runs make likely; each is shown with\n"
        "a schedule that was replayed on it.  Status 0: no race, and everything was decided; 1: a "
        "race; 3: none\n"
        "was found, but that is no proof.",
    .options = options,
    .least = 1,
    .most = INT_MAX,
    .run = run,
    .more_help = more_help,
};
