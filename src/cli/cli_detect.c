/*
 * heddle detect: can a bad global state be reached?
 */
#include "cli_detect.h"

#include <stdlib.h>
#include <string.h>

#include "cli_cut.h"
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
    HTML
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
    {0},
};

/* ---- Options ---- */

static bool check_together(const hd_cli_detect *d) {
    const hd_cli_arguments *arguments = d->arguments;
    bool possibly = hd_cli_given(arguments, POSSIBLY);
    const char *wrong = NULL;
    if (d->definitely && (possibly || d->all || d->count || d->keep_reads))
        wrong = "--definitely asks of all runs, and goes with none of --possibly, --all, --count, "
                "--keep-reads";
    else if (d->all && d->count)
        wrong = "--all prints the states, --count their number: one of them";
    else if (d->most && !d->all)
        wrong = "--max goes with --all";
    else if (d->output && (d->all || d->count)) /* of several, which? */
        wrong = "--witness saves one schedule, and goes with neither --all nor --count";
    else if (d->output && strcmp(d->output, "-") == 0)
        wrong = "--witness wants a file, standard output has the answer";
    else if (d->scene.model == HD_ORDER_POSET && d->request.class != HD_CUT_CONSISTENT)
        wrong = "the states of a poset are consistent, other classes are of losets";
    else if (d->online && hd_cli_given(arguments, HTML))
        wrong = "a page has the whole trace, and does not go with --online";
    else if (hd_cli_given(arguments, ONLY) && strcmp(arguments->values[ONLY], "marks") != 0)
        wrong = "--only can be of marks";
    else if (hd_cli_given(arguments, ONLY) &&
             (d->scene.model != HD_ORDER_POSET || d->keep_reads || d->definitely || d->online))
        wrong = "--only=marks is of the poset, and goes with none of --keep-reads, --definitely, "
                "--online";
    else if (d->online && d->file)
        wrong = "a function in C sees a whole trace, and does not go with --online";
    else if (hd_cli_given(arguments, WINDOW) && !d->online)
        wrong = "--window goes with --online";
    else if (d->online &&
             (d->definitely || d->count || d->keep_reads || hd_cli_given(arguments, ALGORITHM)))
        wrong = "--online asks of a trace as it grows, and goes with none of --definitely, "
                "--count, --keep-reads, --algorithm";
    else if (d->online && !hd_predicate_online_knows(d->request.class))
        wrong = "which states of a loset are viable or reachable is known of a whole trace only; "
                "--online knows consistent, feasible, lock-free and strongly-feasible ones";
    else if (d->online && d->request.class == HD_CUT_STRONGLY_FEASIBLE &&
             hd_cli_given(arguments, WINDOW))
        wrong = "which states are strongly feasible takes all events, and does not go with "
                "--window";
    else if (d->online && d->output && (hd_cli_given(arguments, WINDOW) || d->argv))
        wrong = "with --window, and of a program, events are forgotten, so there is no trace that "
                "a saved schedule could be of";
    else if (!d->argv && (hd_cli_given(arguments, SEED) || d->free_running || d->every_access))
        wrong = "--seed, --free and --accesses are of a program, with --online";
    else if (d->free_running && (hd_cli_given(arguments, SEED) || d->every_access))
        wrong = "--free has no schedule, and goes with neither --seed nor --accesses";
    else if (d->definitely && d->scene.model == HD_ORDER_LOSET &&
             d->request.class != HD_CUT_REACHABLE)
        wrong = "runs go through reachable states, --definitely knows no other class";
    else if (!hd_cut_serves(d->request.algorithm, d->scene.model, d->request.class) ||
             d->request.algorithm == HD_CUT_DIAGRAM)
        wrong = "this algorithm does not visit the states of this class";
    if (wrong)
        hd_cli_usage(arguments, "%s", wrong);
    return !wrong;
}

