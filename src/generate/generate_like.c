/*
 * Traces with the measures of published ones, whose programs are not available: as many threads,
 * events, lock events, locks, accesses, variables, wait and notify events and witnesses, all exact,
 * with threads coupled so that about a fifth of the witnesses is feasible, as it was there.
 *
 * The trace is a row of slots, each a short run of one thread, most of them inside a locked scope,
 * some inside two.  The first slots are where threads wait for one another; written variables are
 * accessed after those.  Each has a home thread that writes it, and is read mostly by threads
 * after its home in a fixed order of the threads.  So a home may run ahead of its readers and they
 * may lag behind: witnesses are feasible.  Reads by the home itself never are, reads against the
 * order hold the threads together, and writes by others make orders that only a search finds.
 */
#include "generate_like_plan.h"

#include <string.h>
#include <strings.h>

#include "generate_emit.h"

struct output {
    hd_trace *trace;
    hd_generate_like_plan plan;
    int64_t *values; /* of the variables */
};

static void emit_item(struct output *output, uint32_t thread, const hd_generate_like_item *item) {
    if (item->kind == HEDDLE_MARK) {
        hd_generate_emit(output->trace, thread, HEDDLE_MARK, item->object);
        return;
    }
    if (item->kind == HEDDLE_WRITE)
        output->values[item->object]++;
    hd_generate_emit_value(output->trace, thread, item->kind, item->object,
                           output->values[item->object]);
}

static void emit_notifies(struct output *output, const hd_generate_like_slot *slot) {
    if (slot->notified > 0)
        hd_generate_emit(output->trace, slot->thread,
                         slot->notified % 2 == 0 ? HEDDLE_NOTIFYALL : HEDDLE_NOTIFY,
                         slot->notified);
    for (uint32_t i = 0; i < slot->strays; i++)
        hd_generate_emit(output->trace, slot->thread, HEDDLE_NOTIFY, 0);
}

static void emit_slot(struct output *output, const hd_generate_like_slot *slot,
                      const hd_generate_like_item *items, uint32_t count) {
    if (slot->wakes)
        hd_generate_emit(output->trace, slot->thread, HEDDLE_WAKE, slot->thread + 1);
    if (slot->locked)
        hd_generate_emit(output->trace, slot->thread, HEDDLE_ACQUIRE, slot->outer);
    for (uint32_t i = 0; i < count / 2; i++)
        emit_item(output, slot->thread, &items[i]);
    if (slot->nested)
        hd_generate_emit(output->trace, slot->thread, HEDDLE_ACQUIRE, slot->inner);
    for (uint32_t i = count / 2; i < count; i++)
        emit_item(output, slot->thread, &items[i]);
    if (slot->nested)
        hd_generate_emit(output->trace, slot->thread, HEDDLE_RELEASE, slot->inner);
    emit_notifies(output, slot);
    if (slot->locked)
        hd_generate_emit(output->trace, slot->thread, HEDDLE_RELEASE, slot->outer);
    if (slot->waits)
        hd_generate_emit(output->trace, slot->thread, HEDDLE_WAIT, slot->thread + 1);
}

/* ---- Neighbouring slots that do not meet overlap. ---- */

static bool same_lock(uint32_t lock, const hd_generate_like_slot *slot) {
    return lock != HD_GENERATE_LIKE_NONE && (lock == slot->outer || lock == slot->inner);
}

static bool has_sync(const hd_generate_like_slot *slot) {
    return slot->waits || slot->wakes || slot->notified > 0 || slot->strays > 0;
}

/* Do two runs of events write a variable that the other accesses? */
static bool events_meet(const heddle_event *one, size_t one_count, const heddle_event *other,
                        size_t other_count) {
    for (size_t i = 0; i < one_count; i++)
        for (size_t j = 0; j < other_count; j++)
            if (hd_trace_is_access(&one[i]) && hd_trace_is_access(&other[j]) &&
                one[i].object == other[j].object &&
                (hd_trace_writes(&one[i]) || hd_trace_writes(&other[j])))
                return true;
    return false;
}

