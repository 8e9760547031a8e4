#include "api_trace.h"

#include <stdlib.h>
#include <string.h>

const char *heddle_version(void) {
    return HEDDLE_VERSION;
}

heddle_trace *heddle_trace_open(const char *path, heddle_error *error) {
    heddle_trace *handle = HD_NEW(heddle_trace);
    if (hd_trace_load(&handle->trace, path, 0, hd_api_error(error)))
        return handle;
    free(handle);
    return NULL;
}

void heddle_trace_close(heddle_trace *trace) {
    if (!trace)
        return;
    if (trace->indexed)
        hd_trace_index_release(&trace->index);
    hd_trace_release(&trace->trace);
    hd_vec_release(&trace->frames);
    hd_names_release(&trace->files);
    free(trace);
}

uint32_t heddle_trace_events(const heddle_trace *trace) {
    return hd_trace_length(&trace->trace);
}

const heddle_event *heddle_trace_event(const heddle_trace *trace, uint32_t number) {
    bool known = number >= 1 && number <= hd_trace_length(&trace->trace);
    return known ? hd_trace_event(&trace->trace, number) : NULL;
}

bool heddle_trace_incomplete(const heddle_trace *trace) {
    return trace->trace.incomplete;
}

uint32_t heddle_trace_names(const heddle_trace *trace, enum heddle_class class_) {
    return (unsigned)class_ < HEDDLE_CLASS_COUNT ? trace->trace.tables.names[class_].length : 0;
}

const char *heddle_trace_name(const heddle_trace *trace, enum heddle_class class_,
                              uint32_t number) {
    if (number >= heddle_trace_names(trace, class_))
        return NULL;
    return hd_names_text(&trace->trace.tables.names[class_], number);
}

uint32_t heddle_trace_pair(heddle_trace *trace, uint32_t number) {
    if (!trace->indexed)
        hd_trace_index_build(&trace->index, &trace->trace);
    trace->indexed = true;
    bool known = number >= 1 && number <= hd_trace_length(&trace->trace);
    return known ? trace->index.pair[number] : 0;
}

size_t heddle_trace_stack(heddle_trace *trace, uint32_t number, const heddle_frame **frames) {
    hd_trace_stack_calls stack = {0};
    hd_vec_clear(&trace->frames);
    if (number >= 1 && number <= hd_trace_length(&trace->trace))
        hd_trace_stack(&trace->trace, number, &stack);
    for (size_t i = 0; i < stack.length; i++) {
        const char *location = stack.data[i].location;
        heddle_frame frame = {.function = stack.data[i].function, .file = ""};
        size_t length;
        if (hd_trace_split_location(location, strlen(location), &length, &frame.line))
            frame.file =
                hd_names_text(&trace->files, hd_names_add(&trace->files, location, length));
        hd_vec_push(&trace->frames, frame);
    }
    hd_vec_release(&stack);
    *frames = trace->frames.data;
    return trace->frames.length;
}

bool heddle_trace_save(const heddle_trace *trace, const char *path, heddle_error *error) {
    return hd_trace_save(&trace->trace, path, hd_trace_format_of(path), hd_api_error(error));
}

const char *heddle_kind_op(enum heddle_kind kind) {
    return (unsigned)kind < HEDDLE_KIND_COUNT ? hd_trace_kinds[kind].op : NULL;
}

const char *heddle_kind_text(enum heddle_kind kind) {
    return (unsigned)kind < HEDDLE_KIND_COUNT ? hd_trace_kinds[kind].text : NULL;
}

enum heddle_class heddle_kind_class(enum heddle_kind kind) {
    return (unsigned)kind < HEDDLE_KIND_COUNT ? (enum heddle_class)hd_trace_kinds[kind].class
                                              : HEDDLE_CLASS_COUNT;
}
