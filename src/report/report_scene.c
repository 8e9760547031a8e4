#include "report_scene.h"

#include <stdio.h>
#include <string.h>

static const char *keep(hd_arena *arena, const char *text) {
    return hd_arena_string(arena, text, strlen(text));
}

void hd_report_scene_init(hd_report_scene *scene, const hd_trace *trace) {
    *scene = (hd_report_scene){.trace = trace};
}

void hd_report_scene_release(hd_report_scene *scene) {
    if (scene->built)
        hd_order_held_release(&scene->held);
    hd_order_holds_free(scene->holds);
    hd_report_lines_release(&scene->lines);
    *scene = (hd_report_scene){0};
}

/* As the explorer calls them, and a programmer. */
static const char *const verbs[HEDDLE_KIND_COUNT] = {
    [HEDDLE_READ] = "read",
    [HEDDLE_WRITE] = "write",
    [HEDDLE_RMW] = "read and write",
    [HEDDLE_ATOMIC_READ] = "load",
    [HEDDLE_ATOMIC_WRITE] = "store",
    [HEDDLE_ATOMIC_RMW] = "update",
    [HEDDLE_FREE] = "free",
    [HEDDLE_ACQUIRE] = "lock",
    [HEDDLE_RELEASE] = "unlock",
    [HEDDLE_READ_ACQUIRE] = "lock for reading",
    [HEDDLE_READ_RELEASE] = "unlock, as a reader,",
    [HEDDLE_TRY_ACQUIRE] = "try to lock, and get,",
    [HEDDLE_TRY_READ_ACQUIRE] = "try to lock for reading, and get,",
    [HEDDLE_TRYFAIL] = "try in vain to lock",
    [HEDDLE_FORK] = "create",
    [HEDDLE_JOIN] = "join",
    [HEDDLE_BEGIN] = "begin",
    [HEDDLE_END] = "end",
    [HEDDLE_WAIT] = "wait on",
    [HEDDLE_WAKE] = "wake up on",
    [HEDDLE_NOTIFY] = "signal",
    [HEDDLE_NOTIFYALL] = "broadcast",
    [HEDDLE_BARRIER_IN] = "arrive at",
    [HEDDLE_BARRIER_OUT] = "leave",
    [HEDDLE_SEND] = "send to",
    [HEDDLE_RECV] = "receive from",
    [HEDDLE_POST] = "post",
    [HEDDLE_TAKE] = "take from",
    [HEDDLE_MARK] = "mark",
};

const char *hd_report_event_text(hd_arena *arena, const hd_trace *trace, uint32_t event) {
    enum { MOST = 480 };
    char name[MOST], line[MOST + 64], value[24] = "";
    const heddle_event *it = hd_trace_event(trace, event);
    const char *object = hd_trace_object_name(&trace->tables, it);
    hd_text_printable(name, sizeof name, object, strlen(object));
    if (it->flags & HEDDLE_HAS_VALUE)
        snprintf(value, sizeof value, " = %s", hd_text_value(it->value));
    int length =
        snprintf(line, sizeof line, "%s%s%s%s", verbs[it->kind], *name ? " " : "", name, value);
    return hd_arena_string(arena, line, (size_t)length);
}

static enum hd_report_access access_of(const heddle_event *event) {
    unsigned traits = hd_trace_traits(event);
    bool reads = traits & HEDDLE_T_READS, writes = traits & HEDDLE_T_WRITES;
    if (hd_trace_acquires(event))
        return HD_REPORT_ACQUIRE;
    if (event->kind == HEDDLE_JOIN)
        return HD_REPORT_JOIN;
    if (event->kind == HEDDLE_WAKE || event->kind == HEDDLE_BARRIER_OUT ||
        event->kind == HEDDLE_TAKE || event->kind == HEDDLE_RECV)
        return HD_REPORT_WAIT;
    return reads && writes ? HD_REPORT_READ_WRITE
           : reads         ? HD_REPORT_READ
           : writes        ? HD_REPORT_WRITE
                           : HD_REPORT_NO_ACCESS;
}

static void build_locks(hd_report_scene *scene) {
    hd_trace_index index;
    hd_trace_index_build(&index, scene->trace);
    hd_order_held_build(&scene->held, &index);
    hd_trace_index_release(&index);
    scene->built = true;
}

