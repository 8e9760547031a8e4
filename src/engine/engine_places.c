#include "engine_places.h"

#include <stdlib.h>
#include <string.h>

typedef struct scene {
    hd_machine *machine;
    const char *path;
    hd_arena arena;
    hd_report_places places;
    bool stacks; /* they are wanted: each costs a run */
} scene;

static const char *keep(scene *s, const hd_vec_char *text) {
    return text->length ? hd_arena_string(&s->arena, text->data, text->length) : NULL;
}

/* ---- What a thread does next ---- */

static enum hd_report_access access_of(const hd_machine_operation *operation) {
    unsigned modes = 0;
    for (uint32_t i = 0; i < operation->count; i++)
        modes |= operation->accesses[i].mode;
    if (operation->memory == HD_MACHINE_NO_MEMORY)
        return modes & HD_MACHINE_ACQUIRE ? HD_REPORT_ACQUIRE : HD_REPORT_NO_ACCESS;
    return !(modes & HD_MACHINE_WRITE) ? HD_REPORT_READ
           : (modes & HD_MACHINE_READ) ? HD_REPORT_READ_WRITE
                                       : HD_REPORT_WRITE;
}

static void add_stack(scene *s, uint32_t thread, hd_report_place *place) {
    hd_native_frames frames = {0};
    if (!s->stacks || !hd_native_is_machine(s->machine))
        return;
    hd_native_machine_frames(s->machine, thread, &frames);
    for (size_t i = 0; i < frames.all.length; i++) {
        const hd_native_frame *from = &frames.all.data[i];
        hd_report_frame frame = {0};
        frame.function = hd_arena_string(&s->arena, from->function, strlen(from->function));
        hd_report_split(&s->arena, from->place, &frame.file, &frame.line);
        hd_vec_push(&place->stack, frame);
    }
    hd_native_frames_release(&frames);
}

static void add_words(scene *s, uint32_t thread, hd_report_place *place) {
    hd_vec_char words = {0}, variable = {0};
    if (hd_native_is_machine(s->machine))
        hd_native_next_words(s->machine, thread, &words, &variable);
    else
        hd_engine_statement(s->machine, thread, &words);
    place->text = keep(s, &words);
    hd_vec_release(&words);
    hd_vec_release(&variable);
}

static hd_report_place next_place(scene *s, uint32_t thread, const char *role) {
    hd_machine_operation operation = {0};
    hd_report_place place = {.role = role};
    const char *name = s->machine->type->thread_name(s->machine, thread);
    place.thread = hd_arena_string(&s->arena, name, strlen(name));
    if (!s->machine->type->next(s->machine, thread, &operation))
        return place;
    place.access = access_of(&operation);
    if (hd_native_is_machine(s->machine) && hd_native_next_joins(s->machine, thread))
        place.access = HD_REPORT_JOIN;
    if (hd_native_is_machine(s->machine) && hd_native_next_waits(s->machine, thread))
        place.access = HD_REPORT_WAIT;
    place.atomic = operation.memory == HD_MACHINE_ATOMIC;
    char *location = hd_engine_place(s->machine, s->path, operation.position);
    hd_report_split(&s->arena, location, &place.file, &place.line);
    free(location);
    add_words(s, thread, &place);
    return place;
}

/* ---- The accesses of a race ---- */

static int record(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)number;
    (void)step;
    machine->type->record(machine, context);
    return 0;
}

/* What the thread holds at the end of the run. */
static void add_locks(scene *s, const hd_trace *run, const hd_order_held *held,
                      hd_report_place *place) {
    uint32_t last = hd_trace_length(run);
    while (last && strcmp(hd_trace_thread_name(&run->tables, hd_trace_event(run, last)->thread),
                          place->thread) != 0)
        last--;
    place->knows_locks = true;
    if (!last)
        return;
    hd_order_set set = hd_order_sets_at(&held->sets, hd_order_held_after(held, last));
    for (uint32_t i = 0; i < set.count; i++) {
        const char *name = hd_names_text(&run->tables.names[HEDDLE_CLASS_LOCK],
                                         hd_order_lock_number(set.locks[i]));
        hd_vec_push(&place->locks, (hd_report_lock){hd_arena_string(&s->arena, name, strlen(name)),
                                                    hd_order_lock_reading(set.locks[i])});
    }
}

/* The locks that a trace of the run so far says; none are known if it is no proper trace. */
static void add_all_locks(scene *s, hd_trace *run) {
    hd_error error = {""};
    hd_trace_index index;
    hd_order_held held;
    if (!hd_trace_check_all(run, &error))
        return;
    hd_trace_index_build(&index, run);
    hd_order_held_build(&held, &index);
    for (size_t i = 0; i < s->places.length; i++)
        add_locks(s, run, &held, &s->places.data[i]);
    hd_order_held_release(&held);
    hd_trace_index_release(&index);
}

