/*
 * heddle explore: is there any schedule at all that fails?
 */
#include "cli_explore.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

enum {
    ALGORITHM = HD_CLI_OWN,
    SOURCE_SETS,
    THREADS,
    DEFINE,
    STOP,
    EXECUTIONS,
    DEPTH,
    TIME,
    BOUND,
    RANDOM,
    PCT,
    SEED,
    OUTPUT,
    EXPLAIN,
    DOT,
    FIND,
    NO_RACE,
    SPURIOUS,
    SV_COMP,
    INPUTS,
    INPUT_SEED,
    RESET,
    HANG,
    HTML
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"algorithm", 'a', "NAME", "how to search; the names are below"},
    {"source-sets", 0, NULL, "epor and epor-sh with source sets instead of wakeup trees"},
    {"threads", 'j', "K", "share the search among so many workers"},
    {"define", 'D', "NAME=VALUE", "another value for a parameter of the model; may be repeated"},
    {"stop", 0, "WHEN", "first: at the first failure (the default); never: search on"},
    {"executions", 0, "N", "stop after so many executions"},
    {"depth", 0, "N", "cut an execution off after so many steps"},
    {"time", 0, "TIME", "stop after a time: 60, 0.5, 60s, 2m, 1h"},
    {"bound", 0, "preemptions=K", "only schedules with at most so many preemptions"},
    {"random", 0, "N", "no search: so many random runs"},
    {"pct", 0, "D", "random runs by priorities, for bugs of depth D"},
    {"seed", 0, "S", "of the random runs (1)"},
    {"witness", 'o', "FILE", "save the schedule found; of several, FILE, FILE.2, ..."},
    {"explain", 0, NULL, "what the static checks say of statements and variables"},
    {"dot", 0, "FILE", "draw the state graph, up to 500 states, for Graphviz"},
    {"find", 0, "LIST", "what to look for: failure,deadlock,race,outcome"},
    {"no-race", 0, NULL, "do not look for data races"},
    {"spurious", 0, NULL, "waits on conditions may also end by themselves"},
    {"sv-comp", 0, NULL, "the program keeps to the conventions of SV-COMP"},
    {"inputs", 0, "LIST", "inputs that the program asks for, such as 3,0,-1"},
    {"input-seed", 0, "N", "draw further inputs from this seed; else they are 0"},
    {"reset", 0, "HOW", "of a program: memory, many runs in one process; fork, one each"},
    {"hang", 0, "TIME", "of a program: a run without a step for so long has failed (10)"},
    HD_CLI_HTML,
    {0},
};

enum { DRAWN_STATES = 500 };

/* ---- Options ---- */

/* auto, where it is there. */
static enum hd_explore_algorithm default_algorithm(void) {
    enum hd_explore_algorithm algorithm = HD_EXPLORE_SDPOR;
    hd_explore_algorithm_find("auto", &algorithm);
    return algorithm;
}

static void list_algorithms(FILE *to) {
    fputs("\nAlgorithms:", to);
    for (int i = 0; i < HD_EXPLORE_ALGORITHMS; i++)
        fprintf(to, " %s", hd_explore_algorithm_name((enum hd_explore_algorithm)i));
    fprintf(to, " (default: %s)\n", hd_explore_algorithm_name(default_algorithm()));
}

static bool read_algorithm(hd_cli_exploration *e) {
    const char *name = e->arguments->values[ALGORITHM];
    e->options.algorithm = default_algorithm();
    if (!name || hd_explore_algorithm_find(name, &e->options.algorithm))
        return true;
    hd_cli_usage(e->arguments, "there is no algorithm '%s'", hd_cli_name(name));
    return false;
}

static bool read_stop(hd_cli_exploration *e) {
    const char *word = e->arguments->values[STOP];
    bool never = word && strcmp(word, "never") == 0;
    hd_finding_list_init(&e->findings, never ? 0 : 1);
    if (!word || never || strcmp(word, "first") == 0)
        return true;
    hd_cli_usage(e->arguments, "--stop takes first or never, not '%s'", hd_cli_name(word));
    return false;
}

