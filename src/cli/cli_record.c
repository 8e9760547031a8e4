/*
 * heddle record: runs a program, and keeps what it did as a trace.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "cli_verdict.h"
#include "native/native.h"

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
    KEEP_OUTPUT
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"output", 'o', "FILE", "the trace; else the program's name with .htr"},
    {"to", 't', "FORMAT", "text or binary; else as the name of the file says"},
    {"seed", 's', "N", "which schedule (1); 0: each thread runs until it must wait"},
    {"runs", 'n', "N",
     "record so many seeds, and keep the runs that differ in FILE.1, FILE.2, ..."},
    {"free", 0, NULL, "real threads, unscheduled: what races is in an order that was guessed"},
    {"accesses", 'a', NULL, "let threads change at every access, not only now and then"},
    {"tsan", 0, NULL, "a program that was built with gcc -fsanitize=thread, as it is"},
    {"no-stacks", 0, NULL, "keep no stacks of calls: faster where functions are small"},
    {"save-schedule", 0, "FILE", "write the schedule of the run, too"},
    {"schedule", 0, "FILE", "follow a schedule that was saved, then the seed"},
    {"timeout", 0, "SECONDS", "end the program after that time"},
    {"hang", 0, "SECONDS", "say so if nothing is recorded for so long (10; 0: never)"},
    {"limit", 0, "MIB", "memory for the record, in MiB (4096); what is beyond is lost"},
    {"keep-output", 0, NULL, "with --json: what the program prints is in the answer, not shown"},
    {0},
};

static const char *default_output(const char *program) {
    static char name[4096];
    const char *slash = strrchr(program, '/');
    snprintf(name, sizeof name, "%s.htr", slash ? slash + 1 : program);
    return name;
}

/* "bank.htr" and 3: "bank.3.htr". */
static const char *numbered(const char *path, uint64_t number) {
    static char name[4200];
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash))
        dot = path + strlen(path);
    snprintf(name, sizeof name, "%.*s.%llu%s", (int)(dot - path), path, (unsigned long long)number,
             dot);
    return name;
}

/* A run that is kept, for --json. */
typedef struct kept_run {
    uint64_t seed, switches;
    hd_recording_summary summary;
    int status;
    char *output, *ending;
    char *printed; /* the beginning of what it printed; NULL: not kept */
    uint64_t bytes;
} kept_run;

/* What was asked for, and what has come of it. */
typedef struct recording {
    const hd_cli_arguments *arguments;
    hd_launch_options how;
    const char *output;
    enum hd_trace_format format;
    uint64_t runs;
    hd_map classes;
    HD_VEC(kept_run) kept;
    uint64_t failed, timed_out;
    uint64_t found; /* runs that failed and were not ended from outside */
    int status;     /* of what went wrong in recording */
} recording;

static void print_notes(const hd_launch_run *run, const hd_recording_summary *summary,
                        const char *program, const char *output, const char *ending) {
    if (run->stopped)
        hd_log_write(HD_LOG_WARNING, "record: %s; %s kept", ending,
                     hd_cli_count((size_t)summary->events, "event", "events"));
    else if (!hd_launch_run_succeeded(run))
        hd_log_write(HD_LOG_WARNING, "%s: %s", hd_cli_name(program), ending);
    if (run->wire->ending == HEDDLE_WIRE_DEADLOCK && hd_log_get_level() > HD_LOG_ERROR) {
        hd_vec_char text = {0};
        hd_native_waiting(run, &text);
        fputs(text.data, stderr);
        hd_vec_release(&text);
    }
    hd_log_write(HD_LOG_NOTE, "%s: %llu events, %u threads, %llu switches", hd_cli_name(output),
                 (unsigned long long)summary->events, summary->threads,
                 (unsigned long long)run->wire->switches);
    hd_cli_note_incomplete(output, summary->incomplete, summary->lost);
}

/* What the program printed, from its file; the beginning, to be freed. */
static char *take_printed(const recording *r, uint64_t *bytes) {
    char part[4096]; /* as much as heddle explore keeps */
    off_t size = r->how.captured ? lseek(r->how.captured, 0, SEEK_END) : -1;
    if (size < 0)
        return NULL;
    ssize_t length = pread(r->how.captured, part, sizeof part, 0);
    *bytes = (uint64_t)size;
    return hd_mem_string(part, length > 0 ? (size_t)length : 0);
}

