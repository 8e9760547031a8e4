/*
 * Writing the text format: a line per event, always with both bars, so that other tools find the
 * three fields they expect.
 *
 * fork(10) may mean thread T10 to a reader (see there).  Where both are threads
 * of the trace, a line "# heddle: thread 10" says that the bare number is one.
 */
#include <stdlib.h>
#include <string.h>

#include "trace_writer_format.h"

static char *put_bytes(char *to, const char *text, size_t length) {
    memcpy(to, text, length);
    return to + length;
}

static char *put_name(char *to, const hd_names *names, uint32_t id) {
    return put_bytes(to, hd_names_text(names, id), hd_names_size(names, id));
}

static char *put_number(char *to, uint64_t value) {
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    return put_bytes(to, digits + at, sizeof digits - at);
}

static char *put_value(char *to, int64_t value) {
    *to++ = '=';
    if (value < 0)
        *to++ = '-';
    return put_number(to, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

/* A comment before the event, so that other tools can skip it. */
static char *put_guess(char *to, const heddle_event *event) {
    static const char guessed[] = "# heddle: guessed", unexplained[] = " unexplained";
    to = put_bytes(to, guessed, sizeof guessed - 1);
    if (event->flags & HEDDLE_UNEXPLAINED)
        to = put_bytes(to, unexplained, sizeof unexplained - 1);
    *to++ = '\n';
    return to;
}

static char *put_event(char *to, const hd_trace_tables *tables, const heddle_event *event) {
    const hd_trace_kind *kind = &hd_trace_kinds[event->kind];
    if (event->flags & HEDDLE_GUESSED)
        to = put_guess(to, event);
    to = put_name(to, &tables->names[HEDDLE_CLASS_THREAD], event->thread);
    *to++ = '|';
    to = put_bytes(to, kind->op, strlen(kind->op));
    if (event->size)
        to = put_number(to, event->size);
    const char *order = hd_trace_order_word(event);
    if (order) {
        *to++ = '.';
        to = put_bytes(to, order, strlen(order));
    }
    *to++ = '(';
    to = put_name(to, &tables->names[kind->class], event->object);
    if (event->flags & HEDDLE_HAS_VALUE)
        to = put_value(to, event->value);
    *to++ = ')';
    *to++ = '|';
    to = put_name(to, &tables->names[HEDDLE_CLASS_LOCATION], event->location);
    *to++ = '\n';
    return to;
}

static size_t line_bound(const hd_trace_tables *tables, const heddle_event *event) {
    return 128 + (size_t)hd_names_size(&tables->names[HEDDLE_CLASS_THREAD], event->thread) +
           hd_names_size(&tables->names[hd_trace_kinds[event->kind].class], event->object) +
           hd_names_size(&tables->names[HEDDLE_CLASS_LOCATION], event->location);
}

/* Names of many megabytes do not fit the file's buffer. */
static void write_long(hd_trace_writer *writer, const hd_trace_tables *tables,
                       const heddle_event *event, size_t bound) {
    char *line = hd_mem_alloc(bound);
    hd_file_write(writer->file, line, (size_t)(put_event(line, tables, event) - line));
    free(line);
}

/* The number in a thread's name: "10" of "10" and of "T10"; NULL if it is neither. */
static const char *bare_number(const char *name) {
    const char *number = *name == 'T' ? name + 1 : name;
    bool digits = *number && number[strspn(number, "0123456789")] == '\0';
    return digits ? number : NULL;
}

static bool was_known(const hd_names *threads, const char *name, uint32_t known) {
    return hd_names_find(threads, name, strlen(name)) < known;
}

/* Threads that came since the last batch: is one of them the bare number of
 * another, or the other way round? */
static void say_bare_threads(hd_trace_writer *writer, const hd_names *threads) {
    uint32_t *known = writer->state;
    for (; *known < threads->length; ++*known) {
        const char *name = hd_names_text(threads, *known);
        const char *number = bare_number(name);
        if (!number)
            continue;
        size_t length = strlen(number);
        char *with_t = hd_mem_alloc(length + 2);
        with_t[0] = 'T';
        memcpy(with_t + 1, number, length + 1);
        if (was_known(threads, number == name ? with_t : number, *known))
            hd_trace_writer_comment(writer, "heddle: thread %s", number);
        free(with_t);
    }
}

/* A reader refuses programs, which it knows by their first byte; it may be that of a name too. */
static void say_text(hd_trace_writer *writer, const hd_names *threads, const heddle_event *first) {
    if (*hd_names_text(threads, first->thread) == '\177')
        hd_trace_writer_comment(writer, "a trace");
}

static void text_write(hd_trace_writer *writer, const hd_trace_tables *tables,
                       const heddle_event *events, size_t count) {
    enum { LONG = 1 << 16 };
    if (!*(uint32_t *)writer->state && count)
        say_text(writer, &tables->names[HEDDLE_CLASS_THREAD], &events[0]);
    say_bare_threads(writer, &tables->names[HEDDLE_CLASS_THREAD]);
    for (size_t i = 0; i < count && !hd_file_failed(writer->file); i++) {
        size_t bound = line_bound(tables, &events[i]);
        if (bound > LONG) {
            write_long(writer, tables, &events[i], bound);
            continue;
        }
        char *to = hd_file_reserve(writer->file, bound);
        hd_file_advance(writer->file, (size_t)(put_event(to, tables, &events[i]) - to));
    }
}

/* How the run ended: lines that other tools skip. */
static void put_end(hd_trace_writer *writer) {
    hd_vec_char text = {0};
    hd_trace_end_comments(&writer->end, true, &text);
    hd_file_write(writer->file, text.data, text.length);
    hd_vec_release(&text);
}

static void text_forget(hd_trace_writer *writer, hd_trace_stacks *stacks) {
    (void)writer; /* it writes no stacks */
    hd_trace_stacks_forget(stacks);
}

static void text_finish(hd_trace_writer *writer) {
    put_end(writer);
    if (writer->incomplete)
        hd_trace_writer_comment(writer, "heddle: incomplete lost=%llu",
                                (unsigned long long)writer->lost);
}

static void text_start(hd_trace_writer *writer) {
    writer->state = HD_NEW(uint32_t); /* threads known so far */
}

static void text_release(hd_trace_writer *writer) {
    free(writer->state);
}

const hd_trace_writer_format hd_trace_text_writer = {text_start, text_write, text_forget,
                                                     text_finish, text_release};
