/*
 * heddle explore: is there any schedule at all that fails?
 */
#include "cli_explore.h"
#include "cli_ask.h"
#include "cli_keep.h"
#include "cli_verdict.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALGORITHM = HD_CLI_OWN,
    CLASSES,
    SOURCE_SETS,
    THREADS,
    DEFINE,
    STOP,
    EXECUTIONS,
    DEPTH,
    BOUND,
    RANDOM,
    PCT,
    STATES,
    SEED,
    OUTPUT,
    EXPLAIN,
    DOT,
    FIND,
    NO_RACE,
    SPURIOUS,
    WAKES,
    REUSE,
    SYMMETRY,
    SV_COMP,
    YAML,
    INPUTS,
    INPUT_SEED,
    RESET,
    HANG,
    NO_PREDICT,
    MISUSE,
    VOLATILE,
    SUPPRESSIONS,
    HTML,
    ACCEPT,
    CHECKPOINT,
    RESUME,
    CHECKPOINT_EVERY,
    MPI
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"algorithm", 'a', "NAME", "one search by this algorithm; the names are below"},
    {"classes", 0, "WHAT", "what is explored once: traces (default), or reads, by unfold"},
    {"source-sets", 0, NULL, "epor and epor-sh with source sets instead of wakeup trees"},
    {"threads", 'j', "K", "workers (default: one for each processor)"},
    {"define", 'D', "NAME=VALUE", "set a parameter of the model; may be repeated"},
    {"stop", 0, "WHEN", "first: at the first failure (default); never: search on"},
    {"executions", 0, "N", "stop after N executions"},
    {"depth", 0, "N", "cut a thread off after N steps"},
    HD_CLI_BOUND,
    {"random", 0, "N", "no search: N random runs"},
    {"pct", 0, "D", "random runs by priorities, for bugs of depth D"},
    {"states", 0, NULL, "programs: no search: failures of states put together from runs"},
    {"seed", 0, "S", "seed of random runs (1)"},
    {"witness", 'o', "FILE", "save the schedules found, in FILE, FILE.2, ..."},
    {"explain", 0, NULL, "print the static checks of a model, the sections of a program"},
    {"dot", 0, "FILE", "draw the state graph, up to 500 states, for Graphviz"},
    {"find", 0, "LIST", "what to look for: failure,deadlock,race,outcome"},
    {"no-race", 0, NULL, "do not look for data races"},
    {"spurious", 0, NULL, "waits on conditions may also end by themselves"},
    {"wakes", 0, "N", "the same, N times per thread (--spurious: once)"},
    {"reuse", 0, NULL, "freed blocks may be handed out again: a choice of the search"},
    {"symmetry", 0, "[=NAMES]", "threads that do the same are explored up to permutation"},
    HD_CLI_SV_COMP,
    HD_CLI_YAML,
    HD_CLI_INPUTS,
    {"input-seed", 0, "N", "draw inputs, or those after the list, from this seed"},
    {"reset", 0, "HOW", "programs: memory, many runs in one process (default); fork, one each"},
    {"hang", 0, "TIME", "programs: abandon a run that takes no step for this time (10)"},
    {"no-predict", 0, NULL, "programs: execute every run, predict none from earlier runs"},
    HD_CLI_MISUSE,
    HD_CLI_VOLATILE,
    HD_CLI_SUPPRESSIONS,
    HD_CLI_HTML,
    HD_CLI_ACCEPT,
    HD_CLI_KEEP,
    {0},
};

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
    fputs("\nWithout one, several strategies: the search by auto, few preemptions, random runs\n",
          to);
}

static bool read_algorithm(hd_cli_explored *x) {
    const char *name = x->arguments->values[ALGORITHM];
    x->e.options.algorithm = default_algorithm();
    if (!name || hd_explore_algorithm_find(name, &x->e.options.algorithm))
        return true;
    hd_cli_usage(x->arguments, "there is no algorithm '%s'", hd_text_name(name));
    return false;
}