/* The last two steps of the schedule collide: before them both are next. */
static void add_race(scene *s, const hd_steps *schedule) {
    static const char *const roles[] = {"first", "second"};
    const hd_step *last = schedule->data + schedule->length - 2;
    hd_steps prefix = *schedule;
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_trace run;
    hd_trace_init(&run);
    prefix.length -= 2;
    hd_replay_watch watch = {NULL, record, &run};
    bool there = hd_replay_run(s->machine, &prefix, &watch, &outcome, &error);
    for (int i = 0; there && i < 2; i++) {
        hd_vec_push(&s->places, next_place(s, last[i].thread, roles[i]));
        if (hd_native_is_machine(s->machine) && hd_native_next_uses(s->machine, last[i].thread))
            hd_vec_last(&s->places)->access = HD_REPORT_USE;
    }
    /* Stacks are those of threads that wait. */
    hd_native_machine_manner(s->machine,
                             (hd_native_manner){.parked = (uint32_t)HD_NATIVE_ALL_PARKED});
    for (int i = 0; there && i < 2; i++)
        add_stack(s, last[i].thread, &s->places.data[i]);
    hd_native_machine_manner(s->machine, (hd_native_manner){0});
    if (there)
        add_all_locks(s, &run);
    hd_trace_release(&run);
}

/* Before the step that is the access it is next. */
static void add_next(scene *s, const hd_steps *schedule, size_t step, const char *role) {
    hd_steps prefix = *schedule;
    hd_replay_outcome outcome;
    hd_error error = {""};
    uint32_t thread = schedule->data[step - 1].thread;
    prefix.length = step - 1;
    if (!hd_replay_run(s->machine, &prefix, NULL, &outcome, &error))
        return;
    hd_vec_push(&s->places, next_place(s, thread, role));
    hd_native_machine_manner(s->machine,
                             (hd_native_manner){.parked = (uint32_t)HD_NATIVE_ALL_PARKED});
    add_stack(s, thread, hd_vec_last(&s->places));
    hd_native_machine_manner(s->machine, (hd_native_manner){0});
}

/* The last step, and the one that does not happen before it. */
static void add_unordered(scene *s, const hd_steps *schedule) {
    hd_replay_outcome outcome;
    hd_error error = {""};
    if (!hd_replay_run_unordered(s->machine, schedule, &outcome, &error) || !outcome.unordered)
        return;
    size_t earlier = outcome.earlier;
    add_next(s, schedule, earlier, "first");
    add_next(s, schedule, schedule->length, "second");
}

/* ---- Who waits ---- */

static hd_report_place waiting_place(scene *s, const hd_replay_wait *wait) {
    hd_report_place place = next_place(s, wait->thread, "waits");
    add_stack(s, wait->thread, &place);
    if (wait->kind != HD_REPLAY_WAITS_LOCK || !place.text)
        return place;
    char *text = NULL;
    const char *holder = wait->holder == wait->thread
                             ? "itself"
                             : s->machine->type->thread_name(s->machine, wait->holder);
    int length = asprintf(&text, "%s, which %s holds", place.text, holder);
    if (length < 0)
        hd_mem_made(NULL);
    place.text = hd_arena_string(&s->arena, text, (size_t)length);
    free(text);
    return place;
}

/* The threads that wait for a lock of another come first: it is theirs. */
static void add_waits(scene *s, const hd_steps *schedule) {
    hd_replay_waits waits = {0};
    hd_error error = {""};
    hd_replay_find_waits(s->machine, schedule, &waits, &error);
    for (int of_locks = 1; of_locks >= 0; of_locks--)
        for (size_t i = 0; i < waits.length; i++)
            if ((waits.data[i].kind == HD_REPLAY_WAITS_LOCK) == of_locks)
                hd_vec_push(&s->places, waiting_place(s, &waits.data[i]));
    hd_vec_release(&waits);
}

/* ---- Who goes round ---- */

/* Of each thread of the cycle, its first step there. */
static void add_cycle(scene *s, const hd_steps *schedule) {
    hd_replay_outcome outcome, there;
    hd_error error = {""};
    uint64_t seen = 0;
    if (!hd_replay_run_livelock(s->machine, schedule, &outcome, &error) || !outcome.cycle)
        return;
    for (size_t i = outcome.before; i < schedule->length; i++) {
        hd_steps prefix = *schedule;
        uint64_t bit = UINT64_C(1) << schedule->data[i].thread;
        prefix.length = i;
        if (!(seen & bit) && hd_replay_run(s->machine, &prefix, NULL, &there, &error))
            hd_vec_push(&s->places, next_place(s, schedule->data[i].thread, "at"));
        seen |= bit;
    }
}

