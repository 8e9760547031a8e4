/*
 * A loset as text: the processes one after the other, with the number of an event as its label
 * where the order speaks of it.
 */
#include <stdlib.h>
#include <string.h>

#include "trace_loset.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* Blanks at the ends of a name would be lost. */
static bool can_write(const hd_trace *trace, hd_error *error) {
    const hd_names *threads = &trace->tables.names[HEDDLE_CLASS_THREAD];
    for (uint32_t t = 0; t < threads->length; t++) {
        const char *name = hd_names_text(threads, t);
        size_t length = hd_names_size(threads, t);
        if (length && (is_blank(name[0]) || is_blank(name[length - 1])))
            return hd_error_set(error, "a loset cannot have a process of the name '%s'",
                                hd_text_name(name));
    }
    return true;
}

static void label_events(const hd_trace_loset *loset, hd_bits *labelled) {
    for (size_t i = 0; i < loset->edges.length; i++) {
        hd_bits_set(labelled, loset->edges.data[i].first);
        hd_bits_set(labelled, loset->edges.data[i].second);
    }
    for (size_t i = 0; i < loset->together.length; i++)
        hd_bits_set(labelled, loset->together.data[i]);
    for (size_t i = 0; i < loset->always.length; i++)
        hd_bits_set(labelled, loset->always.data[i]);
}

/* An event as in the text of a trace, without its thread. */
static void write_event(hd_file *file, const hd_trace_tables *tables, const heddle_event *event,
                        uint32_t label) {
    size_t thread = strlen(hd_trace_thread_name(tables, event->thread));
    size_t room = thread + strlen(hd_trace_object_name(tables, event)) +
                  strlen(hd_trace_location(tables, event)) + 128;
    char *line = hd_mem_zero(room, 1);
    hd_trace_print(line, room, tables, event);
    if (label)
        hd_file_print(file, "  @%u ", label);
    else
        hd_file_print(file, "  ");
    hd_file_write(file, line + thread + 1, strlen(line) - thread - 1);
    hd_file_write(file, "\n", 1);
    free(line);
}

static void write_processes(hd_file *file, const hd_trace *trace, const hd_bits *labelled) {
    uint32_t threads = trace->tables.names[HEDDLE_CLASS_THREAD].length;
    hd_vec_u32 *events = hd_mem_zero(threads + 1, sizeof *events);
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++)
        hd_vec_push(&events[hd_trace_event(trace, n)->thread], n);
    for (uint32_t t = 0; t < threads; t++) {
        if (events[t].length)
            hd_file_print(file, "process %s\n", hd_trace_thread_name(&trace->tables, t));
        for (size_t i = 0; i < events[t].length; i++) {
            uint32_t n = events[t].data[i];
            write_event(file, &trace->tables, hd_trace_event(trace, n),
                        hd_bits_has(labelled, n) ? n : 0);
        }
        hd_vec_release(&events[t]);
    }
    free(events);
}

static void write_order(hd_file *file, const hd_trace_loset *loset) {
    for (size_t i = 0; i < loset->edges.length; i++)
        hd_file_print(file, "before %u %u\n", loset->edges.data[i].first,
                      loset->edges.data[i].second);
    for (size_t i = 0, first = 0; i < loset->together.length; i++)
        if (loset->together.data[i]) {
            hd_file_print(file, "%s %u", i == first ? "together" : "", loset->together.data[i]);
        } else {
            hd_file_print(file, "\n");
            first = i + 1;
        }
    for (size_t i = 0; i < loset->always.length; i++)
        hd_file_print(file, "always %u\n", loset->always.data[i]);
}

static void write_end(hd_file *file, const hd_trace_end *end) {
    hd_vec_char text = {0};
    hd_trace_end_comments(end, false, &text);
    hd_file_write(file, text.data, text.length);
    hd_vec_release(&text);
}

bool hd_trace_loset_save(const hd_trace *trace, const char *comment, const char *path,
                         hd_error *error) {
    if (!can_write(trace, error))
        return false;
    hd_file *file = hd_file_create(path, error);
    if (!file)
        return false;
    hd_bits labelled;
    hd_bits_init(&labelled, (size_t)hd_trace_length(trace) + 1);
    label_events(trace->loset, &labelled);
    if (comment)
        hd_file_print(file, "# %s\n", comment);
    hd_file_print(file, "loset\n");
    write_processes(file, trace, &labelled);
    write_order(file, trace->loset);
    write_end(file, &trace->end);
    hd_bits_release(&labelled);
    return hd_file_commit(file, error);
}
