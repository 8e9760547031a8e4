/*
 * heddle detect: can a bad global state be reached?
 */
#include "cli_detect.h"

#include <stdlib.h>
#include <string.h>

#include "cli_ask.h"
#include "cli_cut.h"
#include "cli_keep.h"
#include "cli_model.h"

enum {
    MODEL = HD_CLI_OWN,
    CLASS,
    ALGORITHM,
    THREADS,
    ALL,
    MOST,
    COUNT,
    POSSIBLY,
    DEFINITELY,
    KEEP_READS,
    ONLY,
    EXPLAIN,
    PREDICATE,
    EXPRESSION,
    ONLINE,
    WINDOW,
    SEED,
    FREE,
    ACCESSES,
    OUTPUT,
    HTML,
    ACCEPT,
    MPI
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON_LIMITS('t', "stop after a time, and end the program: 60, 90s, 5m, 1h",
                         "limit of the whole command"),
    {"model", 'm', "NAME", "poset: locks in the order of the trace (default); loset: in any"},
    {"class", 'c', "NAME",
     "class of states of a loset (reachable; online strongly-feasible); the names are below"},
    {"algorithm", 'a', "NAME",
     "go through all states by this algorithm, whatever the predicate's form"},
    {"threads", 'j', "N", "use N threads for an enumeration (1)"},
    {"all", 0, NULL, "print every state in which it is true, not one with the fewest events"},
    {"max", 0, "N", "with --all: stop after N states"},
    {"count", 0, NULL, "print the number of states in which it is true"},
    {"possibly", 0, NULL, "is it true in some state? (default)"},
    {"definitely", 0, NULL, "does every run pass a state in which it is true?"},
    {"keep-reads", 0, NULL, "only schedules in which every read sees what it saw"},
    {"only", 0, "WHAT", "marks: only marks and notes, as if nothing else had happened"},
    {"explain", 0, NULL, "print the class of the predicate, the algorithm, and why"},
    {"predicate", 'p', "FILE", "use a C function instead of PREDICATE (include/heddle/view.h)"},
    {"expression", 'e', "PREDICATE", "the predicate, if a program and its arguments follow"},
    {"online", 0, NULL,
     "evaluate while the trace grows or the program runs; stop at the first state"},
    {"window", 0, "N", "with --online: keep at most N events in memory (programs: 65536)"},
    {"seed", 's', "N", "programs: the schedule (1); 0: each thread runs until it must wait"},
    {"free", 0, NULL, "programs: let the threads run by themselves"},
    {"accesses", 0, NULL, "programs: allow a switch of threads at every access"},
    {"witness", 'o', "FILE", "save the schedule that leads to the state"},
    HD_CLI_HTML,
    HD_CLI_ACCEPT,
    HD_CLI_MPI,
    {0},
};

/* ---- Options ---- */

