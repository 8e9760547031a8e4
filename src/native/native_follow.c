#include "native_follow.h"

#include <stdio.h>
#include <stdlib.h>

enum { ADDRESS_BITS = 32 }; /* a pointer is at least 1 << that */

/* --- loading -------------------------------------------------------------------------------- */

/* Threads by their births, as the program numbers them. */
typedef struct births {
    hd_vec_u32 numbers; /* thread of the trace: number + 1 */
    uint32_t count;
} births;

static uint32_t *number_of(births *by, uint32_t thread) {
    if (by->numbers.length <= thread)
        hd_vec_resize(&by->numbers, (size_t)thread + 1);
    return &by->numbers.data[thread];
}

static void add_step(hd_launch_schedule *schedule, uint32_t thread) {
    size_t length = schedule->runs.length;
    if (length && schedule->runs.data[length - 1].thread == thread)
        schedule->runs.data[length - 1].steps++;
    else
        hd_vec_push(&schedule->runs, (heddle_wire_run){thread, 1});
}

static bool add_event(hd_native_followed *followed, births *by, const hd_trace_tables *tables,
                      const heddle_event *event, hd_error *error) {
    const hd_names *threads = &tables->names[HEDDLE_CLASS_THREAD];
    const char *name = hd_names_text(threads, event->thread);
    uint32_t *number = number_of(by, event->thread);
    if (!by->count && strcmp(name, "main") == 0)
        *number = ++by->count;
    if (!*number || !by->count)
        return hd_error_set(error,
                            "%s: thread %.80s has no creator: this is not what 'heddle record' "
                            "wrote of a program",
                            followed->path, name);
    if (!(event->flags & HEDDLE_CONTINUED))
        add_step(&followed->schedule, *number - 1);
    if (event->kind == HEDDLE_FORK && !*number_of(by, event->object))
        *number_of(by, event->object) = ++by->count;
    return true;
}

static bool read_events(hd_native_followed *followed, hd_trace_cursor *cursor, hd_error *error) {
    hd_trace_batch batch;
    births by = {0};
    int more = 0;
    bool good = true;
    while (good && (more = hd_trace_cursor_next(cursor, &batch, error)) > 0) {
        for (size_t i = 0; good && i < batch.count && followed->events < followed->to; i++) {
            good =
                add_event(followed, &by, hd_trace_cursor_tables(cursor), &batch.events[i], error);
            followed->events++;
        }
        followed->all += batch.count;
    }
    hd_vec_release(&by.numbers);
    return good && more == 0;
}

static void keep_inputs(hd_native_followed *followed, const hd_trace_end *end) {
    for (size_t i = 0; end && i < end->inputs.length; i++)
        hd_vec_push(&followed->words,
                    hd_mem_string(end->inputs.data[i], strlen(end->inputs.data[i])));
}

bool hd_native_follow_load(hd_native_followed *followed, const char *path, uint64_t to,
                           hd_error *error) {
    *followed = (hd_native_followed){.path = path, .to = to ? to : UINT64_MAX};
    hd_trace_cursor *cursor = hd_trace_cursor_open(path, 0, error);
    if (!cursor)
        return false;
    bool good =
        strcmp(hd_trace_cursor_format(cursor), "binary") == 0 ||
        hd_error_set(error,
                     "%s: neither a witness nor a recording: text does not say which events "
                     "are one access; record it as .htr",
                     path);
    good = good && read_events(followed, cursor, error);
    if (good && !followed->events)
        good = hd_error_set(error, "%s: a recording without events", path);
    if (good) {
        const char *build = hd_trace_cursor_build(cursor);
        snprintf(followed->build, sizeof followed->build, "%s", build ? build : "");
        keep_inputs(followed, hd_trace_cursor_end(cursor));
        followed->guessed = hd_trace_cursor_guessed(cursor);
        followed->incomplete = hd_trace_cursor_incomplete(cursor);
        followed->switches = followed->schedule.runs.length - 1;
    } else
        hd_native_followed_release(followed);
    hd_trace_cursor_close(cursor);
    return good;
}

bool hd_native_follow_reordered(hd_native_followed *followed, const char *path,
                                const hd_native_reordered *reordered, bool stops, uint64_t to,
                                hd_error *error) {
    births by = {0};
    bool good = true;
    size_t all = reordered->events.length;
    *followed = (hd_native_followed){.path = path, .reordered = reordered};
    followed->to = to && to < all ? to : all;
    keep_inputs(followed, reordered->end);
    for (; good && followed->events < followed->to; followed->events++)
        good = add_event(followed, &by, reordered->tables,
                         &reordered->events.data[followed->events], error);
    followed->all = all + stops;
    size_t runs = followed->schedule.runs.length;
    followed->switches = runs ? runs - 1 : 0;
    hd_vec_release(&by.numbers);
    if (!good)
        hd_native_followed_release(followed);
    return good;
}

void hd_native_followed_release(hd_native_followed *followed) {
    for (size_t i = 0; i < followed->words.length; i++)
        free(followed->words.data[i]);
    hd_vec_release(&followed->words);
    hd_launch_schedule_release(&followed->schedule);
}