/* Did the program end as one does that is asked to end?  A crash, even then, is one. */
static bool ended_by_it(const hd_launch_run *run) {
    int by = WIFSIGNALED(run->status) ? WTERMSIG(run->status) : run->stopped;
    return by == run->stopped || by == SIGKILL;
}

/* Says what became of a run, and remembers it. */
static void keep(recording *r, const hd_launch_run *run, const hd_recording_summary *summary,
                 const char *output) {
    hd_vec_char ending = {0};
    hd_launch_run_describe(run, &ending);
    if (!hd_launch_run_succeeded(run)) {
        r->failed++;
        r->found += !run->timed_out && !(run->stopped && ended_by_it(run));
    }
    print_notes(run, summary, r->how.argv[0], output, ending.data);
    uint64_t bytes = 0;
    char *printed = take_printed(r, &bytes);
    hd_vec_push(&r->kept, (kept_run){.seed = r->how.seed,
                                     .printed = printed,
                                     .bytes = bytes,
                                     .switches = run->wire->switches,
                                     .summary = *summary,
                                     .status = run->status,
                                     .output = hd_mem_string(output, strlen(output)),
                                     .ending = ending.data});
}

static bool save_schedule(const hd_cli_arguments *arguments, const hd_launch_run *run,
                          hd_error *error) {
    const char *path = arguments->values[SAVE_SCHEDULE];
    if (!path)
        return true;
    hd_launch_schedule schedule;
    hd_launch_schedule_of(&schedule, run);
    bool good = hd_launch_schedule_save(&schedule, path, error);
    hd_launch_schedule_release(&schedule);
    return good;
}

static bool record_one(recording *r) {
    hd_error error = {""};
    hd_launch_run run;
    hd_recording_summary summary = {.classify = r->runs > 1};
    if (r->how.captured &&
        (ftruncate(r->how.captured, 0) != 0 || lseek(r->how.captured, 0, SEEK_SET) != 0)) {
        r->status = hd_cli_fail("cannot keep the output: %s", strerror(errno));
        return false;
    }
    if (!hd_launch_run_program(&run, &r->how, &error)) {
        r->status = hd_cli_fail("%s", error.text);
        return false;
    }
    r->timed_out += run.timed_out;
    const char *output = r->runs > 1 ? numbered(r->output, r->kept.length + 1) : r->output;
    bool good = hd_recording_save(&run, output, r->format, &summary, &error) &&
                save_schedule(r->arguments, &run, &error);
    if (good) {
        bool added = true;
        if (r->runs > 1)
            hd_map_at(&r->classes, summary.class, &added);
        if (added)
            keep(r, &run, &summary, output);
        else
            unlink(output);
    } else
        r->status = hd_cli_fail("%s", error.text);
    hd_launch_run_release(&run);
    return good;
}

