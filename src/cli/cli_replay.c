/*
 * heddle replay: the schedule of a witness on its model or program, step by step.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_replay.h"
#include "cli_verdict.h"

enum { TO = HD_CLI_OWN, PRINT, OUTPUT, GDB, COMMAND, ANY_BUILD };

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"to", 0, "STEP", "stop behind this step; of a recording, behind this event"},
    {"print", 0, NULL, "every event of a program's run, not its steps only"},
    {"trace", 'o', "FILE", "with --print: save these events as a trace"},
    {"gdb", 0, NULL, "look at a program in gdb, where the schedule fails or --to says"},
    {"ex", 0, "COMMAND", "with --gdb: run this and ask for nothing; may be repeated"},
    {"any-build", 0, NULL, "try what is of another build of the program"},
    {0},
};

/* How a replay ended. */
enum verdict { SHOWN, NOT_SHOWN, STOPPED, DIVERGED };

typedef struct replay {
    const hd_cli_arguments *arguments;
    const char *model, *file;
    bool program;
    bool recording; /* the file is one, no witness */
    char **argv;    /* of the program */
    char *made;     /* the program, if it was a source */
    hd_replay_witness witness;
    HD_VEC(hd_model_define) defines;
    hd_machine *machine;
    uint64_t to; /* 0: to the end */
    hd_replay_outcome outcome;
    enum verdict verdict;
    hd_error reason; /* why the claim is not shown, or where the run diverges */
} replay;

static bool read_parameters(replay *r) {
    hd_error error = {""};
    for (size_t i = 0; i < r->witness.parameters.length; i++) {
        hd_model_define define;
        if (!hd_model_define_parse(&define, r->witness.parameters.data[i], &error)) {
            hd_cli_fail("%s: parameter: %s", hd_text_name(r->file), error.text);
            return false;
        }
        hd_vec_push(&r->defines, define);
    }
    return true;
}

/* Of a source, as heddle explore made it. */
static char *make_program(const replay *r) {
    hd_error error = {""};
    bool sv_comp = false;
    for (size_t i = 0; i < r->witness.parameters.length; i++)
        sv_comp |= strcmp(r->witness.parameters.data[i], "sv-comp=1") == 0;
    char *made = hd_native_make(r->model, sv_comp, &error);
    if (!made)
        hd_cli_fail("%s", error.text);
    return made;
}

bool hd_cli_same_build(const char *file, const char *program, const char *path, const char *build,
                       const char *again, bool any) {
    char now[HD_NATIVE_BUILD];
    if (!build[0] || !hd_native_build(path, now) || strcmp(build, now) == 0)
        return true;
    if (any)
        hd_log_write(HD_LOG_WARNING, "%s is of another build of %s", hd_text_name(file),
                     hd_text_name(program));
    else
        hd_cli_fail("%s is of another build of %s (%.12s, this is %.12s); %s it again, or try it "
                    "with --any-build",
                    hd_text_name(file), hd_text_name(program), build, now, again);
    return any;
}

/* Addresses, and so what is shared, are those of one build. */
static bool check_build(const replay *r) {
    static const char key[] = "build=";
    const char *build = "";
    for (size_t i = 0; i < r->witness.parameters.length; i++)
        if (strncmp(r->witness.parameters.data[i], key, sizeof key - 1) == 0)
            build = r->witness.parameters.data[i] + sizeof key - 1;
    return hd_cli_same_build(r->file, r->model, r->argv[0], build, "explore",
                             hd_cli_given(r->arguments, ANY_BUILD));
}

/* The program's own words, and the program if it is a source. */
static bool find_program(replay *r) {
    char **argv = HD_NEW_ARRAY(char *, (size_t)r->arguments->operand_count);
    argv[0] = r->arguments->operands[0];
    for (int i = 2; i < r->arguments->operand_count; i++)
        argv[i - 1] = r->arguments->operands[i];
    r->argv = argv;
    if (hd_native_is_source(r->model))
        argv[0] = r->made = make_program(r);
    return argv[0] != NULL;
}

