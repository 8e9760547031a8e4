/*
 * heddle info: what a trace holds.
 */
#include <string.h>
#include <unistd.h>

#include "cli_stack.h"
#include "cli_verdict.h"

enum { TOP = HD_CLI_OWN, EVENT };

static const hd_cli_option options[] = {
    HD_CLI_COMMON,
    {"top", 'n', "N", "list N threads, locks and variables (8)"},
    {"event", 'e', "N", "print only event N, with its stack; may be repeated"},
    {0},
};

enum { MOST_LISTED = 1000, BAR = 40, NAMES = 24, THREADS = 20 };

static const char *grouped(uint64_t value) {
    static char buffers[8][32];
    static unsigned next;
    return hd_text_grouped(buffers[next++ % 8], value);
}

static void print_bar(uint64_t value, uint64_t most) {
    uint64_t length = most ? (value * BAR + most - 1) / most : 0;
    for (uint64_t i = 0; i < length; i++)
        putchar('#');
    putchar('\n');
}

static void print_kinds(const hd_trace_statistics *statistics) {
    uint64_t most = 0;
    for (unsigned kind = 0; kind < HEDDLE_KIND_COUNT; kind++)
        if (statistics->kinds[kind] > most)
            most = statistics->kinds[kind];
    puts("\nevents by kind");
    for (unsigned kind = 0; kind < HEDDLE_KIND_COUNT; kind++) {
        uint64_t count = statistics->kinds[kind];
        if (!count)
            continue;
        printf("  %-10s %14s  ", hd_trace_kinds[kind].op, grouped(count));
        print_bar(count, most);
    }
}

/* The threads with most events, most first. */
static size_t busiest(const hd_trace_statistics *statistics, uint32_t *numbers, size_t most) {
    size_t found = 0;
    const uint64_t *events = statistics->threads.data;
    for (size_t i = 0; i < statistics->threads.length; i++) {
        size_t place = found < most ? found++ : most;
        while (place > 0 && events[i] > events[numbers[place - 1]]) {
            if (place < most)
                numbers[place] = numbers[place - 1];
            place--;
        }
        if (place < most)
            numbers[place] = (uint32_t)i;
    }
    return found;
}

static void print_threads(const hd_trace_statistics *statistics, const hd_trace_tables *tables,
                          size_t most) {
    uint32_t numbers[MOST_LISTED];
    size_t count = busiest(statistics, numbers, most);
    const int width = hd_cli_column(THREADS, &tables->names[HEDDLE_CLASS_THREAD], numbers, count);
    puts("\nevents by thread");
    for (size_t i = 0; i < count; i++) {
        uint64_t events = statistics->threads.data[numbers[i]];
        printf("  %-*s %14s  ", width, hd_text_name(hd_trace_thread_name(tables, numbers[i])),
               grouped(events));
        print_bar(events, statistics->threads.data[numbers[0]]);
    }
    if (count < statistics->threads.length)
        printf("  and %zu more\n", statistics->threads.length - count);
}

static void print_locks(const hd_trace_statistics *statistics, const hd_trace_tables *tables,
                        size_t most) {
    uint32_t numbers[MOST_LISTED];
    size_t count = hd_trace_statistics_hottest(statistics->locks.data, statistics->locks.length,
                                               true, numbers, most);
    if (!count)
        return;
    const hd_names *names = &tables->names[HEDDLE_CLASS_LOCK];
    const int width = hd_cli_column(NAMES, names, numbers, count);
    printf("\n%-*s  %14s %14s %10s %8s\n", width + 2, "most contended locks", "holds", "hand-overs",
           "failed", "threads");
    for (size_t i = 0; i < count; i++) {
        const hd_trace_object_use *use = &statistics->locks.data[numbers[i]];
        printf("  %-*s  %14s %14s %10s %8u\n", width,
               hd_text_name(hd_names_text(names, numbers[i])), grouped(use->uses),
               grouped(use->handovers), grouped(use->failed), use->threads);
    }
}

