#include "cli_schedule.h"

#include <string.h>

#include "cli_model.h"

/* How much of a schedule is shown: so many events around a switch of threads, so
 * many turns; and how wide a column is. */
enum { AROUND = 2, TURNS = 12, COLUMN = 34 };

const char *hd_cli_event_text(const hd_trace *trace, uint32_t event) {
    char line[256];
    size_t length = hd_trace_print(line, sizeof line, &trace->tables, hd_trace_event(trace, event));
    line[length < sizeof line ? length : sizeof line - 1] = '\0';
    return hd_text_name(line);
}

static const char *thread_name(const hd_trace *trace, uint32_t event) {
    return hd_text_name(hd_trace_thread_name(&trace->tables, hd_trace_event(trace, event)->thread));
}

static uint32_t thread_of(const hd_cli_schedule *view, uint32_t event) {
    return hd_trace_event(view->trace, event)->thread;
}

static bool in_column(const hd_cli_schedule *view, uint32_t event, size_t column) {
    return view->next_count == 2 && thread_of(view, event) == thread_of(view, view->next[column]);
}

/* "op(object)|location" without the thread, whose column it is in. */
static const char *without_thread(const hd_cli_schedule *view, uint32_t event) {
    const char *text = hd_cli_event_text(view->trace, event), *bar = strchr(text, '|');
    return bar ? bar + 1 : text;
}

static uint32_t name_of(const hd_cli_schedule *view, uint32_t event) {
    return view->numbers ? view->numbers[event - 1] : event;
}

static void print_line(const hd_cli_schedule *view, uint32_t event, char mark) {
    uint32_t number = name_of(view, event);
    if (in_column(view, event, 0))
        printf("   %c %7u  %s\n", mark, number, without_thread(view, event));
    else if (in_column(view, event, 1))
        printf("   %c %7u  %*s%s\n", mark, number, COLUMN, "", without_thread(view, event));
    else
        printf("   %c %7u  %s\n", mark, number, hd_cli_event_text(view->trace, event));
}

static size_t end_of_turn(const hd_cli_schedule *view, size_t i) {
    uint32_t thread = thread_of(view, view->events[i]);
    while (i < view->length && thread_of(view, view->events[i]) == thread)
        i++;
    return i;
}

static size_t count_turns(const hd_cli_schedule *view, size_t from) {
    size_t turns = 0;
    for (size_t i = from; i < view->length; i = end_of_turn(view, i))
        turns++;
    return turns;
}

static void print_turn(const hd_cli_schedule *view, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (to - from > (size_t)2 * AROUND + 1 && i == from + AROUND) {
            printf("              ... %zu more of this thread\n", to - from - (size_t)2 * AROUND);
            i = to - AROUND;
        }
        print_line(view, view->events[i], i == from ? '>' : ' ');
    }
}

/* Events that are in front as in the trace: 1, 2, 3, ... */
static size_t count_same(const hd_cli_schedule *view) {
    size_t i = 0;
    while (i < view->length && view->events[i] == i + 1)
        i++;
    return i;
}

static void print_turns(const hd_cli_schedule *view) {
    size_t from = view->run ? 0 : count_same(view);
    if (from > (size_t)2 * AROUND)
        printf("              events %u to %u as in the trace\n", name_of(view, 1),
               name_of(view, (uint32_t)from));
    else
        from = 0;
    size_t turns = count_turns(view, from), skip = turns > TURNS ? turns - TURNS : 0;
    if (skip)
        printf("              ... %zu turns of threads\n", skip);
    for (size_t i = from; i < view->length;) {
        size_t end = end_of_turn(view, i);
        if (skip)
            skip--;
        else
            print_turn(view, i, end);
        i = end;
    }
}

static void print_head(const hd_cli_schedule *view) {
    size_t turns = count_turns(view, 0);
    const char *switches =
        hd_text_count(turns ? turns - 1 : 0, "context switch", "context switches");
    if (view->run)
        printf("  schedule   %s, %s, replayed\n", hd_text_count(view->length, "event", "events"),
               switches);
    else
        printf("  schedule   %zu of %u events, %s, checked\n", view->length,
               hd_trace_length(view->trace), switches);
}

void hd_cli_schedule_print(const hd_cli_schedule *view) {
    print_head(view);
    if (view->next_count == 2)
        printf("              %-*s%s\n", COLUMN, thread_name(view->trace, view->next[0]),
               thread_name(view->trace, view->next[1]));
    print_turns(view);
    for (size_t i = 0; i < view->next_count; i++)
        print_line(view, view->next[i], '*');
}
