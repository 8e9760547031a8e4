#include "report_place.h"

#include <string.h>

#include "report_answer.h"
#include "trace/trace.h"

void hd_report_places_release(hd_report_places *places) {
    for (size_t i = 0; i < places->length; i++) {
        hd_vec_release(&places->data[i].locks);
        hd_vec_release(&places->data[i].stack);
    }
    hd_vec_release(places);
}

static const char *const access_names[] = {
    [HD_REPORT_NO_ACCESS] = "",     [HD_REPORT_READ] = "read",       [HD_REPORT_WRITE] = "write",
    [HD_REPORT_READ_WRITE] = "rmw", [HD_REPORT_ACQUIRE] = "acquire", [HD_REPORT_JOIN] = "join",
    [HD_REPORT_WAIT] = "wait",      [HD_REPORT_USE] = "use"};

enum { ACCESSES = sizeof access_names / sizeof *access_names };

/* ---- To JSON ---- */

static void write_access(const hd_report_place *place, hd_json *json) {
    if (place->access == HD_REPORT_NO_ACCESS)
        return;
    hd_json_text(json, "access", access_names[place->access]);
    if (place->access < HD_REPORT_ACQUIRE)
        hd_json_bool(json, "atomic", place->atomic);
}

static void write_locks(const hd_report_place *place, hd_json *json) {
    if (!place->knows_locks)
        return;
    hd_json_open(json, "locks", '[');
    for (size_t i = 0; i < place->locks.length; i++) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "name", place->locks.data[i].name);
        if (place->locks.data[i].reading)
            hd_json_bool(json, "reading", true);
        hd_json_close(json);
    }
    hd_json_close(json);
    if (place->more_locks)
        hd_json_uint(json, "more_locks", place->more_locks);
}

static void write_stack(const hd_report_place *place, hd_json *json) {
    if (!place->stack.length)
        return;
    hd_json_open(json, "stack", '[');
    for (size_t i = 0; i < place->stack.length; i++) {
        const hd_report_frame *frame = &place->stack.data[i];
        hd_json_open(json, NULL, '{');
        hd_report_text_write(json, "function", frame->function);
        hd_report_line_write(json, frame->file, frame->line);
        hd_json_close(json);
    }
    hd_json_close(json);
}

static void write_place(const hd_report_place *place, hd_json *json) {
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "role", place->role);
    hd_report_text_write(json, "thread", place->thread);
    hd_report_text_write(json, "text", place->text);
    hd_report_line_write(json, place->file, place->line);
    hd_report_text_write(json, "location", place->location);
    if (place->event)
        hd_json_uint(json, "event", place->event);
    write_access(place, json);
    write_locks(place, json);
    write_stack(place, json);
    hd_json_close(json);
}

void hd_report_places_write(const hd_report_places *places, hd_json *json) {
    hd_json_open(json, "places", '[');
    for (size_t i = 0; i < places->length; i++)
        write_place(&places->data[i], json);
    hd_json_close(json);
}

/* ---- From JSON ---- */

static const char *keep(hd_arena *arena, const char *text) {
    return text ? hd_arena_string(arena, text, strlen(text)) : NULL;
}

/* Answers of 0.1 and 0.2 say of a wait for the end of a thread only the words. */
static enum hd_report_access read_access(const hd_json_value *place) {
    static const char join[] = "join ";
    const char *name = hd_json_text_of(place, "access"), *text = hd_json_text_of(place, "text");
    for (int i = 1; name && i < ACCESSES; i++)
        if (strcmp(name, access_names[i]) == 0)
            return (enum hd_report_access)i;
    return !name && text && strncmp(text, join, sizeof join - 1) == 0 ? HD_REPORT_JOIN
                                                                      : HD_REPORT_NO_ACCESS;
}

static void read_parts(hd_report_place *place, hd_arena *arena, const hd_json_value *from) {
    const hd_json_value *locks = hd_json_get(from, "locks");
    place->knows_locks = locks != NULL;
    place->more_locks = hd_json_uint_of(from, "more_locks", 0);
    for (const hd_json_value *l = hd_json_first(locks); l; l = l->next) {
        const char *name = hd_json_text_of(l, "name");
        hd_vec_push(&place->locks, (hd_report_lock){keep(arena, name ? name : ""),
                                                    hd_json_bool_of(l, "reading", false)});
    }
    for (const hd_json_value *f = hd_json_first(hd_json_get(from, "stack")); f; f = f->next) {
        hd_report_frame frame = {.function = keep(arena, hd_json_text_of(f, "function")),
                                 .file = keep(arena, hd_json_text_of(f, "file")),
                                 .line = (uint32_t)hd_json_uint_of(f, "line", 0)};
        hd_vec_push(&place->stack, frame);
    }
}

void hd_report_places_read(hd_report_places *places, hd_arena *arena, const hd_json_value *from) {
    for (const hd_json_value *p = hd_json_first(from); p; p = p->next) {
        const char *role = hd_json_text_of(p, "role");
        hd_report_place place = {.role = keep(arena, role ? role : "at"),
                                 .thread = keep(arena, hd_json_text_of(p, "thread")),
                                 .text = keep(arena, hd_json_text_of(p, "text")),
                                 .file = keep(arena, hd_json_text_of(p, "file")),
                                 .line = (uint32_t)hd_json_uint_of(p, "line", 0),
                                 .location = keep(arena, hd_json_text_of(p, "location")),
                                 .event = (uint32_t)hd_json_uint_of(p, "event", 0),
                                 .access = read_access(p),
                                 .atomic = hd_json_bool_of(p, "atomic", false)};
        read_parts(&place, arena, p);
        hd_vec_push(places, place);
    }
}

void hd_report_split(hd_arena *arena, const char *location, const char **file, uint32_t *line) {
    *file = NULL;
    *line = 0;
    size_t length;
    if (location && hd_trace_split_location(location, strlen(location), &length, line))
        *file = hd_arena_string(arena, location, length);
}
