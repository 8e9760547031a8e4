/*
 * heddle deadlock: can threads wait for each other for ever?
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli_ask.h"
#include "cli_drive.h"
#include "cli_keep.h"
#include "cli_schedule.h"

enum { THREADS = HD_CLI_RACE_MORE, MPI };

static const hd_cli_option options[] = {
    HD_CLI_RACE_COMMON,
    HD_CLI_RACE_OPTIONS("list every set of acquires, not one for the same places"),
    {"threads", 'j', "K", "traces: workers that predict (default: one for each processor)"},
    {"mpi", 0, NULL, "traces: share the work with the other processes of mpirun"},
    HD_CLI_ACCEPT,
    {0},
};

typedef struct answer {
    const hd_cli_arguments *arguments;
    const char *path, *output;
    hd_trace trace;
    hd_order_holds *holds; /* of the trace */
    hd_engine_prediction p;
    hd_json *json;   /* NULL: text */
    hd_error *error; /* of saving */
    size_t shown;
    bool failed;
    hd_cli_page page;
} answer;

static bool read_options(answer *a) {
    uint64_t workers;
    a->p.options.all = hd_cli_given(a->arguments, HD_CLI_RACE_ALL);
    if (!hd_cli_number(a->arguments, THREADS, hd_pool_cores(), 1, HD_CLI_MOST_WORKERS, &workers))
        return false;
    a->p.options.workers = (unsigned)workers;
    return hd_cli_race_read(a->arguments, &a->output, &a->p.options.limit) &&
           hd_cli_race_read_filter(a->arguments, &a->p.filter);
}

/* ---- Text ---- */

static const char *lock_name(const hd_trace *trace, uint32_t acquire) {
    return hd_text_name(hd_trace_object_name(&trace->tables, hd_trace_event(trace, acquire)));
}

static void print_acquires(const answer *a, const hd_finding *finding) {
    for (size_t i = 0; i < finding->events.length; i++)
        hd_cli_race_print_event(a->holds, "waits", finding->events.data[i]);
}

static bool is_recorded(const hd_finding *finding) {
    return strcmp(finding->rule, HD_RACE_RECORDED) == 0;
}

/* Who waits for what at the end of the run, and which event is to blame. */
static void print_end(const answer *a, const hd_finding *finding) {
    const hd_trace_end *end = &a->trace.end;
    hd_vec_char text = {0};
    printf("\ndeadlock at the end of the run\n");
    for (size_t i = 0; i < end->next.length; i++) {
        hd_vec_clear(&text);
        hd_trace_end_print_next(&end->next.data[i], &text);
        printf("  %-10s %s\n", "waits", hd_text_name(text.data));
        bool lock = end->next.data[i].kind == HEDDLE_ACQUIRE ||
                    end->next.data[i].kind == HEDDLE_READ_ACQUIRE;
        if (finding->events.data[i])
            hd_cli_race_print_event(a->holds, lock ? "held by" : "after", finding->events.data[i]);
    }
    hd_vec_release(&text);
}

static void print_witness(const answer *a) {
    if (!a->output)
        return;
    char *file = hd_engine_witness_file(a->output, a->shown);
    printf("  witness    %s\n", hd_text_name(file));
    free(file);
}

static void print_finding(const answer *a, const hd_finding *finding) {
    if (is_recorded(finding)) {
        print_end(a, finding);
        print_witness(a);
        return;
    }
    const hd_vec_u32 *acquires = &finding->events;
    printf("\ndeadlock on");
    for (size_t i = 0; i < acquires->length; i++)
        printf("%s %s", i ? "," : "", lock_name(&a->trace, acquires->data[i]));
    putchar('\n');
    print_acquires(a, finding);
    hd_cli_race_print_order_fix();
    const hd_vec_u32 *schedule = &finding->witness->schedule;
    hd_cli_schedule_print(&(hd_cli_schedule){&a->trace, schedule->data, schedule->length,
                                             acquires->data, acquires->length, false, NULL});
    print_witness(a);
}

static void print_number(const char *name, uint64_t value) {
    char number[32];
    printf("  %-16s %s\n", name, hd_text_grouped(number, value));
}

