#include "recording_class.h"

#include <stdlib.h>

#include <xxhash.h>

/* How many events of each thread are in the past; grows with the threads. */
typedef struct past {
    hd_vec_u32 counts;
} past;

typedef struct object {
    past written; /* the last write, or the last event on an object that is not a variable */
    past read;    /* the same and all reads since */
} object;

struct hd_recording_class {
    HD_VEC(past) threads;
    HD_VEC(uint64_t) thread_names; /* hashes */
    HD_VEC(object) objects[HEDDLE_CLASS_COUNT];
    uint64_t sum;
};

hd_recording_class *hd_recording_class_create(void) {
    return HD_NEW(hd_recording_class);
}

static void release_objects(hd_recording_class *class) {
    for (int i = 0; i < HEDDLE_CLASS_COUNT; i++) {
        for (size_t j = 0; j < class->objects[i].length; j++) {
            hd_vec_release(&class->objects[i].data[j].written.counts);
            hd_vec_release(&class->objects[i].data[j].read.counts);
        }
        hd_vec_release(&class->objects[i]);
    }
}

void hd_recording_class_free(hd_recording_class *class) {
    if (!class)
        return;
    release_objects(class);
    for (size_t i = 0; i < class->threads.length; i++)
        hd_vec_release(&class->threads.data[i].counts);
    hd_vec_release(&class->threads);
    hd_vec_release(&class->thread_names);
    free(class);
}

static void join_pasts(past *to, const past *from) {
    if (to->counts.length < from->counts.length)
        hd_vec_resize(&to->counts, from->counts.length);
    for (size_t i = 0; i < from->counts.length; i++)
        if (to->counts.data[i] < from->counts.data[i])
            to->counts.data[i] = from->counts.data[i];
}

static uint64_t name_hash(const hd_names *names, uint32_t id) {
    return XXH3_64bits(hd_names_text(names, id), hd_names_size(names, id));
}

static past *thread_at(hd_recording_class *class, const hd_trace_tables *tables, uint32_t thread) {
    const hd_names *names = &tables->names[HEDDLE_CLASS_THREAD];
    while (class->threads.length <= thread) {
        uint64_t hash = name_hash(names, (uint32_t) class->threads.length);
        hd_vec_push(&class->thread_names, hash);
        hd_vec_push(&class->threads, (past){0});
    }
    return &class->threads.data[thread];
}

static object *object_at(hd_recording_class *class, const heddle_event *event) {
    unsigned sort = hd_trace_kinds[event->kind].class;
    if (class->objects[sort].length <= event->object)
        hd_vec_resize(&class->objects[sort], event->object + 1);
    return &class->objects[sort].data[event->object];
}

/* Threads are identified by their names: their numbers depend on which came first. */
static uint64_t event_hash(const hd_recording_class *class, const hd_trace_tables *tables,
                           const heddle_event *event, const past *its) {
    uint64_t sum = 0;
    for (size_t i = 0; i < its->counts.length; i++)
        if (its->counts.data[i]) {
            uint64_t pair[2] = {class->thread_names.data[i], its->counts.data[i]};
            sum += XXH3_64bits(pair, sizeof pair);
        }
    const hd_names *names = &tables->names[hd_trace_kinds[event->kind].class];
    uint64_t all[4] = {class->thread_names.data[event->thread], event->kind,
                       name_hash(names, event->object), sum};
    return XXH3_64bits(all, sizeof all);
}

/* Joins what the event depends on into its thread's past. */
static void take_past(hd_recording_class *class, const hd_trace_tables *tables,
                      const heddle_event *event, past *its) {
    switch (hd_trace_kinds[event->kind].class) {
    case HEDDLE_CLASS_THREAD:
        if (event->kind == HEDDLE_JOIN)
            join_pasts(its, thread_at(class, tables, event->object));
        break;
    case HEDDLE_CLASS_LABEL:
    case HEDDLE_CLASS_BLOCK:
        break;
    default: {
        const object *it = object_at(class, event);
        bool reads = hd_trace_is_access(event) && !hd_trace_writes(event);
        join_pasts(its, reads ? &it->written : &it->read);
    }
    }
}

static void leave_past(hd_recording_class *class, const hd_trace_tables *tables,
                       const heddle_event *event) {
    past *its = &class->threads.data[event->thread];
    switch (hd_trace_kinds[event->kind].class) {
    case HEDDLE_CLASS_THREAD:
        if (event->kind == HEDDLE_FORK) {
            past *child = thread_at(class, tables, event->object);
            join_pasts(child, &class->threads.data[event->thread]);
        }
        break;
    case HEDDLE_CLASS_LABEL:
    case HEDDLE_CLASS_BLOCK:
        break;
    default: {
        object *it = object_at(class, event);
        join_pasts(&it->read, its);
        if (!hd_trace_is_access(event) || hd_trace_writes(event))
            join_pasts(&it->written, its);
    }
    }
}

void hd_recording_class_add(hd_recording_class *class, const hd_trace_tables *tables,
                            const heddle_event *events, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const heddle_event *event = &events[i];
        thread_at(class, tables, event->thread);
        if (hd_trace_kinds[event->kind].class == HEDDLE_CLASS_THREAD)
            thread_at(class, tables, event->object);
        past *its = &class->threads.data[event->thread];
        take_past(class, tables, event, its);
        if (its->counts.length <= event->thread)
            hd_vec_resize(&its->counts, event->thread + 1);
        its->counts.data[event->thread]++;
        class->sum += event_hash(class, tables, event, its);
        leave_past(class, tables, event);
    }
}

uint64_t hd_recording_class_value(const hd_recording_class *class) {
    return class->sum;
}
