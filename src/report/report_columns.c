#include "report_columns.h"

#include <string.h>

/* At most so many bytes at once, of which a number takes the second. */
enum { ROOM = 1 << 14, DIGITS = 24 };

/* Beyond it a double does not hold every whole number. */
static const int64_t exact = (int64_t)1 << 53;

/* ---- Numbers, fast ---- */

typedef struct run {
    hd_file *file;
    char *at, *end, *start;
    bool first;
} run;

static void begin(run *r, hd_file *file) {
    r->file = file;
    r->start = r->at = hd_file_reserve(file, ROOM);
    r->end = r->start + ROOM;
    r->first = true;
}

static void finish(run *r) {
    hd_file_advance(r->file, (size_t)(r->at - r->start));
}

static void separate(run *r) {
    if (r->end - r->at < DIGITS) {
        finish(r);
        r->start = r->at = hd_file_reserve(r->file, ROOM);
        r->end = r->start + ROOM;
    }
    if (!r->first)
        *r->at++ = ',';
    r->first = false;
}

static void put_number(run *r, uint64_t value) {
    char digits[DIGITS];
    int count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    while (count > 0)
        *r->at++ = digits[--count];
}

static void put_value(run *r, const heddle_event *event) {
    separate(r);
    if (!(event->flags & HEDDLE_HAS_VALUE)) {
        memcpy(r->at, "null", 4);
        r->at += 4;
        return;
    }
    int64_t value = event->value;
    bool wide = value > exact || value < -exact;
    if (wide)
        *r->at++ = '"';
    if (value < 0)
        *r->at++ = '-';
    put_number(r, value < 0 ? -(uint64_t)value : (uint64_t)value);
    if (wide)
        *r->at++ = '"';
}

void hd_report_numbers_write(const uint32_t *numbers, size_t count, hd_file *file) {
    run r;
    begin(&r, file);
    for (size_t i = 0; i < count; i++) {
        separate(&r);
        put_number(&r, numbers[i]);
    }
    finish(&r);
}

/* ---- Columns ---- */

enum column { THREAD, KIND, OBJECT, LOCATION, SIZE };

static uint32_t cell(const heddle_event *event, enum column column) {
    switch (column) {
    case THREAD:
        return event->thread;
    case KIND:
        return event->kind;
    case OBJECT:
        return event->object;
    case LOCATION:
        return event->location;
    default:
        return event->size;
    }
}

static void write_column(const hd_trace *trace, const char *key, enum column column,
                         hd_json *json) {
    run r;
    hd_json_open(json, key, '[');
    begin(&r, json->file);
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        separate(&r);
        put_number(&r, cell(hd_trace_event(trace, i), column));
    }
    finish(&r);
    hd_json_close(json);
}

static void write_values(const hd_trace *trace, hd_json *json) {
    run r;
    hd_json_open(json, "value", '[');
    begin(&r, json->file);
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++)
        put_value(&r, hd_trace_event(trace, i));
    finish(&r);
    hd_json_close(json);
}

static void write_reentrant(const hd_trace *trace, hd_json *json) {
    hd_json_open(json, "reentrant", '[');
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++)
        if (hd_trace_event(trace, i)->flags & HEDDLE_REENTRANT)
            hd_json_uint(json, NULL, i);
    hd_json_close(json);
}

static void write_pairs(const hd_trace *trace, hd_json *json) {
    hd_trace_index index;
    hd_trace_index_build(&index, trace);
    hd_json_open(json, "pair", '[');
    hd_report_numbers_write(index.pair + 1, hd_trace_length(trace), json->file);
    hd_json_close(json);
    hd_trace_index_release(&index);
}

static void write_events(const hd_trace *trace, hd_json *json) {
    bool sizes = false, values = false;
    for (uint32_t i = 1; i <= hd_trace_length(trace); i++) {
        sizes |= hd_trace_event(trace, i)->size != 0;
        values |= (hd_trace_event(trace, i)->flags & HEDDLE_HAS_VALUE) != 0;
    }
    hd_json_open(json, "events", '{');
    write_column(trace, "thread", THREAD, json);
    write_column(trace, "kind", KIND, json);
    write_column(trace, "object", OBJECT, json);
    write_column(trace, "location", LOCATION, json);
    if (sizes)
        write_column(trace, "size", SIZE, json);
    if (values)
        write_values(trace, json);
    write_pairs(trace, json);
    write_reentrant(trace, json);
    hd_json_close(json);
}

/* What a thread waited at, or was about to do. */
static void write_next(const hd_trace_next *next, hd_json *json) {
    bool known = next->kind != HD_TRACE_END_OTHER;
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "thread", next->thread);
    hd_json_text(json, "op", known ? hd_trace_kinds[next->kind].op : "");
    hd_json_text(json, "object", next->object);
    hd_json_text(json, "location", next->location);
    hd_json_close(json);
}

static void write_end(const hd_trace_end *end, hd_json *json) {
    hd_vec_char text = {0};
    if (!end->how)
        return;
    hd_json_open(json, "ended", '{');
    hd_trace_end_print(end, &text);
    hd_json_text(json, "how", text.data);
    hd_vec_clear(&text);
    hd_trace_end_describe(end, &text);
    hd_json_text(json, "text", text.data);
    hd_json_open(json, "next", '[');
    for (size_t i = 0; i < end->next.length; i++)
        write_next(&end->next.data[i], json);
    hd_json_close(json);
    hd_json_close(json);
    hd_vec_release(&text);
}

void hd_report_columns_write(const hd_trace *trace, const char *key, hd_json *json) {
    hd_json_open(json, key, '{');
    hd_json_bool(json, "incomplete", trace->incomplete);
    hd_json_uint(json, "lost", trace->lost);
    hd_json_uint(json, "guessed", trace->guessed);
    write_end(&trace->end, json);
    hd_json_open(json, "names", '{');
    for (int class = 0; class < HEDDLE_CLASS_COUNT; class ++) {
        const hd_names *names = &trace->tables.names[class];
        hd_json_open(json, hd_trace_classes[class].name, '[');
        for (uint32_t i = 0; i < names->length; i++)
            hd_json_string(json, NULL, hd_names_text(names, i), hd_names_size(names, i));
        hd_json_close(json);
    }
    hd_json_close(json);
    write_events(trace, json);
    hd_json_close(json);
}