/* Of several for one parameter the last one counts. */
static void add_define(hd_cli_exploration *e, hd_model_define define) {
    size_t length = strcspn(define.name, "=") + 1;
    for (size_t i = 0; i < e->defines.length; i++)
        if (strncmp(e->defines.data[i].name, define.name, length) == 0) {
            e->defines.data[i] = define;
            return;
        }
    hd_vec_push(&e->defines, define);
}

static bool read_defines(hd_cli_exploration *e) {
    size_t at = 0;
    const char *text;
    hd_error error = {""};
    while ((text = hd_cli_next(e->arguments, DEFINE, &at))) {
        hd_model_define define;
        if (!hd_model_define_parse(&define, text, &error)) {
            hd_cli_usage(e->arguments, "--define: %s", error.text);
            return false;
        }
        add_define(e, define);
    }
    return true;
}

static bool read_output(hd_cli_exploration *e) {
    e->output = e->arguments->values[OUTPUT];
    for (int row = OUTPUT; row <= DOT; row++) {
        const char *value = e->arguments->values[row];
        if (!value || strcmp(value, "-") != 0)
            continue;
        hd_cli_usage(e->arguments, "--%s wants a file, standard output has the answer",
                     options[row].name);
        return false;
    }
    return true;
}

static bool read_reset(hd_cli_exploration *e) {
    const char *how = e->arguments->values[RESET];
    e->by_fork = how && strcmp(how, "fork") == 0;
    if (!how || e->by_fork || strcmp(how, "memory") == 0)
        return true;
    hd_cli_usage(e->arguments, "--reset takes memory or fork, not '%s'", hd_cli_name(how));
    return false;
}

static bool read_bound(hd_cli_exploration *e) {
    static const char name[] = "preemptions=";
    const char *text = e->arguments->values[BOUND];
    uint64_t most;
    if (!text)
        return true;
    const char *number = text + sizeof name - 1;
    if (strncmp(text, name, sizeof name - 1) != 0 || !hd_text_u64(number, strlen(number), &most) ||
        most > UINT32_MAX) {
        hd_cli_usage(e->arguments, "--bound takes preemptions=K, not '%s'", hd_cli_name(text));
        return false;
    }
    e->options.bounded = true;
    e->options.preemptions = (uint32_t)most;
    return true;
}

/* Random runs instead of a search. */
static bool read_walks(hd_cli_exploration *e) {
    enum { USUAL_RUNS = 1000 };
    hd_explore_walk_options *w = &e->walks;
    uint64_t depth;
    if (!hd_cli_number(e->arguments, RANDOM, USUAL_RUNS, 1, UINT64_MAX, &w->runs) ||
        !hd_cli_number(e->arguments, PCT, 1, 1, HD_EXPLORE_MAX_DEPTH, &depth) ||
        !hd_cli_number(e->arguments, SEED, 1, 0, UINT64_MAX, &w->seed))
        return false;
    e->walk = hd_cli_given(e->arguments, RANDOM) || hd_cli_given(e->arguments, PCT);
    w->kind = hd_cli_given(e->arguments, PCT) ? HD_EXPLORE_PCT : HD_EXPLORE_UNIFORM;
    w->depth = (uint32_t)depth;
    static const int others[] = {ALGORITHM, SOURCE_SETS, THREADS, EXECUTIONS, BOUND};
    for (size_t i = 0; e->walk && i < sizeof others / sizeof others[0]; i++)
        if (hd_cli_given(e->arguments, others[i])) {
            hd_cli_usage(e->arguments, "--%s is for a search, not for random runs",
                         options[others[i]].name);
            return false;
        }
    if (!e->walk && hd_cli_given(e->arguments, SEED)) {
        hd_cli_usage(e->arguments, "--seed is for random runs: give --random or --pct too");
        return false;
    }
    return true;
}

