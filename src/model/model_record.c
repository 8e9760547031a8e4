/*
 * A run as a trace.  The step just taken is taken back, run again with the
 * recorder, and what that saw becomes events: at most one for each location,
 * since a statement is atomic; those that only read come first.
 */
#include <stdio.h>

#include "model_machine.h"

typedef struct recorder {
    hd_model_machine *m;
    hd_trace *trace;
    heddle_event event; /* thread and location */
    uint32_t choice;
} recorder;

static void add_event(recorder *r, enum heddle_kind kind, uint32_t location) {
    const char *name = hd_model_location_name(&r->m->machine, location);
    heddle_event event = r->event;
    event.kind = (uint8_t)kind;
    event.object =
        hd_trace_name(r->trace, (enum heddle_class)hd_trace_kinds[kind].class, "%s", name);
    hd_trace_append(r->trace, event);
}

static void add_access(recorder *r, enum heddle_kind kind, const hd_model_seen *seen) {
    r->event.flags = HEDDLE_HAS_VALUE;
    r->event.value = seen->value;
    add_event(r, kind, seen->location);
    r->event.flags = 0;
    r->event.value = 0;
}

/* Merges all accesses to a location into one: the value read first, or the value written last. */
static void merge_seen(hd_model_machine *m) {
    hd_map places = {0};
    uint32_t kept = 0;
    for (size_t i = 0; i < m->seen.length; i++) {
        hd_model_seen seen = m->seen.data[i];
        bool added;
        uint32_t *place_of = hd_map_at(&places, seen.location, &added);
        if (added) {
            *place_of = kept;
            m->seen.data[kept++] = seen;
            continue;
        }
        hd_model_seen *first = &m->seen.data[*place_of];
        if (seen.mode == HD_MACHINE_WRITE)
            first->value = seen.value;
        /* A read of what the operation wrote itself reads nothing from outside. */
        if (first->mode != HD_MACHINE_WRITE)
            first->mode |= seen.mode;
    }
    m->seen.length = kept;
    hd_map_release(&places);
}

/* What is no memory to a program: locks and threads, which have events of their own. */
static bool is_memory(const hd_model_machine *m, uint32_t location) {
    const hd_model_variable *v = hd_model_variable_at(m->program, location);
    uint8_t kind = v ? v->kind : HD_MODEL_SHARED;
    return kind != HD_MODEL_MUTEX && kind != HD_MODEL_RWLOCK && kind != HD_MODEL_THREAD &&
           kind != HD_MODEL_READERS;
}

static enum heddle_kind pick(bool tries, enum heddle_kind plain, enum heddle_kind tried) {
    return tries ? tried : plain;
}

/* The event of a lock or a thread.  The first location that is one is the object; what else is
 * written, if anything, is the cells of readers. */
static void record_form(recorder *r, const hd_model_statement *s) {
    const hd_model_machine *m = r->m;
    uint32_t object = UINT32_MAX;
    bool own = false, readers = false;
    for (size_t i = 0; i < m->seen.length; i++) {
        hd_model_seen seen = m->seen.data[i];
        if (is_memory(m, seen.location))
            continue;
        if (object == UINT32_MAX)
            object = seen.location;
        bool writes = seen.mode & HD_MACHINE_WRITE;
        *(seen.location == object ? &own : &readers) |= writes;
    }
    if (object == UINT32_MAX)
        return;
    enum heddle_kind kind = HEDDLE_TRYFAIL;
    if (s->form == HD_MODEL_FORM_FORK)
        kind = HEDDLE_FORK;
    else if (s->form == HD_MODEL_FORM_JOIN)
        kind = HEDDLE_JOIN;
    else if (s->form == HD_MODEL_FORM_UNLOCK)
        kind = readers ? HEDDLE_READ_RELEASE : HEDDLE_RELEASE;
    else if (s->form == HD_MODEL_FORM_READ_LOCK && readers)
        kind = pick(s->tries, HEDDLE_READ_ACQUIRE, HEDDLE_TRY_READ_ACQUIRE);
    else if (own)
        kind = pick(s->tries, HEDDLE_ACQUIRE, HEDDLE_TRY_ACQUIRE);
    bool starts = s->form == HD_MODEL_FORM_START || s->form == HD_MODEL_FORM_END;
    if (!starts)
        add_event(r, kind, object);
}

static void forget_objects(hd_model_machine *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->seen.length; i++)
        if (is_memory(m, m->seen.data[i].location))
            m->seen.data[kept++] = m->seen.data[i];
    m->seen.length = kept;
}