/* By reads-from there is one algorithm. */
static bool read_classes(hd_cli_explored *x) {
    const char *what = x->arguments->values[CLASSES];
    bool reads = what && strcmp(what, "reads") == 0;
    if (what && !reads && strcmp(what, "traces") != 0)
        hd_cli_usage(x->arguments, "--classes takes traces or reads, not '%s'", hd_text_name(what));
    else if (reads && hd_cli_given(x->arguments, ALGORITHM) &&
             x->e.options.algorithm != HD_EXPLORE_UNFOLD)
        hd_cli_usage(x->arguments, "--classes=reads is for unfold");
    else if (what && !reads && x->e.options.algorithm == HD_EXPLORE_UNFOLD)
        hd_cli_usage(x->arguments, "unfold does not explore traces");
    else {
        if (reads)
            x->e.options.algorithm = HD_EXPLORE_UNFOLD;
        x->e.options.by_reads = reads;
        return true;
    }
    return false;
}

static bool read_stop(hd_cli_explored *x) {
    const char *word = x->arguments->values[STOP];
    bool never = word && strcmp(word, "never") == 0;
    hd_finding_list_init(&x->e.findings, never ? 0 : 1);
    if (!word || never || strcmp(word, "first") == 0)
        return true;
    hd_cli_usage(x->arguments, "--stop takes first or never, not '%s'", hd_text_name(word));
    return false;
}

/* Of several for one parameter the last one counts. */
static void add_define(hd_cli_explored *x, hd_model_define define) {
    size_t length = strcspn(define.name, "=") + 1;
    for (size_t i = 0; i < x->e.defines.length; i++)
        if (strncmp(x->e.defines.data[i].name, define.name, length) == 0) {
            x->e.defines.data[i] = define;
            return;
        }
    hd_vec_push(&x->e.defines, define);
}

static bool read_defines(hd_cli_explored *x) {
    size_t at = 0;
    const char *text;
    hd_error error = {""};
    while ((text = hd_cli_next(x->arguments, DEFINE, &at))) {
        hd_model_define define;
        if (!hd_model_define_parse(&define, text, &error)) {
            hd_cli_usage(x->arguments, "--define: %s", error.text);
            return false;
        }
        add_define(x, define);
    }
    return true;
}

static bool read_output(hd_cli_explored *x) {
    if (!hd_cli_witness(x->arguments, OUTPUT, &x->e.output))
        return false;
    for (int row = OUTPUT + 1; row <= DOT; row++) {
        const char *value = x->arguments->values[row];
        if (!value || strcmp(value, "-") != 0)
            continue;
        hd_cli_usage(x->arguments, "--%s wants a file, standard output has the answer",
                     options[row].name);
        return false;
    }
    return true;
}

static bool read_reset(hd_cli_explored *x) {
    const char *how = x->arguments->values[RESET];
    x->e.by_fork = how && strcmp(how, "fork") == 0;
    if (!how || x->e.by_fork || strcmp(how, "memory") == 0)
        return true;
    hd_cli_usage(x->arguments, "--reset takes memory or fork, not '%s'", hd_text_name(how));
    return false;
}

/* What is for a search is not for what is done instead. */
static bool is_alone(hd_cli_explored *x, const char *instead) {
    static const int others[] = {ALGORITHM, CLASSES, SOURCE_SETS, THREADS, EXECUTIONS, BOUND};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (hd_cli_given(x->arguments, others[i])) {
            hd_cli_usage(x->arguments, "--%s is for a search, not for %s", options[others[i]].name,
                         instead);
            return false;
        }
    return true;
}

static bool read_states(hd_cli_explored *x) {
    static const int others[] = {RANDOM, PCT, SV_COMP, RESET, NO_PREDICT};
    x->e.graph = hd_cli_given(x->arguments, STATES);
    for (size_t i = 0; x->e.graph && i < sizeof others / sizeof others[0]; i++)
        if (hd_cli_given(x->arguments, others[i])) {
            hd_cli_usage(x->arguments, "--states and --%s do not go together",
                         options[others[i]].name);
            return false;
        }
    return !x->e.graph || is_alone(x, "--states");
}

