/*
 * heddle check: everything that heddle can ask about a program, in one go.
 */
#include "cli_ask.h"
#include "cli_explore.h"
#include "cli_report.h"
#include "predicate/predicate.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OUTPUT = HD_CLI_OWN,
    SEEDS,
    ASK,
    DETECT,
    FLAG,
    MISUSE,
    VOLATILE,
    INPUTS,
    SV_COMP,
    YAML,
    SUPPRESSIONS,
    THREADS,
    DEPTH,
    BOUND,
    NO_STACKS,
    COMMANDS
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON_LIMITS(0, "stop after a time: 60s (default), 0.5, 2m, 1h", "the same"),
    {"output", 'o', "DIR", "folder for traces and witnesses (the input's name with .heddle)"},
    {"seeds", 0, "N", "record N runs (8)"},
    {"ask", 0, "LIST", "ask only these of race,deadlock,nondet,explore,outcome"},
    {"detect", 0, "PREDICATE",
     "also ask whether this can be true (heddle detect); may be repeated"},
    {"flag", 0, "FLAG", "pass this to the compiler of a source; may be repeated"},
    HD_CLI_MISUSE,
    HD_CLI_VOLATILE,
    HD_CLI_INPUTS,
    HD_CLI_SV_COMP,
    HD_CLI_YAML,
    HD_CLI_SUPPRESSIONS,
    {"jobs", 'j', "K", "workers that explore (default: one for each processor)"},
    {"depth", 0, "N", "cut off a thread after N steps"},
    HD_CLI_BOUND,
    {"no-stacks", 0, NULL, "record no call stacks: faster if functions are small"},
    {"compile-commands", 0, "FILE",
     "say which files of this database are instrumented (compile_commands.json)"},
    HD_CLI_REPORT_OPTIONS,
    {0},
};

typedef struct checkup {
    const hd_cli_arguments *arguments;
    hd_engine_check c;
    bool made_folder;
    bool keeps;          /* what is in it */
    char explored[4200]; /* file with the explorer's answer; "" if none exists */
} checkup;

/* ---- Options ---- */

static bool read_asked(checkup *check) {
    if (!hd_cli_misuse(check->arguments, MISUSE) || !hd_cli_volatile(check->arguments, VOLATILE) ||
        !hd_cli_inputs(check->arguments, INPUTS))
        return false;
    static const struct {
        const char *name;
        unsigned bit;
    } known[] = {{"race", HD_ENGINE_ASK_RACE},
                 {"deadlock", HD_ENGINE_ASK_DEADLOCK},
                 {"nondet", HD_ENGINE_ASK_NONDET},
                 {"explore", HD_ENGINE_ASK_EXPLORE},
                 {"outcome", HD_ENGINE_ASK_OUTCOME}};
    const char *asked = check->arguments->values[ASK];
    for (const char *at = asked; at; at = strchr(at, ',')) {
        at += *at == ',';
        size_t length = strcspn(at, ","), i = 0;
        while (i < sizeof known / sizeof *known &&
               (strlen(known[i].name) != length || strncmp(known[i].name, at, length) != 0))
            i++;
        if (i == sizeof known / sizeof *known) {
            hd_cli_usage(check->arguments,
                         "--ask takes a list of race, deadlock, nondet, explore "
                         "and outcome, not '%s'",
                         hd_text_name(asked));
            return false;
        }
        check->c.asked |= known[i].bit;
    }
    return true;
}

/* Every value of an option that may be repeated, in the report's arena. */
static hd_engine_texts read_all(checkup *check, int row) {
    size_t count = 0, at = 0;
    while (hd_cli_next(check->arguments, row, &at))
        count++;
    const char **texts = hd_arena_alloc(&check->c.report.arena, (count + 1) * sizeof *texts);
    at = 0;
    for (size_t i = 0; i < count; i++)
        texts[i] = hd_cli_next(check->arguments, row, &at);
    return (hd_engine_texts){texts, count};
}

/* How it is explored and recorded. */
static bool read_how(checkup *check) {
    hd_engine_check *c = &check->c;
    uint64_t threads;
    if (!hd_cli_number(check->arguments, THREADS, 0, 1, HD_CLI_MOST_WORKERS, &threads) ||
        !hd_cli_number(check->arguments, DEPTH, 0, 1, UINT64_MAX, &c->depth) ||
        !hd_cli_bound(check->arguments, BOUND, &c->bounded, &c->preemptions))
        return false;
    c->threads = (unsigned)threads;
    c->no_stacks = hd_cli_given(check->arguments, NO_STACKS);
    return true;
}

