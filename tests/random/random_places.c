/*
 * Places of events: against the trace read line by line, and through JSON and back.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"
#include "support_files.h"
#include "support_random.h"

/* How often the thread holds the lock before the event, counted one by one. */
static int depth_before(const hd_trace *trace, uint32_t event, uint32_t lock, bool reading) {
    int depth = 0;
    for (uint32_t n = 1; n < event; n++) {
        const heddle_event *it = hd_trace_event(trace, n);
        if (it->thread != hd_trace_event(trace, event)->thread || it->object != lock)
            continue;
        depth += hd_trace_acquires(it) && hd_trace_is_shared(it) == reading;
        depth -= hd_trace_releases(it) && hd_trace_is_shared(it) == reading;
    }
    return depth;
}

static bool has_lock(const hd_report_place *place, const char *name, bool reading) {
    for (size_t i = 0; i < place->locks.length; i++)
        if (strcmp(place->locks.data[i].name, name) == 0 && place->locks.data[i].reading == reading)
            return true;
    return false;
}

static bool right_locks(const hd_trace *trace, const hd_report_place *place) {
    const hd_names *names = &trace->tables.names[HEDDLE_CLASS_LOCK];
    size_t held = 0;
    for (uint32_t lock = 0; lock < names->length; lock++)
        for (int reading = 0; reading < 2; reading++) {
            bool holds = depth_before(trace, place->event, lock, reading) > 0;
            held += holds;
            if (holds != has_lock(place, hd_names_text(names, lock), reading))
                return false;
        }
    return place->knows_locks && held == place->locks.length;
}

static bool same(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_place(const hd_report_place *a, const hd_report_place *b) {
    bool good = same(a->role, b->role) && same(a->thread, b->thread) && same(a->text, b->text) &&
                same(a->file, b->file) && a->line == b->line && same(a->location, b->location) &&
                a->event == b->event && a->access == b->access && a->atomic == b->atomic &&
                a->knows_locks == b->knows_locks && a->locks.length == b->locks.length &&
                a->stack.length == b->stack.length;
    for (size_t i = 0; good && i < a->locks.length; i++)
        good = has_lock(b, a->locks.data[i].name, a->locks.data[i].reading);
    for (size_t i = 0; good && i < a->stack.length; i++)
        good = same(a->stack.data[i].function, b->stack.data[i].function) &&
               same(a->stack.data[i].file, b->stack.data[i].file) &&
               a->stack.data[i].line == b->stack.data[i].line;
    return good;
}

/* Writes them to a file and reads them again. */
static bool round_trip(const hd_report_places *places, char *why, size_t size) {
    char path[256];
    hd_error error = {""};
    hd_json json;
    hd_json_document document;
    hd_arena arena = {0};
    hd_report_places back = {0};
    support_temporary(path, sizeof path, "places");
    hd_file *file = hd_file_create(path, &error);
    hd_json_init(&json, file);
    hd_json_open(&json, NULL, '{');
    hd_report_places_write(places, &json);
    hd_json_close(&json);
    hd_json_end(&json);
    bool good = hd_file_commit(file, &error) && hd_json_load(&document, path, &error);
    unlink(path);
    if (!good) {
        snprintf(why, size, "%s", error.text);
        return false;
    }
    hd_report_places_read(&back, &arena, hd_json_get(document.root, "places"));
    good = back.length == places->length;
    for (size_t i = 0; good && i < back.length; i++)
        good = same_place(&places->data[i], &back.data[i]);
    if (!good)
        snprintf(why, size, "other places come back");
    hd_report_places_release(&back);
    hd_arena_release(&arena);
    hd_json_release(&document);
    return good;
}

static void add_stack(hd_report_place *place, hd_random *random) {
    static const char *const names[] = {"main", "<b>&", "\"\\", "a\tb", "\xc3\xbc", NULL};
    for (uint64_t i = hd_random_below(random, 4); i > 0; i--) {
        hd_report_frame frame = {.function = names[hd_random_below(random, 6)]};
        frame.file = names[hd_random_below(random, 6)];
        frame.line = frame.file ? (uint32_t)hd_random_below(random, 100) : 0;
        hd_vec_push(&place->stack, frame);
    }
}

/* The place says whose it is, what of, with which value, and where. */
static bool right_words(const hd_trace *trace, const hd_report_place *place) {
    const heddle_event *event = hd_trace_event(trace, place->event);
    const hd_trace_tables *tables = &trace->tables;
    char object[256], value[32], where[256] = "";
    snprintf(object, sizeof object, " %s", hd_trace_object_name(tables, event));
    snprintf(value, sizeof value, " = %lld", (long long)event->value);
    bool valued = event->flags & HEDDLE_HAS_VALUE;
    size_t length = strlen(place->text), tail = valued ? strlen(value) : 0;
    size_t name = object[1] ? strlen(object) : 0;
    if (place->file)
        snprintf(where, sizeof where, "%s:%u", place->file, place->line);
    else if (place->location)
        snprintf(where, sizeof where, "%s", place->location);
    return length >= tail + name && strncmp(place->text + length - tail, value, tail) == 0 &&
           strncmp(place->text + length - tail - name, object, name) == 0 &&
           strcmp(place->thread, hd_trace_thread_name(tables, event->thread)) == 0 &&
           strcmp(where, hd_trace_location(tables, event)) == 0;
}

static bool check_places(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    hd_report_scene scene;
    hd_report_places places = {0};
    hd_arena arena = {0};
    bool good = true;
    hd_report_scene_init(&scene, trace);
    for (uint32_t n = 0; good && n <= hd_trace_length(trace); n++) {
        hd_report_place place = hd_report_scene_place(&scene, &arena, "at", n);
        good = n == 0 ? !place.event : right_words(trace, &place) && right_locks(trace, &place);
        if (!good)
            snprintf(why, size, "event %u: %.80s", n, place.text);
        add_stack(&place, random);
        hd_vec_push(&places, place);
    }
    good = good && round_trip(&places, why, size);
    hd_report_places_release(&places);
    hd_arena_release(&arena);
    hd_report_scene_release(&scene);
    return good;
}

SUPPORT_SUITE(random_places) {
    static const support_property properties[] = {
        {"places are what the trace says", {4, 60, 4, 4, SUPPORT_ALL}, check_places},
        {"places are what the trace says, many locks",
         {3, 40, 8, 2, SUPPORT_LOCKS | SUPPORT_REENTRANT | SUPPORT_RWLOCKS},
         check_places},
    };
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