/* The witness says what is shared, so that its steps are the same here. */
static hd_machine *load_program(replay *r) {
    if (!find_program(r) || !check_build(r))
        return NULL;
    hd_native_machine_options how = {.argv = r->argv,
                                     .most_steps = HD_NATIVE_MOST_STEPS,
                                     .words = r->witness.parameters.data,
                                     .word_count = r->witness.parameters.length,
                                     .cold = true,
                                     .by_fork = true};
    hd_error error = {""};
    hd_machine *machine = hd_engine_program_start(how, &error);
    if (!machine)
        hd_cli_fail("%s", error.text);
    for (size_t i = 0; machine && i < r->witness.parameters.length; i++)
        if (!hd_native_machine_add_word(machine, r->witness.parameters.data[i])) {
            hd_cli_fail("%s: parameter: not one of a program: '%s'", hd_text_name(r->file),
                        hd_text_name(r->witness.parameters.data[i]));
            machine->type->free(machine);
            machine = NULL;
        }
    return machine;
}

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

/* Programs have builds. */
static bool is_of_program(const hd_replay_witness *witness) {
    for (size_t i = 0; i < witness->parameters.length; i++)
        if (strncmp(witness->parameters.data[i], "build=", strlen("build=")) == 0)
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
    r->recording = r->program && hd_engine_is_recording(r->file);
    if (r->recording)
        return find_program(r);
    if (hd_engine_is_recording(r->file)) {
        hd_cli_fail("%s is a recording of a program, which %s is not", hd_text_name(r->file),
                    hd_text_name(r->model));
        return false;
    }
    if (!hd_replay_witness_load(&r->witness, r->file, &error)) {
        hd_cli_fail("%s%s", error.text,
                    r->program && strstr(error.text, "not a witness")
                        ? "; nor is it a recording, a trace that 'heddle record' wrote as .htr"
                        : "");
        return false;
    }
    if (r->program != is_of_program(&r->witness)) {
        hd_cli_fail("%s is a witness of a %s, which %s is not", hd_text_name(r->file),
                    r->program ? "model" : "program", hd_text_name(r->model));
        return false;
    }
    if (!r->program && !read_parameters(r))
        return false;
    if (r->program)
        return (r->machine = load_program(r)) != NULL;
    r->machine = hd_engine_model_load(r->model, r->defines.data, r->defines.length, &error);
    if (!r->machine)
        hd_cli_fail("%s", error.text);
    return r->machine != NULL;
}

/* Runs the witness, with a table of the steps unless it is to be silent. */
static void run_witness(replay *r, bool silent) {
    hd_cli_steps steps;
    if (!hd_replay_witness_bind(&r->witness, r->machine, &r->reason)) {
        r->verdict = DIVERGED;
        return;
    }
    hd_cli_steps_init(&steps, r->machine, r->model, &r->witness.schedule, NULL);
    steps.silent = silent;
    steps.most = r->to;
    hd_replay_watch watch = hd_cli_steps_watch(&steps);
    bool ran = hd_replay_witness_run(&r->witness, r->machine, &watch, &r->outcome, &r->reason);
    hd_cli_steps_release(&steps);
    if (!ran)
        r->verdict = DIVERGED;
    else if (r->outcome.stopped && r->outcome.steps < r->witness.schedule.length)
        r->verdict = STOPPED;
    else if (hd_replay_shows(r->machine, &r->outcome, r->witness.claim, &r->reason))
        r->verdict = SHOWN;
    else
        r->verdict = NOT_SHOWN;
}

static int fail_diverged(const replay *r) {
    fflush(stdout);
    return hd_cli_fail("%s: diverges from %s: %s", hd_text_name(r->model), hd_text_name(r->file),
                       r->reason.text);
}

/* What the run says; not of one that diverged. */
static void judge(const replay *r, hd_verdict *verdict) {
    hd_verdict_init(verdict, "whether the failure of the witness shows again");
    if (r->verdict == STOPPED)
        hd_verdict_not(verdict, "stopped", "stopped where --to says");
    hd_verdict_rests(verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "one run, along the schedule of the witness");
    hd_cli_verdict_end(verdict, r->arguments, r->verdict == SHOWN);
}

