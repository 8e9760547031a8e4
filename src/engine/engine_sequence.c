#include "engine_sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "launch/launch.h"
#include "report/report.h"

static const char asks[] = "__VERIFIER_nondet_";

typedef struct maker {
    const hd_engine_shown *shown;
    const hd_engine_source *source;
    hd_report_sequence *sequence;
    hd_arena *arena;
    uint32_t position; /* of the step that is being taken */
} maker;

static const char *keep(maker *m, const char *text, size_t length) {
    char *copy = hd_arena_alloc(m->arena, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* ---- Inputs ---- */

static int before(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    maker *m = context;
    hd_machine_operation operation;
    (void)number;
    m->position = machine->type->next(machine, step->thread, &operation) ? operation.position : 0;
    return 0;
}

/* As the function returns it: the name in the line says whether it has a sign. */
static const char *result_of(maker *m, uint32_t line, int64_t value) {
    static const char *const names[] = {"u",       "size_t",   "pthread_t", "sector_t",
                                        "pointer", "unsigned", NULL};
    const struct hd_engine_source_line *it = &m->source->lines.data[line - 1];
    const char *type =
        it->begin + hd_engine_source_column(m->source, line, asks) - 1 + strlen(asks);
    bool plain = false;
    char text[32];
    for (size_t i = 0; names[i]; i++)
        plain |= strncmp(type, names[i], strlen(names[i])) == 0;
    int length = plain ? snprintf(text, sizeof text, "%llu", (unsigned long long)value)
                       : snprintf(text, sizeof text, "%lld", (long long)value);
    return keep(m, text, (size_t)length);
}

/* A waypoint that is missing says less; one at another call would be wrong. */
static void add_input(maker *m, hd_machine *machine, int64_t value) {
    hd_vec_char place = {0}, function = {0};
    hd_native_place(machine, m->position, &place);
    hd_native_function(machine, m->position, &function);
    const char *colon = place.length ? strrchr(place.data, ':') : NULL;
    if (colon) {
        const char *file = keep(m, place.data, (size_t)(colon - place.data));
        uint32_t line =
            hd_engine_source_find(m->source, file, (uint32_t)strtoul(colon + 1, NULL, 10), asks);
        uint32_t column = line ? hd_engine_source_call(m->source, line, asks) : 0;
        if (column)
            hd_vec_push(
                &m->sequence->waypoints,
                (hd_report_waypoint){.result = result_of(m, line, value),
                                     .line = line,
                                     .column = column,
                                     .function = function.length
                                                     ? keep(m, function.data, strlen(function.data))
                                                     : NULL});
    }
    hd_vec_release(&place);
    hd_vec_release(&function);
}

static int after(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    maker *m = context;
    hd_vec_char variable = {0};
    int64_t value;
    (void)number;
    (void)step;
    if (hd_native_step_value(machine, &variable, &value) && variable.length == strlen("input") &&
        memcmp(variable.data, "input", variable.length) == 0)
        add_input(m, machine, value);
    hd_vec_release(&variable);
    return 0;
}

/* ---- The target ---- */

static bool is_error(const char *function) {
    return function &&
           (strcmp(function, "reach_error") == 0 || strcmp(function, "__VERIFIER_error") == 0);
}

/* The call, not the function that is called; of a race, the later access. */
static hd_report_frame frame_of(const hd_report_places *places) {
    const hd_report_place *place = &places->data[places->length - 1];
    hd_report_frame frame = {.file = place->file, .line = place->line};
    size_t i = 0;
    while (i + 1 < place->stack.length && is_error(place->stack.data[i].function))
        i++;
    return i < place->stack.length && place->stack.data[i].file ? place->stack.data[i] : frame;
}

static bool add_target(maker *m, enum hd_engine_property property, hd_error *error) {
    hd_report_places places = {0};
    hd_engine_shown_take(m->shown, m->arena, &places);
    hd_report_frame frame = places.length ? frame_of(&places) : (hd_report_frame){0};
    hd_report_waypoint target = {.target = true, .function = frame.function};
    const char *word = NULL;
    if (frame.file && property == HD_ENGINE_UNREACH_CALL)
        for (int i = 0; i < 2 && !target.line; i++) {
            word = i ? "__VERIFIER_error" : "reach_error";
            target.line = hd_engine_source_find(m->source, frame.file, frame.line, word);
        }
    if (target.line)
        target.column = hd_engine_source_column(m->source, target.line, word);
    else if (frame.file)
        target.line = hd_engine_source_find(m->source, frame.file, frame.line, NULL);
    bool good = target.line != 0;
    if (!good)
        hd_error_set(error, "%s: the place of the violation is not a line of it",
                     hd_text_name(m->sequence->source));
    hd_vec_push(&m->sequence->waypoints, target);
    hd_report_places_release(&places);
    return good;
}

/* ---- All of it ---- */

static bool is_c(const char *path) {
    size_t length = strlen(path);
    return length > 2 && path[length - 2] == '.' && strchr("ci", path[length - 1]);
}

static bool make(maker *m, enum hd_engine_property property, hd_error *error) {
    hd_replay_outcome outcome;
    hd_replay_watch watch = {.before = before, .after = after, .context = m};
    return hd_replay_run(m->shown->machine, m->shown->schedule, &watch, &outcome, error) &&
           add_target(m, property, error);
}

bool hd_engine_sequence_save(const hd_engine_shown *shown, enum hd_engine_property property,
                             const char *source, const char *path, hd_error *error) {
    hd_engine_source text;
    hd_arena arena = {0};
    hd_report_sequence sequence = {.source = source,
                                   .specification = hd_engine_property_specification(property),
                                   .narrow = hd_launch_old_narrow()};
    if (!is_c(source))
        return hd_error_set(error,
                            "%s: a witness of the competition speaks of lines of C: ask "
                            "about the source",
                            hd_text_name(source));
    if (!hd_engine_source_load(&text, source, error))
        return false;
    maker m = {.shown = shown, .source = &text, .sequence = &sequence, .arena = &arena};
    bool good = make(&m, property, error) && hd_report_sequence_write(&sequence, path, error);
    hd_vec_release(&sequence.waypoints);
    hd_arena_release(&arena);
    hd_engine_source_release(&text);
    return good;
}