/* What does not go together is not passed over in silence. */
static bool check_combination(const hd_cli_exploration *e) {
    enum hd_explore_algorithm algorithm = e->options.algorithm;
    bool eager = algorithm == HD_EXPLORE_EPOR || algorithm == HD_EXPLORE_EPOR_SH;
    if (e->options.source_sets && !eager)
        hd_cli_usage(e->arguments, "--source-sets is for epor and epor-sh");
    else if (e->options.bounded &&
             (hd_cli_given(e->arguments, ALGORITHM) || hd_cli_given(e->arguments, THREADS)))
        hd_cli_usage(e->arguments, "--bound has its own search, with one worker");
    else
        return true;
    return false;
}

static bool read_options(hd_cli_exploration *e) {
    enum { MOST_WORKERS = 1024 };
    hd_explore_options *o = &e->options;
    uint64_t workers;
    if (!hd_cli_number(e->arguments, THREADS, 1, 1, MOST_WORKERS, &workers))
        return false;
    o->threads = (uint32_t)workers;
    o->source_sets = hd_cli_given(e->arguments, SOURCE_SETS);
    return read_bound(e) && read_walks(e) && read_algorithm(e) && read_stop(e) && read_defines(e) &&
           read_output(e) &&
           hd_cli_number(e->arguments, EXECUTIONS, 0, 1, UINT64_MAX, &o->most_executions) &&
           hd_cli_number(e->arguments, DEPTH, 0, 1, UINT64_MAX, &o->most_steps) &&
           hd_cli_seconds(e->arguments, TIME, 0, &o->most_seconds) &&
           hd_cli_seconds(e->arguments, HANG, 0, &e->hang) && read_reset(e) && check_combination(e);
}

/* ---- What is found ---- */

static void describe_deadlock(hd_cli_exploration *e, hd_finding *finding, uint32_t position) {
    uint32_t waiting = 0;
    hd_machine_operation operation;
    uint32_t threads = 0;
    for (uint32_t t = 0; t < e->checker->threads; t++) {
        bool waits = e->checker->type->next(e->checker, t, &operation);
        threads += !waits || !operation.idle;
        waiting += waits && !operation.idle;
    }
    finding->location = hd_cli_place(e->checker, e->path, position);
    char *text = NULL;
    if (asprintf(&text, "deadlock: %u of %s cannot go on", waiting,
                 hd_cli_count(threads, "thread", "threads")) >= 0)
        finding->message = text;
}

/* Positions of the statements that a failure is about, in the program's text. */
static void find_positions(hd_cli_exploration *e, enum hd_explore_end end, hd_vec_u32 *positions) {
    hd_machine_operation operation;
    if (end == HD_EXPLORE_VIOLATION) {
        hd_vec_push(positions, hd_cli_failed_position(e->checker));
        return;
    }
    for (uint32_t t = 0; t < e->checker->threads; t++)
        if (e->checker->type->next(e->checker, t, &operation) && !operation.idle)
            hd_vec_push(positions, operation.position);
}

uint64_t hd_cli_explore_print_of(const char *rule, const uint32_t *positions, size_t count) {
    enum { DIGITS = 12 };
    char *texts = hd_mem_zero(count + 1, DIGITS);
    const char **places = HD_NEW_ARRAY(const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        snprintf(texts + i * DIGITS, DIGITS, "%u", positions[i]);
        places[i] = texts + i * DIGITS;
    }
    uint64_t print = hd_finding_fingerprint(rule, places, count);
    free(places);
    free(texts);
    return print;
}

/* The checker is in the last state. */
static int push_finding(hd_cli_exploration *e, enum hd_explore_end end) {
    hd_finding finding;
    hd_vec_u32 positions = {0};
    bool deadlock = end == HD_EXPLORE_DEADLOCK;
    hd_finding_init(&finding, deadlock ? "deadlock" : hd_cli_failed_rule(e->checker));
    find_positions(e, end, &positions);
    assert(positions.length > 0); /* the checker saw somebody wait, or fail */
    finding.fingerprint = hd_cli_explore_print_of(finding.rule, positions.data, positions.length);
    if (!hd_finding_list_find(&e->findings, finding.fingerprint)) {
        if (deadlock)
            describe_deadlock(e, &finding, positions.data[0]);
        else
            hd_cli_failure(e->checker, e->path, &finding.location, &finding.message);
        finding.schedule = e->schedule;
        e->schedule = (hd_witness_steps){0};
    }
    int stop = hd_finding_list_add(&e->findings, &finding);
    hd_finding_release(&finding);
    hd_vec_release(&positions);
    return stop;
}