static bool read_options(hd_cli_detect *d) {
    const hd_cli_arguments *arguments = d->arguments;
    hd_cut_request cut;
    d->free_running = hd_cli_given(arguments, FREE);
    d->every_access = hd_cli_given(arguments, ACCESSES);
    if (!hd_cli_cut_read(arguments, MODEL, &cut) ||
        !hd_cli_number(arguments, WINDOW, 0, 1, UINT64_MAX, &d->window) ||
        !hd_cli_number(arguments, SEED, 1, 0, UINT64_MAX, &d->seed) ||
        !hd_cli_seconds(arguments, HD_CLI_TIME, 0, &d->seconds) ||
        !hd_cli_number(arguments, MOST, 0, 1, UINT64_MAX, &d->most))
        return false;
    d->all = hd_cli_given(arguments, ALL);
    d->count = hd_cli_given(arguments, COUNT);
    d->definitely = hd_cli_given(arguments, DEFINITELY);
    d->keep_reads = hd_cli_given(arguments, KEEP_READS);
    d->explain = hd_cli_given(arguments, EXPLAIN);
    d->output = arguments->values[OUTPUT];
    if (d->online && cut.model == HD_ORDER_LOSET && !hd_cli_given(arguments, CLASS))
        cut.class = HD_CUT_STRONGLY_FEASIBLE; /* reachable ones are not known */
    d->scene.model = cut.model;
    d->request = (hd_predicate_request){.class = cut.class,
                                        .algorithm = cut.algorithm,
                                        .workers = cut.workers,
                                        .memory = cut.memory};
    d->request.ask = d->all          ? HD_PREDICATE_EVERY_STATE
                     : d->count      ? HD_PREDICATE_HOW_MANY
                     : d->definitely ? HD_PREDICATE_EVERY_RUN
                                     : HD_PREDICATE_LEAST_STATE;
    return check_together(d);
}

/* ---- Findings ---- */

/* The schedule to a state, checked. */
static bool prove(hd_cli_detect *d, const uint32_t *state, hd_error *error) {
    hd_vec_u32 schedule = {0};
    enum hd_order_answer answer = hd_predicate_prove(d->prover, state, &schedule);
    hd_vec_clear(&d->reads);
    d->proved = answer == HD_ORDER_FEASIBLE;
    bool good = true;
    if (d->proved) {
        good = hd_predicate_witness(d->prover, state, &schedule, &d->witness, error);
        hd_predicate_changed(&d->scene, &schedule, &d->reads);
    } else if (d->request.class == HD_CUT_REACHABLE || d->request.class == HD_CUT_VIABLE ||
               d->request.class == HD_CUT_LOCK_FREE) {
        good = hd_error_set(error, "a state that should be reachable has no schedule");
    }
    if (!good)
        hd_error_prefix(error, "a mistake of heddle's, please report it: ");
    hd_vec_release(&schedule);
    return good;
}

static bool save(hd_cli_detect *d, hd_error *error) {
    if (!d->output || !d->proved)
        return true;
    hd_witness *witness = &d->witness;
    witness->question = hd_mem_string("detect", strlen("detect"));
    witness->verdict = hd_mem_string(d->text, strcspn(d->text, "\r\n"));
    witness->trace = hd_mem_string(d->path, strlen(d->path));
    return hd_witness_save(witness, &d->trace, d->output, error);
}

/* The state at hand, into the page. */
static void show(hd_cli_detect *d) {
    hd_finding finding;
    hd_finding_init(&finding, "state");
    finding.message = (char *)d->text;
    finding.witness = d->proved ? &d->witness : NULL;
    hd_cli_page_finding(&d->page, &finding);
}

/* With --all: a line each, as they come. */
static int put(void *context, const uint32_t *state) {
    hd_cli_detect *d = context;
    if (d->only_marks) {
        hd_predicate_lift(&d->marks, &d->scene, state, d->lifted);
        state = d->lifted;
    }
    hd_error error = {""};
    if ((d->json || d->page.path) && !prove(d, state, &error)) {
        hd_cli_fail("%s", error.text);
        return 1;
    }
    if (d->json)
        hd_cli_detect_write_state(d, state);
    else
        hd_cli_detect_print_counts(d, state);
    show(d);
    d->shown++;
    return (d->most && d->shown == d->most) || ferror(stdout);
}

/* When all was asked. */
static void judge(hd_cli_detect *d) {
    hd_verdict *verdict = &d->verdict;
    hd_verdict_release(verdict);
    hd_verdict_init(verdict, d->definitely ? "whether every run passes a state where it is true"
                                           : "states where it is true");
    hd_engine_verdict_recording(verdict, &d->trace);
    if (*hd_cli_stop())
        hd_verdict_not(verdict, "interrupted", "interrupted before all was looked at");
    else if (!d->answer.complete && hd_clock_look() == HD_CLOCK_LATE)
        hd_verdict_not(verdict, "limit", "stopped by the limit on time");
    else if (!d->answer.complete && d->keep_reads)
        hd_verdict_not(verdict, "undecided", "not every state was decided");
    else if (!d->answer.complete)
        hd_verdict_not(verdict, "limit", "not all states were looked at: --memory gives more");
    if (d->all && d->most && d->shown == d->most)
        hd_verdict_not(verdict, "stopped", "stopped after %s",
                       hd_text_count((size_t)d->most, "state", "states"));
    hd_cli_verdict_end(verdict, d->arguments, d->answer.found);
}

