/*
 * A run of an explored program as a trace: the events of a step.
 */
#include "native_program.h"

/* The kind of event that it was; -1: none. */
static int kind_of(const heddle_wire_operation *operation, bool succeeded) {
    if (operation->kind == HEDDLE_WIRE_FENCE && !operation->address)
        return operation->size == HEDDLE_WIRE_A_CLOCK || operation->size == HEDDLE_WIRE_A_FAULT
                   ? -1
                   : HEDDLE_FENCE;
    if (operation->kind == HEDDLE_WIRE_ONCE) /* an atomic variable: done is what a thread reads */
        return succeeded ? HEDDLE_ATOMIC_RMW : HEDDLE_ATOMIC_READ;
    if (operation->kind < 1 || operation->kind > HEDDLE_KIND_COUNT ||
        operation->flags & (HEDDLE_WIRE_NESTED | HEDDLE_WIRE_LOOKS))
        return -1;
    int kind = operation->flags & HEDDLE_WIRE_FREES ? HEDDLE_FREE : operation->kind - 1;
    bool tries = operation->flags & (HEDDLE_WIRE_TRY | HEDDLE_WIRE_TIMED);
    if (succeeded && tries && kind == HEDDLE_ACQUIRE)
        return HEDDLE_TRY_ACQUIRE;
    if (succeeded && tries && kind == HEDDLE_READ_ACQUIRE)
        return HEDDLE_TRY_READ_ACQUIRE;
    if (succeeded && kind == HEDDLE_SEND) /* of a semaphore */
        return HEDDLE_POST;
    if (succeeded && kind == HEDDLE_RECV)
        return HEDDLE_TAKE;
    if (succeeded)
        return kind;
    if (kind == HEDDLE_ACQUIRE || kind == HEDDLE_READ_ACQUIRE)
        return HEDDLE_TRYFAIL;
    if (kind == HEDDLE_JOIN || kind == HEDDLE_RECV)
        return -1;
    return kind == HEDDLE_ATOMIC_RMW ? HEDDLE_ATOMIC_READ : kind;
}

uint8_t hd_native_program_order(const heddle_wire_operation *operation, bool succeeded) {
    unsigned order = succeeded ? operation->orders & 15U : operation->orders >> 4;
    return order < HEDDLE_ORDER_COUNT ? (uint8_t)order : (uint8_t)HEDDLE_ORDER_SEQ_CST;
}

static void append(hd_native_program *m, hd_trace *trace, heddle_event event, uint64_t address) {
    hd_vec_char text = {0};
    enum heddle_class class = (enum heddle_class)hd_trace_kinds[event.kind].class;
    if (class == HEDDLE_CLASS_THREAD)
        hd_native_program_thread(m, (uint32_t)address, &text);
    else
        hd_native_program_object(m, address, class != HEDDLE_CLASS_VARIABLE, &text);
    event.object = hd_trace_name(trace, class, "%.*s", (int)text.length, text.data);
    hd_trace_append(trace, event);
    hd_vec_release(&text);
}

/* An event without an object, where the operation is in the program's text. */
static heddle_event event_of(hd_machine *machine, hd_trace *trace, unsigned kind, uint32_t thread,
                             const heddle_wire_operation *operation) {
    const hd_native_program *m = hd_native_program_of(machine);
    const char *name = hd_native_program_thread_name(machine, thread);
    heddle_event event = {.kind = (uint8_t)kind,
                          .thread = hd_trace_name(trace, HEDDLE_CLASS_THREAD, "%s", name)};
    if (!operation->code)
        return event;
    hd_vec_char place = {0};
    hd_native_place(machine, (uint32_t)(operation->code - m->server.run.wire->code), &place);
    event.location = hd_trace_name(trace, HEDDLE_CLASS_LOCATION, "%s", place.data);
    hd_vec_release(&place);
    return event;
}

static void record_step(hd_machine *machine, hd_trace *trace) {
    hd_native_program *m = hd_native_program_of(machine);
    uint32_t thread;
    heddle_wire_operation operation = hd_native_program_last(m, &thread);
    size_t before = m->path.length - 1;
    bool succeeded = !before || hd_launch_log_succeeds(m->log, before - 1, thread);
    int kind = kind_of(&operation, succeeded);
    if (kind < 0)
        return;
    heddle_event event = event_of(machine, trace, (unsigned)kind, thread, &operation);
    if (kind == HEDDLE_WAIT) { /* it releases the mutex first */
        event.kind = HEDDLE_RELEASE;
        append(m, trace, event, m->log->nexts.data[hd_vec_last(&m->taken)->before - 1].with);
        event.kind = HEDDLE_WAIT;
    }
    if (hd_trace_is_ordered(&event))
        event.flags =
            (uint8_t)(hd_native_program_order(&operation, succeeded) << HEDDLE_ORDER_SHIFT);
    else if (operation.orders & HEDDLE_WIRE_EXEMPT)
        event.flags = HEDDLE_EXEMPT;
    if (hd_native_program_has_value(&operation)) {
        event.size = (uint16_t)operation.size;
        event.flags |= HEDDLE_HAS_VALUE;
        event.value = hd_native_program_value(hd_native_program_step(m)->value, operation.size);
    }
    append(m, trace, event, kind == HEDDLE_FENCE ? HEDDLE_WIRE_FENCED : operation.address);
}

/* Joins that were part of the step. */
static void record_joins(hd_machine *machine, hd_trace *trace) {
    hd_native_program *m = hd_native_program_of(machine);
    uint32_t own = hd_vec_last(&m->taken)->changes; /* of the thread that took it */
    for (size_t i = own + 1; i < m->changes.length; i++) {
        const hd_native_change *change = &m->changes.data[i];
        if (!change->before)
            continue;
        const heddle_wire_operation *passed = &m->log->nexts.data[change->before - 1].operation;
        if (passed->kind != HEDDLE_JOIN + 1)
            continue;
        append(m, trace, event_of(machine, trace, HEDDLE_JOIN, change->thread, passed),
               passed->address);
    }
}

void hd_native_program_record(hd_machine *machine, hd_trace *trace) {
    const hd_native_program *m = hd_native_program_of(machine);
    if (hd_native_program_broken(m) || !m->path.length)
        return;
    record_step(machine, trace);
    record_joins(machine, trace);
}

/* What says whether a static variable or a once is done is known by its first byte. */
bool hd_native_program_touched(hd_machine *machine, uint64_t *low, uint64_t *high) {
    const hd_native_program *m = hd_native_program_of(machine);
    uint32_t thread;
    heddle_wire_operation operation = hd_native_program_last(m, &thread);
    int kind = kind_of(&operation, true);
    if (kind < 0 || hd_trace_kinds[kind].class != HEDDLE_CLASS_VARIABLE)
        return false;
    bool sized = operation.kind != HEDDLE_WIRE_ONCE && operation.size;
    *low = operation.address;
    *high = operation.address + (sized ? operation.size : 1);
    return true;
}