/* A race stops the search only if nothing worse is looked for. */
static bool has_enough(const hd_cli_exploration *e) {
    return e->findings.enough && e->races.found.length >= e->findings.enough &&
           !(e->find & (HD_CLI_FIND_FAILURE | HD_CLI_FIND_DEADLOCK));
}

static int visit(void *context, hd_machine *machine, enum hd_explore_end end,
                 const hd_explore_step *schedule, size_t length) {
    hd_cli_exploration *e = context;
    if (e->program && (hd_native_machine_changed(machine) || hd_native_machine_broken(machine)))
        return 1; /* what was searched is not what there is */
    if (e->program && !e->sv_comp && end != HD_EXPLORE_DEADLOCK)
        hd_cli_explore_outcome(e, machine, end == HD_EXPLORE_VIOLATION, schedule, length);
    if (e->program && end == HD_EXPLORE_DEADLOCK && hd_native_machine_assumed(machine)) {
        e->assumed++;
        return 0;
    }
    unsigned sort = end == HD_EXPLORE_DEADLOCK ? HD_CLI_FIND_DEADLOCK : HD_CLI_FIND_FAILURE;
    if (end == HD_EXPLORE_COMPLETE || !(e->find & sort))
        return e->broken.text[0] || has_enough(e);
    hd_vec_clear(&e->schedule);
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&e->schedule, (hd_witness_step){schedule[i].thread, schedule[i].choice});
    enum hd_replay_claim claim = end == HD_EXPLORE_DEADLOCK ? HD_REPLAY_STUCK : HD_REPLAY_VIOLATION;
    if (!hd_replay_check(e->checker, claim, &e->schedule, &e->broken))
        return 1;
    return push_finding(e, end);
}

static void tick(void *context, const hd_explore_status *status) {
    hd_cli_exploration *e = context;
    e->progress.total = status->estimate > 0 ? (uint64_t)status->estimate : 0;
    hd_progress_step(&e->progress, status->executions);
}

/* ---- The way through ---- */

char *hd_cli_explore_file(const hd_cli_exploration *e, size_t i) {
    char *name = NULL;
    int length =
        i == 0 ? asprintf(&name, "%s", e->output) : asprintf(&name, "%s.%zu", e->output, i + 1);
    return length < 0 ? NULL : name;
}

static bool shrink_all(hd_cli_exploration *e, hd_error *error) {
    for (size_t i = 0; i < e->findings.found.length; i++) {
        hd_finding *finding = &e->findings.found.data[i];
        hd_replay_shrunk shrunk = {0};
        if (hd_cli_claim_of(finding) == HD_REPLAY_END) { /* all of it makes the outcome */
            shrunk.schedule = finding->schedule;
            finding->schedule = (hd_witness_steps){0};
            shrunk.switches = hd_replay_switches(&shrunk.schedule);
        } else if (!hd_replay_shrink(e->checker, hd_cli_claim_of(finding), &finding->schedule, 0,
                                     &shrunk, error))
            return false;
        hd_vec_push(&e->shrunk, shrunk);
    }
    return true;
}

static bool save(hd_cli_exploration *e, size_t i, hd_error *error) {
    const hd_finding *finding = &e->findings.found.data[i];
    hd_replay_witness witness = {.claim = hd_cli_claim_of(finding),
                                 .schedule = e->shrunk.data[i].schedule,
                                 .program = (char *)e->path,
                                 .question = (char *)"explore"};
    char *verdict = NULL, *file = hd_cli_explore_file(e, i);
    hd_native_words words = {0};
    for (size_t k = 0; k < e->defines.length; k++)
        hd_vec_push(&witness.parameters, (char *)e->defines.data[k].name);
    if (e->program)
        hd_native_machine_words(e->checker, &words);
    for (size_t k = 0; k < words.length; k++)
        hd_vec_push(&witness.parameters, words.data[k]);
    if (asprintf(&verdict, "%s: %s", finding->location, finding->message) >= 0)
        witness.verdict = verdict;
    bool good = file && hd_replay_witness_save(&witness, e->checker, file, error);
    hd_vec_release(&witness.parameters);
    for (size_t k = 0; k < words.length; k++)
        free(words.data[k]);
    hd_vec_release(&words);
    free(verdict);
    free(file);
    return good;
}