static int fail(const hd_cli_detect *d, const hd_error *error) {
    return hd_cli_fail("%s: %s", hd_text_name(d->path), error->text);
}

static bool ask(hd_cli_detect *d, hd_error *error) {
    hd_progress progress;
    hd_progress_start(&progress, "looking at", "states", 0);
    d->request.control.stop = hd_cli_stop();
    d->request.control.progress = &progress;
    d->request.sink = put;
    d->request.context = d;
    d->request.keep = d->keep_reads ? d->prover : NULL;
    bool good =
        hd_predicate_detect(d->only_marks ? &d->marks : &d->scene, &d->request, &d->answer, error);
    hd_progress_end(&progress);
    if (good && d->only_marks && d->answer.found) {
        hd_predicate_lift(&d->marks, &d->scene, d->answer.state, d->lifted);
        memcpy(d->answer.state, d->lifted, d->scene.space.threads * sizeof *d->lifted);
    }
    return good;
}

/* A run that passes no such state, as a reordering, checked. */
static bool prove_avoiding(hd_cli_detect *d, hd_error *error) {
    hd_witness_clear(&d->witness);
    d->witness.claim.let_go = true;
    for (size_t i = 0; i < d->answer.avoiding.length; i++)
        hd_vec_push(&d->witness.schedule, d->answer.avoiding.data[i]);
    d->proved = true;
    return hd_witness_check(&d->witness, &d->trace, error) ||
           hd_error_prefix(error, "a mistake of heddle's, please report it: ");
}

/* What the answer needs beside itself: a schedule, checked, and saved if that was asked. */
static bool complete_answer(hd_cli_detect *d, hd_error *error) {
    bool state = d->answer.found && d->request.ask == HD_PREDICATE_LEAST_STATE;
    if (state && !prove(d, d->answer.state, error))
        return false;
    if (d->answer.avoiding.length && !prove_avoiding(d, error))
        return false;
    return save(d, error);
}

static bool has_state(const hd_cli_detect *d) {
    return d->answer.found && d->request.ask == HD_PREDICATE_LEAST_STATE;
}

static int answer_as_text(hd_cli_detect *d) {
    hd_error error = {""};
    if (!ask(d, &error) || !complete_answer(d, &error))
        return fail(d, &error);
    judge(d);
    hd_cli_detect_print(d);
    if (has_state(d)) {
        hd_cli_detect_print_state(d, d->answer.state);
        show(d);
    } else if (d->answer.avoiding.length)
        hd_cli_detect_print_avoiding(d);
    hd_cli_verdict_print(&d->verdict, 10);
    return hd_verdict_status(&d->verdict);
}

/* An answer says first whether it is complete: so with --all states are counted first. */
static int answer_as_json(hd_cli_detect *d) {
    hd_error error = {""};
    hd_cli_answer out;
    if (d->all)
        d->request.ask = HD_PREDICATE_HOW_MANY;
    if (!ask(d, &error) || !complete_answer(d, &error))
        return fail(d, &error);
    judge(d);
    int status = hd_verdict_status(&d->verdict);
    if (!hd_cli_json_begin(&out, d->arguments, d->path, &d->verdict))
        return HD_CLI_BAD;
    d->json = &out.json; // cppcheck-suppress autoVariables ; used up before this returns
    hd_cli_detect_write_result(d);
    hd_cli_json_findings(&out);
    if (has_state(d)) {
        hd_cli_detect_write_state(d, d->answer.state);
        show(d);
    }
    if (d->all && d->answer.found) {
        hd_predicate_answer_release(&d->answer);
        d->request.ask = HD_PREDICATE_EVERY_STATE;
        if (!ask(d, &error))
            status = fail(d, &error);
    }
    d->json = NULL;
    return hd_cli_json_end(&out, status);
}

/* With the page, if one is wanted. */
static int answer_all(hd_cli_detect *d) {
    if (!hd_cli_page_begin(&d->page, d->arguments, HTML, d->path, &d->trace))
        return HD_CLI_BAD;
    int status = hd_cli_given(d->arguments, HD_CLI_JSON) ? answer_as_json(d) : answer_as_text(d);
    hd_cut_request drawn = {.model = d->scene.model, .class = d->request.class};
    if (status != HD_CLI_BAD)
        d->json = hd_cli_page_result(&d->page, &d->verdict);
    if (d->json) {
        hd_cli_detect_write_result(d);
        hd_cli_page_states(&d->page, &d->order, &drawn);
    }
    d->json = NULL;
    return hd_cli_page_end(&d->page, status);
}