static void print_variables(const hd_trace_statistics *statistics, const hd_trace_tables *tables,
                            size_t most) {
    uint32_t numbers[MOST_LISTED];
    size_t count = hd_trace_statistics_hottest(statistics->variables.data,
                                               statistics->variables.length, false, numbers, most);
    if (!count)
        return;
    const hd_names *names = &tables->names[HEDDLE_CLASS_VARIABLE];
    const int width = hd_cli_column(NAMES, names, numbers, count);
    printf("\n%-*s  %14s %14s %10s %8s\n", width + 2, "hottest variables", "reads", "writes",
           "hand-overs", "threads");
    for (size_t i = 0; i < count; i++) {
        const hd_trace_object_use *use = &statistics->variables.data[numbers[i]];
        printf("  %-*s  %14s %14s %10s %8u\n", width,
               hd_text_name(hd_names_text(names, numbers[i])), grouped(use->reads),
               grouped(use->writes), grouped(use->handovers), use->threads);
    }
}

/* How the run ended, if the trace says so; and what its threads were about to do. */
static void print_end(const hd_trace_end *end) {
    hd_vec_char text = {0};
    if (end->how) {
        hd_trace_end_describe(end, &text);
        printf("  %-12s %12s %s\n", "ended", "", text.data);
    }
    for (size_t i = 0; end->how && i < end->next.length; i++) {
        hd_vec_clear(&text);
        hd_trace_end_print_next(&end->next.data[i], &text);
        printf("  %-12s %12s %s\n", i ? "" : "had next", "", hd_text_name(text.data));
    }
    for (size_t i = 0; i < end->notes.length; i++)
        printf("  %-12s %12s %s [%s]\n", i ? "" : "notes", "",
               hd_text_name(end->notes.data[i].text), end->notes.data[i].code);
    for (size_t i = 0; i < end->doubts.length; i++)
        printf("  %-12s %12s %s [%s:%s]\n", i ? "" : "doubts", "",
               hd_text_name(end->doubts.data[i].text), end->doubts.data[i].code,
               hd_text_name(end->doubts.data[i].what));
    hd_vec_release(&text);
}

static void print_text(const hd_trace_cursor *cursor, const hd_trace_statistics *statistics,
                       size_t most) {
    const hd_trace_tables *tables = hd_trace_cursor_tables(cursor);
    uint64_t shared =
        hd_trace_statistics_shared(statistics->variables.data, statistics->variables.length);
    printf("%s: %s, %s event%s%s%s%s\n", hd_text_name(hd_trace_cursor_name(cursor)),
           hd_trace_cursor_format(cursor), grouped(statistics->events),
           statistics->events == 1 ? "" : "s",
           hd_trace_cursor_incomplete(cursor) ? ", incomplete trace" : "",
           hd_trace_cursor_guessed(cursor) ? ", order partly guessed" : "",
           hd_trace_cursor_late(cursor) ? ", and more: stopped by the limit on time" : "");
    for (unsigned which = 0; which < HEDDLE_CLASS_COUNT; which++) {
        uint32_t count = tables->names[which].length - (which == HEDDLE_CLASS_LOCATION);
        if (count)
            printf("  %-12s %12s", hd_trace_classes[which].plural, grouped(count));
        if (count && which == HEDDLE_CLASS_VARIABLE)
            printf("   %s of them used by several threads", grouped(shared));
        if (count)
            putchar('\n');
    }
    printf("  %-12s %12s", "accesses", grouped(hd_trace_statistics_accesses(statistics)));
    if (hd_trace_cursor_guessed(cursor))
        printf("   %s of them in an order that was guessed, %s unexplained",
               grouped(hd_trace_cursor_guessed(cursor)),
               grouped(hd_trace_cursor_unexplained(cursor)));
    putchar('\n');
    printf("  %-12s %12s", "lock events", grouped(hd_trace_statistics_lock_events(statistics)));
    if (statistics->reentrant)
        printf("   %s of them re-entrant", grouped(statistics->reentrant));
    putchar('\n');
    print_end(hd_trace_cursor_end(cursor));
    print_kinds(statistics);
    print_threads(statistics, tables, most);
    print_locks(statistics, tables, most);
    print_variables(statistics, tables, most);
}