static bool save_all(hd_cli_exploration *e, hd_error *error) {
    for (size_t i = 0; e->output && i < e->findings.found.length; i++)
        if (!save(e, i, error))
            return false;
    return true;
}

/* A state's variables, for small models. */
static void label(hd_machine *machine, hd_vec_char *to) {
    enum { MOST = 12 };
    char text[128];
    for (uint32_t i = 0; i < machine->locations && i < MOST; i++) {
        int length = snprintf(text, sizeof text, "%s%.80s=%lld", i ? "\n" : "",
                              machine->type->location_name(machine, i),
                              (long long)hd_model_value(machine, i));
        for (int k = 0; k < length && k < (int)sizeof text - 1; k++)
            hd_vec_push(to, text[k]);
    }
}

static bool draw(hd_cli_exploration *e, const char *path, hd_error *error) {
    hd_graph_options drawing = {
        .most_states = DRAWN_STATES, .title = e->path, .hash = hd_model_hash, .label = label};
    hd_graph_result drawn;
    if (!hd_graph_write(e->machine, &drawing, path, &drawn, error))
        return false;
    if (drawn.cut)
        hd_log_write(HD_LOG_WARNING, "%s: cut off at %u states; %u steps lead on",
                     hd_cli_name(path), drawn.states, drawn.cut);
    return true;
}

/* What is found in memory that was put back is checked in memory that was not. */
static hd_machine *copy_checker(const hd_cli_exploration *e) {
    hd_machine *checker = e->machine->type->copy(e->machine);
    if (e->program)
        hd_native_machine_by_fork(checker);
    return checker;
}

/* A run showed more shared memory, more threads: another machine, another search. */
static bool start_over(hd_cli_exploration *e) {
    e->rounds++;
    hd_native_machine_renew(e->machine);
    e->checker->type->free(e->checker);
    e->checker = copy_checker(e);
    size_t enough = e->findings.enough;
    hd_finding_list_release(&e->findings);
    hd_finding_list_init(&e->findings, enough);
    hd_cli_explore_forget(e);
    return true;
}

/* The limit on time is for all searches together: what is left of it, 0 if there is none.  False
 * if nothing is; then what was found so far has to do. */
static bool time_left(const hd_cli_exploration *e, double started, double *left) {
    *left = 0;
    if (e->options.most_seconds <= 0)
        return true;
    *left = e->options.most_seconds - (hd_progress_clock() - started);
    return *left > 0;
}

static void out_of_time(hd_explore_result *result) {
    result->limit = "time";
    result->complete = result->stopped = false;
}

static bool run_walks(hd_cli_exploration *e, hd_error *error) {
    hd_explore_walk_options *w = &e->walks;
    double started = hd_progress_clock();
    w->most_steps = e->options.most_steps;
    w->most_seconds = e->options.most_seconds;
    w->visit = visit;
    w->tick = tick;
    w->collide = e->find & HD_CLI_FIND_RACE ? hd_cli_explore_collide : NULL;
    w->context = e;
    bool good = hd_explore_walk(e->machine, w, &e->walked, error);
    while (good && e->program && hd_native_machine_changed(e->machine) &&
           time_left(e, started, &w->most_seconds))
        good = start_over(e) && hd_explore_walk(e->machine, w, &e->walked, error);
    if (good && e->program && hd_native_machine_changed(e->machine))
        out_of_time(&e->walked.seen);
    e->result = e->walked.seen;
    return good;
}

