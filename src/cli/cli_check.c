/*
 * heddle check: everything that heddle can ask about a program, in one go.
 */
#include "cli_check.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli_model.h"
#include "cli_report.h"

enum { OUTPUT = HD_CLI_OWN, TIME, SEEDS, ASK, FLAG };

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"output", 'o', "DIR", "where traces and witnesses go; else the input's name with .heddle"},
    {"time", 0, "TIME", "stop after a time: 60s (the default), 0.5, 2m, 1h"},
    {"seeds", 0, "N", "record so many runs (8)"},
    {"ask", 0, "LIST", "only these of race,deadlock,nondet,explore,outcome"},
    {"detect", 0, "PREDICATE", "and whether this can come true (heddle detect); may be repeated"},
    {"flag", 0, "FLAG", "for the compiler, if there is something to compile; may be repeated"},
    HD_CLI_REPORT_OPTIONS,
    {0},
};

/* ---- Options ---- */

static bool read_asked(hd_cli_checkup *check) {
    static const char *const known[] = {"race", "deadlock", "nondet", "explore", "outcome"};
    check->asked = check->arguments->values[ASK];
    for (const char *at = check->asked; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t length = strcspn(at, ","), i = 0;
        while (i < sizeof known / sizeof *known &&
               (strlen(known[i]) != length || strncmp(known[i], at, length) != 0))
            i++;
        if (i == sizeof known / sizeof *known) {
            hd_cli_usage(check->arguments,
                         "--ask takes a list of race, deadlock, nondet, explore "
                         "and outcome, not '%s'",
                         hd_text_name(check->asked));
            return false;
        }
    }
    return true;
}

/* ---- The folder ---- */

const char *hd_cli_check_path(hd_cli_checkup *check, const char *name) {
    return hd_report_format(&check->report, "%s/%s", check->folder, name);
}

static bool make_folder(hd_cli_checkup *check) {
    const char *given = check->arguments->values[OUTPUT], *slash = strrchr(check->input, '/');
    check->folder =
        given ? hd_report_keep(&check->report, given)
              : hd_report_format(&check->report, "%s.heddle", slash ? slash + 1 : check->input);
    check->made_folder = mkdir(check->folder, 0777) == 0;
    struct stat state;
    if (check->made_folder ||
        (errno == EEXIST && stat(check->folder, &state) == 0 && S_ISDIR(state.st_mode)))
        return true;
    hd_cli_fail("%s: cannot make this folder: %s", hd_text_name(check->folder),
                errno == EEXIST ? "it is a file" : strerror(errno));
    return false;
}

/* Nothing to see again: then nothing stays behind. */
static void remove_folder(const hd_cli_checkup *check) {
    const char *program = check->program;
    assert(check->folder);
    for (size_t i = 0; i < check->traces.length; i++)
        if (check->kind != HD_CLI_CHECK_TRACE)
            unlink(check->traces.data[i]);
    if (check->explored)
        unlink(check->explored);
    if (program && strncmp(program, check->folder, strlen(check->folder)) == 0)
        unlink(program);
    rmdir(check->folder);
}

/* ---- What it is about ---- */