static void json_uses(hd_json *json, const char *key, const hd_names *names,
                      const hd_trace_object_use *uses, size_t length, bool by_handover,
                      size_t most) {
    uint32_t numbers[MOST_LISTED];
    size_t count = hd_trace_statistics_hottest(uses, length, by_handover, numbers, most);
    hd_json_open(json, key, '[');
    for (size_t i = 0; i < count; i++) {
        const hd_trace_object_use *use = &uses[numbers[i]];
        hd_json_open(json, NULL, '{');
        hd_json_string(json, "name", hd_names_text(names, numbers[i]),
                       hd_names_size(names, numbers[i]));
        hd_json_uint(json, "uses", use->uses);
        hd_json_uint(json, "reads", use->reads);
        hd_json_uint(json, "writes", use->writes);
        hd_json_uint(json, "handovers", use->handovers);
        hd_json_uint(json, "failed", use->failed);
        hd_json_uint(json, "threads", use->threads);
        hd_json_close(json);
    }
    hd_json_close(json);
}

static int print_json(const hd_cli_arguments *arguments, const hd_trace_cursor *cursor,
                      const hd_trace_statistics *statistics, size_t most) {
    const hd_trace_tables *tables = hd_trace_cursor_tables(cursor);
    hd_cli_answer answer;
    hd_verdict verdict;
    hd_engine_verdict_reading(&verdict, "what the trace has", hd_trace_cursor_incomplete(cursor),
                              hd_trace_cursor_lost(cursor));
    hd_engine_verdict_late(&verdict, hd_trace_cursor_late(cursor));
    bool begun = hd_cli_json_begin(&answer, arguments, arguments->operands[0], &verdict);
    hd_verdict_release(&verdict);
    if (!begun)
        return HD_CLI_BAD;
    hd_json *json = &answer.json;
    hd_json_text(json, "format", hd_trace_cursor_format(cursor));
    hd_json_uint(json, "events", statistics->events);
    hd_json_uint(json, "lost", hd_trace_cursor_lost(cursor));
    hd_json_uint(json, "guessed", hd_trace_cursor_guessed(cursor));
    hd_json_uint(json, "unexplained", hd_trace_cursor_unexplained(cursor));
    hd_cli_json_end_of_run(json, hd_trace_cursor_end(cursor));
    for (unsigned which = 0; which < HEDDLE_CLASS_COUNT; which++)
        hd_json_uint(json, hd_trace_classes[which].plural,
                     tables->names[which].length - (which == HEDDLE_CLASS_LOCATION));
    hd_json_uint(json, "accesses", hd_trace_statistics_accesses(statistics));
    hd_json_uint(json, "lock_events", hd_trace_statistics_lock_events(statistics));
    hd_json_uint(json, "reentrant", statistics->reentrant);
    hd_json_uint(
        json, "shared_variables",
        hd_trace_statistics_shared(statistics->variables.data, statistics->variables.length));
    hd_json_open(json, "kinds", '{');
    for (unsigned kind = 0; kind < HEDDLE_KIND_COUNT; kind++)
        if (statistics->kinds[kind])
            hd_json_uint(json, hd_trace_kinds[kind].op, statistics->kinds[kind]);
    hd_json_close(json);
    hd_json_open(json, "events_by_thread", '[');
    for (size_t i = 0; i < statistics->threads.length; i++) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "thread", hd_trace_thread_name(tables, (uint32_t)i));
        hd_json_uint(json, "events", statistics->threads.data[i]);
        hd_json_close(json);
    }
    hd_json_close(json);
    json_uses(json, "hottest_locks", &tables->names[HEDDLE_CLASS_LOCK], statistics->locks.data,
              statistics->locks.length, true, most);
    json_uses(json, "hottest_variables", &tables->names[HEDDLE_CLASS_VARIABLE],
              statistics->variables.data, statistics->variables.length, false, most);
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, hd_trace_cursor_late(cursor) ? HD_CLI_OPEN : HD_CLI_OK);
}

static bool count_events(hd_trace_cursor *cursor, hd_trace_statistics *statistics,
                         hd_error *error) {
    hd_progress progress;
    hd_progress_start(&progress, "reading", "bytes", hd_trace_cursor_size(cursor));
    hd_trace_batch batch;
    int more;
    while ((more = hd_trace_cursor_next(cursor, &batch, error)) > 0) {
        hd_trace_statistics_add(statistics, &batch);
        hd_progress_step(&progress, hd_trace_cursor_done(cursor));
    }
    hd_progress_end(&progress);
    return more == 0;
}

