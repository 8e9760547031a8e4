/*
 * heddle states: how many global states a trace has, and which.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_ask.h"
#include "cli_cut.h"
#include "cli_keep.h"
#include "cli_page.h"
#include "cli_states.h"
#include "cli_verdict.h"

enum {
    MODEL = HD_CLI_OWN,
    CLASS,
    ALGORITHM,
    THREADS,
    LIST,
    ORDER,
    REACH,
    POSETS,
    ESTIMATE,
    WITNESS,
    HTML,
    ACCEPT,
    CHECKPOINT,
    RESUME,
    CHECKPOINT_EVERY,
    MPI
};

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"model", 'm', "NAME", "poset: locks in the order of the trace (default); loset: in any"},
    {"class", 'c', "NAME", "class of states of a loset (reachable); the names are below"},
    {"algorithm", 'a', "NAME", "the algorithm (auto); the names are below"},
    {"threads", 'j', "N", "use N threads (1)"},
    {"list", 'l', NULL, "print every state: the numbers of events of the threads"},
    {"order", 0, "NAMES", "threads by priority, the highest first, separated by commas"},
    {"reach", 0, "STATE", "is this state reachable?  T1=3,T2=1; other threads have no event"},
    {"posets", 0, NULL, "count the valid posets of the loset instead; with --list print them"},
    {"estimate", 0, NULL, "about how many, with a 95 % interval, within --time (10 s)"},
    {"witness", 'o', "FILE", "with --reach: save the schedule as a witness"},
    HD_CLI_HTML,
    HD_CLI_ACCEPT,
    HD_CLI_KEEP,
    {0},
};

/* ---- Options ---- */

struct states {
    const hd_cli_arguments *arguments;
    hd_trace trace;
    hd_engine_states e;
    hd_cli_page page;
};

/* One state is decided by itself, not by an enumeration. */
static bool read_reach(struct states *s) {
    static const struct {
        int option;
        const char *name;
    } others[] = {{ALGORITHM, "algorithm"}, {LIST, "list"}, {ORDER, "order"}, {HTML, "html"}};
    const hd_cli_arguments *arguments = s->arguments;
    const hd_cut_request *request = &s->e.request;
    s->e.reach = arguments->values[REACH];
    if (!s->e.reach && hd_cli_given(arguments, WITNESS)) {
        hd_cli_usage(arguments, "--witness goes with --reach");
        return false;
    }
    for (size_t i = 0; s->e.reach && i < sizeof others / sizeof *others; i++)
        if (hd_cli_given(arguments, others[i].option)) {
            hd_cli_usage(arguments, "--%s does not go with --reach", others[i].name);
            return false;
        }
    if (s->e.reach && request->model == HD_ORDER_LOSET && request->class != HD_CUT_REACHABLE) {
        hd_cli_usage(arguments, "--class=%s does not go with --reach",
                     hd_cut_class_names[request->class]);
        return false;
    }
    return true;
}

/* Valid posets are of the loset as a whole, not of a class of its states. */
static bool read_posets(const struct states *s) {
    static const struct {
        int option;
        const char *name;
    } others[] = {{MODEL, "model"},     {CLASS, "class"}, {ALGORITHM, "algorithm"},
                  {THREADS, "threads"}, {ORDER, "order"}, {REACH, "reach"},
                  {HTML, "html"}};
    const hd_cli_arguments *arguments = s->arguments;
    bool posets = hd_cli_given(arguments, POSETS);
    for (size_t i = 0; posets && i < sizeof others / sizeof *others; i++)
        if (hd_cli_given(arguments, others[i].option)) {
            hd_cli_usage(arguments, "--%s does not go with --posets", others[i].name);
            return false;
        }
    return true;
}

/* An estimate is not an enumeration. */
static bool read_estimate(const struct states *s) {
    static const struct {
        int option;
        const char *name;
    } others[] = {{ALGORITHM, "algorithm"}, {THREADS, "threads"}, {LIST, "list"}, {ORDER, "order"},
                  {REACH, "reach"},         {POSETS, "posets"},   {HTML, "html"}};
    const hd_cli_arguments *arguments = s->arguments;
    bool estimate = hd_cli_given(arguments, ESTIMATE);
    for (size_t i = 0; estimate && i < sizeof others / sizeof *others; i++)
        if (hd_cli_given(arguments, others[i].option)) {
            hd_cli_usage(arguments, "--%s does not go with --estimate", others[i].name);
            return false;
        }
    return true;
}