static bool run_search(hd_cli_exploration *e, hd_error *error) {
    e->options.visit = visit;
    e->options.tick = tick;
    e->options.collide = e->find & HD_CLI_FIND_RACE ? hd_cli_explore_collide : NULL;
    e->options.context = e;
    double started = hd_progress_clock();
    bool good = hd_explore_run(e->machine, &e->options, &e->result, error);
    hd_explore_options again = e->options;
    while (good && e->program && hd_native_machine_changed(e->machine) &&
           time_left(e, started, &again.most_seconds))
        good = start_over(e) && hd_explore_run(e->machine, &again, &e->result, error);
    if (good && e->program && hd_native_machine_changed(e->machine))
        out_of_time(&e->result);
    if (good && e->program && hd_native_machine_refused(e->machine))
        hd_log_write(HD_LOG_WARNING,
                     "%s: calls that start other processes were refused; they fail with ENOSYS",
                     hd_cli_name(e->path));
    if (good && e->program && hd_native_machine_why_fork(e->machine))
        hd_log_write(HD_LOG_WARNING, "%s: every run has a process of its own, which is slow: %s",
                     hd_cli_name(e->path), hd_native_machine_why_fork(e->machine));
    if (good && e->program && hd_native_machine_broken(e->machine))
        good = hd_error_set(error, "%s", hd_native_machine_broken(e->machine));
    if (good && e->options.threads > e->result.threads)
        hd_log_write(HD_LOG_WARNING, "%s works with one worker: its trees are not shared",
                     hd_explore_algorithm_name(e->result.used));
    return good;
}

static int search(hd_cli_exploration *e) {
    hd_error error = {""};
    if (hd_cli_given(e->arguments, EXPLAIN))
        hd_model_explain(e->machine, &e->explanation);
    if (hd_cli_given(e->arguments, DOT) && !draw(e, e->arguments->values[DOT], &error))
        return hd_cli_fail("%s", error.text);
    hd_progress_start(&e->progress, "exploring", "executions", 0);
    bool good = e->walk ? run_walks(e, &error) : run_search(e, &error);
    hd_progress_end(&e->progress);
    if (!good)
        return hd_cli_fail("%s: %s", hd_cli_name(e->path), error.text);
    if (e->broken.text[0])
        return hd_cli_fail("a schedule of the search cannot be run again: %s", e->broken.text);
    hd_cli_explore_gather(e);
    e->result.deadlocks -= e->assumed;
    if (!shrink_all(e, &error) || !save_all(e, &error))
        return hd_cli_fail("%s", error.text);
    int status =
        hd_cli_given(e->arguments, HD_CLI_JSON) ? hd_cli_explore_json(e) : hd_cli_explore_print(e);
    return hd_cli_explore_page(e, status);
}

static void release(hd_cli_exploration *e) {
    for (size_t i = 0; i < e->shrunk.length; i++)
        hd_vec_release(&e->shrunk.data[i].schedule);
    hd_vec_release(&e->shrunk);
    hd_finding_list_release(&e->findings);
    hd_vec_release(&e->defines);
    hd_vec_release(&e->schedule);
    hd_vec_release(&e->explanation);
    hd_cli_explore_forget(e);
    hd_finding_list_release(&e->races);
    hd_vec_release(&e->outcomes);
    for (size_t i = 0; i < e->words.length; i++)
        free(e->words.data[i]);
    hd_vec_release(&e->words);
    if (e->checker)
        e->checker->type->free(e->checker);
    if (e->machine)
        e->machine->type->free(e->machine);
    free(e->argv);
    free(e->made);
}

/* What is for models or for programs only. */
static bool check_input(hd_cli_exploration *e) {
    static const int of_models[] = {DEFINE, EXPLAIN, DOT};
    static const int of_programs[] = {SPURIOUS, SV_COMP, INPUTS, INPUT_SEED};
    for (size_t i = 0; !e->program && i < sizeof of_programs / sizeof of_programs[0]; i++)
        if (hd_cli_given(e->arguments, of_programs[i])) {
            hd_cli_usage(e->arguments, "--%s is for programs", options[of_programs[i]].name);
            return false;
        }
    for (size_t i = 0; e->program && i < sizeof of_models / sizeof of_models[0]; i++)
        if (hd_cli_given(e->arguments, of_models[i])) {
            hd_cli_usage(e->arguments, "--%s is for models", options[of_models[i]].name);
            return false;
        }
    for (int row = RESET; !e->program && row <= HANG; row++)
        if (hd_cli_given(e->arguments, row)) {
            hd_cli_usage(e->arguments, "--%s is for programs", options[row].name);
            return false;
        }
    if (!e->program && e->arguments->operand_count > 1) {
        hd_cli_usage(e->arguments, "one word too many: '%s'",
                     hd_cli_name(e->arguments->operands[1]));
        return false;
    }
    if (e->program && e->options.algorithm == HD_EXPLORE_AUTO)
        e->options.algorithm = HD_EXPLORE_SDPOR;
    return true;
}