static void record_accesses(recorder *r) {
    hd_model_machine *m = r->m;
    merge_seen(m);
    for (size_t i = 0; i < m->seen.length; i++)
        if (m->seen.data[i].mode == HD_MACHINE_READ)
            add_access(r, HEDDLE_ATOMIC_READ, &m->seen.data[i]);
    for (size_t i = 0; i < m->seen.length; i++)
        if (m->seen.data[i].mode != HD_MACHINE_READ)
            add_access(r,
                       m->seen.data[i].mode == HD_MACHINE_WRITE ? HEDDLE_ATOMIC_WRITE
                                                                : HEDDLE_ATOMIC_RMW,
                       &m->seen.data[i]);
}

static void record_act(recorder *r, const hd_model_operation *operation) {
    hd_model_machine *m = r->m;
    uint32_t object = (uint32_t)m->cells[operation->value];
    switch (operation->kind) {
    case HD_MODEL_OP_LOCK:
        add_event(r, HEDDLE_ACQUIRE, object);
        break;
    case HD_MODEL_OP_UNLOCK:
        add_event(r, HEDDLE_RELEASE, object);
        break;
    case HD_MODEL_OP_WAIT:
        add_event(r, HEDDLE_RELEASE, (uint32_t)m->cells[operation->second]);
        add_event(r, HEDDLE_WAIT, object);
        break;
    case HD_MODEL_OP_NOTIFY:
        add_event(r, HEDDLE_NOTIFY, object);
        break;
    case HD_MODEL_OP_NOTIFY_ALL:
        add_event(r, HEDDLE_NOTIFYALL, object);
        break;
    default:
        break;
    }
}

/* A wake knows its flag only; the condition is that of the wait before it. */
static void record_wake(recorder *r, const hd_model_operation *operation) {
    const hd_model_operation *wait = operation - 1;
    assert(operation->kind == HD_MODEL_OP_WAKE && wait->kind == HD_MODEL_OP_WAIT);
    hd_model_run(r->m, wait->code);
    add_event(r, HEDDLE_WAKE, (uint32_t)r->m->cells[wait->value]);
}

/* The name of a place must not contain characters that the formats use. */
static uint32_t add_location(hd_trace *trace, const char *file, uint32_t line) {
    char text[256];
    snprintf(text, sizeof text - 12, "%s", file);
    for (char *c = text; *c; c++)
        if (*c == '|' || *c == '\n' || *c == '\r')
            *c = '_';
    return hd_trace_name(trace, HEDDLE_CLASS_LOCATION, "%s:%u", text, line);
}

static void record_operation(recorder *r, const hd_model_operation *operation) {
    hd_model_machine *m = r->m;
    const hd_model_statement *s = m->program->tree->statements.data[operation->position];
    bool atomic = s->kind == HD_MODEL_ATOMIC;
    m->cells[hd_model_choice_cell(m->program)] = r->choice;
    hd_vec_clear(&m->seen);
    enum hd_model_outcome outcome = hd_model_run_recorded(m, operation->code);
    if (s->form != HD_MODEL_AS_WRITTEN) {
        if (outcome == HD_MODEL_RAN)
            record_form(r, s);
        forget_objects(m);
        atomic &= m->seen.length > 1;
    }
    heddle_event block = r->event;
    block.object = hd_trace_name(r->trace, HEDDLE_CLASS_BLOCK, "atomic");
    block.kind = HEDDLE_BEGIN;
    if (atomic)
        hd_trace_append(r->trace, block);
    record_accesses(r);
    block.kind = HEDDLE_END;
    if (atomic)
        hd_trace_append(r->trace, block);
    if (outcome == HD_MODEL_RAN && operation->kind == HD_MODEL_OP_WAKE)
        record_wake(r, operation);
    else if (outcome == HD_MODEL_RAN && operation->kind > HD_MODEL_OP_AWAIT)
        record_act(r, operation);
}

void hd_model_record(hd_machine *machine, hd_trace *trace) {
    hd_model_machine *m = hd_model_of(machine);
    hd_model_step step = *hd_vec_last(&m->steps);
    hd_model_undo(machine);
    const hd_model_operation *at = hd_model_at(m, step.thread);
    const hd_model_statement *s = m->program->tree->statements.data[at->position];
    recorder r = {.m = m, .trace = trace, .choice = step.choice};
    r.event.thread =
        hd_trace_name(trace, HEDDLE_CLASS_THREAD, "%s", hd_model_thread_name(machine, step.thread));
    r.event.location = add_location(trace, m->program->tree->name, s->line);
    size_t mark = m->log.length;
    record_operation(&r, at);
    m->cells[hd_model_choice_cell(m->program)] = 0;
    hd_model_roll_back(m, mark);
    hd_model_take(machine, step.thread, step.choice);
}