static int status_of(const replay *r) {
    hd_verdict verdict;
    judge(r, &verdict);
    int status = r->verdict == DIVERGED ? HD_CLI_BAD : hd_verdict_status(&verdict);
    hd_verdict_release(&verdict);
    return status;
}

/* ---- Text ---- */

static void print_head(const replay *r) {
    const hd_witness_steps *schedule = &r->witness.schedule;
    printf("%s on %s: %s, %s, claim: %s\n", hd_text_name(r->file), hd_text_name(r->model),
           hd_text_count(schedule->length, "step", "steps"),
           hd_text_count(hd_replay_switches(schedule), "context switch", "context switches"),
           hd_replay_claim_name(r->witness.claim));
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
    hd_native_machine_outcome(r->machine, &outcome);
    add_text(text, ": ");
    hd_engine_outcome_text(&outcome, text);
}

/* The last two steps collide. */
static void describe_race(replay *r, hd_vec_char *text) {
    const hd_replay_outcome *outcome = &r->outcome;
    char *first = hd_engine_place(r->machine, r->model, outcome->first);
    char *second = hd_engine_place(r->machine, r->model, outcome->second);
    char *line = NULL;
    int length = asprintf(&line, "race: both accesses are next, %s and %s", first, second);
    for (int i = 0; i < length; i++)
        hd_vec_push(text, line[i]);
    free(line);
    free(first);
    free(second);
}

/* What was shown, in one line. */
static void describe(replay *r, hd_vec_char *text) {
    char line[96];
    if (r->witness.claim == HD_REPLAY_VIOLATION) {
        r->machine->type->failure(r->machine, text);
        return;
    }
    if (r->witness.claim == HD_REPLAY_END) {
        describe_end(r, text);
        return;
    }
    if (r->witness.claim == HD_REPLAY_RACE) {
        describe_race(r, text);
        return;
    }
    int length =
        snprintf(line, sizeof line, "deadlock: %u of %s cannot go on", r->outcome.unfinished,
                 hd_text_count(r->machine->threads, "thread", "threads"));
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
    if (r->witness.claim == HD_REPLAY_STUCK)
        hd_cli_waits(r->machine, &r->witness.schedule, NULL);
}

static int print_text(replay *r) {
    bool quiet = hd_cli_given(r->arguments, HD_CLI_QUIET);
    if (!quiet)
        print_head(r);
    run_witness(r, quiet);
    switch (r->verdict) {
    case SHOWN:
        print_shown(r);
        break;
    case NOT_SHOWN:
        printf("not shown: %s\n", r->reason.text);
        break;
    case STOPPED:
        printf("stopped behind step %zu of %zu\n", r->outcome.steps, r->witness.schedule.length);
        break;
    case DIVERGED:
        return fail_diverged(r);
    }
    return status_of(r);
}

/* ---- JSON ---- */

static void write_steps(replay *r, hd_json *json) {
    hd_cli_steps steps;
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_cli_steps_init(&steps, r->machine, r->model, &r->witness.schedule, json);
    steps.most = r->to;
    hd_replay_watch watch = hd_cli_steps_watch(&steps);
    hd_json_open(json, "steps", '[');
    hd_replay_run(r->machine, &r->witness.schedule, &watch, &outcome, &error);
    hd_json_close(json);
    hd_cli_steps_release(&steps);
}

