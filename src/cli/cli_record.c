/*
 * heddle record: runs a program, and keeps what it did as a trace.
 */
#include <string.h>
#include <sys/wait.h>

#include "cli_ask.h"
#include "cli_verdict.h"

enum {
    OUTPUT = HD_CLI_OWN,
    TO,
    SEED,
    RUNS,
    FREE,
    ACCESSES,
    TSAN,
    NO_STACKS,
    SAVE_SCHEDULE,
    SCHEDULE,
    TIMEOUT,
    HANG,
    LIMIT,
    KEEP_OUTPUT,
    MISUSE,
    VOLATILE,
    INPUTS,
    OUTSIDE
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON_LIMITS(0, "end a run after a time: 60, 0.5, 60s, 2m, 1h", "limit of all runs"),
    {"output", 'o', "FILE", "the trace (the program's name with .htr)"},
    {"to", 't', "FORMAT", "text or binary (as the name of the file says)"},
    {"seed", 's', "N", "the schedule (1); 0: each thread runs until it must wait"},
    {"runs", 'n', "N", "record N seeds, and keep different runs in FILE.1, FILE.2, ..."},
    {"free", 0, NULL, "let the threads run by themselves; the order of races is guessed"},
    {"accesses", 'a', NULL, "allow a switch of threads at every access, not only now and then"},
    {"tsan", 0, NULL, "the program was built with gcc -fsanitize=thread"},
    {"no-stacks", 0, NULL, "record no call stacks: faster if functions are small"},
    {"save-schedule", 0, "FILE", "also write the schedule of the run"},
    {"schedule", 0, "FILE", "follow a saved schedule, then the seed"},
    {"timeout", 0, "SECONDS", "end the program after this time"},
    {"hang", 0, "SECONDS", "print a message if nothing is recorded for this time (10; 0: never)"},
    {"limit", 0, "MIB", "memory for the record, in MiB (4096); events beyond it are lost"},
    {"keep-output", 0, NULL, "with --json: put the program's output into the answer"},
    HD_CLI_MISUSE,
    HD_CLI_VOLATILE,
    HD_CLI_INPUTS,
    {"outside", 0, NULL, "also keep what comes from outside, in FILE.outside, for replay"},
    {0},
};

static const char *default_output(const char *program) {
    static char name[4096];
    const char *slash = strrchr(program, '/');
    snprintf(name, sizeof name, "%s.htr", slash ? slash + 1 : program);
    return name;
}

static void print_run(hd_json *json, const hd_engine_run *run) {
    hd_json_uint(json, "seed", run->seed);
    hd_json_uint(json, "events", run->summary.events);
    hd_json_uint(json, "threads", run->summary.threads);
    hd_json_uint(json, "lost", run->summary.lost);
    hd_json_uint(json, "switches", run->switches);
    if (run->output)
        hd_json_text(json, "output", run->output);
    hd_json_text(json, "ending", run->ending);
    if (run->printed) {
        hd_json_open(json, "printed", '{');
        hd_json_text(json, "text", run->printed);
        hd_json_uint(json, "bytes", run->bytes);
        hd_json_close(json);
    }
    if (WIFEXITED(run->status))
        hd_json_uint(json, "exit_status", (uint64_t)WEXITSTATUS(run->status));
    else
        hd_json_uint(json, "signal", (uint64_t)WTERMSIG(run->status));
}

static int print_json(const hd_cli_arguments *arguments, const hd_engine_recording *r) {
    hd_cli_answer answer;
    if (!hd_cli_json_begin(&answer, arguments, r->how.argv[0], &r->verdict))
        return HD_CLI_BAD;
    hd_json *json = &answer.json;
    if (r->runs == 1)
        print_run(json, &r->kept.data[0]);
    else {
        hd_json_uint(json, "runs", r->runs);
        hd_json_uint(json, "different", r->kept.length);
        hd_json_uint(json, "failed", r->failed);
        hd_json_open(json, "kept", '[');
        for (size_t i = 0; i < r->kept.length; i++) {
            hd_json_open(json, NULL, '{');
            print_run(json, &r->kept.data[i]);
            hd_json_close(json);
        }
        hd_json_close(json);
    }
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, hd_verdict_status(&r->verdict));
}

static int record_all(const hd_cli_arguments *arguments, hd_engine_recording *r) {
    hd_error error = {""};
    hd_engine_question question = {
        .what = HD_ENGINE_RECORD, .path = r->how.argv[0], .whole.record = r};
    if (!hd_cli_ask(arguments, &question, &error))
        return hd_cli_fail("%s", error.text);
    return hd_cli_given(arguments, HD_CLI_JSON) ? print_json(arguments, r)
                                                : hd_verdict_status(&r->verdict);
}

