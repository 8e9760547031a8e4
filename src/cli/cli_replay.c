/*
 * heddle replay: the schedule of a witness on its model or program, step by step.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_ask.h"
#include "cli_replay.h"
#include "cli_verdict.h"

enum { TO = HD_CLI_OWN, PRINT, OUTPUT, GDB, COMMAND, ANY_BUILD };

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"to", 0, "STEP", "stop after this step; for a recording, after this event"},
    {"print", 0, NULL, "print every event of a program's run, not only its steps"},
    {"trace", 'o', "FILE", "with --print: save these events as a trace"},
    {"gdb", 0, NULL, "run a program in gdb, and stop where the schedule fails or --to says"},
    {"ex", 0, "COMMAND", "with --gdb: run this command, then exit; may be repeated"},
    {"any-build", 0, NULL, "try a witness of another build of the program"},
    {0},
};

typedef struct replay {
    const hd_cli_arguments *arguments;
    const char *model, *file;
    bool program;
    bool recording; /* the file is one, no witness */
    uint64_t to;    /* 0: to the end */
    hd_engine_replay e;
} replay;

/* What is for programs only, and what does not go together. */
static bool check_options(const replay *r) {
    static const int of_programs[] = {PRINT, OUTPUT, GDB, COMMAND, ANY_BUILD};
    const hd_cli_arguments *a = r->arguments;
    for (size_t i = 0; !r->program && i < sizeof of_programs / sizeof *of_programs; i++)
        if (hd_cli_given(a, of_programs[i])) {
            hd_cli_usage(a, "--%s is for programs", options[of_programs[i]].name);
            return false;
        }
    bool print = hd_cli_given(a, PRINT), gdb = hd_cli_given(a, GDB);
    if (print && gdb)
        hd_cli_usage(a, "--print and --gdb do not go together");
    else if ((print || gdb) && hd_cli_given(a, HD_CLI_JSON))
        hd_cli_usage(a, "--print and --gdb have no JSON; --json shows the steps");
    else if (hd_cli_given(a, COMMAND) && !gdb)
        hd_cli_usage(a, "--ex is for --gdb");
    else if (hd_cli_given(a, OUTPUT) && !print)
        hd_cli_usage(a, "--trace is for --print");
    else
        return true;
    return false;
}

static bool prepare(replay *r) {
    hd_error error = {""};
    r->program = hd_engine_is_program(r->model);
    if (strcmp(r->model, "-") != 0 && access(r->model, R_OK) != 0) {
        hd_cli_fail("%s: %s", hd_text_name(r->model), strerror(errno));
        return false;
    }
    if (!check_options(r))
        return false;
    if (!r->program && hd_engine_is_trace(r->model)) {
        hd_cli_usage(r->arguments, "the model or program comes first, then what it is to follow");
        return false;
    }
    if (!r->program && r->arguments->operand_count > 2) {
        hd_cli_usage(r->arguments, "one word too many: '%s'",
                     hd_text_name(r->arguments->operands[2]));
        return false;
    }
    if (strcmp(r->model, "-") == 0 && strcmp(r->file, "-") == 0) {
        hd_cli_usage(r->arguments, "MODEL and WITNESS cannot both be standard input");
        return false;
    }
    if (!hd_cli_number(r->arguments, TO, 0, 1, UINT32_MAX, &r->to))
        return false;
    r->recording =
        r->program && (hd_engine_is_recording(r->file) || hd_engine_is_trace_witness(r->file));
    if (r->recording) {
        if (!hd_engine_replay_program(&r->e, &error))
            hd_cli_fail("%s", error.text);
        return r->e.argv[0] != NULL;
    }
    if (hd_engine_is_recording(r->file)) {
        hd_cli_fail("%s is a recording of a program, which %s is not", hd_text_name(r->file),
                    hd_text_name(r->model));
        return false;
    }
    if (hd_engine_replay_load(&r->e, &error))
        return true;
    hd_cli_fail("%s%s", error.text,
                r->program && r->e.witness.headless
                    ? "; nor is it a recording, a trace that 'heddle record' wrote as .htr"
                    : "");
    return false;
}

/* Runs the witness, with a table of the steps unless it is to be silent; it and what follows it are
 * there. */