/* ---- What failed ---- */

/* The innermost place that is known. */
static void place_by_stack(hd_report_place *place) {
    for (size_t i = 0; i < place->stack.length; i++)
        if (place->stack.data[i].file) {
            place->file = place->stack.data[i].file;
            place->line = place->stack.data[i].line;
            return;
        }
}

static void add_failure(scene *s, const hd_engine_shown *shown) {
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_report_place place = {.role = "at"};
    hd_report_split(&s->arena, shown->location, &place.file, &place.line);
    if (hd_native_is_machine(s->machine) &&
        hd_replay_run(s->machine, shown->schedule, NULL, &outcome, &error)) {
        uint32_t last = hd_native_failed_thread(s->machine);
        uint32_t thread = s->stacks ? hd_native_fallen_thread(s->machine) : last;
        const char *name = s->machine->type->thread_name(s->machine, thread);
        place.thread = hd_arena_string(&s->arena, name, strlen(name));
        add_stack(s, thread, &place);
        if (thread != last) /* the place is that of another thread's step */
            place_by_stack(&place);
    }
    if (place.file || place.thread)
        hd_vec_push(&s->places, place);
    else
        hd_vec_release(&place.stack);
}

static void add_places(scene *s, const hd_engine_shown *shown) {
    hd_replay_prepare(s->machine, shown->claim);
    if (shown->claim == HD_REPLAY_RACE)
        add_race(s, shown->schedule);
    else if (shown->claim == HD_REPLAY_UNORDERED)
        add_unordered(s, shown->schedule);
    else if (shown->claim == HD_REPLAY_STUCK)
        add_waits(s, shown->schedule);
    else if (shown->claim == HD_REPLAY_LIVELOCK)
        add_cycle(s, shown->schedule);
    else if (shown->claim == HD_REPLAY_VIOLATION)
        add_failure(s, shown);
}

static void release(scene *s) {
    hd_report_places_release(&s->places);
    hd_arena_release(&s->arena);
}

void hd_engine_shown_write(const hd_engine_shown *shown, hd_json *json) {
    scene s = {.machine = shown->machine, .path = shown->path, .stacks = true};
    hd_report_lines lines = {0};
    add_places(&s, shown);
    hd_report_defect_write(&(hd_report_defect){.rule = shown->rule,
                                               .variable = shown->variable,
                                               .message = shown->message,
                                               .places = &s.places,
                                               .unordered = shown->claim == HD_REPLAY_UNORDERED},
                           &lines, json);
    hd_report_lines_release(&lines);
    release(&s);
}

void hd_engine_shown_take(const hd_engine_shown *shown, hd_arena *arena, hd_report_places *places) {
    scene s = {.machine = shown->machine, .path = shown->path, .stacks = true, .arena = *arena};
    add_places(&s, shown);
    *arena = s.arena;
    *places = s.places;
}

void hd_engine_shown_places(const hd_engine_shown *shown, hd_json *json) {
    scene s = {.machine = shown->machine, .path = shown->path, .stacks = true};
    add_places(&s, shown);
    hd_report_places_write(&s.places, json);
    release(&s);
}

uint64_t hd_engine_shown_identity(const hd_engine_shown *shown) {
    scene s = {.machine = shown->machine, .path = shown->path};
    hd_report_lines lines = {0};
    add_places(&s, shown);
    uint64_t print = hd_report_identity(&(hd_report_defect){.rule = shown->rule,
                                                            .variable = shown->variable,
                                                            .message = shown->message,
                                                            .places = &s.places},
                                        &lines);
    hd_report_lines_release(&lines);
    release(&s);
    return print;
}

void hd_engine_stacks_before(hd_machine *machine, const hd_steps *schedule, const char *indent,
                             char *stacks[2]) {
    hd_steps prefix = *schedule;
    const hd_step *last = prefix.data + prefix.length - 2;
    hd_replay_outcome outcome;
    hd_error error = {""};
    prefix.length -= 2;
    bool there = hd_replay_run(machine, &prefix, NULL, &outcome, &error);
    hd_native_machine_manner(machine, (hd_native_manner){.parked = (uint32_t)HD_NATIVE_ALL_PARKED});
    for (int i = 0; i < 2; i++) {
        hd_vec_char text = {0};
        if (there)
            hd_native_machine_stack(machine, last[i].thread, indent, &text);
        stacks[i] = hd_mem_string(text.length ? text.data : "", text.length);
        hd_vec_release(&text);
    }
    hd_native_machine_manner(machine, (hd_native_manner){0});
}