/* Interleaves the trace's events from `first` to before `second` with those after, at random. */
static void interleave(struct output *output, size_t first, size_t second) {
    size_t end = output->trace->events.length, a = 0, middle = second - first, b = middle;
    heddle_event *to = output->trace->events.data + first;
    heddle_event *from = HD_NEW_ARRAY(heddle_event, end - first + 1);
    memcpy(from, to, (end - first) * sizeof *from);
    for (size_t i = 0; i < end - first; i++) {
        size_t left = middle - a, right = end - first - b;
        *to++ = hd_random_below(&output->plan.random, left + right) < left ? from[a++] : from[b++];
    }
    free(from);
}

/* The events of slot `at` begin at `second`, those of the slot before at `first`. */
static bool try_overlap(struct output *output, uint32_t at, size_t first, size_t second) {
    const hd_generate_like_slot *one = &output->plan.slots[at - 1],
                                *other = &output->plan.slots[at];
    const heddle_event *events = output->trace->events.data;
    if (one->thread == other->thread || has_sync(one) || has_sync(other) ||
        same_lock(one->outer, other) || same_lock(one->inner, other) ||
        events_meet(events + first, second - first, events + second,
                    output->trace->events.length - second))
        return false;
    interleave(output, first, second);
    return true;
}

static void emit_slots(struct output *output) {
    bool overlaps = true; /* the slot before overlaps the one before that */
    size_t first = output->trace->events.length;
    for (uint32_t i = 0, from = 0; i < output->plan.slot_count; i++) {
        uint32_t count = hd_generate_like_items_in(&output->plan, i, from);
        size_t second = output->trace->events.length;
        emit_slot(output, &output->plan.slots[i], output->plan.items + from, count);
        overlaps = !overlaps && try_overlap(output, i, first, second);
        first = second;
        from += count;
    }
}

static void emit_for_all(struct output *output, enum heddle_kind kind) {
    for (uint32_t thread = 1;
         hd_generate_like_has_forks(output->plan.shape) && thread < output->plan.shape->threads;
         thread++)
        hd_generate_emit(output->trace, 0, kind, thread);
}

static void emit_names(const struct output *output) {
    const hd_generate_like_shape *shape = output->plan.shape;
    hd_generate_emit_names(output->trace, HEDDLE_CLASS_THREAD, "T", 0, shape->threads);
    hd_generate_emit_names(output->trace, HEDDLE_CLASS_VARIABLE, "x", 1, shape->variables);
    hd_generate_emit_names(output->trace, HEDDLE_CLASS_LOCK, "l", 1, shape->locks);
    hd_generate_emit_names(output->trace, HEDDLE_CLASS_CONDITION, "q", 0, shape->threads + 1);
    hd_generate_emit_names(output->trace, HEDDLE_CLASS_LABEL, "step", 1, 1);
}

static void emit_trace(struct output *output) {
    emit_names(output);
    emit_for_all(output, HEDDLE_FORK);
    emit_slots(output);
    emit_for_all(output, HEDDLE_JOIN);
    if (output->plan.shape->lock_events % 2 != 0)
        hd_generate_emit(output->trace, 0, HEDDLE_ACQUIRE, 0); /* and never released */
    assert(output->trace->events.length == output->plan.shape->events);
}

void hd_generate_like_build(hd_trace *trace, const hd_generate_like_shape *shape, uint64_t seed) {
    struct output output = {.trace = trace, .values = HD_NEW_ARRAY(int64_t, shape->variables)};
    hd_generate_like_plan_init(&output.plan, shape, seed);
    emit_trace(&output);
    hd_generate_like_plan_release(&output.plan);
    free(output.values);
}

bool hd_generate_like(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    const char *name = request->word != NULL ? request->word : "";
    for (size_t i = 0; i < hd_generate_like_count; i++)
        if (strcasecmp(hd_generate_like_shapes[i].name, name) == 0) {
            hd_generate_like_build(trace, &hd_generate_like_shapes[i], request->seed);
            return true;
        }
    return hd_error_set(error, "no published trace is called '%s'; see doc/generate.md", name);
}