static void add_lock(const hd_report_scene *scene, hd_arena *arena, hd_report_place *place,
                     hd_order_lock lock) {
    const char *name =
        hd_names_text(&scene->trace->tables.names[HEDDLE_CLASS_LOCK], hd_order_lock_number(lock));
    if (place->locks.length >= HD_REPORT_LOCKS) {
        place->more_locks++;
        return;
    }
    hd_vec_push(&place->locks, (hd_report_lock){keep(arena, name), hd_order_lock_reading(lock)});
}

static void add_kept_locks(hd_report_scene *scene, hd_arena *arena, hd_report_place *place) {
    hd_vec_u32 locks = {0};
    if (!scene->holds)
        scene->holds = hd_order_holds_create(scene->trace);
    hd_order_holds_at(scene->holds, place->event, &locks);
    for (size_t i = 0; i < locks.length; i++)
        add_lock(scene, arena, place, locks.data[i]);
    hd_vec_release(&locks);
}

static void add_locks(hd_report_scene *scene, hd_arena *arena, hd_report_place *place) {
    place->knows_locks = true;
    if (scene->trace->sparse) {
        add_kept_locks(scene, arena, place);
        return;
    }
    if (!scene->built)
        build_locks(scene);
    hd_order_set set =
        hd_order_sets_at(&scene->held.sets, hd_order_held_before(&scene->held, place->event));
    for (uint32_t i = 0; i < set.count; i++)
        add_lock(scene, arena, place, set.locks[i]);
}

static void add_stack(const hd_report_scene *scene, hd_arena *arena, hd_report_place *place) {
    hd_trace_stack_calls stack = {0};
    hd_trace_stack(scene->trace, place->event, &stack);
    for (size_t i = 0; i < stack.length; i++) {
        hd_report_frame frame = {0};
        if (*stack.data[i].function)
            frame.function = keep(arena, stack.data[i].function);
        hd_report_split(arena, stack.data[i].location, &frame.file, &frame.line);
        hd_vec_push(&place->stack, frame);
    }
    hd_vec_release(&stack);
}

hd_report_place hd_report_scene_place(hd_report_scene *scene, hd_arena *arena, const char *role,
                                      uint32_t number) {
    if (!number)
        return (hd_report_place){.role = role, .text = "the initial value"};
    const hd_trace_tables *tables = &scene->trace->tables;
    const heddle_event *event = hd_trace_event(scene->trace, number);
    const char *location = hd_trace_location(tables, event);
    hd_report_place place = {.role = role,
                             .thread = keep(arena, hd_trace_thread_name(tables, event->thread)),
                             .text = hd_report_event_text(arena, scene->trace, number),
                             .event = number,
                             .access = access_of(event),
                             .atomic = (hd_trace_traits(event) & HEDDLE_T_ATOMIC) != 0};
    hd_report_split(arena, location, &place.file, &place.line);
    if (!place.file && location && *location)
        place.location = keep(arena, location);
    add_locks(scene, arena, &place);
    add_stack(scene, arena, &place);
    return place;
}

static void make_places(hd_report_scene *scene, hd_arena *arena, const hd_report_role *roles,
                        size_t count, hd_report_places *places) {
    for (size_t i = 0; i < count; i++)
        hd_vec_push(places, hd_report_scene_place(scene, arena, roles[i].role, roles[i].event));
}

void hd_report_scene_write(hd_report_scene *scene, const hd_report_defect *defect,
                           const hd_report_role *roles, size_t count, hd_json *json) {
    hd_report_defect whole = *defect;
    hd_report_places places = {0};
    hd_arena arena = {0};
    make_places(scene, &arena, roles, count, &places);
    whole.places = &places;
    hd_report_defect_write(&whole, &scene->lines, json);
    hd_report_places_release(&places);
    hd_arena_release(&arena);
}

uint64_t hd_report_scene_identity(hd_report_scene *scene, const hd_report_defect *defect,
                                  const hd_report_role *roles, size_t count) {
    hd_report_defect whole = *defect;
    hd_report_places places = {0};
    hd_arena arena = {0};
    make_places(scene, &arena, roles, count, &places);
    whole.places = &places;
    uint64_t print = hd_report_identity(&whole, &scene->lines);
    hd_report_places_release(&places);
    hd_arena_release(&arena);
    return print;
}
