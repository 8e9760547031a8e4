#include "trace_event.h"

#include <stdio.h>
#include <string.h>

const hd_trace_kind hd_trace_kinds[HEDDLE_KIND_COUNT] = {
#define HEDDLE_KIND(ID, op, CLASS, traits, text)                                                   \
    [HEDDLE_##ID] = {op, text, HEDDLE_CLASS_##CLASS, traits},
#include "heddle/event.def"
};

const hd_trace_class hd_trace_classes[HEDDLE_CLASS_COUNT] = {
#define HEDDLE_CLASS(ID, name, plural) [HEDDLE_CLASS_##ID] = {name, plural},
#include "heddle/event.def"
};

const char *const hd_trace_orders[HEDDLE_ORDER_CERTAIN + 1] = {
#define HEDDLE_MEMORY_ORDER(ID, word) [HEDDLE_ORDER_##ID] = (word),
#include "heddle/event.def"
    [HEDDLE_ORDER_EXEMPT] = "exempt", [HEDDLE_ORDER_CERTAIN] = "certain"};

void hd_trace_tables_init(hd_trace_tables *tables) {
    *tables = (hd_trace_tables){0};
    hd_names_add(&tables->names[HEDDLE_CLASS_LOCATION], "", 0);
}

void hd_trace_tables_release(hd_trace_tables *tables) {
    for (unsigned which = 0; which < HEDDLE_CLASS_COUNT; which++)
        hd_names_release(&tables->names[which]);
}

int hd_trace_kind_of(const char *op, size_t length) {
    for (int kind = 0; kind < HEDDLE_KIND_COUNT; kind++)
        if (strlen(hd_trace_kinds[kind].op) == length &&
            memcmp(hd_trace_kinds[kind].op, op, length) == 0)
            return kind;
    return -1;
}

int hd_trace_order_of(const char *word, size_t length) {
    for (int order = 0; order < HEDDLE_ORDER_COUNT; order++)
        if (strlen(hd_trace_orders[order]) == length &&
            memcmp(hd_trace_orders[order], word, length) == 0)
            return order;
    return -1;
}

bool hd_trace_legal_name(enum heddle_class class, const char *text, size_t length) {
    if (length == 0)
        return class == HEDDLE_CLASS_BLOCK || class == HEDDLE_CLASS_LOCATION;
    if (length > HD_TRACE_MAX_NAME)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '\0' || c == '\n' || c == '\r' || c == '|')
            return false;
        if (c == '=' && class != HEDDLE_CLASS_LOCATION)
            return false;
    }
    return class != HEDDLE_CLASS_THREAD || (text[0] != '#' && (unsigned char)text[0] != 0x89);
}

void hd_trace_make_legal(hd_vec_char *text, uint64_t address) {
    char suffix[32];
    snprintf(suffix, sizeof suffix, "%s0x%llx", text->length ? " at " : "",
             (unsigned long long)address);
    if (text->length > HD_TRACE_MAX_NAME - sizeof suffix)
        text->length = HD_TRACE_MAX_NAME - sizeof suffix;
    for (size_t i = 0; i < text->length; i++)
        if (memchr("|=\n\r", text->data[i], sizeof "|=\n\r"))
            text->data[i] = '~';
    /* What a comment and what a trace in binary begins with. */
    if (text->length && (text->data[0] == '#' || (unsigned char)text->data[0] == 0x89))
        text->data[0] = '~';
    for (const char *at = suffix; *at; at++)
        hd_vec_push(text, *at);
}

bool hd_trace_split_location(const char *location, size_t length, size_t *file, uint32_t *line) {
    uint64_t number;
    size_t colon = length;
    while (colon && location[colon - 1] != ':')
        colon--;
    if (colon < 2 || !hd_text_u64(location + colon, length - colon, &number) || number == 0 ||
        number > UINT32_MAX)
        return false;
    *file = colon - 1;
    *line = (uint32_t)number;
    return true;
}

static bool is_of_library(const char *place) {
    return !place || !*place || strncmp(place, "/usr/include/", strlen("/usr/include/")) == 0 ||
           strncmp(place, "/usr/lib/", strlen("/usr/lib/")) == 0;
}

size_t hd_trace_fold(const char *const *places, size_t count, size_t from) {
    size_t end = from;
    while (from && end < count && is_of_library(places[end]))
        end++;
    return end - from >= 2 ? end - from : 0;
}

const char *hd_trace_thread_name(const hd_trace_tables *tables, uint32_t thread) {
    return hd_names_text(&tables->names[HEDDLE_CLASS_THREAD], thread);
}

const char *hd_trace_object_name(const hd_trace_tables *tables, const heddle_event *event) {
    return hd_names_text(&tables->names[hd_trace_kinds[event->kind].class], event->object);
}

const char *hd_trace_location(const hd_trace_tables *tables, const heddle_event *event) {
    return hd_names_text(&tables->names[HEDDLE_CLASS_LOCATION], event->location);
}

const char *hd_trace_order_word(const heddle_event *event) {
    unsigned order = event->flags >> HEDDLE_ORDER_SHIFT;
    return hd_trace_is_kept(event) ? "kept" : order ? hd_trace_orders[order] : NULL;
}

size_t hd_trace_print(char *to, size_t size, const hd_trace_tables *tables,
                      const heddle_event *event) {
    char width[8] = "", value[24] = "";
    if (event->size)
        snprintf(width, sizeof width, "%u", event->size);
    if (event->flags & HEDDLE_HAS_VALUE)
        snprintf(value, sizeof value, "=%lld", (long long)event->value);
    const char *order = hd_trace_is_certain(event) ? NULL : hd_trace_order_word(event);
    int length =
        snprintf(to, size, "%s|%s%s%s%s(%s%s)|%s", hd_trace_thread_name(tables, event->thread),
                 hd_trace_kinds[event->kind].op, width, order ? "." : "", order ? order : "",
                 hd_trace_object_name(tables, event), value, hd_trace_location(tables, event));
    if ((size_t)length < size)
        return (size_t)length;
    if (size >= 4)
        memcpy(to + size - 4, "...", 4);
    return size ? size - 1 : 0;
}