static void run_witness(replay *r, bool silent) {
    hd_cli_steps steps;
    hd_error error = {""};
    hd_engine_question question = {
        .what = HD_ENGINE_REPLAY, .path = r->model, .whole.replay = &r->e};
    hd_engine_replay_bind(&r->e);
    hd_cli_steps_init(&steps, r->e.machine, r->model, &r->e.witness.schedule, NULL);
    steps.silent = silent;
    steps.most = r->to;
    hd_replay_watch watch = hd_cli_steps_watch(&steps);
    r->e.watch = &watch; // cppcheck-suppress autoVariables ; taken back below
    hd_cli_ask(r->arguments, &question, &error);
    r->e.watch = NULL;
    hd_cli_steps_release(&steps);
}

static int fail_diverged(const replay *r) {
    const char *why = hd_clock_why();
    fflush(stdout);
    if (why)
        return hd_cli_fail("%s: %s after %zu of %zu steps of %s", hd_text_name(r->model), why,
                           r->e.outcome.steps, r->e.witness.schedule.length, hd_text_name(r->file));
    return hd_cli_fail("%s: diverges from %s: %s", hd_text_name(r->model), hd_text_name(r->file),
                       r->e.reason.text);
}

static int status_of(const replay *r) {
    return r->e.end == HD_ENGINE_DIVERGED ? HD_CLI_BAD : hd_verdict_status(&r->e.verdict);
}

/* ---- Text ---- */

static void print_head(const replay *r) {
    const hd_steps *schedule = &r->e.witness.schedule;
    printf("%s on %s: %s, %s, claim: %s\n", hd_text_name(r->file), hd_text_name(r->model),
           hd_text_count(schedule->length, "step", "steps"),
           hd_text_count(hd_replay_switches(schedule), "context switch", "context switches"),
           hd_replay_claim_name(r->e.witness.claim));
}

static void add_text(hd_vec_char *text, const char *more) {
    while (*more)
        hd_vec_push(text, *more++);
}

static void describe_end(replay *r, hd_vec_char *text) {
    add_text(text, "it ends");
    if (!r->program)
        return;
    hd_native_outcome outcome;
    hd_native_machine_outcome(r->e.machine, &outcome);
    add_text(text, ": ");
    hd_engine_outcome_text(&outcome, text);
}

/* The last two steps collide, or the last one and an earlier one. */
static void describe_race(replay *r, hd_vec_char *text) {
    const hd_replay_outcome *outcome = &r->e.outcome;
    char *first = hd_engine_place(r->e.machine, r->model, outcome->first);
    char *second = hd_engine_place(r->e.machine, r->model, outcome->second);
    char *line = NULL;
    int length =
        asprintf(&line,
                 outcome->unordered ? "race: the memory orders do not order the accesses, %s and %s"
                                    : "race: both accesses are next, %s and %s",
                 first, second);
    if (length < 0)
        hd_mem_made(NULL);
    for (int i = 0; i < length; i++)
        hd_vec_push(text, line[i]);
    free(line);
    free(first);
    free(second);
}

/* What was shown, in one line. */
static void describe(replay *r, hd_vec_char *text) {
    char line[96];
    if (r->e.witness.claim == HD_REPLAY_VIOLATION) {
        r->e.machine->type->failure(r->e.machine, text);
        return;
    }
    if (r->e.witness.claim == HD_REPLAY_END) {
        describe_end(r, text);
        return;
    }
    if (r->e.witness.claim == HD_REPLAY_RACE || r->e.witness.claim == HD_REPLAY_UNORDERED) {
        describe_race(r, text);
        return;
    }
    if (r->e.witness.claim == HD_REPLAY_LIVELOCK) {
        hd_text_append(text,
                       "livelock: the steps after step %zu lead back to the state before "
                       "them, for ever",
                       r->e.outcome.before);
        return;
    }
    uint32_t threads =
        r->e.program ? hd_native_machine_own_threads(r->e.machine) : r->e.machine->threads;
    int length = snprintf(line, sizeof line, "deadlock: %u of %s cannot go on",
                          r->e.outcome.unfinished, hd_text_count(threads, "thread", "threads"));
    for (int i = 0; i < length; i++)
        hd_vec_push(text, line[i]);
}

