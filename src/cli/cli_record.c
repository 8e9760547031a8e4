/*
 * heddle record: runs a program, and keeps what it did as a trace.
 */
#include <string.h>
#include <sys/wait.h>

#include "cli.h"
#include "native/native.h"

enum { OUTPUT = HD_CLI_OWN, TO, SEED, ACCESSES, TIMEOUT, LIMIT };

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"output", 'o', "FILE", "the trace; else the program's name with .htr"},
    {"to", 't', "FORMAT", "text or binary; else as the name of the file says"},
    {"seed", 's', "N", "which schedule (1); 0: each thread runs until it must wait"},
    {"accesses", 'a', NULL, "let threads change at every access, not only now and then"},
    {"timeout", 0, "SECONDS", "end the program after that time"},
    {"limit", 0, "MIB", "memory for the record, in MiB (4096); what is beyond is lost"},
    {0},
};

static const char *default_output(const char *program) {
    static char name[4096];
    const char *slash = strrchr(program, '/');
    snprintf(name, sizeof name, "%s.htr", slash ? slash + 1 : program);
    return name;
}

static int print_json(const hd_cli_arguments *arguments, const hd_native_run *run,
                      const hd_native_summary *summary, const char *output, const char *ending) {
    int status = hd_native_run_succeeded(run) ? HD_CLI_OK : HD_CLI_FOUND;
    hd_cli_answer answer;
    if (!hd_cli_json_begin(&answer, arguments, arguments->operands[0], !summary->incomplete))
        return HD_CLI_BAD;
    hd_json *json = &answer.json;
    hd_json_uint(json, "events", summary->events);
    hd_json_uint(json, "threads", summary->threads);
    hd_json_uint(json, "lost", summary->lost);
    hd_json_uint(json, "switches", run->wire->switches);
    hd_json_text(json, "output", output);
    hd_json_text(json, "ending", ending);
    if (WIFEXITED(run->status))
        hd_json_uint(json, "exit_status", (uint64_t)WEXITSTATUS(run->status));
    else
        hd_json_uint(json, "signal", (uint64_t)WTERMSIG(run->status));
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, status);
}

static void print_notes(const hd_native_run *run, const hd_native_summary *summary,
                        const char *program, const char *output, const char *ending) {
    if (!hd_native_run_succeeded(run))
        hd_log_write(HD_LOG_WARNING, "%s: %s", hd_cli_name(program), ending);
    if (run->wire->ending == HEDDLE_WIRE_DEADLOCK) {
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

static int record(const hd_cli_arguments *arguments, const hd_native_options *how,
                  const char *output, enum hd_trace_format format) {
    hd_error error = {""};
    hd_native_run run;
    hd_native_summary summary;
    if (!hd_native_run_program(&run, how, &error))
        return hd_cli_fail("%s", error.text);
    if (!hd_native_save(&run, output, format, &summary, &error)) {
        hd_native_run_release(&run);
        return hd_cli_fail("%s: %s", hd_cli_name(output), error.text);
    }
    hd_vec_char ending = {0};
    hd_native_run_describe(&run, &ending);
    int status = hd_native_run_succeeded(&run) ? HD_CLI_OK : HD_CLI_FOUND;
    if (run.timed_out)
        status = HD_CLI_LIMIT;
    print_notes(&run, &summary, how->argv[0], output, ending.data);
    if (hd_cli_given(arguments, HD_CLI_JSON))
        status = print_json(arguments, &run, &summary, output, ending.data);
    hd_vec_release(&ending);
    hd_native_run_release(&run);
    return status;
}

static int run(const hd_cli_arguments *arguments) {
    hd_native_options how = {.argv = arguments->operands};
    uint64_t timeout, limit;
    if (!hd_cli_number(arguments, SEED, 1, 0, UINT64_MAX, &how.seed) ||
        !hd_cli_number(arguments, TIMEOUT, 0, 0, 1000000, &timeout) ||
        !hd_cli_number(arguments, LIMIT, 4096, 1, 1 << 20, &limit))
        return HD_CLI_BAD;
    how.timeout = (unsigned)timeout;
    how.limit = limit << 20;
    how.every_access = hd_cli_given(arguments, ACCESSES);
    const char *output = arguments->values[OUTPUT];
    if (!output)
        output = default_output(arguments->operands[0]);
    enum hd_trace_format format;
    if (!hd_cli_format(arguments, TO, output, &format))
        return HD_CLI_BAD;
    return record(arguments, &how, output, format);
}

const hd_cli_command hd_cli_record = {
    .name = "record",
    .operands = "[--] PROGRAM [ARGUMENT]...",
    .summary = "Runs a program made by 'heddle cc', and keeps what it did as a trace",
    .details = "All threads of PROGRAM run under heddle's schedule, one at a time, and the trace\n"
               "has every access and every operation on locks and threads in exact order.  The\n"
               "same seed gives the same run.  The exit status is 0 if the program's is, and 1 if\n"
               "the program failed: another status, a signal, a deadlock.",
    .options = options,
    .least = 1,
    .most = 1 << 20,
    .run = run,
    .stops = true,
};