/* Random runs instead of a search. */
static bool read_walks(hd_cli_explored *x) {
    enum { USUAL_RUNS = 1000 };
    hd_explore_walk_options *w = &x->e.walks;
    uint64_t depth;
    if (!hd_cli_number(x->arguments, RANDOM, USUAL_RUNS, 1, UINT64_MAX, &w->runs) ||
        !hd_cli_number(x->arguments, PCT, 1, 1, HD_EXPLORE_MAX_DEPTH, &depth) ||
        !hd_cli_number(x->arguments, SEED, 1, 0, UINT64_MAX, &w->seed))
        return false;
    x->e.walk = hd_cli_given(x->arguments, RANDOM) || hd_cli_given(x->arguments, PCT);
    w->kind = hd_cli_given(x->arguments, PCT) ? HD_EXPLORE_PCT : HD_EXPLORE_UNIFORM;
    w->depth = (uint32_t)depth;
    if (x->e.walk && !is_alone(x, "random runs"))
        return false;
    if (x->e.alone && hd_cli_given(x->arguments, SEED)) {
        hd_cli_usage(x->arguments, "--seed is for random runs, not for one search");
        return false;
    }
    return true;
}

static bool is_eager(const hd_engine_exploration *e) {
    return e->options.algorithm == HD_EXPLORE_EPOR || e->options.algorithm == HD_EXPLORE_EPOR_SH;
}

/* Threads are interchangeable for one search by traces. */
static bool read_symmetry(hd_cli_explored *x) {
    static const int others[] = {BOUND, RANDOM, PCT, STATES, CHECKPOINT, RESUME, MPI};
    enum hd_explore_algorithm algorithm = x->e.options.algorithm;
    if (!hd_cli_given(x->arguments, SYMMETRY))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (hd_cli_given(x->arguments, others[i])) {
            hd_cli_usage(x->arguments, "--symmetry and --%s do not go together",
                         options[others[i]].name);
            return false;
        }
    if (x->e.options.by_reads) {
        hd_cli_usage(x->arguments, "--symmetry and --classes=reads do not go together");
        return false;
    }
    if (hd_cli_given(x->arguments, ALGORITHM) && algorithm != HD_EXPLORE_AUTO &&
        algorithm != HD_EXPLORE_SDPOR && algorithm != HD_EXPLORE_DPOR) {
        hd_cli_usage(x->arguments, "--symmetry is for sdpor and dpor");
        return false;
    }
    if (algorithm != HD_EXPLORE_DPOR)
        x->e.options.algorithm = HD_EXPLORE_SDPOR;
    x->e.symmetry = x->arguments->values[SYMMETRY] ? x->arguments->values[SYMMETRY] : "";
    x->e.alone = true;
    x->e.options.threads = x->e.workers;
    return true;
}

/* What does not go together is not passed over in silence. */
static bool check_combination(const hd_cli_explored *x) {
    if (x->e.options.source_sets && !is_eager(&x->e))
        hd_cli_usage(x->arguments, "--source-sets is for epor and epor-sh");
    else if (x->e.options.bounded &&
             (hd_cli_given(x->arguments, ALGORITHM) || hd_cli_given(x->arguments, CLASSES)))
        hd_cli_usage(x->arguments, "--bound has its own search");
    else
        return true;
    return false;
}