static void print_shown(replay *r) {
    hd_vec_char text = {0};
    char shown[1024];
    describe(r, &text);
    hd_text_printable(shown, sizeof shown, text.data, text.length);
    printf("shown: %s\n", shown);
    hd_vec_release(&text);
    if (r->e.witness.claim == HD_REPLAY_STUCK)
        hd_cli_waits(r->e.machine, &r->e.witness.schedule, NULL);
}

static int print_text(replay *r) {
    bool quiet = hd_cli_given(r->arguments, HD_CLI_QUIET);
    if (!quiet)
        print_head(r);
    run_witness(r, quiet);
    switch (r->e.end) {
    case HD_ENGINE_SHOWN:
        print_shown(r);
        break;
    case HD_ENGINE_NOT_SHOWN:
        printf("not shown: %s\n", r->e.reason.text);
        break;
    case HD_ENGINE_HALTED:
        printf("stopped after step %zu of %zu\n", r->e.outcome.steps, r->e.witness.schedule.length);
        break;
    case HD_ENGINE_DIVERGED:
        return fail_diverged(r);
    }
    return status_of(r);
}

/* ---- JSON ---- */

static void write_steps(replay *r, hd_json *json) {
    hd_cli_steps steps;
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_cli_steps_init(&steps, r->e.machine, r->model, &r->e.witness.schedule, json);
    steps.most = r->to;
    hd_replay_watch watch = hd_cli_steps_watch(&steps);
    hd_json_open(json, "steps", '[');
    hd_replay_run(r->e.machine, &r->e.witness.schedule, &watch, &outcome, &error);
    hd_cli_steps_close(&steps);
    hd_cli_steps_release(&steps);
}

static void write_finding(replay *r, hd_json *json) {
    static const char *const rules[] = {[HD_REPLAY_STUCK] = "deadlock",
                                        [HD_REPLAY_LIVELOCK] = "livelock",
                                        [HD_REPLAY_RACE] = "race",
                                        [HD_REPLAY_END] = "outcome",
                                        [HD_REPLAY_UNORDERED] = "race"};
    hd_json_open(json, NULL, '{');
    if (r->e.witness.claim != HD_REPLAY_VIOLATION) {
        hd_vec_char text = {0};
        describe(r, &text);
        hd_json_text(json, "rule", rules[r->e.witness.claim]);
        hd_json_string(json, "message", text.data, text.length);
        hd_vec_release(&text);
    }
    if (r->e.witness.claim == HD_REPLAY_STUCK) {
        hd_json_open(json, "waits", '[');
        hd_cli_waits(r->e.machine, &r->e.witness.schedule, json);
        hd_json_close(json);
    } else if (r->e.witness.claim == HD_REPLAY_VIOLATION) {
        char *location, *message;
        hd_engine_failure(r->e.machine, r->model, &location, &message);
        hd_json_text(json, "rule", hd_engine_failed_rule(r->e.machine));
        hd_json_text(json, "message", message);
        hd_json_text(json, "location", location);
        free(location);
        free(message);
    }
    hd_json_close(json);
}

/* The first run decides whether there is an answer at all, the second is written. */
static int print_json(replay *r) {
    static const char *const words[] = {[HD_ENGINE_SHOWN] = "shown",
                                        [HD_ENGINE_NOT_SHOWN] = "not shown",
                                        [HD_ENGINE_HALTED] = "stopped"};
    hd_cli_answer answer;
    run_witness(r, true);
    if (r->e.end == HD_ENGINE_DIVERGED)
        return fail_diverged(r);
    if (!hd_cli_json_begin(&answer, r->arguments, r->model, &r->e.verdict))
        return HD_CLI_BAD;
    hd_json *json = &answer.json;
    hd_json_text(json, "witness", r->file);
    hd_json_text(json, "claim", hd_replay_claim_name(r->e.witness.claim));
    hd_json_text(json, "verdict", words[r->e.end]);
    if (r->e.end == HD_ENGINE_NOT_SHOWN)
        hd_json_text(json, "reason", r->e.reason.text);
    hd_json_uint(json, "context_switches", hd_replay_switches(&r->e.witness.schedule));
    write_steps(r, json);
    hd_cli_json_findings(&answer);
    if (r->e.end == HD_ENGINE_SHOWN)
        write_finding(r, json);
    return hd_cli_json_end(&answer, status_of(r));
}