/* Options that the program's runtime has to know of. */
static bool read_words(hd_cli_exploration *e) {
    static const struct {
        int row;
        const char *name, *value;
    } rows[] = {{SPURIOUS, "spurious", "1"},
                {SV_COMP, "sv-comp", "1"},
                {INPUTS, "inputs", NULL},
                {INPUT_SEED, "input-seed", NULL}};
    heddle_wire *tried = HD_NEW(heddle_wire);
    bool good = true;
    for (size_t i = 0; good && i < sizeof rows / sizeof *rows; i++) {
        const char *value = rows[i].value ? rows[i].value : e->arguments->values[rows[i].row];
        char *word = NULL;
        if (!hd_cli_given(e->arguments, rows[i].row) ||
            asprintf(&word, "%s=%s", rows[i].name, value) < 0)
            continue;
        hd_vec_push(&e->words, word);
        good = hd_native_options_word(tried, word);
        if (!good)
            hd_cli_usage(e->arguments, "--%s takes %s, not '%s'", rows[i].name,
                         rows[i].row == INPUTS ? "up to 1024 whole numbers with commas between"
                                               : "a whole number",
                         hd_cli_name(value));
    }
    free(tried);
    return good;
}

static hd_machine *load(hd_cli_exploration *e) {
    if (!e->program)
        return hd_cli_model_load(e->path, e->defines.data, e->defines.length);
    if (!e->options.most_steps || e->options.most_steps > HD_NATIVE_MOST_STEPS)
        e->options.most_steps = HD_NATIVE_MOST_STEPS;
    if (!read_words(e) || !hd_cli_explore_make(e))
        return NULL;
    return hd_cli_program_start((hd_native_machine_options){
        .argv = e->argv,
        .most_steps = (uint32_t)e->options.most_steps,
        .patience = e->hang,
        .by_fork = e->by_fork,
        .words = e->words.data,
        .word_count = e->words.length,
    });
}

static int run(const hd_cli_arguments *arguments) {
    hd_cli_exploration e = {.arguments = arguments, .path = arguments->operands[0]};
    int status = HD_CLI_BAD;
    e.program = hd_cli_is_program(e.path);
    e.sv_comp = hd_cli_given(arguments, SV_COMP);
    hd_finding_list_init(&e.races, 0);
    if (read_options(&e) && check_input(&e) &&
        hd_cli_explore_find(&e, arguments->values[FIND], hd_cli_given(arguments, NO_RACE)) &&
        (e.machine = load(&e))) {
        e.checker = copy_checker(&e);
        if (hd_cli_page_begin(&e.page, arguments, HTML, e.path, NULL))
            status = search(&e);
        if (status == HD_CLI_BAD)
            hd_cli_page_end(&e.page, status);
    }
    release(&e);
    return status;
}

const hd_cli_command hd_cli_explore = {
    .name = "explore",
    .operands = "MODEL|PROGRAM|SOURCE [ARGUMENT]...",
    .summary = "Whether any schedule of a model or program fails, or ends in a deadlock",
    .details =
        "Runs MODEL (doc/model.md), or PROGRAM, made by heddle cc (doc/native.md) or here from\n"
        "SOURCE, a file of C or C++, under every schedule that matters.  What is found is shown as "
        "a short schedule that can be\n"
        "replayed.  Status 0: no schedule fails; 1: one does; 3: a limit came first.",
    .options = options,
    .least = 1,
    .most = INT_MAX,
    .run = run,
    .more_help = list_algorithms,
};