static bool check_together(const hd_cli_detect *d) {
    const hd_cli_arguments *arguments = d->arguments;
    bool possibly = hd_cli_given(arguments, POSSIBLY);
    const char *wrong = NULL;
    if (d->definitely && (possibly || d->all || d->count || d->e.keep_reads))
        wrong = "--definitely asks of all runs, and goes with none of --possibly, --all, --count, "
                "--keep-reads";
    else if (d->all && d->count)
        wrong = "--all prints the states, --count their number: one of them";
    else if (d->e.most && !d->all)
        wrong = "--max goes with --all";
    else if (d->e.output && (d->all || d->count)) /* of several, which? */
        wrong = "--witness saves one schedule, and goes with neither --all nor --count";
    else if (d->e.output && strcmp(d->e.output, "-") == 0)
        wrong = "--witness wants a file, standard output has the answer";
    else if (d->e.model == HD_ORDER_POSET && d->e.request.class != HD_CUT_CONSISTENT)
        wrong = "the states of a poset are consistent, other classes are of losets";
    else if (d->online && hd_cli_given(arguments, HTML))
        wrong = "a page has the whole trace, and does not go with --online";
    else if (hd_cli_given(arguments, ONLY) && strcmp(arguments->values[ONLY], "marks") != 0)
        wrong = "--only can be of marks";
    else if (hd_cli_given(arguments, ONLY) &&
             (d->e.model != HD_ORDER_POSET || d->e.keep_reads || d->definitely || d->online))
        wrong = "--only=marks is of the poset, and goes with none of --keep-reads, --definitely, "
                "--online";
    else if (hd_trace_is_loset(d->e.path) &&
             (d->online || d->e.output || d->e.keep_reads || hd_cli_given(arguments, HTML)))
        wrong = "a loset is not a run, and goes with none of --online, --witness, --keep-reads, "
                "--html";
    else if (hd_cli_given(arguments, MPI) &&
             (d->e.model != HD_ORDER_POSET || hd_trace_is_loset(d->e.path) || d->all ||
              d->definitely || d->e.keep_reads || d->online))
        wrong = "--mpi is for the states of posets, and goes with none of --all, --definitely, "
                "--keep-reads, --online";
    else if (d->online && d->e.in_c)
        wrong = "a function in C sees a whole trace, and does not go with --online";
    else if (hd_cli_given(arguments, WINDOW) && !d->online)
        wrong = "--window goes with --online";
    else if (d->online &&
             (d->definitely || d->count || d->e.keep_reads || hd_cli_given(arguments, ALGORITHM)))
        wrong = "--online asks of a trace as it grows, and goes with none of --definitely, "
                "--count, --keep-reads, --algorithm";
    else if (d->online && !hd_predicate_online_knows(d->e.request.class))
        wrong = "which states of a loset are viable or reachable is known of a whole trace only; "
                "--online knows consistent, feasible, lock-free and strongly-feasible ones";
    else if (d->online && d->e.output && (hd_cli_given(arguments, WINDOW) || d->o.argv))
        wrong = "with --window, and of a program, events are forgotten, so there is no trace that "
                "a saved schedule could be of";
    else if (!d->o.argv &&
             (hd_cli_given(arguments, SEED) || d->o.free_running || d->o.every_access))
        wrong = "--seed, --free and --accesses are of a program, with --online";
    else if (d->o.free_running && (hd_cli_given(arguments, SEED) || d->o.every_access))
        wrong = "--free has no schedule, and goes with neither --seed nor --accesses";
    else if (d->definitely && d->e.model == HD_ORDER_LOSET &&
             d->e.request.class != HD_CUT_REACHABLE)
        wrong = "runs go through reachable states, --definitely knows no other class";
    else if (!hd_cut_serves(d->e.request.algorithm, d->e.model, d->e.request.class) ||
             d->e.request.algorithm == HD_CUT_DIAGRAM)
        wrong = "this algorithm does not visit the states of this class";
    if (wrong)
        hd_cli_usage(arguments, "%s", wrong);
    return !wrong;
}

/* What an operator about runs does not go with. */
static bool check_temporal(const hd_cli_detect *d) {
    static const int others[] = {POSSIBLY, DEFINITELY, KEEP_READS, ONLY, ONLINE,
                                 OUTPUT,   HTML,       ALGORITHM,  MPI};
    const char *wrong = NULL;
    if (!hd_cli_detect_is_temporal(d))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (hd_cli_given(d->arguments, others[i]))
            wrong = "EF, AF, EG, AG, EU and AU go with none of --possibly, --definitely, "
                    "--keep-reads, --only, --online, --witness, --html, --algorithm, --mpi";
    if (d->e.model == HD_ORDER_LOSET && d->e.request.class != HD_CUT_REACHABLE)
        wrong = "runs go through reachable states: EF, AF, EG, AG, EU and AU know no other class";
    if (d->all && hd_cli_given(d->arguments, HD_CLI_JSON))
        wrong = "with EF, AF, EG, AG, EU or AU, --all prints text; --count goes with --json";
    if (wrong)
        hd_cli_usage(d->arguments, "%s", wrong);
    return !wrong;
}

static bool read_options(hd_cli_detect *d) {
    const hd_cli_arguments *arguments = d->arguments;
    hd_cut_request cut;
    d->o.free_running = hd_cli_given(arguments, FREE);
    d->o.every_access = hd_cli_given(arguments, ACCESSES);
    if (!hd_cli_cut_read(arguments, MODEL, &cut) ||
        !hd_cli_number(arguments, WINDOW, 0, 1, UINT64_MAX, &d->o.window) ||
        !hd_cli_number(arguments, SEED, 1, 0, UINT64_MAX, &d->o.seed) ||
        !hd_cli_seconds(arguments, HD_CLI_TIME, 0, &d->o.seconds) ||
        !hd_cli_number(arguments, MOST, 0, 1, UINT64_MAX, &d->e.most))
        return false;
    d->all = hd_cli_given(arguments, ALL);
    d->count = hd_cli_given(arguments, COUNT);
    d->definitely = hd_cli_given(arguments, DEFINITELY);
    d->e.only_marks = hd_cli_given(arguments, ONLY);
    d->e.keep_reads = hd_cli_given(arguments, KEEP_READS);
    d->explain = hd_cli_given(arguments, EXPLAIN);
    d->e.output = arguments->values[OUTPUT];
    if (d->online && cut.model == HD_ORDER_LOSET && !hd_cli_given(arguments, CLASS))
        cut.class = HD_CUT_STRONGLY_FEASIBLE; /* reachable ones are not known */
    d->e.model = cut.model;
    d->e.request = (hd_predicate_request){.class = cut.class,
                                          .algorithm = cut.algorithm,
                                          .workers = cut.workers,
                                          .memory = cut.memory};
    d->e.request.ask = d->all          ? HD_PREDICATE_EVERY_STATE
                       : d->count      ? HD_PREDICATE_HOW_MANY
                       : d->definitely ? HD_PREDICATE_EVERY_RUN
                                       : HD_PREDICATE_LEAST_STATE;
    return check_temporal(d) && check_together(d);
}