static bool keep_output(const hd_cli_arguments *arguments, hd_engine_recording *r) {
    hd_error error = {""};
    if (!hd_cli_given(arguments, HD_CLI_JSON)) {
        hd_cli_usage(arguments, "--keep-output puts it in the answer of --json: give that too");
        return false;
    }
    if (hd_engine_record_capture(r, &error))
        return true;
    hd_cli_fail("%s", error.text);
    return false;
}

static int run(const hd_cli_arguments *arguments) {
    hd_engine_recording r = {.how.argv = arguments->operands,
                             .arguments = hd_cli_program_words(arguments),
                             .save_schedule = arguments->values[SAVE_SCHEDULE]};
    uint64_t timeout, limit, patience;
    if (!hd_cli_number(arguments, SEED, 1, 0, UINT64_MAX, &r.how.seed) ||
        !hd_cli_number(arguments, RUNS, 1, 1, 1000000, &r.runs) ||
        !hd_cli_number(arguments, TIMEOUT, 0, 0, 1000000, &timeout) ||
        !hd_cli_seconds(arguments, HD_CLI_TIME, 0, &r.seconds) ||
        !hd_cli_number(arguments, HANG, 10, 0, 1000000, &patience) ||
        !hd_cli_number(arguments, LIMIT, 4096, 1, 1 << 20, &limit) ||
        !hd_cli_misuse(arguments, MISUSE) || !hd_cli_volatile(arguments, VOLATILE) ||
        !hd_cli_inputs(arguments, INPUTS))
        return HD_CLI_BAD;
    r.how.timeout = (unsigned)timeout;
    r.how.patience = (unsigned)patience;
    r.how.limit = limit << 20;
    r.how.every_access = hd_cli_given(arguments, ACCESSES);
    r.how.free_running = hd_cli_given(arguments, FREE);
    r.how.calls = !hd_cli_given(arguments, NO_STACKS);
    r.how.tsan = hd_cli_given(arguments, TSAN);
    r.how.aside = hd_cli_given(arguments, HD_CLI_JSON);
    r.uncounted = !hd_cli_given(arguments, HD_CLI_JSON);
    if (hd_cli_given(arguments, KEEP_OUTPUT) && !keep_output(arguments, &r))
        return HD_CLI_BAD;
    r.output = arguments->values[OUTPUT];
    if (!r.output)
        r.output = default_output(arguments->operands[0]);
    if (strcmp(r.output, "-") == 0)
        return hd_cli_usage(arguments, "standard output is the program's; --output names a file");
    if (!hd_cli_format(arguments, TO, r.output, &r.format))
        return HD_CLI_BAD;
    bool follows = hd_cli_given(arguments, SCHEDULE);
    if (r.how.free_running && (follows || hd_cli_given(arguments, SAVE_SCHEDULE)))
        return hd_cli_usage(arguments, "--free has no schedule");
    if (r.runs > 1 && (follows || hd_cli_given(arguments, SAVE_SCHEDULE)))
        return hd_cli_usage(arguments, "--runs takes no schedule");
    r.outside = hd_cli_given(arguments, OUTSIDE);
    if (r.outside && (r.how.free_running || r.runs > 1 || r.format != HD_TRACE_BINARY))
        return hd_cli_usage(arguments, "--outside is for one run under control, written as .htr "
                                       "(or with --to=binary)");
    hd_launch_schedule schedule = {0};
    hd_error error = {""};
    if (follows && !hd_launch_schedule_load(&schedule, arguments->values[SCHEDULE], &error))
        return hd_cli_fail("%s", error.text);
    if (follows) {
        r.how.schedule = schedule.runs.data;
        r.how.schedule_runs = schedule.runs.length;
        r.how.seed = schedule.seed;
    }
    int status = record_all(arguments, &r);
    hd_launch_schedule_release(&schedule);
    hd_engine_record_release(&r);
    return status;
}

const hd_cli_command hd_cli_record = {
    .name = "record",
    .operands = "[--] PROGRAM [ARGUMENT]...",
    .summary = "Run a program and record a trace of the run",
    .details =
        "PROGRAM was made by 'heddle cc'.  Its threads run under heddle's schedule, one at a\n"
        "time, and the trace has every access and every operation on locks and threads in\n"
        "exact order.  The same seed gives the same run.  Status 0: the program ended with\n"
        "status 0; 1: it failed, by another status, a signal or a deadlock; 3: it was ended\n"
        "from outside, or its trace is incomplete.",
    .options = options,
    .least = 1,
    .most = 1 << 20,
    .run = run,
    .stops = true,
};