/* A count that is kept, or shared by processes, is a count of all. */
static bool read_sliced(const struct states *s) {
    static const struct {
        int option;
        const char *name;
    } others[] = {{LIST, "list"}, {REACH, "reach"}, {POSETS, "posets"}, {ESTIMATE, "estimate"}};
    const hd_cli_arguments *arguments = s->arguments;
    bool sliced = hd_cli_given(arguments, CHECKPOINT) || hd_cli_given(arguments, RESUME) ||
                  hd_cli_given(arguments, MPI);
    for (size_t i = 0; sliced && i < sizeof others / sizeof *others; i++)
        if (hd_cli_given(arguments, others[i].option)) {
            hd_cli_usage(arguments, "--%s does not go with --checkpoint, --resume and --mpi",
                         others[i].name);
            return false;
        }
    return true;
}

/* What is of traces alone. */
static bool fits_loset(const hd_cli_arguments *arguments) {
    if (!hd_trace_is_loset(arguments->operands[0]) ||
        (!hd_cli_given(arguments, WITNESS) && !hd_cli_given(arguments, HTML)))
        return true;
    hd_cli_usage(arguments, "--witness and --html are of traces, not of a loset");
    return false;
}

static bool read_options(struct states *s) {
    const hd_cli_arguments *arguments = s->arguments;
    if (!hd_cli_cut_read(arguments, MODEL, &s->e.request))
        return false;
    const hd_cut_request *request = &s->e.request;
    bool poset = request->model == HD_ORDER_POSET;
    if (poset && request->class != HD_CUT_CONSISTENT) {
        hd_cli_usage(arguments, "the states of a poset are consistent, --class=%s is of losets",
                     hd_cut_class_names[request->class]);
        return false;
    }
    if (!read_posets(s) || !read_estimate(s) || !fits_loset(arguments) || !read_reach(s) ||
        !hd_cli_keep(arguments, CHECKPOINT, &s->e.keep) || !read_sliced(s))
        return false;
    if (!hd_cut_serves(request->algorithm, request->model, request->class)) {
        hd_cli_usage(arguments, "--algorithm=%s does not serve %s states of a %s",
                     hd_cut_algorithm_names[request->algorithm], hd_cut_class_names[request->class],
                     poset ? "poset" : "loset");
        return false;
    }
    if (request->workers > 1 &&
        !hd_cut_shares(request->algorithm, request->class, hd_cli_given(arguments, LIST)))
        hd_log_write(HD_LOG_WARNING, "--threads: %s of %s states runs on one",
                     hd_cut_algorithm_names[request->algorithm],
                     hd_cut_class_names[request->class]);
    return true;
}

/* ---- The answer ---- */

/* 12,345,678, of any length; to be freed. */
static char *group(const char *digits) {
    size_t length = strlen(digits), at = 0;
    char *text = hd_mem_zero(length + length / 3 + 2, 1);
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    return text;
}

static int status_of(const struct states *s) {
    bool ended = s->e.counted.why == HD_CUT_LIMITED || s->e.counted.why == HD_CUT_STOPPED;
    return s->e.counted.why && !ended ? HD_CLI_BAD : hd_verdict_status(&s->e.verdict);
}

static int print_text(const struct states *s, const char *digits) {
    char *text = group(digits);
    bool one = strcmp(digits, "1") == 0;
    printf("%s: %s%s %s state%s of the %s (%s, %s)\n", hd_text_name(s->arguments->operands[0]),
           s->e.counted.why ? "at least " : "", text, hd_cut_class_names[s->e.request.class],
           one ? "" : "s", s->e.request.model == HD_ORDER_POSET ? "poset" : "loset",
           hd_cut_algorithm_names[s->e.counted.algorithm],
           hd_cut_manner_names[s->e.counted.manner]);
    free(text);
    hd_cli_verdict_print(&s->e.verdict, 10);
    return hd_cli_flush(status_of(s));
}

