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

enum {
    OUTPUT = HD_CLI_OWN,
    TIME,
    SEEDS,
    ASK,
    FLAG,
    NOTES,
    CI,
    BASELINE,
    UPDATE,
    SARIF,
    JUNIT,
    DOT,
    COLOUR
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"output", 'o', "DIR", "where traces and witnesses go; else the input's name with .heddle"},
    {"time", 0, "TIME", "stop after a time: 60s (the default), 0.5, 2m, 1h"},
    {"seeds", 0, "N", "record so many runs (8)"},
    {"ask", 0, "LIST", "only these of race,deadlock,nondet,explore"},
    {"flag", 0, "FLAG", "for the compiler, if there is something to compile; may be repeated"},
    {"notes", 0, NULL, "list the notes too: reads that can see another write"},
    {"ci", 0, NULL, "print, and let the status tell, only what the baseline does not have"},
    {"baseline", 0, "FILE", "findings that are known already"},
    {"update-baseline", 0, NULL, "write what was found to the baseline; status 0"},
    {"sarif", 0, "FILE", "write the findings as SARIF 2.1.0, for code scanning"},
    {"junit", 0, "FILE", "write them as JUnit XML"},
    {"dot", 0, "FILE", "draw their schedules, for Graphviz"},
    {"color", 0, "WHEN", "always, never, or auto: on a terminal (the default)"},
    {0},
};

/* ---- Options ---- */

static bool read_asked(hd_cli_checkup *check) {
    static const char *const known[] = {"race", "deadlock", "nondet", "explore"};
    check->asked = check->arguments->values[ASK];
    for (const char *at = check->asked; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t length = strcspn(at, ","), i = 0;
        while (i < sizeof known / sizeof *known &&
               (strlen(known[i]) != length || strncmp(known[i], at, length) != 0))
            i++;
        if (i == sizeof known / sizeof *known) {
            hd_cli_usage(check->arguments,
                         "--ask takes a list of race, deadlock, nondet and "
                         "explore, not '%s'",
                         hd_cli_name(check->asked));
            return false;
        }
    }
    return true;
}

static bool read_files(const hd_cli_checkup *check) {
    static const int files[] = {SARIF, JUNIT, DOT};
    const hd_cli_arguments *arguments = check->arguments;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (hd_cli_given(arguments, files[i]) && strcmp(arguments->values[files[i]], "-") == 0) {
            hd_cli_usage(arguments, "--%s wants a file, standard output has the answer",
                         options[files[i]].name);
            return false;
        }
    if (hd_cli_given(arguments, UPDATE) && !hd_cli_given(arguments, BASELINE)) {
        hd_cli_usage(arguments, "--update-baseline wants --baseline=FILE too");
        return false;
    }
    return true;
}

static bool read_look(const hd_cli_checkup *check, hd_report_look *look) {
    const char *when = check->arguments->values[COLOUR];
    hd_report_look_init(look, stdout);
    look->only_new = hd_cli_given(check->arguments, CI);
    look->notes = hd_cli_given(check->arguments, NOTES);
    if (!when || strcmp(when, "auto") == 0)
        return true;
    look->colour = strcmp(when, "always") == 0;
    if (look->colour || strcmp(when, "never") == 0)
        return true;
    hd_cli_usage(check->arguments, "--color takes always, never or auto, not '%s'",
                 hd_cli_name(when));
    return false;
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
    hd_cli_fail("%s: cannot make this folder: %s", hd_cli_name(check->folder),
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
        hd_cli_fail("%s: cannot open: %s", hd_cli_name(check->input), strerror(errno));
        return false;
    }
    if (is_source(check->input) || hd_cli_is_program(check->input)) {
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
    hd_cli_usage(check->arguments, "one word too many: '%s'", hd_cli_name(check->words[0]));
    return false;
}

/* A trace is loaded here once, so that what is wrong with it is said once. */
static bool take_trace(hd_cli_checkup *check) {
    hd_trace trace = {0};
    hd_error error = {""};
    bool good = hd_trace_load(&trace, check->input, 0, &error);
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
    if (check->kind != HD_CLI_CHECK_TRACE)
        hd_cli_check_explore(check);
    return true;
}

static bool write_files(const hd_cli_checkup *check) {
    static const struct {
        int row;
        bool (*write)(const hd_report *report, const char *path, hd_error *error);
    } forms[] = {
        {SARIF, hd_report_write_sarif}, {JUNIT, hd_report_write_junit}, {DOT, hd_report_write_dot}};
    hd_error error = {""};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *path = check->arguments->values[forms[i].row];
        if (path && !forms[i].write(&check->report, path, &error)) {
            hd_cli_fail("%s", error.text);
            return false;
        }
    }
    return true;
}