/* ---- Findings ---- */

/* The state at hand, into the page. */
static void show(hd_cli_detect *d) {
    hd_finding finding;
    hd_finding_init(&finding, HD_FINDING_STATE, "state");
    finding.message = (char *)(uintptr_t)d->e.text;
    finding.witness = d->e.proved ? &d->e.witness : NULL;
    hd_cli_page_finding(&d->page, &finding);
}

/* With --all: a line each, as they come. */
static int put(void *context, hd_engine_detection *e, const uint32_t *state) {
    hd_cli_detect *d = context;
    if (e->request.ask != HD_PREDICATE_EVERY_STATE || d->counting)
        return 0; /* it is in the answer, or comes again */
    if (d->json)
        hd_cli_detect_write_state(d, state);
    else
        hd_cli_detect_print_counts(d, state);
    show(d);
    return ferror(stdout);
}

static int fail(const hd_cli_detect *d, const hd_error *error) {
    if (d->trace.late) /* what is wrong with the predicate may be in the rest of it */
        return hd_cli_fail("%s: %s before all of the trace was read", hd_text_name(d->e.path),
                           hd_stop_asked() ? "interrupted" : "stopped by the limit on time");
    if (d->e.wrong.error.text[0])
        return hd_cli_detect_fail(d->e.text, &d->e.wrong);
    return hd_cli_fail("%s: %s", hd_text_name(d->e.path), error->text);
}

static bool ask(hd_cli_detect *d, hd_error *error) {
    hd_engine_question question = {
        .what = HD_ENGINE_DETECT, .path = d->e.path, .trace = &d->trace, .whole.detect = &d->e};
    d->e.proves = (d->json || d->page.path) && !d->counting;
    d->e.each = put;
    d->e.context = d;
    return hd_cli_ask(d->arguments, &question, error);
}

/* For the lead, which writes the files. */
static int serve(hd_cli_detect *d) {
    hd_error error = {""};
    d->e.output = NULL;
    return ask(d, &error) ? 0 : HD_CLI_BAD;
}

static int answer_as_text(hd_cli_detect *d) {
    hd_error error = {""};
    if (!ask(d, &error))
        return fail(d, &error);
    hd_cli_detect_print(d);
    if (hd_engine_detect_has_state(&d->e)) {
        hd_cli_detect_print_state(d, d->e.answer.state);
        show(d);
    } else if (d->e.answer.avoiding.length)
        hd_cli_detect_print_avoiding(d);
    hd_cli_verdict_print(&d->e.verdict, 10);
    return hd_verdict_status(&d->e.verdict);
}

/* The states that were counted, each with its schedule. */
static bool list_all(hd_cli_detect *d, hd_cli_answer *out, hd_error *error) {
    uint64_t counted = d->e.told;
    bool good = hd_engine_detect_again(&d->e, error);
    bool whole = d->e.answer.complete || (d->e.most && d->e.told >= counted);
    return hd_cli_list_is_cut(out, d->e.path, "states", d->e.told, whole) || good;
}

/* An answer says first whether it is complete: so with --all states are counted first, with --max
 * as far as they will be told. */
static int answer_as_json(hd_cli_detect *d) {
    hd_error error = {""};
    hd_cli_answer out;
    if (d->all && !d->e.most)
        d->e.request.ask = HD_PREDICATE_HOW_MANY;
    d->counting = d->all;
    if (!ask(d, &error))
        return fail(d, &error);
    d->counting = false;
    int status = hd_verdict_status(&d->e.verdict);
    if (!hd_cli_json_begin(&out, d->arguments, d->e.path, &d->e.verdict))
        return HD_CLI_BAD;
    d->json = &out.json; // cppcheck-suppress autoVariables ; used up before this returns
    hd_cli_detect_write_result(d);
    hd_cli_json_findings(&out);
    if (hd_engine_detect_has_state(&d->e)) {
        hd_cli_detect_write_state(d, d->e.answer.state);
        show(d);
    }
    d->e.proves = true;
    if (d->all && d->e.answer.found && !list_all(d, &out, &error))
        status = fail(d, &error);
    d->json = NULL;
    return hd_cli_json_end(&out, status);
}