/* Words after a source that are sources too are compiled with it, up to "--" or another word. */
static void read_sources(checkup *check) {
    hd_engine_check *c = &check->c;
    int after = check->arguments->after_dashes;
    size_t count = 0, most = c->words.count;
    if (!hd_engine_check_is_source(c->input))
        return;
    if (after < check->arguments->operand_count)
        most -= (size_t)after;
    while (count < most && hd_engine_check_is_source(c->words.data[count]))
        count++;
    c->sources = (hd_engine_texts){(const char *const *)c->words.data, count};
    c->words.data += count;
    c->words.count -= count;
    if (c->words.count && strcmp(c->words.data[0], "--") == 0) {
        c->words.data++;
        c->words.count--;
    }
    hd_vec_clear(&c->report.arguments);
    for (size_t i = 0; i < c->words.count; i++)
        hd_vec_push(&c->report.arguments, hd_report_keep(&c->report, c->words.data[i]));
}

/* ---- The folder ---- */

static bool make_folder(checkup *check) {
    hd_engine_check *c = &check->c;
    const char *given = check->arguments->values[OUTPUT], *slash = strrchr(c->input, '/');
    c->folder = given ? hd_report_keep(&c->report, given)
                      : hd_report_format(&c->report, "%s.heddle", slash ? slash + 1 : c->input);
    check->made_folder = mkdir(c->folder, 0777) == 0;
    struct stat state;
    if (check->made_folder ||
        (errno == EEXIST && stat(c->folder, &state) == 0 && S_ISDIR(state.st_mode)))
        return true;
    hd_cli_fail("%s: cannot make this folder: %s", hd_text_name(c->folder),
                errno == EEXIST ? "it is a file" : strerror(errno));
    return false;
}

/* Nothing to see again: then no file is left. */
static void remove_folder(const checkup *check) {
    const hd_engine_check *c = &check->c;
    for (size_t i = 0; i < c->traces.length; i++)
        if (c->kind != HD_ENGINE_TRACE)
            unlink(c->traces.data[i]);
    if (check->explored[0])
        unlink(check->explored);
    if (c->program && strncmp(c->program, c->folder, strlen(c->folder)) == 0)
        unlink(c->program);
    rmdir(c->folder);
}

/* ---- What it is about ---- */

static bool find_kind(checkup *check) {
    hd_error error = {""};
    if (!hd_engine_check_kind(&check->c, &error)) {
        hd_cli_fail("%s", error.text);
        return false;
    }
    if (check->c.kind != HD_ENGINE_PROGRAM && check->c.commands) {
        hd_cli_usage(check->arguments, "--compile-commands is about programs");
        return false;
    }
    if (check->c.kind == HD_ENGINE_PROGRAM || !check->c.words.count)
        return true;
    hd_cli_usage(check->arguments, "one word too many: '%s'", hd_text_name(check->c.words.data[0]));
    return false;
}

/* What is wrong with a predicate is said before anything is asked; a model has no trace to ask. */
static bool read_predicates(const checkup *check) {
    const hd_engine_texts *texts = &check->c.predicates;
    if (texts->count && check->c.kind == HD_ENGINE_MODEL) {
        hd_cli_usage(check->arguments, "--detect is about programs and traces");
        return false;
    }
    for (size_t i = 0; i < texts->count; i++) {
        hd_predicate predicate;
        hd_predicate_error wrong = {0};
        if (!hd_predicate_init(&predicate, texts->data[i], &wrong)) {
            hd_cli_usage(check->arguments, "--detect='%s': %s", hd_text_name(texts->data[i]),
                         wrong.error.text);
            return false;
        }
        hd_predicate_release(&predicate);
    }
    return true;
}

/* A trace is loaded here once, so that what is wrong with it is said once. */
static bool note_trace(const checkup *check) {
    hd_trace trace = {0};
    hd_error error = {""};
    if (check->c.kind != HD_ENGINE_TRACE)
        return true;
    bool good = hd_trace_load(&trace, check->c.input, HD_TRACE_TIMED, &error);
    if (good)
        hd_cli_note_trace(check->c.input, &trace);
    else
        hd_cli_fail("%s", error.text);
    hd_trace_release(&trace);
    return good;
}

/* ---- The answer ---- */