static int look(hd_cli_detect *d) {
    hd_predicate_error wrong = {0};
    hd_error error = {""};
    enum hd_order_model model = d->scene.model;
    if (!hd_predicate_instance_init(&d->scene, &d->order, &d->predicate, model, d->request.memory,
                                    &wrong))
        return hd_cli_detect_fail(d->text, &wrong);
    if (hd_cli_given(d->arguments, ONLY)) {
        if (!hd_predicate_project(&d->marks, &d->scene, &wrong)) {
            hd_predicate_instance_release(&d->scene);
            return hd_cli_detect_fail(d->text, &wrong);
        }
        d->only_marks = true;
        d->lifted = HD_NEW_ARRAY(uint32_t, d->scene.space.stride + 1);
    }
    if (d->plugin)
        hd_predicate_plugin_attach(d->plugin, &d->scene);
    int status = HD_CLI_BAD;
    d->prover = hd_predicate_prover_create(&d->scene, d->keep_reads, d->request.memory, &error);
    if (!d->prover)
        status = fail(d, &error);
    else
        status = answer_all(d);
    hd_predicate_answer_release(&d->answer);
    hd_predicate_prover_free(d->prover);
    hd_predicate_plugin_close(d->plugin);
    d->plugin = NULL;
    if (d->only_marks)
        hd_predicate_instance_release(&d->marks);
    free(d->lifted);
    hd_predicate_instance_release(&d->scene);
    return status;
}

static bool read_predicate(hd_cli_detect *d) {
    hd_predicate_error wrong = {0};
    hd_error error = {""};
    if (!d->file) {
        bool good = hd_predicate_init(&d->predicate, d->text, &wrong);
        if (!good)
            hd_cli_detect_fail(d->text, &wrong);
        return good;
    }
    d->plugin = hd_predicate_plugin_open(d->file, &error);
    if (!d->plugin) {
        hd_cli_fail("%s", error.text);
        return false;
    }
    hd_predicate_init_plugin(&d->predicate, d->file);
    return true;
}

/* Behind a predicate that is an option a program's words may follow. */
static bool read_operands(hd_cli_detect *d) {
    const hd_cli_arguments *arguments = d->arguments;
    int count = arguments->operand_count;
    const char *expression = arguments->values[EXPRESSION], *wrong = NULL;
    d->path = arguments->operands[0];
    d->file = arguments->values[PREDICATE];
    d->online = hd_cli_given(arguments, ONLINE);
    if (expression && d->online && (count > 1 || hd_engine_is_program(d->path)))
        d->argv = arguments->operands;
    if (d->file && expression)
        wrong = "--predicate and --expression both give a predicate, '%s' wants one";
    else if (!d->argv && count > ((expression || d->file) ? 1 : 2))
        wrong = count == 2
                    ? "--predicate and --expression stand for the predicate, '%s' is one too "
                      "many"
                    : "'%s' is one too many";
    else if (!expression && !d->file && count < 2)
        wrong = "something is missing after '%s': PREDICATE";
    if (wrong)
        hd_cli_usage(arguments, wrong, hd_text_name(arguments->operands[count - 1]));
    d->text = d->file ? d->file : expression ? expression : arguments->operands[count > 1];
    return !wrong;
}

static int run(const hd_cli_arguments *arguments) {
    hd_cli_detect d = {.arguments = arguments};
    hd_error error = {""};
    if (!read_operands(&d) || !read_options(&d) || !read_predicate(&d))
        return HD_CLI_BAD;
    hd_witness_init(&d.witness);
    int status = HD_CLI_BAD;
    if (d.online) {
        status = d.argv ? hd_cli_detect_live(&d) : hd_cli_detect_online(&d);
    } else if (!hd_trace_load(&d.trace, d.path, HD_TRACE_TIMED, &error)) {
        status = hd_cli_fail("%s", error.text);
    } else {
        hd_cli_note_trace(d.path, &d.trace);
        hd_order_init(&d.order, &d.trace);
        status = look(&d);
        hd_order_release(&d.order);
    }
    hd_predicate_plugin_close(d.plugin);
    hd_witness_release(&d.witness);
    hd_verdict_release(&d.verdict);
    hd_vec_release(&d.reads);
    hd_predicate_release(&d.predicate);
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