/* With the page, if one is wanted. */
static int answer_all(hd_cli_detect *d) {
    if (!hd_cli_page_begin(&d->page, d->arguments, HTML, d->e.path, &d->trace))
        return HD_CLI_BAD;
    int status = hd_cli_given(d->arguments, HD_CLI_JSON) ? answer_as_json(d) : answer_as_text(d);
    hd_cut_request drawn = {.model = d->e.model, .class = d->e.request.class};
    if (status != HD_CLI_BAD)
        d->json = hd_cli_page_result(&d->page, &d->e.verdict);
    if (d->json) {
        hd_cli_detect_write_result(d);
        hd_cli_page_states(&d->page, &d->e.order, &drawn);
    }
    d->json = NULL;
    return hd_cli_page_end(&d->page, status);
}

static bool read_predicate(hd_cli_detect *d) {
    hd_error error = {""};
    if (hd_engine_detect_read(&d->e, &error))
        return true;
    if (d->e.in_c)
        hd_cli_fail("%s", error.text);
    else
        hd_cli_detect_fail(d->e.text, &d->e.wrong);
    return false;
}

/* After a predicate that is an option a program's words may follow. */
static bool read_operands(hd_cli_detect *d) {
    const hd_cli_arguments *arguments = d->arguments;
    int count = arguments->operand_count;
    const char *expression = arguments->values[EXPRESSION], *wrong = NULL;
    d->e.path = arguments->operands[0];
    const char *file = arguments->values[PREDICATE];
    d->e.in_c = file != NULL;
    d->online = hd_cli_given(arguments, ONLINE);
    if (expression && d->online && (count > 1 || hd_engine_is_program(d->e.path)))
        d->o.argv = arguments->operands;
    if (d->e.in_c && expression)
        wrong = "--predicate and --expression both give a predicate, '%s' wants one";
    else if (!d->o.argv && count > ((expression || d->e.in_c) ? 1 : 2))
        wrong = count == 2
                    ? "--predicate and --expression stand for the predicate, '%s' is one too "
                      "many"
                    : "'%s' is one too many";
    else if (!expression && !d->e.in_c && count < 2)
        wrong = "something is missing after '%s': PREDICATE";
    if (wrong)
        hd_cli_usage(arguments, wrong, hd_text_name(arguments->operands[count - 1]));
    d->e.text = file ? file : expression ? expression : arguments->operands[count > 1];
    return !wrong;
}

static int run(const hd_cli_arguments *arguments) {
    hd_cli_detect d = {.arguments = arguments};
    hd_error error = {""};
    hd_engine_detect_init(&d.e, NULL);
    hd_engine_online_init(&d.o, &d.e);
    int status = HD_CLI_BAD;
    if (hd_cli_crew(arguments, MPI) && read_operands(&d) && read_options(&d) &&
        (hd_cli_detect_is_temporal(&d) || read_predicate(&d))) {
        if (d.online)
            status = hd_cli_detect_online(&d);
        else if (!hd_trace_load(&d.trace, d.e.path, HD_TRACE_TIMED | HD_TRACE_LOSETS, &error))
            status = hd_cli_fail("%s", error.text);
        else {
            hd_cli_note_trace(d.e.path, &d.trace);
            d.e.trace = &d.trace;
            status = hd_cli_serves()                 ? serve(&d)
                     : hd_cli_detect_is_temporal(&d) ? hd_cli_detect_temporal(&d)
                                                     : answer_all(&d);
        }
    }
    hd_cli_team_over(status, status != HD_CLI_BAD, &error);
    hd_engine_online_release(&d.o);
    hd_engine_detect_release(&d.e);
    hd_trace_release(&d.trace);
    return status;
}

const hd_cli_command hd_cli_detect_command = {
    .name = "detect",
    .operands = "TRACE|PROGRAM [PREDICATE] [ARGUMENT]...",
    .summary = "Decide whether a bad global state can be reached",
    .details =
        "Looks for a state of TRACE in which PREDICATE is true, with the fewest events, and\n"
        "shows it with a checked schedule.  A predicate is an expression over marks, notes,\n"
        "locks, positions and values (doc/detect.md), such as\n"
        "  'at(T1, \"open\") && at(T2, \"open\")'     'count(transfer) > 3'     'race'\n"
        "With --online and -e PREDICATE, the predicate is evaluated while a PROGRAM made by\n"
        "'heddle cc', or from a file of C or C++, runs; Ctrl-C ends both:\n"
        "  heddle detect --online -e 'count(commit) > 1' -- ./server 8080\n"
        "Status 0: no such state; 1: a state was found; 3: none was found, but that is no\n"
        "proof.",
    .options = options,
    .least = 1,
    .most = 1 << 20,
    .run = run,
    .more_help = hd_cli_cut_visiting_names,
};