static void json_threads(const struct states *s, hd_json *json) {
    hd_json_open(json, "threads", '[');
    for (uint32_t i = 0; i < s->e.threads; i++)
        hd_json_text(json, NULL, hd_trace_thread_name(&s->trace.tables, s->e.places[i]));
    hd_json_close(json);
}

static void json_result(const struct states *s, hd_json *json, const char *digits) {
    hd_json_digits(json, "states", digits);
    hd_json_text(json, "model", s->e.request.model == HD_ORDER_POSET ? "poset" : "loset");
    hd_json_text(json, "class", hd_cut_class_names[s->e.request.class]);
    hd_json_text(json, "algorithm", hd_cut_algorithm_names[s->e.counted.algorithm]);
    hd_json_text(json, "manner", hd_cut_manner_names[s->e.counted.manner]);
    if (s->e.counted.nodes)
        hd_json_uint(json, "nodes", s->e.counted.nodes);
    if (s->e.counted.busiest > 0)
        hd_json_real(json, "busiest_cpu_seconds", s->e.counted.busiest);
    json_threads(s, json);
}

/* ---- The list ---- */

static int fail(const struct states *s, const hd_error *error) {
    return hd_cli_fail("%s: %s", s->arguments->operands[0], error->text);
}

static bool ask(struct states *s, hd_error *error) {
    hd_engine_question question = {.what = HD_ENGINE_STATES,
                                   .path = s->arguments->operands[0],
                                   .trace = &s->trace,
                                   .whole.states = &s->e};
    return hd_cli_ask(s->arguments, &question, error);
}

static int list_text(struct states *s) {
    hd_error error = {""};
    hd_cli_cut_lists lists;
    hd_cli_cut_lists_begin(&lists, &s->e.request, s->e.threads);
    bool good = ask(s, &error);
    uint64_t listed = hd_cli_cut_lists_end(&lists, &s->e.request);
    if (good && s->e.counted.why)
        hd_cli_list_is_cut(NULL, s->arguments->operands[0], "states", listed, false);
    return good ? hd_cli_flush(status_of(s)) : fail(s, &error);
}

struct list {
    uint32_t threads;
    hd_json *json;
    uint64_t listed;
};

static int list_run(void *context, const uint32_t *state, uint32_t count) {
    struct list *list = context;
    for (uint32_t i = 0; i < count; i++) {
        if (hd_clock_over())
            return HD_CUT_STOPPED;
        list->listed++;
        hd_json_open(list->json, NULL, '[');
        for (uint32_t p = 0; p < list->threads; p++)
            hd_json_uint(list->json, NULL, state[p] + (p + 1 == list->threads ? i : 0));
        hd_json_close(list->json);
    }
    return 0;
}

/* How many. */
static uint64_t list_json(struct states *s, hd_json *json, bool *whole) {
    hd_error error = {""};
    struct list list = {s->e.threads, json, 0};
    hd_cut_visitor visitor = {.context = &list, .run = list_run};
    hd_json_open(json, "list", '[');
    *whole = hd_engine_states_again(&s->e, &visitor, &error);
    hd_json_close(json);
    return list.listed;
}

/* The states come before anybody knows whether it was all of them, and an answer
 * says first whether it is complete: so they are counted first. */
static int answer_json(struct states *s, bool listed) {
    hd_cli_answer answer;
    char *digits = hd_cut_count_text(&s->e.counted.states);
    int status = status_of(s);
    if (hd_cli_json_begin(&answer, s->arguments, s->arguments->operands[0], &s->e.verdict)) {
        bool whole = true;
        uint64_t count = 0;
        json_result(s, &answer.json, digits);
        if (listed)
            count = list_json(s, &answer.json, &whole);
        hd_cli_json_findings(&answer);
        if (hd_cli_list_is_cut(&answer, s->arguments->operands[0], "states", count, whole))
            status = HD_CLI_OPEN;
        status = hd_cli_json_end(&answer, status);
    } else {
        status = HD_CLI_BAD;
    }
    free(digits);
    return status;
}