static void print_result(const answer *a) {
    const hd_race_deadlock_result *result = &a->p.locks;
    const char *name = hd_text_name(a->path);
    if (result->deadlocks)
        printf("%s: %s\n", name, hd_text_count((size_t)result->deadlocks, "deadlock", "deadlocks"));
    else if (!hd_verdict_complete(&a->p.verdict))
        printf("%s: no verdict: nothing found, but not all was decided\n", name);
    else
        printf("%s: no deadlock%s%s\n", name, a->p.dropped ? " but what was left out" : "",
               hd_cli_verdict_proviso(&a->p.verdict));
    hd_cli_verdict_print(&a->p.verdict, 16);
    print_number("cycles", result->cycles);
    print_number("sets asked", result->candidates);
    print_number("unproved", result->unproved);
    hd_cli_race_print_filter(&a->p.filter);
}

static void print_unproved(const answer *a) {
    for (size_t i = 0; i < a->p.unproved.length; i++) {
        printf("\nunproved: the effort allowed was not enough\n");
        print_acquires(a, &a->p.unproved.data[i]);
    }
}

/* ---- JSON ---- */

static void write_result(const answer *a, hd_json *json) {
    const hd_race_deadlock_result *result = &a->p.locks;
    hd_json_uint(json, "deadlocks", result->deadlocks);
    hd_json_uint(json, "unproved", result->unproved);
    hd_json_uint(json, "cycles", result->cycles);
    hd_json_uint(json, "candidates", result->candidates);
    hd_json_uint(json, "suppressed", a->p.filter.suppressed);
    hd_json_uint(json, "not_new", a->p.filter.not_new);
    hd_json_bool(json, "cut", result->cut);
    hd_json_open(json, "unproved_sets", '[');
    for (size_t i = 0; i < a->p.unproved.length; i++)
        hd_report_events_write(json, NULL, &a->p.unproved.data[i].events);
    hd_json_close(json);
    hd_cli_json_effort(json, &result->effort);
}

static void write_acquires(const answer *a, const hd_finding *finding, hd_json *json) {
    hd_report_events_write(json, "acquires", &finding->events);
    hd_json_open(json, "locks", '[');
    for (size_t i = 0; i < finding->events.length; i++)
        hd_json_text(json, NULL,
                     hd_trace_object_name(&a->trace.tables,
                                          hd_trace_event(&a->trace, finding->events.data[i])));
    hd_json_close(json);
}

static void write_finding(answer *a, const hd_finding *finding) {
    hd_json *json = a->json;
    hd_json_open(json, NULL, '{');
    if (is_recorded(finding))
        hd_cli_json_next(json, "recorded", &a->trace.end, finding->events.data);
    else
        write_acquires(a, finding, json);
    hd_json_text(json, "message", finding->message);
    hd_cli_race_write_places(&a->p.scene, finding, json);
    hd_cli_json_schedule(json, &finding->witness->schedule);
    if (a->output) {
        char *file = hd_engine_witness_file(a->output, a->shown);
        hd_json_text(json, "witness", file);
        free(file);
    }
    hd_json_close(json);
}

/* ---- The command ---- */

/* Of the second: what is, on its way out. */
static int put(void *context, hd_finding *finding) {
    answer *a = context;
    if (!finding->witness)
        return 0;
    if (!hd_cli_list_goes_on())
        return 1;
    if (!hd_engine_finding_save(a->output, a->path, &a->trace, finding, a->shown, a->error)) {
        a->failed = true; /* which is told after the list */
        a->output = NULL;
    }
    if (a->json)
        write_finding(a, finding);
    else
        print_finding(a, finding);
    hd_cli_page_finding(&a->page, finding);
    a->shown++;
    return 0;
}

static bool look(answer *a) {
    a->p.counts = hd_cli_given(a->arguments, HD_CLI_RACE_SUMMARY);
    a->p.many = !a->p.counts;
    hd_engine_question question = {
        .what = HD_ENGINE_DEADLOCK, .path = a->path, .trace = &a->trace, .whole.predict = &a->p};
    return hd_cli_ask(a->arguments, &question, a->error);
}

/* The list, as far as it goes. */
static bool list(answer *a, hd_cli_answer *out) {
    if (hd_cli_given(a->arguments, HD_CLI_RACE_SUMMARY) || !a->p.locks.deadlocks)
        return true;
    hd_file_batch_begin();
    bool good = hd_engine_predict_tell(&a->p, put, a, a->error);
    if (!hd_file_batch_end(a->failed ? NULL : a->error) || a->failed)
        return false;
    uint64_t counted = a->p.options.count_only ? a->p.locks.deadlocks : a->p.found.length;
    return hd_cli_list_is_cut(out, a->path, "findings", a->shown, a->shown >= counted) || good;
}