static void print_run(hd_json *json, const kept_run *run) {
    hd_json_uint(json, "seed", run->seed);
    hd_json_uint(json, "events", run->summary.events);
    hd_json_uint(json, "threads", run->summary.threads);
    hd_json_uint(json, "lost", run->summary.lost);
    hd_json_uint(json, "switches", run->switches);
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

/* Of these runs, not of others. */
static void judge(const recording *r, hd_verdict *verdict) {
    hd_verdict_init(verdict, r->runs == 1 ? "how one run ends" : "how some runs end");
    if (r->timed_out)
        hd_verdict_not(verdict, "hang", "%s ended by --timeout",
                       hd_cli_count((size_t)r->timed_out, "run was", "runs were"));
    for (size_t i = 0; i < r->kept.length; i++)
        if (r->kept.data[i].summary.incomplete)
            hd_verdict_not(verdict, "damaged", "%s is incomplete", r->kept.data[i].output);
    hd_verdict_rests(verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "%s: what other schedules do is not asked",
                     r->runs == 1 ? "one run" : "these runs");
    hd_cli_verdict_inputs(
        verdict,
        (hd_cli_words){r->arguments->operands + 1, (size_t)r->arguments->operand_count - 1}, true);
    hd_cli_verdict_end(verdict, r->arguments, r->found > 0);
}

static int print_json(const recording *r, const hd_verdict *verdict) {
    hd_cli_answer answer;
    if (!hd_cli_json_begin(&answer, r->arguments, r->how.argv[0], verdict))
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
    return hd_cli_json_end(&answer, hd_verdict_status(verdict));
}

static int record_all(recording *r) {
    enum { PATIENCE = 2 };
    for (uint64_t i = 0; i < r->runs; i++, r->how.seed++) {
        if (!record_one(r))
            return r->status;
        if (hd_stop_asked())
            r->runs = i + 1;
        if (r->timed_out == PATIENCE && i + 1 < r->runs) {
            hd_log_write(HD_LOG_WARNING, "%s: %d runs were ended by --timeout; no more are tried",
                         hd_cli_name(r->how.argv[0]), PATIENCE);
            r->runs = i + 1;
        }
    }
    if (r->runs > 1)
        hd_log_write(HD_LOG_NOTE, "%llu runs, %zu of them different, %llu of these failed",
                     (unsigned long long)r->runs, r->kept.length, (unsigned long long)r->failed);
    hd_verdict verdict;
    judge(r, &verdict);
    int status = hd_cli_given(r->arguments, HD_CLI_JSON) ? print_json(r, &verdict)
                                                         : hd_verdict_status(&verdict);
    hd_verdict_release(&verdict);
    return status;
}

static void release(recording *r) {
    for (size_t i = 0; i < r->kept.length; i++) {
        free(r->kept.data[i].output);
        free(r->kept.data[i].ending);
        free(r->kept.data[i].printed);
    }
    hd_vec_release(&r->kept);
    hd_map_release(&r->classes);
}

static bool keep_output(recording *r) {
    if (!hd_cli_given(r->arguments, HD_CLI_JSON)) {
        hd_cli_usage(r->arguments, "--keep-output puts it in the answer of --json: give that too");
        return false;
    }
    r->how.aside = false;
    r->how.silent = true;
    r->how.captured = memfd_create("output", MFD_CLOEXEC);
    if (r->how.captured > 0)
        return true;
    hd_cli_fail("cannot keep the output: %s", strerror(errno));
    return false;
}

static int run(const hd_cli_arguments *arguments) {
    recording r = {.arguments = arguments, .how.argv = arguments->operands};
    uint64_t timeout, limit, patience;
    if (!hd_cli_number(arguments, SEED, 1, 0, UINT64_MAX, &r.how.seed) ||
        !hd_cli_number(arguments, RUNS, 1, 1, 1000000, &r.runs) ||
        !hd_cli_number(arguments, TIMEOUT, 0, 0, 1000000, &timeout) ||
        !hd_cli_number(arguments, HANG, 10, 0, 1000000, &patience) ||
        !hd_cli_number(arguments, LIMIT, 4096, 1, 1 << 20, &limit))
        return HD_CLI_BAD;
    r.how.timeout = (unsigned)timeout;
    r.how.patience = (unsigned)patience;
    r.how.limit = limit << 20;
    r.how.every_access = hd_cli_given(arguments, ACCESSES);
    r.how.free_running = hd_cli_given(arguments, FREE);
    r.how.calls = !hd_cli_given(arguments, NO_STACKS);
    r.how.tsan = hd_cli_given(arguments, TSAN);
    r.how.aside = hd_cli_given(arguments, HD_CLI_JSON);
    if (hd_cli_given(arguments, KEEP_OUTPUT) && !keep_output(&r))
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
    hd_launch_schedule schedule = {0};
    hd_error error = {""};
    if (follows && !hd_launch_schedule_load(&schedule, arguments->values[SCHEDULE], &error))
        return hd_cli_fail("%s", error.text);
    if (follows) {
        r.how.schedule = schedule.runs.data;
        r.how.schedule_runs = schedule.runs.length;
        r.how.seed = schedule.seed;
    }
    int status = record_all(&r);
    hd_launch_schedule_release(&schedule);
    release(&r);
    return status;
}

const hd_cli_command hd_cli_record = {
    .name = "record",
    .operands = "[--] PROGRAM [ARGUMENT]...",
    .summary = "Runs a program made by 'heddle cc', and keeps what it did as a trace",
    .details =
        "All threads of PROGRAM run under heddle's schedule, one at a time, and the trace\n"
        "has every access and every operation on locks and threads in exact order.  The\n"
        "same seed gives the same run.  The exit status is 0 if the program's is, 1 if the\n"
        "program failed: another status, a signal, a deadlock; 3 if it was ended from outside,\n"
        "or if its trace is incomplete.",
    .options = options,
    .least = 1,
    .most = 1 << 20,
    .run = run,
    .stops = true,
};