static bool read_options(hd_cli_explored *x) {
    hd_explore_options *o = &x->e.options;
    uint64_t workers;
    if (!hd_cli_number(x->arguments, THREADS, 1, 1, HD_CLI_MOST_WORKERS, &workers))
        return false;
    o->threads = (uint32_t)workers;
    x->e.workers = hd_cli_given(x->arguments, THREADS) ? (uint32_t)workers : hd_pool_cores();
    x->e.alone = hd_cli_given(x->arguments, ALGORITHM) || hd_cli_given(x->arguments, BOUND) ||
                 hd_cli_given(x->arguments, CLASSES);
    o->source_sets = hd_cli_given(x->arguments, SOURCE_SETS);
    x->e.explain = hd_cli_given(x->arguments, EXPLAIN);
    x->e.dot = x->arguments->values[DOT];
    return hd_cli_bound(x->arguments, BOUND, &o->bounded, &o->preemptions) && read_walks(x) &&
           read_states(x) && read_algorithm(x) && read_classes(x) && read_stop(x) &&
           read_defines(x) && read_output(x) &&
           hd_cli_number(x->arguments, EXECUTIONS, 0, 1, UINT64_MAX, &o->most_executions) &&
           hd_cli_number(x->arguments, DEPTH, 0, 1, UINT64_MAX, &o->most_steps) &&
           hd_cli_seconds(x->arguments, HD_CLI_TIME, 0, &o->most_seconds) &&
           hd_cli_seconds(x->arguments, HANG, 0, &x->e.hang) && read_reset(x) &&
           hd_cli_keep(x->arguments, CHECKPOINT, &x->e.keep) && read_symmetry(x) &&
           check_combination(x);
}

/* ---- The way through ---- */

/* What is for models or for programs only. */
static bool check_input(hd_cli_explored *x) {
    static const int of_models[] = {DEFINE, DOT};
    static const int of_programs[] = {STATES, SPURIOUS, WAKES,      REUSE,       SV_COMP,
                                      YAML,   INPUTS,   INPUT_SEED, SUPPRESSIONS};
    for (size_t i = 0; !x->e.program && i < sizeof of_programs / sizeof of_programs[0]; i++)
        if (hd_cli_given(x->arguments, of_programs[i])) {
            hd_cli_usage(x->arguments, "--%s is for programs", options[of_programs[i]].name);
            return false;
        }
    for (size_t i = 0; x->e.program && i < sizeof of_models / sizeof of_models[0]; i++)
        if (hd_cli_given(x->arguments, of_models[i])) {
            hd_cli_usage(x->arguments, "--%s is for models", options[of_models[i]].name);
            return false;
        }
    if (x->e.program && hd_cli_given(x->arguments, EXPLAIN) && !is_eager(&x->e)) {
        hd_cli_usage(x->arguments, "--explain of a program shows sections: it needs -a epor or "
                                   "-a epor-sh");
        return false;
    }
    for (int row = RESET; !x->e.program && row <= HANG; row++)
        if (hd_cli_given(x->arguments, row)) {
            hd_cli_usage(x->arguments, "--%s is for programs", options[row].name);
            return false;
        }
    if (!x->e.program && x->arguments->operand_count > 1) {
        hd_cli_usage(x->arguments, "one word too many: '%s'",
                     hd_text_name(x->arguments->operands[1]));
        return false;
    }
    return true;
}