static void write_finding(replay *r, hd_json *json) {
    static const char *const rules[] = {
        [HD_REPLAY_STUCK] = "deadlock", [HD_REPLAY_RACE] = "race", [HD_REPLAY_END] = "outcome"};
    hd_json_open(json, NULL, '{');
    if (r->witness.claim != HD_REPLAY_VIOLATION) {
        hd_vec_char text = {0};
        describe(r, &text);
        hd_json_text(json, "rule", rules[r->witness.claim]);
        hd_json_string(json, "message", text.data, text.length);
        hd_vec_release(&text);
    }
    if (r->witness.claim == HD_REPLAY_STUCK) {
        hd_json_open(json, "waits", '[');
        hd_cli_waits(r->machine, &r->witness.schedule, json);
        hd_json_close(json);
    } else if (r->witness.claim == HD_REPLAY_VIOLATION) {
        char *location, *message;
        hd_engine_failure(r->machine, r->model, &location, &message);
        hd_json_text(json, "rule", hd_engine_failed_rule(r->machine));
        hd_json_text(json, "message", message);
        hd_json_text(json, "location", location);
        free(location);
        free(message);
    }
    hd_json_close(json);
}

/* The first run decides whether there is an answer at all, the second is written. */
static int print_json(replay *r) {
    static const char *const words[] = {
        [SHOWN] = "shown", [NOT_SHOWN] = "not shown", [STOPPED] = "stopped"};
    hd_cli_answer answer;
    run_witness(r, true);
    if (r->verdict == DIVERGED)
        return fail_diverged(r);
    hd_verdict verdict;
    judge(r, &verdict);
    bool begun = hd_cli_json_begin(&answer, r->arguments, r->model, &verdict);
    hd_verdict_release(&verdict);
    if (!begun)
        return HD_CLI_BAD;
    hd_json *json = &answer.json;
    hd_json_text(json, "witness", r->file);
    hd_json_text(json, "claim", hd_replay_claim_name(r->witness.claim));
    hd_json_text(json, "verdict", words[r->verdict]);
    if (r->verdict == NOT_SHOWN)
        hd_json_text(json, "reason", r->reason.text);
    hd_json_uint(json, "context_switches", hd_replay_switches(&r->witness.schedule));
    write_steps(r, json);
    hd_cli_json_findings(&answer);
    if (r->verdict == SHOWN)
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
                           .argv = r->argv,
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
    if (r->verdict == DIVERGED)
        return fail_diverged(r);
    if (r->verdict == NOT_SHOWN) {
        printf("not shown: %s\n", r->reason.text);
        return status_of(r);
    }
    hd_cli_followed followed = {.argv = r->argv,
                                .words = r->witness.parameters.data,
                                .word_count = r->witness.parameters.length,
                                .schedule = &r->witness.schedule,
                                .claim = r->witness.claim,
                                .to = r->to,
                                .output = r->arguments->values[OUTPUT]};
    if (hd_cli_given(r->arguments, PRINT)) {
        int status = hd_cli_replay_events(&followed);
        if (status == HD_CLI_OK && r->verdict == SHOWN)
            print_shown(r);
        return status == HD_CLI_OK ? status_of(r) : status;
    }
    r->machine->type->free(r->machine);
    r->machine = NULL;
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
    hd_replay_witness_init(&r.witness);
    int status = HD_CLI_BAD;
    if (prepare(&r))
        status = r.recording                            ? follow(&r)
                 : is_closer(arguments)                 ? look_closer(&r)
                 : hd_cli_given(arguments, HD_CLI_JSON) ? print_json(&r)
                                                        : print_text(&r);
    if (r.machine)
        r.machine->type->free(r.machine);
    free(r.argv);
    free(r.made);
    hd_vec_release(&r.defines);
    hd_replay_witness_release(&r.witness);
    return status;
}

const hd_cli_command hd_cli_replay = {
    .name = "replay",
    .operands = "MODEL|PROGRAM|SOURCE WITNESS|RECORDING [ARGUMENT]...",
    .summary = "The schedule of a witness or recording on its model or program",
    .details =
        "Status 1 if the failure that WITNESS claims shows again, 0 if it does not, 3 if --to\n"
        "stopped the run before that, 2 if the run cannot be the one of the witness: the first\n"
        "step that differs is named.  Of a\n"
        "RECORDING, a trace that 'heddle record' wrote as .htr, status 1 if the program fails\n"
        "again, and the first event that differs is named.",
    .options = options,
    .least = 2,
    .most = INT_MAX,
    .run = run,
};