static int answer(struct states *s) {
    hd_error error = {""};
    bool list = hd_cli_given(s->arguments, LIST), json = hd_cli_given(s->arguments, HD_CLI_JSON);
    if (list && !json)
        return list_text(s);
    if (!ask(s, &error))
        return fail(s, &error);
    if (s->e.counted.why == HD_CUT_LIMITED)
        hd_log_write(HD_LOG_WARNING, "stopped: %s needs more than the memory of --memory",
                     hd_cut_algorithm_names[s->e.counted.algorithm]);
    if (json)
        return answer_json(s, list);
    char *digits = hd_cut_count_text(&s->e.counted.states);
    int status = print_text(s, digits);
    free(digits);
    return status;
}

/* With the page, if one is wanted. */
static int answer_all(struct states *s) {
    hd_error error = {""};
    s->e.names = s->arguments->values[ORDER];
    if (!hd_engine_states_begin(&s->e, &error))
        return hd_cli_fail("%s", error.text);
    if (!hd_cli_page_begin(&s->page, s->arguments, HTML, s->arguments->operands[0], &s->trace))
        return HD_CLI_BAD;
    int status = answer(s);
    hd_json *json = NULL;
    if (status != HD_CLI_BAD)
        json = hd_cli_page_result(&s->page, &s->e.verdict);
    if (json) {
        char *digits = hd_cut_count_text(&s->e.counted.states);
        json_result(s, json, digits);
        free(digits);
        hd_cli_page_states(&s->page, &s->e.order, &s->e.request);
    }
    return hd_cli_page_end(&s->page, status);
}

/* A checkpoint is of these bytes. */
static bool read_sum(struct states *s) {
    hd_error error = {""};
    if (!hd_engine_keep_on(&s->e.keep) ||
        hd_engine_keep_sum(s->arguments->operands[0], &s->e.sum, &error))
        return true;
    hd_cli_fail("%s", error.text);
    return false;
}

static int serve(struct states *s) {
    hd_error error = {""};
    s->e.names = s->arguments->values[ORDER];
    return hd_engine_states_run(&s->e, &error) ? 0 : hd_cli_fail("%s", error.text);
}

static int run(const hd_cli_arguments *arguments) {
    struct states s = {.arguments = arguments};
    hd_error error = {""};
    hd_engine_states_init(&s.e, &s.trace);
    int status = HD_CLI_BAD;
    if (!hd_cli_mpi(arguments, MPI, &s.e.team) || !read_options(&s) || !read_sum(&s)) {
        hd_cli_team_over(status, false, &error);
        hd_engine_states_release(&s.e);
        return status;
    }
    if (!hd_trace_load(&s.trace, arguments->operands[0], HD_TRACE_TIMED | HD_TRACE_LOSETS,
                       &error)) {
        status = hd_cli_fail("%s", error.text);
    } else {
        hd_cli_note_trace(arguments->operands[0], &s.trace);
        if (hd_cli_given(arguments, POSETS))
            status = hd_cli_states_posets(arguments, &s.e, hd_cli_given(arguments, LIST));
        else if (hd_cli_given(arguments, ESTIMATE))
            status = hd_cli_states_estimate(arguments, &s.e);
        else if (s.e.reach)
            status = hd_cli_states_reach(arguments, &s.e, arguments->values[WITNESS]);
        else if (hd_cli_serves())
            status = serve(&s);
        else
            status = answer_all(&s);
    }
    hd_cli_team_over(status, status != HD_CLI_BAD, &error);
    hd_engine_states_release(&s.e);
    hd_trace_release(&s.trace);
    return status;
}

const hd_cli_command hd_cli_states = {
    .name = "states",
    .operands = "TRACE",
    .summary = "Count or list the global states of a trace",
    .details = "TRACE is a file in the text or the binary format, or - for standard input; or a\n"
               "loset that is no run, in a file that ends in .loset (heddle-trace(5)).",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
    .more_help = hd_cli_cut_names,
};