/* A baseline that is not there yet is an empty one when it is to be written.  It is read
 * before anything is asked too, so that a bad one costs no time. */
static bool use_baseline(hd_cli_checkup *check, bool update) {
    const char *path = check->arguments->values[BASELINE];
    hd_error error = {""};
    if (!path)
        return true;
    if ((hd_cli_given(check->arguments, UPDATE) && access(path, F_OK) != 0) ||
        hd_report_baseline_load(&check->report, path, &error)) {
        if (!update || hd_report_baseline_save(&check->report, path, &error))
            return true;
    }
    hd_cli_fail("%s", error.text);
    return false;
}

static int status_of(const hd_cli_checkup *check) {
    const hd_report *report = &check->report;
    if (hd_cli_given(check->arguments, UPDATE))
        return HD_CLI_OK;
    if (hd_report_count(report, HD_REPORT_ERROR) || hd_report_count(report, HD_REPORT_WARNING))
        return HD_CLI_FOUND;
    if (check->interrupted)
        return HD_CLI_LIMIT;
    return report->complete || hd_cli_given(check->arguments, CI) ? HD_CLI_OK : HD_CLI_LIMIT;
}

static int answer(hd_cli_checkup *check, const hd_report_look *look) {
    hd_report *report = &check->report;
    hd_error error = {""};
    hd_report_merge(report);
    hd_cli_check_replay(check);
    if (!use_baseline(check, hd_cli_given(check->arguments, UPDATE)))
        return HD_CLI_BAD;
    report->seconds = hd_progress_clock() - check->arguments->started;
    if (report->findings.length || !check->made_folder || hd_cli_given(check->arguments, OUTPUT))
        report->folder = check->folder;
    if (!write_files(check) ||
        (report->folder &&
         !hd_report_write_json(report, hd_cli_check_path(check, "result.json"), &error)))
        return *error.text ? hd_cli_fail("%s", error.text) : HD_CLI_BAD;
    if (!hd_cli_given(check->arguments, HD_CLI_JSON))
        hd_report_print(report, look, stdout);
    else if (!hd_report_write_json(report, "-", &error))
        return hd_cli_fail("%s", error.text);
    return status_of(check);
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
        !read_files(&check) || !read_look(&check, &look))
        return HD_CLI_BAD;
    check.deadline = arguments->started + check.budget;
    hd_report_init(&check.report, "check", check.input);
    for (int i = 0; i < check.word_count; i++)
        hd_vec_push(&check.report.arguments, hd_report_keep(&check.report, check.words[i]));
    block_signals();
    int status = HD_CLI_BAD;
    if (use_baseline(&check, false) && find_kind(&check) && make_folder(&check)) {
        if (ask_all(&check))
            status = answer(&check, &look);
        if (!check.report.folder && check.made_folder)
            remove_folder(&check);
    }
    hd_report_release(&check.report);
    hd_vec_release(&check.traces);
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
        "questions found is one finding.  Status 0: nothing wrong; 1: an error or a warning;\n"
        "3: nothing wrong was found, but not all was decided.",
    .options = options,
    .least = 1,
    .most = 1 << 20,
    .run = run,
    .stops = true,
};