/* Options that the program's runtime has to know of. */
static bool read_words(hd_cli_explored *x) {
    static const struct {
        int row;
        const char *name;
        bool counts; /* it has a number */
        uint64_t low, high;
    } rows[] = {{SPURIOUS, "spurious", false, 0, 0},
                {WAKES, "spurious", true, 0, UINT32_MAX},
                {REUSE, "reuse", false, 0, 0},
                {INPUT_SEED, "input-seed", true, 1, UINT64_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t value = 1;
        char *word = NULL;
        if (!hd_cli_given(x->arguments, rows[i].row))
            continue;
        if (rows[i].counts &&
            !hd_cli_number(x->arguments, rows[i].row, 0, rows[i].low, rows[i].high, &value))
            return false;
        if (asprintf(&word, "%s=%llu", rows[i].name, (unsigned long long)value) < 0)
            word = hd_mem_made(NULL);
        hd_vec_push(&x->e.words, word);
    }
    return true;
}

static bool read_find(hd_cli_explored *x) {
    hd_error error = {""};
    if (!hd_cli_misuse(x->arguments, MISUSE) || !hd_cli_volatile(x->arguments, VOLATILE) ||
        !hd_cli_inputs(x->arguments, INPUTS))
        return false;
    if (hd_engine_explore_find(&x->e, x->arguments->values[FIND],
                               hd_cli_given(x->arguments, NO_RACE), &error))
        return true;
    hd_cli_usage(x->arguments, "%s", error.text);
    return false;
}

static bool read_suppressions(hd_cli_explored *x) {
    hd_error error = {""};
    const char *file = x->e.program ? hd_cli_suppressions(x->arguments, SUPPRESSIONS) : NULL;
    if (!file || hd_finding_suppressions_load(&x->e.filter, file, &error))
        return true;
    hd_cli_fail("%s", error.text);
    return false;
}

static int answer(hd_cli_explored *x) {
    hd_error error = {""};
    hd_engine_question question = {
        .what = HD_ENGINE_EXPLORE, .path = x->e.path, .whole.explore = &x->e};
    if (!hd_cli_ask(x->arguments, &question, &error))
        return hd_cli_fail("%s", error.text);
    if (!hd_engine_explore_sequence(&x->e, x->e.path, x->arguments->values[YAML], &error))
        x->e.unsaved = error;
    int status =
        hd_cli_given(x->arguments, HD_CLI_JSON) ? hd_cli_explore_json(x) : hd_cli_explore_print(x);
    status = hd_cli_explore_page(x, status);
    if (x->e.sv_comp && status != HD_CLI_BAD && !hd_cli_given(x->arguments, HD_CLI_JSON))
        printf("\n%s\n", hd_engine_explore_word(&x->e));
    return x->e.unsaved.text[0] ? hd_cli_fail("%s", x->e.unsaved.text) : status;
}

static int explore(hd_cli_explored *x) {
    int status = HD_CLI_BAD;
    if (hd_cli_page_begin(&x->page, x->arguments, HTML, x->e.path, NULL))
        status = answer(x);
    if (status == HD_CLI_BAD)
        hd_cli_page_end(&x->page, status);
    return status;
}

static int run(const hd_cli_arguments *arguments) {
    hd_cli_explored x = {.arguments = arguments};
    int status = HD_CLI_BAD;
    if (!hd_cli_sv_comp(arguments, SV_COMP, HD_ENGINE_UNREACH_CALL))
        return HD_CLI_BAD;
    hd_engine_explore_init(&x.e, arguments->operands[0], hd_cli_program_words(arguments));
    x.e.no_predict = hd_cli_given(arguments, NO_PREDICT) || hd_cli_given(arguments, REUSE);
    bool joined = hd_cli_mpi(arguments, MPI, &x.e.team);
    if (joined && read_options(&x) && check_input(&x) && read_find(&x) && read_suppressions(&x) &&
        (!x.e.program || read_words(&x)))
        status = hd_cli_serves() ? hd_cli_explore_serve(&x.e) : explore(&x);
    hd_cli_explore_release(&x.e, status);
    return status;
}

const hd_cli_command hd_cli_explore = {
    .name = "explore",
    .operands = "MODEL|PROGRAM|SOURCE [ARGUMENT]...",
    .summary = "Find a schedule of a model or program that fails",
    .details =
        "Runs MODEL (doc/model.md), or PROGRAM, made by heddle cc (doc/native.md) or here from\n"
        "SOURCE, a file of C or C++, under every schedule that matters.  A failure is shown as\n"
        "a short schedule that can be replayed.  Status 0: no schedule fails, the search was\n"
        "complete and no assumption is shaky; 1: a schedule fails; 3: none was found, but that\n"
        "is no proof.",
    .options = options,
    .least = 1,
    .most = INT_MAX,
    .run = run,
    .more_help = list_algorithms,
};