hd_launch_options hd_native_follow_options(const hd_native_followed *followed, char **argv) {
    return (hd_launch_options){.argv = argv,
                               .limit = (uint64_t)4096 << 20,
                               .calls = true,
                               .patience = 10,
                               .schedule = followed->schedule.runs.data,
                               .schedule_runs = followed->schedule.runs.length,
                               .by_events = true,
                               .words = followed->words.data,
                               .word_count = followed->words.length,
                               .stops = followed->events < followed->all};
}

bool hd_native_follow_run(const hd_native_followed *followed, char **argv, bool aside,
                          hd_launch_run *run, hd_error *error) {
    hd_launch_options how = hd_native_follow_options(followed, argv);
    how.aside = aside;
    return hd_launch_run_program(run, &how, error);
}

/* --- comparing ------------------------------------------------------------------------------ */

/* An event of the recording that the program has not done yet. */
typedef struct waiting {
    heddle_event event;
    uint64_t number;
} waiting;

typedef struct queue {
    HD_VEC(waiting) all;
    size_t first;
} queue;

typedef struct comparing {
    const hd_native_followed *followed;
    hd_trace_cursor *cursor;
    hd_error *error;
    bool failed, ended; /* the recording could not be read; is at its end */
    uint64_t read;
    HD_VEC(queue) queues; /* by thread of the recording */
    hd_vec_u32 threads;   /* thread of the run: that of the recording + 1 */
    hd_map objects;       /* of the recording, by class: the run's + 1 */
    hd_recording_sink *sink;
    void *to;
    uint64_t given;
    hd_native_difference *difference;
} comparing;

static const hd_trace_tables *recorded_tables(const comparing *c) {
    return c->cursor ? hd_trace_cursor_tables(c->cursor) : c->followed->reordered->tables;
}

static void add_waiting(comparing *c, const heddle_event *event) {
    if (c->queues.length <= event->thread)
        hd_vec_resize(&c->queues, (size_t)event->thread + 1);
    hd_vec_push(&c->queues.data[event->thread].all, (waiting){*event, ++c->read});
}

static void read_more(comparing *c) {
    hd_trace_batch batch;
    if (!c->cursor) {
        while (c->read < c->followed->to)
            add_waiting(c, &c->followed->reordered->events.data[c->read]);
        c->ended = true;
        return;
    }
    int more = c->read < c->followed->to ? hd_trace_cursor_next(c->cursor, &batch, c->error) : 0;
    c->failed |= more < 0;
    c->ended |= more <= 0;
    for (size_t i = 0; more > 0 && i < batch.count && c->read < c->followed->to; i++)
        add_waiting(c, &batch.events[i]);
}

static const waiting *head_of(comparing *c, uint32_t thread) {
    for (;;) {
        queue *it = thread < c->queues.length ? &c->queues.data[thread] : NULL;
        if (it && it->first < it->all.length)
            return &it->all.data[it->first];
        if (it) {
            hd_vec_clear(&it->all);
            it->first = 0;
        }
        if (c->ended)
            return NULL;
        read_more(c);
    }
}

/* The recording's number of a thread of the run; it may come later. */
static bool find_thread(comparing *c, const hd_trace_tables *tables, uint32_t thread,
                        uint32_t *found) {
    if (c->threads.length <= thread)
        hd_vec_resize(&c->threads, (size_t)thread + 1);
    uint32_t *known = &c->threads.data[thread];
    const hd_names *names = &tables->names[HEDDLE_CLASS_THREAD];
    while (!*known) {
        const hd_trace_tables *recorded = recorded_tables(c);
        uint32_t number =
            hd_names_find(&recorded->names[HEDDLE_CLASS_THREAD], hd_names_text(names, thread),
                          strlen(hd_names_text(names, thread)));
        if (number != HD_NAMES_NONE)
            *known = number + 1;
        else if (c->ended)
            return false;
        else
            read_more(c);
    }
    *found = *known - 1;
    return true;
}

/* Objects whose name does not mean the same in every run. */
static bool is_vague(const char *name) {
    return strncmp(name, "stack of ", strlen("stack of ")) == 0 || strncmp(name, "0x", 2) == 0 ||
           strncmp(name, "thread-local ", strlen("thread-local ")) == 0 ||
           strstr(name, " in ") != NULL;
}

static bool same_name(comparing *c, const hd_trace_tables *tables, unsigned class, uint32_t a,
                      uint32_t b, bool *vague) {
    bool added;
    uint32_t *known = hd_map_at(&c->objects, (uint64_t) class << 32 | a, &added);
    const hd_trace_tables *recorded = recorded_tables(c);
    const char *x = hd_names_text(&recorded->names[class], a);
    const char *y = hd_names_text(&tables->names[class], b);
    *vague = class == HEDDLE_CLASS_VARIABLE && (is_vague(x) || is_vague(y));
    if (*known == b + 1 || *vague)
        return true;
    if (strcmp(x, y) != 0)
        return false;
    *known = b + 1;
    return true;
}

