#include "report_perfetto.h"

#include <stdio.h>

#include "order/order.h"

/* The two "processes" that tracks are grouped in.  Threads start at 1: some
 * viewers take 0 for none. */
enum { THREADS = 1, LOCKS = 2 };

typedef struct writer {
    const hd_trace *trace;
    hd_order order;
    hd_json json;
    uint64_t arrows;
} writer;

static const heddle_event *event_of(const writer *w, uint32_t number) {
    return hd_trace_event(w->trace, number);
}

/* The beginning of every record; the caller adds to it and closes it. */
static void begin(writer *w, const char *phase, const char *name, uint32_t group, uint32_t track,
                  uint64_t time) {
    hd_json *json = &w->json;
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "ph", phase);
    hd_json_text(json, "name", name);
    hd_json_uint(json, "pid", group);
    hd_json_uint(json, "tid", track + 1);
    hd_json_uint(json, "ts", time);
}

static void write_name(writer *w, const char *what, uint32_t group, uint32_t track,
                       const char *name) {
    begin(w, "M", what, group, track, 0);
    hd_json_open(&w->json, "args", '{');
    hd_json_text(&w->json, "name", name);
    hd_json_close(&w->json);
    hd_json_close(&w->json);
}

static void write_tracks(writer *w, const char *name) {
    const hd_names *threads = &w->trace->tables.names[HEDDLE_CLASS_THREAD];
    const hd_names *locks = &w->trace->tables.names[HEDDLE_CLASS_LOCK];
    write_name(w, "process_name", THREADS, 0, name);
    for (uint32_t i = 0; i < threads->length; i++)
        write_name(w, "thread_name", THREADS, i, hd_names_text(threads, i));
    if (locks->length)
        write_name(w, "process_name", LOCKS, 0, "locks");
    for (uint32_t i = 0; i < locks->length; i++)
        write_name(w, "thread_name", LOCKS, i, hd_names_text(locks, i));
}

/* "w(x=5)", as in the text format. */
static void write_event(writer *w, uint32_t number) {
    const heddle_event *event = event_of(w, number);
    const hd_trace_kind *kind = &hd_trace_kinds[event->kind];
    const char *object = hd_trace_object_name(&w->trace->tables, event);
    hd_json *json = &w->json;
    char title[128];
    snprintf(title, sizeof title, "%s(%.100s)", kind->op, object);
    begin(w, "X", title, THREADS, event->thread, number);
    hd_json_uint(json, "dur", 1);
    hd_json_text(json, "cat", hd_trace_classes[kind->class].name);
    hd_json_open(json, "args", '{');
    hd_json_uint(json, "event", number);
    hd_json_text(json, "kind", kind->text);
    hd_json_text(json, hd_trace_classes[kind->class].name, object);
    if (event->flags & HEDDLE_HAS_VALUE)
        hd_json_int(json, "value", event->value);
    if (event->location)
        hd_json_text(json, "location", hd_trace_location(&w->trace->tables, event));
    hd_json_close(json);
    hd_json_close(json);
}

static void write_counter(writer *w, uint32_t number) {
    const heddle_event *event = event_of(w, number);
    begin(w, "C", hd_trace_object_name(&w->trace->tables, event), THREADS, event->thread, number);
    hd_json_open(&w->json, "args", '{');
    hd_json_int(&w->json, "value", event->value);
    hd_json_close(&w->json);
    hd_json_close(&w->json);
}

static void write_arrow(writer *w, uint32_t from, uint32_t to) {
    bool forks = event_of(w, from)->kind == HEDDLE_FORK;
    const char *name = hd_trace_kinds[event_of(w, forks ? from : to)->kind].op;
    w->arrows++;
    for (int end = 0; end < 2; end++) {
        uint32_t number = end ? to : from;
        begin(w, end ? "f" : "s", name, THREADS, event_of(w, number)->thread, number);
        hd_json_text(&w->json, "cat", "must");
        hd_json_uint(&w->json, "id", w->arrows);
        if (end)
            hd_json_text(&w->json, "bp", "e");
        hd_json_close(&w->json);
    }
}

static void write_arrows(writer *w, uint32_t number) {
    hd_order_list from = hd_order_lists_of(&w->order.must.into, number);
    bool barrier = event_of(w, number)->kind == HEDDLE_BARRIER_OUT;
    for (uint32_t i = barrier && from.count ? from.count - 1 : 0; i < from.count; i++)
        if (event_of(w, from.events[i])->thread != event_of(w, number)->thread)
            write_arrow(w, from.events[i], number);
}

static void write_hold(writer *w, const hd_order_scope *hold, uint32_t number) {
    const char *thread = hd_trace_thread_name(&w->trace->tables, hold->thread);
    uint32_t end = hold->release ? hold->release + 1 : hd_trace_length(w->trace) + 1;
    if (!hold->reading) {
        begin(w, "X", thread, LOCKS, hold->lock, hold->acquire);
        hd_json_uint(&w->json, "dur", end - hold->acquire);
        hd_json_close(&w->json);
        return;
    }
    for (int side = 0; side < 2; side++) {
        begin(w, side ? "e" : "b", thread, LOCKS, hold->lock, side ? end : hold->acquire);
        hd_json_text(&w->json, "cat", "reading");
        hd_json_uint(&w->json, "id", (uint64_t)number + 1);
        hd_json_close(&w->json);
    }
}

/* Not once a write has failed, or the time is up. */
static bool goes_on(const writer *w) {
    return !hd_file_failed(w->json.file) && !hd_clock_over();
}

static void write_all(writer *w, const char *name) {
    hd_json *json = &w->json;
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "displayTimeUnit", "ns");
    hd_json_open(json, "traceEvents", '[');
    write_tracks(w, name);
    for (uint32_t i = 1; i <= hd_trace_length(w->trace) && goes_on(w); i++) {
        const heddle_event *event = event_of(w, i);
        write_event(w, i);
        write_arrows(w, i);
        if (event->kind == HEDDLE_MARK && (event->flags & HEDDLE_HAS_VALUE))
            write_counter(w, i);
    }
    for (uint32_t i = 0; i < w->order.scopes.count && goes_on(w); i++)
        write_hold(w, &w->order.scopes.scopes[i], i);
    hd_json_close(json);
    hd_json_close(json);
    hd_json_end(json);
}

bool hd_report_perfetto_write(const hd_trace *trace, const char *name, const char *path,
                              hd_error *error) {
    writer w = {.trace = trace};
    hd_file *file = hd_file_create(path, error);
    if (!file)
        return false;
    hd_order_init(&w.order, trace);
    bool good = hd_order_need(&w.order, HD_ORDER_SCOPES, 0, error);
    hd_json_init(&w.json, file);
    if (good)
        write_all(&w, name);
    if (good && hd_clock_why())
        good = hd_error_set(error, "%s: %s; nothing is written", name, hd_clock_why());
    hd_order_release(&w.order);
    if (!good)
        hd_file_abandon(file);
    return good && hd_file_commit(file, error);
}