static bool is_source(const char *path) {
    static const char *const endings[] = {".c", ".i", ".cc", ".cpp", ".cxx", ".C"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

/* A name without a slash is a file here; exec would look for it elsewhere. */
static const char *path_of(hd_cli_checkup *check) {
    const char *input = check->input;
    return strchr(input, '/') ? input : hd_report_format(&check->report, "./%s", input);
}

static bool find_kind(hd_cli_checkup *check) {
    if (access(check->input, R_OK) != 0) {
        hd_cli_fail("%s: cannot open: %s", hd_text_name(check->input), strerror(errno));
        return false;
    }
    if (is_source(check->input) || hd_engine_is_program(check->input)) {
        check->kind = HD_CLI_CHECK_PROGRAM;
        check->program = path_of(check);
    } else if (ends_with(check->input, ".hdm")) {
        check->kind = HD_CLI_CHECK_MODEL;
        check->program = check->input;
    } else {
        check->kind = HD_CLI_CHECK_TRACE;
    }
    if (check->kind == HD_CLI_CHECK_PROGRAM || !check->word_count)
        return true;
    hd_cli_usage(check->arguments, "one word too many: '%s'", hd_text_name(check->words[0]));
    return false;
}

/* A trace is loaded here once, so that what is wrong with it is said once. */
static bool take_trace(hd_cli_checkup *check) {
    hd_trace trace = {0};
    hd_error error = {""};
    bool good = hd_trace_load(&trace, check->input, 0, &error);
    if (good)
        hd_cli_note_trace(check->input, &trace);
    hd_trace_release(&trace);
    if (good)
        hd_vec_push(&check->traces, check->input);
    else
        hd_cli_fail("%s", error.text);
    return good;
}

/* ---- The answer ---- */

static bool ask_all(hd_cli_checkup *check) {
    if (check->kind == HD_CLI_CHECK_TRACE && !take_trace(check))
        return false;
    if (check->kind == HD_CLI_CHECK_PROGRAM) {
        if ((is_source(check->input) && !hd_cli_check_compile(check)) ||
            !hd_cli_check_record(check))
            return false;
    }
    if (check->kind != HD_CLI_CHECK_MODEL)
        hd_cli_check_predict(check);
    return check->kind == HD_CLI_CHECK_TRACE || hd_cli_check_explore(check);
}

static void note_interrupt(hd_cli_checkup *check) {
    hd_report_part *part = hd_report_part_of(&check->report, "check");
    part->inputs = 1;
    part->failed = "interrupted";
    hd_verdict_not(&part->verdict, "interrupted", "interrupted before all was asked");
}

static int answer(hd_cli_checkup *check, const hd_report_look *look) {
    hd_report *report = &check->report;
    hd_error error = {""};
    hd_report_merge(report);
    hd_cli_check_replay(check);
    if (check->kind == HD_CLI_CHECK_PROGRAM) {
        hd_cli_check_compare_findings(check);
        hd_cli_check_cover(check);
    }
    if (check->interrupted)
        note_interrupt(check);
    report->seconds = hd_progress_clock() - check->arguments->started;
    if (report->findings.length || check->contradicted || !check->made_folder ||
        hd_cli_given(check->arguments, OUTPUT))
        report->folder = check->folder;
    if (!hd_cli_report_write(check->arguments, report))
        return HD_CLI_BAD;
    if (report->folder &&
        !hd_report_write_json(report, hd_cli_check_path(check, "result.json"), &error))
        return hd_cli_fail("%s", error.text);
    return hd_cli_report_print(check->arguments, report, look);
}

/* These are waited for, not let in. */
static void block_signals(void) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

static int run(const hd_cli_arguments *arguments) {
    hd_cli_checkup check = {.arguments = arguments, .input = arguments->operands[0]};
    hd_report_look look;
    check.words = arguments->operands + 1;
    check.word_count = arguments->operand_count - 1;
    if (!hd_cli_seconds(arguments, TIME, 60, &check.budget) ||
        !hd_cli_number(arguments, SEEDS, 8, 1, 10000, &check.seeds) || !read_asked(&check) ||
        !hd_cli_report_read(arguments, &look))
        return HD_CLI_BAD;
    check.deadline = arguments->started + check.budget;
    hd_report_init(&check.report, "check", check.input);
    for (int i = 0; i < check.word_count; i++)
        hd_vec_push(&check.report.arguments, hd_report_keep(&check.report, check.words[i]));
    block_signals();
    int status = HD_CLI_BAD;
    if (find_kind(&check) && make_folder(&check)) {
        if (ask_all(&check))
            status = answer(&check, &look);
        if (!check.report.folder && check.made_folder)
            remove_folder(&check);
    }
    hd_report_release(&check.report);
    hd_vec_release(&check.traces);
    hd_vec_release(&check.runs);
    return status;
}

const hd_cli_command hd_cli_check = {
    .name = "check",
    .operands = "PROGRAM|SOURCE|MODEL|TRACE [ARGUMENT]...",
    .summary = "All that heddle can ask about a program, in one go",
    .details =
        "Compiles a source (.c, .cc, .cpp), records some runs, predicts races, deadlocks and\n"
        "reads that can see another write from them, explores the program's schedules in the\n"
        "time that is left, replays what was found, and sums it up: what was asked, how\n"
        "completely it was answered, what was found, how to see it again.  What several\n"
        "questions found is one finding.  Status 0: nothing wrong, and all was decided; 1: an\n"
        "error or a warning; 3: nothing wrong was found, but that is no proof.",
    .options = options,
    .least = 1,
    .most = 1 << 20,
    .run = run,
    .stops = true,
};