/* The explorer's answer, as heddle explore prints it, beside the witnesses. */
static const char *keep_explored(void *context, const hd_engine_exploration *e, double since) {
    checkup *check = context;
    snprintf(check->explored, sizeof check->explored, "%s/explore.json", check->c.folder);
    if (hd_cli_explore_keep(e, check->explored, since))
        return check->explored;
    check->explored[0] = '\0';
    return NULL;
}

static int answer(checkup *check, const hd_report_look *look) {
    hd_report *report = &check->c.report;
    hd_error error = {""};
    if (report->findings.length || check->c.contradicted || !check->made_folder ||
        hd_cli_given(check->arguments, OUTPUT))
        report->folder = check->c.folder;
    check->keeps = report->folder != NULL;
    /* What was found is told even where a file of it could not be written. */
    bool written = hd_cli_report_write(check->arguments, report);
    if (report->folder &&
        !hd_report_write_json(report, hd_engine_check_path(&check->c, "result.json"), &error)) {
        hd_cli_fail("%s", error.text);
        written = false;
        report->folder = NULL; /* not all is there that should be */
    }
    int status = hd_cli_report_print(check->arguments, report, look);
    if (check->c.sv_comp && status != HD_CLI_BAD && !hd_cli_given(check->arguments, HD_CLI_JSON))
        printf("\n%s\n", check->c.report.word);
    return hd_cli_written(written, status);
}

static int ask(checkup *check, const hd_report_look *look) {
    hd_error error = {""};
    hd_engine_question question = {
        .what = HD_ENGINE_CHECK, .path = check->c.input, .whole.check = &check->c};
    hd_cli_stop();
    hd_progress_allow(false);
    bool good = hd_cli_ask(check->arguments, &question, &error);
    if (good)
        return answer(check, look);
    hd_cli_fail("%s", error.text);
    return check->c.late ? HD_CLI_OPEN : HD_CLI_BAD;
}

/* What is wrong with the file of suppressions is said once, before all questions. */
static bool is_readable(const checkup *check) {
    hd_error error = {""};
    hd_finding_filter filter = {0};
    const char *file = check->c.suppressions;
    bool good = !file || hd_finding_suppressions_load(&filter, file, &error);
    hd_finding_filter_release(&filter);
    if (!good)
        hd_cli_fail("%s", error.text);
    return good;
}

static int run(const hd_cli_arguments *arguments) {
    checkup check = {.arguments = arguments};
    hd_report_look look;
    if (!hd_cli_sv_comp(arguments, SV_COMP, HD_ENGINE_UNREACH_CALL))
        return HD_CLI_BAD;
    hd_engine_check_init(&check.c, arguments->operands[0], hd_cli_program_words(arguments));
    read_sources(&check);
    check.c.started = arguments->started;
    check.c.explored = keep_explored;
    check.c.yaml = arguments->values[YAML];
    check.c.context = &check;
    check.c.predicates = read_all(&check, hd_cli_row(arguments->command, "detect"));
    check.c.flags = read_all(&check, hd_cli_row(arguments->command, "flag"));
    check.c.commands = arguments->values[COMMANDS];
    check.c.suppressions = hd_cli_suppressions(arguments, SUPPRESSIONS);
    int status = HD_CLI_BAD;
    if (is_readable(&check) && hd_cli_seconds(arguments, HD_CLI_TIME, 60, &check.c.seconds) &&
        hd_cli_number(arguments, SEEDS, 8, 1, 10000, &check.c.seeds) && read_asked(&check) &&
        read_how(&check) && hd_cli_report_read(arguments, &look) && find_kind(&check) &&
        read_predicates(&check) && note_trace(&check) && make_folder(&check)) {
        status = ask(&check, &look);
        if (!check.keeps && check.made_folder)
            remove_folder(&check);
    }
    hd_engine_check_release(&check.c);
    return status;
}

const hd_cli_command hd_cli_check = {
    .name = "check",
    .operands = "PROGRAM|SOURCE...|MODEL|TRACE [ARGUMENT]...",
    .summary = "Ask all questions about a program",
    .details =
        "Compiles the sources (.c, .cc, .cpp) and records some runs.  Predicts races, deadlocks\n"
        "and reads that can see another write from the runs, explores the program's schedules\n"
        "in the time that is left, and replays the findings.  Prints what was asked, how\n"
        "completely it was answered, what was found, and how to see it again.\n"
        "Status 0: nothing wrong, and everything was decided; 1: an error or a warning;\n"
        "3: nothing wrong was found, but that is no proof.",
    .options = options,
    .least = 1,
    .most = 1 << 20,
    .run = run,
};
