#include "trace_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_writer_format.h"

enum hd_trace_format hd_trace_format_of(const char *path) {
    size_t length = strlen(path);
    bool binary = length >= 4 && strcmp(path + length - 4, ".htr") == 0;
    return binary ? HD_TRACE_BINARY : HD_TRACE_TEXT;
}

hd_trace_writer *hd_trace_writer_open(const char *path, enum hd_trace_format format,
                                      hd_error *error) {
    hd_file *file = hd_file_create(path, error);
    if (!file)
        return NULL;
    hd_trace_writer *writer = HD_NEW(hd_trace_writer);
    writer->file = file;
    writer->format = format == HD_TRACE_BINARY ? &hd_trace_binary_writer : &hd_trace_text_writer;
    writer->format->start(writer);
    return writer;
}

void hd_trace_writer_comment(hd_trace_writer *writer, const char *format, ...) {
    if (writer->format != &hd_trace_text_writer)
        return;
    va_list arguments;
    size_t length;
    va_start(arguments, format);
    char *text = hd_text_formatted(&length, format, arguments);
    va_end(arguments);
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    hd_file_print(writer->file, "# %s\n", text);
    free(text);
}

void hd_trace_writer_shown(hd_trace_writer *writer, const char *key, const char *text) {
    if (!text)
        return;
    size_t size = 4 * strlen(text) + 1;
    char *printable = hd_mem_alloc(size);
    hd_text_printable(printable, size, text, strlen(text));
    hd_trace_writer_comment(writer, "%s: %s", key, printable);
    free(printable);
}

bool hd_trace_writer_write(hd_trace_writer *writer, const hd_trace_tables *tables,
                           const heddle_event *events, size_t count) {
    writer->format->write(writer, tables, events, count);
    return !hd_file_failed(writer->file);
}

void hd_trace_writer_stacks(hd_trace_writer *writer, const hd_trace_stacks *stacks) {
    assert(!writer->tables);
    writer->stacks = stacks;
}

void hd_trace_writer_forget(hd_trace_writer *writer, hd_trace_stacks *stacks) {
    assert(writer->stacks == stacks);
    if (stacks)
        writer->format->forget(writer, stacks);
}

void hd_trace_writer_build(hd_trace_writer *writer, const char *build) {
    if (build)
        snprintf(writer->build, sizeof writer->build, "%s", build);
}

void hd_trace_writer_end(hd_trace_writer *writer, const hd_trace_end *end) {
    hd_trace_end_release(&writer->end);
    hd_trace_end_copy(&writer->end, end);
}

void hd_trace_writer_lost(hd_trace_writer *writer, uint64_t lost, bool incomplete) {
    writer->lost = lost;
    writer->incomplete = incomplete;
}

bool hd_trace_writer_close(hd_trace_writer *writer, hd_error *error) {
    writer->format->finish(writer);
    writer->format->release(writer);
    hd_trace_end_release(&writer->end);
    bool good = hd_file_commit(writer->file, error);
    free(writer);
    return good;
}

void hd_trace_writer_abandon(hd_trace_writer *writer) {
    if (!writer)
        return;
    writer->format->release(writer);
    hd_trace_end_release(&writer->end);
    hd_file_abandon(writer->file);
    free(writer);
}

bool hd_trace_save(const hd_trace *trace, const char *path, enum hd_trace_format format,
                   hd_error *error) {
    hd_trace_writer *writer = hd_trace_writer_open(path, format, error);
    if (!writer)
        return false;
    hd_trace_writer_stacks(writer, trace->stacks);
    hd_trace_writer_lost(writer, trace->lost, trace->incomplete);
    hd_trace_writer_end(writer, &trace->end);
    hd_trace_writer_write(writer, &trace->tables, trace->events.data, trace->events.length);
    return hd_trace_writer_close(writer, error);
}