/* ---- Single events ---- */

static bool read_events(const hd_cli_arguments *arguments, const hd_trace *trace,
                        hd_vec_u32 *events) {
    size_t at = 0;
    uint64_t number;
    for (const char *text; (text = hd_cli_next(arguments, EVENT, &at));) {
        if (!hd_text_u64(text, strlen(text), &number) || number < 1 ||
            number > hd_trace_length(trace)) {
            hd_cli_usage(arguments, "--event takes a number from 1 to %u, not '%s'",
                         hd_trace_length(trace), hd_text_name(text));
            return false;
        }
        hd_vec_push(events, (uint32_t)number);
    }
    return true;
}

static int write_events(const hd_cli_arguments *arguments, const hd_trace *trace,
                        const hd_vec_u32 *events) {
    hd_cli_answer answer;
    hd_verdict verdict;
    hd_engine_verdict_reading(&verdict, "events of the trace", trace->incomplete, trace->lost);
    bool begun = hd_cli_json_begin(&answer, arguments, arguments->operands[0], &verdict);
    hd_verdict_release(&verdict);
    if (!begun)
        return HD_CLI_BAD;
    hd_json_uint(&answer.json, "events", hd_trace_length(trace));
    hd_cli_stacks_write(trace, events->data, events->length, &answer.json);
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, HD_CLI_OK);
}

static int show_events(const hd_cli_arguments *arguments) {
    hd_error error = {""};
    hd_trace trace = {0};
    hd_vec_u32 events = {0};
    if (!hd_trace_load(&trace, arguments->operands[0], HD_TRACE_TIMED, &error))
        return hd_cli_fail("%s", error.text);
    int status = HD_CLI_BAD;
    if (trace.late)
        hd_cli_fail("%s: stopped by the limit on time", hd_text_name(arguments->operands[0]));
    else if (read_events(arguments, &trace, &events)) {
        bool json = hd_cli_given(arguments, HD_CLI_JSON);
        status = json ? write_events(arguments, &trace, &events) : HD_CLI_OK;
        for (size_t i = 0; i < events.length && !json; i++) {
            char line[1024];
            hd_trace_print(line, sizeof line, &trace.tables,
                           hd_trace_event(&trace, events.data[i]));
            printf("event %u, %s\n", events.data[i], hd_text_name(line));
            hd_cli_stack_print(&trace, events.data[i], "  ");
        }
    }
    hd_vec_release(&events);
    hd_trace_release(&trace);
    return status;
}

static int run(const hd_cli_arguments *arguments) {
    uint64_t most;
    hd_error error = {""};
    if (!hd_cli_number(arguments, TOP, 8, 1, MOST_LISTED, &most))
        return HD_CLI_BAD;
    if (hd_cli_given(arguments, EVENT))
        return show_events(arguments);
    hd_trace_cursor *cursor = hd_trace_cursor_open(arguments->operands[0], HD_TRACE_TIMED, &error);
    if (!cursor)
        return hd_cli_fail("%s", error.text);
    hd_trace_statistics statistics;
    hd_trace_statistics_init(&statistics);
    int status = HD_CLI_OK;
    if (!count_events(cursor, &statistics, &error))
        status = hd_cli_fail("%s", error.text);
    else if (hd_cli_given(arguments, HD_CLI_JSON))
        status = print_json(arguments, cursor, &statistics, most);
    else {
        print_text(cursor, &statistics, most);
        status = hd_trace_cursor_late(cursor) ? HD_CLI_OPEN : HD_CLI_OK;
    }
    hd_trace_statistics_release(&statistics);
    hd_trace_cursor_close(cursor);
    return status;
}

const hd_cli_command hd_cli_info = {
    .name = "info",
    .operands = "TRACE",
    .summary = "Summarise a trace: threads, kinds of events, locks, variables, contention",
    .details = "TRACE is a file in the text or the binary format, or - for standard input.",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