/* ---- Programs, closer ---- */

typedef HD_VEC(const char *) texts;

static hd_native_commands commands_of(const replay *r, texts *all) {
    const char *text;
    size_t at = 0;
    while ((text = hd_cli_next(r->arguments, COMMAND, &at)))
        hd_vec_push(all, text);
    return (hd_native_commands){all->data, all->length};
}

static int follow(const replay *r) {
    const hd_cli_arguments *arguments = r->arguments;
    texts all = {0};
    hd_cli_recording it = {.program = r->model,
                           .file = r->file,
                           .argv = r->e.argv,
                           .to = r->to,
                           .print = hd_cli_given(arguments, PRINT),
                           .json = hd_cli_given(arguments, HD_CLI_JSON),
                           .quiet = hd_cli_given(arguments, HD_CLI_QUIET),
                           .gdb = hd_cli_given(arguments, GDB),
                           .any_build = hd_cli_given(arguments, ANY_BUILD),
                           .commands = commands_of(r, &all),
                           .output = arguments->values[OUTPUT]};
    int status = hd_cli_replay_recording(&it, arguments);
    hd_vec_release(&all);
    return status;
}

/* The witness must be one of this program, and then the program runs once more by itself. */
static int look_closer(replay *r) {
    run_witness(r, true);
    if (r->e.end == HD_ENGINE_DIVERGED)
        return fail_diverged(r);
    if (r->e.end == HD_ENGINE_NOT_SHOWN) {
        printf("not shown: %s\n", r->e.reason.text);
        return status_of(r);
    }
    hd_cli_followed followed = {.argv = r->e.argv,
                                .words = r->e.witness.parameters.data,
                                .word_count = r->e.witness.parameters.length,
                                .schedule = &r->e.witness.schedule,
                                .claim = r->e.witness.claim,
                                .to = r->to,
                                .output = r->arguments->values[OUTPUT]};
    if (hd_cli_given(r->arguments, PRINT)) {
        int status = hd_cli_replay_events(&followed);
        if (status == HD_CLI_OK && r->e.end == HD_ENGINE_SHOWN)
            print_shown(r);
        return status == HD_CLI_OK ? status_of(r) : status;
    }
    r->e.machine->type->free(r->e.machine);
    r->e.machine = NULL;
    texts all = {0};
    hd_native_commands commands = commands_of(r, &all);
    int status = hd_cli_replay_gdb(&followed, &commands);
    hd_vec_release(&all);
    return status;
}

static bool is_closer(const hd_cli_arguments *arguments) {
    return hd_cli_given(arguments, PRINT) || hd_cli_given(arguments, GDB);
}

static int run(const hd_cli_arguments *arguments) {
    replay r = {
        .arguments = arguments, .model = arguments->operands[0], .file = arguments->operands[1]};
    hd_engine_words words = {arguments->operands + 2, (size_t)arguments->operand_count - 2};
    hd_engine_replay_init(&r.e, r.model, r.file, words);
    r.e.any_build = hd_cli_given(arguments, ANY_BUILD);
    int status = HD_CLI_BAD;
    if (prepare(&r))
        status = r.recording                            ? follow(&r)
                 : is_closer(arguments)                 ? look_closer(&r)
                 : hd_cli_given(arguments, HD_CLI_JSON) ? print_json(&r)
                                                        : print_text(&r);
    hd_engine_replay_release(&r.e);
    return status;
}

const hd_cli_command hd_cli_replay = {
    .name = "replay",
    .operands = "MODEL|PROGRAM|SOURCE WITNESS|RECORDING [ARGUMENT]...",
    .summary = "Run the schedule of a witness or recording again",
    .details =
        "Status 1: the failure that WITNESS claims shows again; 0: it does not; 3: --to stopped\n"
        "the run before that; 2: the run diverges from the witness, and the first step that\n"
        "differs is named.  For a RECORDING, a trace that 'heddle record' wrote as .htr,\n"
        "status 1: the program fails again; the first event that differs is named.",
    .options = options,
    .least = 2,
    .most = INT_MAX,
    .run = run,
};
