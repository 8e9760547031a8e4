/*
 * What the fuzz targets share.
 */
#ifndef FUZZ_COMMON_H
#define FUZZ_COMMON_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/trace.h"
#include "witness/witness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define fuzz_fail(format, ...) (fprintf(stderr, "fuzz: " format "\n", __VA_ARGS__), abort())

/* A file of this process in memory, so that the disk is left alone. */
static inline const char *fuzz_path(const char *what) {
    static char path[128];
    snprintf(path, sizeof path, "/dev/shm/heddle-fuzz-%d-%s", (int)getpid(), what);
    return path;
}

/* Such a file with these bytes; gives its path. */
static inline const char *fuzz_file(const char *what, const void *data, size_t size) {
    const char *path = fuzz_path(what);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        fuzz_fail("%s: cannot write", path);
    return path;
}

static inline void fuzz_explained(const hd_error *error) {
    if (!error->text[0] || strchr(error->text, '\n'))
        fuzz_fail("bad error text '%s'", error->text);
}

/* Reads a whole trace from memory; false if the reader refuses it, which it must
 * then explain. */
static inline bool fuzz_load(hd_trace *trace, const void *data, size_t size, unsigned flags) {
    hd_error error = {""};
    hd_trace_cursor *cursor =
        hd_trace_cursor_memory(data, size, "fuzz", flags | HD_TRACE_STACKS, &error);
    int more = -1;
    hd_trace_init(trace);
    if (cursor) {
        hd_trace_batch batch;
        while ((more = hd_trace_cursor_next(cursor, &batch, &error)) > 0)
            for (size_t i = 0; i < batch.count; i++)
                hd_trace_append(trace, batch.events[i]);
        hd_trace_end_copy(&trace->end, hd_trace_cursor_end(cursor));
        hd_trace_tables_release(&trace->tables);
        hd_trace_cursor_take_tables(cursor, &trace->tables);
        trace->stacks = hd_trace_cursor_take_stacks(cursor);
        hd_trace_cursor_close(cursor);
    }
    if (more == 0)
        return true;
    if (!error.text[0] || strchr(error.text, '\n'))
        fuzz_fail("bad error text '%s'", error.text);
    hd_trace_release(trace);
    return false;
}

/* Calls that are not known, below, are left out of both. */
static inline void fuzz_same_stack(const hd_trace *a, const hd_trace *b, uint32_t n) {
    hd_trace_stack_calls before = {0}, after = {0};
    hd_trace_stack(a, n, &before);
    hd_trace_stack(b, n, &after);
    if (before.length != after.length)
        fuzz_fail("event %u: %zu calls became %zu", n, before.length, after.length);
    for (size_t i = 0; i < before.length; i++)
        if (strcmp(before.data[i].function, after.data[i].function) != 0 ||
            strcmp(before.data[i].location, after.data[i].location) != 0)
            fuzz_fail("event %u: another call", n);
    hd_vec_release(&before);
    hd_vec_release(&after);
}

/* To find a stack takes as long as to read some thousand changes before it: of long traces it is
 * done for some thousand events. */
static inline void fuzz_same(const hd_trace *a, const hd_trace *b) {
    enum { STACKS = 2000 };
    uint32_t every = 1 + hd_trace_length(a) / STACKS;
    if (a->events.length != b->events.length)
        fuzz_fail("%zu events became %zu", a->events.length, b->events.length);
    for (uint32_t n = 1; n <= hd_trace_length(a); n++) {
        char before[512], after[512];
        hd_trace_print(before, sizeof before, &a->tables, hd_trace_event(a, n));
        hd_trace_print(after, sizeof after, &b->tables, hd_trace_event(b, n));
        if (strcmp(before, after) != 0)
            fuzz_fail("event %u: '%s' became '%s'", n, before, after);
        if (b->stacks && n % every == 0)
            fuzz_same_stack(a, b, n);
    }
}

static inline void fuzz_same_end(const hd_trace_end *a, const hd_trace_end *b) {
    if (a->how != b->how || a->number != b->number)
        fuzz_fail("end %d %d became %d %d", a->how, a->number, b->how, b->number);
    if (a->how && a->next.length != b->next.length)
        fuzz_fail("%zu operations at the end became %zu", a->next.length, b->next.length);
    for (size_t i = 0; i < b->next.length; i++) {
        hd_vec_char before = {0}, after = {0};
        hd_trace_end_print_next(&a->next.data[i], &before);
        hd_trace_end_print_next(&b->next.data[i], &after);
        if (strcmp(before.data, after.data) != 0)
            fuzz_fail("'%s' became '%s'", before.data, after.data);
        hd_vec_release(&before);
        hd_vec_release(&after);
    }
    if (a->doubts.length != b->doubts.length)
        fuzz_fail("%zu doubts became %zu", a->doubts.length, b->doubts.length);
    for (size_t i = 0; i < b->doubts.length; i++)
        if (strcmp(a->doubts.data[i].code, b->doubts.data[i].code) != 0 ||
            strcmp(a->doubts.data[i].what, b->doubts.data[i].what) != 0 ||
            strcmp(a->doubts.data[i].text, b->doubts.data[i].text) != 0)
            fuzz_fail("doubt %zu is another one", i);
}

/* The deadlock that the run ended in, if it says so, is shown or refused with a reason. */
static inline void fuzz_end(const hd_trace *trace) {
    hd_witness witness;
    hd_error error = {""};
    hd_witness_init(&witness);
    witness.claim.kind = HD_WITNESS_END;
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++)
        hd_vec_push(&witness.schedule, n);
    if (!hd_witness_check(&witness, trace, &error))
        fuzz_explained(&error);
    hd_witness_release(&witness);
}

/* Through a format and back. */
static inline void fuzz_through(const hd_trace *trace, enum hd_trace_format format) {
    const char *path = fuzz_path("trace");
    hd_error error = {""};
    hd_trace again;
    if (!hd_trace_save(trace, path, format, &error))
        fuzz_fail("cannot save: %s", error.text);
    if (!hd_trace_load(&again, path, HD_TRACE_RECOVER, &error))
        fuzz_fail("cannot load what was saved: %s", error.text);
    fuzz_same(trace, &again);
    fuzz_same_end(&trace->end, &again.end);
    hd_trace_release(&again);
}

static inline void fuzz_round_trip(const hd_trace *trace) {
    fuzz_end(trace);
    fuzz_through(trace, HD_TRACE_BINARY);
    fuzz_through(trace, HD_TRACE_TEXT);
    hd_trace_index index;
    hd_trace_index_build(&index, trace);
    hd_trace_index_release(&index);
}

#endif
