#include "cli_stack.h"

#include <string.h>

#include "replay/replay.h"

void hd_cli_stack_print(const hd_trace *trace, uint32_t event, const char *indent) {
    hd_trace_stack_calls stack = {0};
    if (event)
        hd_trace_stack(trace, event, &stack);
    HD_VEC(const char *) places = {0};
    for (size_t i = 0; i < stack.length; i++)
        hd_vec_push(&places, stack.data[i].location);
    for (size_t i = 0, folded; i < stack.length; i += folded ? folded : 1) {
        const hd_trace_call *call = &stack.data[i];
        folded = hd_trace_fold(places.data, places.length, i);
        if (folded) {
            printf("%s... %zu calls inside of libraries\n", indent, folded);
            continue;
        }
        printf("%sat %s (%s)\n", indent, *call->function ? hd_text_name(call->function) : "?",
               *call->location ? hd_text_name(call->location) : "?");
    }
    hd_vec_release(&places);
    hd_vec_release(&stack);
}

/* ---- JSON ---- */

static void write_frame(hd_json *json, const char *function, const char *location) {
    size_t file;
    uint32_t line;
    hd_json_open(json, NULL, '{');
    if (*function)
        hd_json_text(json, "function", function);
    if (hd_trace_split_location(location, strlen(location), &file, &line)) {
        hd_json_string(json, "file", location, file);
        hd_json_uint(json, "line", line);
    }
    hd_json_close(json);
}

static void write_stack(const hd_trace *trace, uint32_t event, hd_json *json) {
    hd_trace_stack_calls stack = {0};
    hd_trace_stack(trace, event, &stack);
    hd_json_open(json, NULL, '{');
    hd_json_uint(json, "event", event);
    hd_json_text(json, "thread",
                 hd_trace_thread_name(&trace->tables, hd_trace_event(trace, event)->thread));
    hd_json_open(json, "frames", '[');
    for (size_t i = 0; i < stack.length; i++)
        write_frame(json, stack.data[i].function, stack.data[i].location);
    hd_json_close(json);
    hd_json_close(json);
    hd_vec_release(&stack);
}

void hd_cli_stacks_write(const hd_trace *trace, const uint32_t *events, size_t count,
                         hd_json *json) {
    if (!trace->stacks)
        return;
    hd_json_open(json, "stacks", '[');
    for (size_t i = 0; i < count; i++)
        if (events[i])
            write_stack(trace, events[i], json);
    hd_json_close(json);
}

/* ---- Programs ---- */

void hd_cli_stack_write(hd_json *json, const char *key, const hd_native_frames *frames) {
    hd_json_open(json, key, '[');
    for (size_t i = 0; i < frames->all.length; i++) {
        const hd_native_frame *frame = &frames->all.data[i];
        write_frame(json, frame->function, frame->place ? frame->place : "");
    }
    hd_json_close(json);
}