/* Bytes of the value, which begin at the same address: the run may split memory where the recording
 * does not, or the other way round, as it has fewer accesses or others. */
static uint64_t low_bytes(const heddle_event *event, unsigned size) {
    return size && size < 8 ? (uint64_t)event->value & ((UINT64_C(1) << 8 * size) - 1)
                            : (uint64_t)event->value;
}

/* Pointers differ where memory is at other addresses. */
static bool same_value(const heddle_event *a, const heddle_event *b) {
    unsigned size = a->size < b->size ? a->size : b->size;
    if (!(a->flags & b->flags & HEDDLE_HAS_VALUE) || a->value == b->value ||
        (a->size != b->size && low_bytes(a, size) == low_bytes(b, size)))
        return true;
    return (uint64_t)a->value >> ADDRESS_BITS && (uint64_t)b->value >> ADDRESS_BITS;
}

static bool is_same(comparing *c, const hd_trace_tables *tables, const heddle_event *a,
                    const heddle_event *b) {
    bool vague, unused;
    if (a->kind != b->kind ||
        !same_name(c, tables, HEDDLE_CLASS_LOCATION, a->location, b->location, &unused) ||
        !same_name(c, tables, hd_trace_kinds[a->kind].class, a->object, b->object, &vague))
        return false;
    return vague || same_value(a, b);
}

static void differ(comparing *c, const waiting *it, const hd_trace_tables *tables,
                   const heddle_event *now) {
    hd_native_difference *to = c->difference;
    if (to->event && to->event <= it->number)
        return;
    *to = (hd_native_difference){.event = it->number,
                                 .guessed = (it->event.flags & HEDDLE_GUESSED) != 0};
    hd_trace_print(to->recorded, sizeof to->recorded, recorded_tables(c), &it->event);
    if (now)
        hd_trace_print(to->now, sizeof to->now, tables, now);
}

static void compare(comparing *c, const hd_trace_tables *tables, const heddle_event *event) {
    uint32_t thread;
    const waiting *it = find_thread(c, tables, event->thread, &thread) ? head_of(c, thread) : NULL;
    /* Not all recorders record what calls store. */
    while (it && !c->difference->event && !is_same(c, tables, &it->event, event)) {
        if (event->flags & HEDDLE_CONTINUED)
            return;
        if (!(it->event.flags & HEDDLE_CONTINUED)) {
            differ(c, it, tables, event);
            return;
        }
        c->queues.data[thread].first++;
        it = head_of(c, thread);
    }
    if (it &&
        !c->difference->event) /* else past the end of the recording, or the run already differs */
        c->queues.data[thread].first++;
}

static bool take_events(void *context, const hd_trace_tables *tables, const heddle_event *events,
                        size_t count) {
    comparing *c = context;
    for (size_t i = 0; i < count && !c->failed; i++)
        compare(c, tables, &events[i]);
    bool whole = c->followed->events == c->followed->all;
    uint64_t left = c->followed->events - c->given;
    size_t shown = whole || count < left ? count : (size_t)left;
    c->given += shown;
    if (c->sink && shown)
        c->sink(c->to, tables, events, shown);
    return !c->failed;
}

/* Finds events that the program never did. */
static void find_missing(comparing *c) {
    while (!c->ended)
        read_more(c);
    for (size_t i = 0; i < c->queues.length; i++) {
        const queue *it = &c->queues.data[i];
        size_t at = it->first;
        while (at < it->all.length && it->all.data[at].event.flags & HEDDLE_CONTINUED)
            at++;
        if (at < it->all.length)
            differ(c, &it->all.data[at], NULL, NULL);
    }
}

bool hd_native_follow_compare(const hd_native_followed *followed, const hd_launch_run *run,
                              hd_recording_sink *sink, void *to, hd_native_difference *difference,
                              hd_error *error) {
    hd_trace_tables tables;
    hd_recording_summary summary = {0};
    hd_trace_tables_init(&tables);
    *difference = (hd_native_difference){0};
    comparing c = {.followed = followed,
                   .cursor =
                       followed->reordered ? NULL : hd_trace_cursor_open(followed->path, 0, error),
                   .error = error,
                   .sink = sink,
                   .to = to,
                   .difference = difference};
    if (!c.cursor && !followed->reordered)
        return false;
    bool good =
        hd_recording_events(run, &tables, NULL, take_events, &c, &summary, error) && !c.failed;
    if (good && !difference->event)
        find_missing(&c);
    for (size_t i = 0; i < c.queues.length; i++)
        hd_vec_release(&c.queues.data[i].all);
    hd_vec_release(&c.queues);
    hd_vec_release(&c.threads);
    hd_map_release(&c.objects);
    hd_trace_tables_release(&tables);
    if (c.cursor)
        hd_trace_cursor_close(c.cursor);
    if (followed->reordered && difference->event)
        difference->event = followed->reordered->numbers.data[difference->event - 1];
    return good && !c.failed;
}