static int fail(const answer *a) {
    return hd_cli_fail("%s: %s", hd_text_name(a->path), a->error->text);
}

static int answer_as_text(answer *a) {
    if (!look(a))
        return fail(a);
    print_result(a);
    if (!list(a, NULL))
        return fail(a);
    print_unproved(a);
    return hd_verdict_status(&a->p.verdict);
}

static int answer_as_json(answer *a) {
    hd_cli_answer out;
    if (!look(a))
        return fail(a);
    if (!hd_cli_json_begin(&out, a->arguments, a->path, &a->p.verdict))
        return HD_CLI_BAD;
    a->json = &out.json; // cppcheck-suppress autoVariables ; taken back below
    write_result(a, &out.json);
    hd_cli_json_findings(&out);
    int status = hd_verdict_status(&a->p.verdict);
    if (!list(a, &out))
        status = fail(a);
    a->json = NULL;
    return hd_cli_json_end(&out, status);
}

static int end_page(answer *a, int status) {
    if (status == HD_CLI_BAD)
        return hd_cli_page_end(&a->page, status);
    for (size_t i = 0; i < a->p.unproved.length; i++)
        hd_cli_page_finding(&a->page, &a->p.unproved.data[i]);
    hd_json *json = hd_cli_page_result(&a->page, &a->p.verdict);
    if (json)
        write_result(a, json);
    return hd_cli_page_end(&a->page, status);
}

static int run_program(const hd_cli_arguments *arguments) {
    hd_cli_drive drive = {.arguments = arguments};
    hd_engine_drive_init(&drive.d, arguments->operands[0], hd_cli_program_words(arguments), true);
    return hd_cli_drive_run(&drive);
}

static int run(const hd_cli_arguments *arguments) {
    hd_error error = {""};
    answer a = {.arguments = arguments, .path = arguments->operands[0], .error = &error};
    bool program = hd_engine_is_program(a.path);
    if (!hd_cli_race_check_input(arguments, program, HD_CLI_RACE_MORE))
        return HD_CLI_BAD;
    if (program)
        return run_program(arguments);
    int status = HD_CLI_BAD;
    hd_engine_predict_init(&a.p, &a.trace, true);
    if (!hd_cli_crew(arguments, MPI) || !read_options(&a))
        status = HD_CLI_BAD;
    else if (!hd_trace_load(&a.trace, a.path, HD_TRACE_TIMED, &error))
        status = hd_cli_fail("%s", error.text);
    else if (hd_cli_serves())
        status = look(&a) ? 0 : HD_CLI_BAD;
    else {
        hd_cli_note_trace(a.path, &a.trace);
        a.holds = hd_order_holds_create(&a.trace);
        if (hd_cli_page_begin(&a.page, arguments, HD_CLI_RACE_HTML, a.path, &a.trace)) {
            status = hd_cli_given(arguments, HD_CLI_JSON) ? answer_as_json(&a) : answer_as_text(&a);
            status = end_page(&a, status);
        }
    }
    hd_cli_team_over(status, status != HD_CLI_BAD, &error);
    hd_engine_predict_release(&a.p);
    hd_order_holds_free(a.holds);
    hd_trace_release(&a.trace);
    return status;
}

const hd_cli_command hd_cli_deadlock = {
    .name = "deadlock",
    .operands = "TRACE|PROGRAM|SOURCE [ARGUMENT]...",
    .summary = "Find threads that can wait for each other for ever",
    .details =
        "Looks for acquires of two or more threads that can all be next in a reordering of\n"
        "TRACE (doc/witness.md), each of a lock that another of these threads holds.  Each\n"
        "deadlock is shown with a checked schedule; so is the one that the recorded run ended\n"
        "in.  PROGRAM, made by heddle cc or here from SOURCE, is run and driven; a deadlock is\n"
        "shown only if the program hangs in it.  Status 0: no deadlock, and everything was "
        "decided; 1: a\n"
        "deadlock; 3: none was found, but that is no proof.",
    .options = options,
    .least = 1,
    .most = INT_MAX,
    .run = run,
};
