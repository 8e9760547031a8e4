/*
 * Traces with the measures of published ones, whose programs are not to be
 * had: as many threads, events, lock events, locks, accesses, variables, wait
 * and notify events and witnesses, all exact, with threads coupled so that
 * about a fifth of the witnesses is feasible, as it was there.
 *
 * The trace is a row of slots, each a short run of one thread, most of them
 * inside a locked scope, some inside two.  The first slots are where threads
 * wait for one another; written variables are accessed behind those.  Each has
 * a home thread that writes it, and is read mostly by threads behind its home
 * in a fixed order of the threads.  So a home may run ahead of its readers and
 * they may lag behind: witnesses are feasible.  Reads by the home itself never
 * are, reads against the order hold the threads together, and writes by others
 * make orders that only a search finds.
 */
#include "trace_generate_like.h"

#include <string.h>
#include <strings.h>

#include "trace_generate_families.h"

enum { NESTED = 150, TRIES = 8 };

#define NO_LOCK UINT32_MAX
#define NO_SLOT UINT32_MAX

/* One run of a thread. */
struct slot {
    uint32_t thread;
    uint32_t next;         /* slot of the same thread, NO_SLOT if it is the last */
    uint32_t outer, inner; /* locks, NO_LOCK if none */
    bool locked, nested;
    bool pinned;       /* its lock is that of a wait */
    bool waits, wakes; /* at its end; at its start */
    uint32_t notified; /* thread that it notifies + 1, 0 if none */
    uint32_t strays;   /* notifies that nobody waits for */
};

/* One access or mark. */
struct item {
    uint32_t slot;
    uint32_t object;
    uint64_t place; /* drawn; orders the items of a slot */
    uint8_t kind;
};

struct plan {
    const hd_trace_like_shape *shape;
    hd_trace *trace;
    hd_random random;
    struct slot *slots;
    uint32_t slot_count;
    uint32_t quiet; /* the first slot behind those with waits */
    uint32_t scopes;
    struct item *items; /* accesses, then marks */
    uint32_t item_count;
    hd_trace_like_size *sizes;
    uint32_t hot;
    uint32_t *by_thread; /* slots behind the quiet one, thread by thread */
    uint32_t *start;     /* of each thread in by_thread */
    int64_t *values;
};

static uint32_t draw(struct plan *plan, uint32_t limit) {
    return (uint32_t)hd_random_below(&plan->random, limit);
}

static void shuffle(struct plan *plan, uint32_t *numbers, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = draw(plan, i), number = numbers[i - 1];
        numbers[i - 1] = numbers[other];
        numbers[other] = number;
    }
}

/* ---- Slots: whose they are and which are locked. ---- */

/* Each thread has one slot in every round, in an order drawn for the round. */
static void deal_slots(struct plan *plan) {
    uint32_t threads = plan->shape->threads;
    uint32_t *order = HD_NEW_ARRAY(uint32_t, threads);
    for (uint32_t i = 0; i < threads; i++)
        order[i] = i;
    for (uint32_t at = 0; at < plan->slot_count;) {
        shuffle(plan, order, threads);
        for (uint32_t i = 0; i < threads && at < plan->slot_count; i++)
            plan->slots[at++] = (struct slot){
                .thread = order[i], .next = NO_SLOT, .outer = NO_LOCK, .inner = NO_LOCK};
    }
    free(order);
}

static void link_slots(struct plan *plan) {
    uint32_t *next = HD_NEW_ARRAY(uint32_t, plan->shape->threads);
    for (uint32_t i = 0; i < plan->shape->threads; i++)
        next[i] = NO_SLOT;
    for (uint32_t i = plan->slot_count; i > 0; i--) {
        struct slot *slot = &plan->slots[i - 1];
        slot->next = next[slot->thread];
        next[slot->thread] = i - 1;
    }
    free(next);
}

/* Draws the slots that are locked, and among them those locked twice. */
static void deal_scopes(struct plan *plan) {
    uint32_t nested = plan->shape->locks > 1 ? plan->scopes * NESTED / 1000 : 0;
    uint32_t *order = HD_NEW_ARRAY(uint32_t, plan->slot_count);
    for (uint32_t i = 0; i < plan->slot_count; i++)
        order[i] = i;
    shuffle(plan, order, plan->slot_count);
    for (uint32_t i = 0; i < plan->scopes - nested; i++) {
        plan->slots[order[i]].locked = true;
        plan->slots[order[i]].nested = i < nested;
    }
    free(order);
}

/* ---- Waits. ---- */

/* A locked slot between a wait and its wake, else any of another thread. */
static uint32_t find_notifier(const struct plan *plan, uint32_t wait) {
    uint32_t found = NO_SLOT;
    for (uint32_t i = wait + 1; i < plan->slots[wait].next; i++) {
        if (plan->slots[i].notified > 0)
            continue;
        if (plan->slots[i].locked)
            return i;
        found = i;
    }
    return found;
}

/* Every thread has a slot behind the waits: the last two rounds have none. */
static bool try_wait(struct plan *plan, uint32_t at) {
    struct slot *slot = &plan->slots[at];
    if (!slot->locked || slot->next > plan->slot_count - 2 * plan->shape->threads ||
        !plan->slots[slot->next].locked)
        return false;
    uint32_t notifier = find_notifier(plan, at);
    if (notifier == NO_SLOT)
        return false;
    slot->waits = slot->pinned = true;
    plan->slots[slot->next].wakes = plan->slots[slot->next].pinned = true;
    plan->slots[notifier].notified = slot->thread + 1;
    return true;
}

/* Waits come first, as many as fit before the last third of the trace; what is
 * left of their events is notified to nobody. */
static void deal_waits(struct plan *plan) {
    uint32_t left = plan->shape->wait_events;
    for (uint32_t i = 0; left >= 3 && i < plan->slot_count / 3 * 2; i++)
        if (try_wait(plan, i)) {
            left -= 3;
            if (plan->quiet < plan->slots[i].next)
                plan->quiet = plan->slots[i].next;
        }
    for (; left > 0; left--)
        plan->slots[draw(plan, plan->slot_count)].strays++;
}

/* ---- Accesses. ---- */

static void index_slots(struct plan *plan) {
    uint32_t threads = plan->shape->threads, length = 0;
    for (uint32_t thread = 0; thread < threads; thread++) {
        plan->start[thread] = length;
        for (uint32_t i = plan->quiet; i < plan->slot_count; i++)
            if (plan->slots[i].thread == thread)
                plan->by_thread[length++] = i;
    }
    plan->start[threads] = length;
}

/* A slot of the thread, or of several drawn the first that is not locked. */
static uint32_t draw_slot(struct plan *plan, uint32_t thread) {
    uint32_t from = plan->start[thread], count = plan->start[thread + 1] - from;
    uint32_t tries = hd_random_chance(&plan->random, plan->shape->bare) ? TRIES : 1;
    uint32_t slot = NO_SLOT;
    assert(count > 0);
    for (; tries > 0 && (slot == NO_SLOT || plan->slots[slot].locked); tries--)
        slot = plan->by_thread[from + draw(plan, count)];
    return slot;
}

static void add_item(struct plan *plan, uint32_t slot, enum heddle_kind kind, uint32_t object) {
    plan->items[plan->item_count++] = (struct item){.slot = slot,
                                                    .object = object,
                                                    .place = hd_random_next(&plan->random),
                                                    .kind = (uint8_t)kind};
}

static uint32_t draw_reader(struct plan *plan, uint32_t home) {
    uint32_t threads = plan->shape->threads;
    if (hd_random_chance(&plan->random, plan->shape->own))
        return home;
    if (hd_random_chance(&plan->random, plan->shape->back))
        return draw(plan, threads);
    return home + 1 + draw(plan, threads - home - 1);
}

static uint32_t draw_writer(struct plan *plan, uint32_t home) {
    if (hd_random_chance(&plan->random, plan->shape->rivals))
        return home + 1 + draw(plan, plan->shape->threads - home - 1);
    return home;
}

static void deal_hot(struct plan *plan, uint32_t variable) {
    uint32_t home = draw(plan, plan->shape->threads - 1);
    for (uint32_t i = 0; i < plan->sizes[variable].writes; i++)
        add_item(plan, draw_slot(plan, draw_writer(plan, home)), HEDDLE_WRITE, variable);
    for (uint32_t i = 0; i < plan->sizes[variable].reads; i++)
        add_item(plan, draw_slot(plan, draw_reader(plan, home)), HEDDLE_READ, variable);
}

static void deal_accesses(struct plan *plan) {
    plan->hot = hd_trace_like_sizes(plan->sizes, plan->shape, &plan->random);
    for (uint32_t variable = 0; variable < plan->hot; variable++)
        deal_hot(plan, variable);
    for (uint32_t variable = plan->hot; variable < plan->shape->variables; variable++)
        for (uint32_t i = 0; i < plan->sizes[variable].reads; i++)
            add_item(plan, draw(plan, plan->slot_count), HEDDLE_READ, variable);
}

/* What no other measure counts: forks and joins, if there is room, and marks. */
static uint32_t others(const hd_trace_like_shape *shape) {
    return shape->events - shape->lock_events - shape->access_events - shape->wait_events;
}

static bool has_forks(const hd_trace_like_shape *shape) {
    return others(shape) >= 2 * (shape->threads - 1);
}

static void deal_marks(struct plan *plan) {
    uint32_t marks = others(plan->shape);
    if (has_forks(plan->shape))
        marks -= 2 * (plan->shape->threads - 1);
    for (; marks > 0; marks--)
        add_item(plan, draw(plan, plan->slot_count), HEDDLE_MARK, 0);
}

static int compare_items(const void *one, const void *other) {
    const struct item *a = one, *b = other;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return (a->object > b->object) - (a->object < b->object);
}

/* ---- Locks. ---- */

/* Each hot variable has its lock, and a scope with an access to one takes it;
 * `skip` is a lock that the slot has already. */
static uint32_t lock_for(struct plan *plan, const struct item *items, uint32_t count,
                         uint32_t skip) {
    uint32_t locks = plan->shape->locks;
    for (uint32_t i = 0; i < count; i++)
        if (items[i].kind != HEDDLE_MARK && items[i].object < plan->hot &&
            items[i].object % locks != skip)
            return items[i].object % locks;
    uint32_t lock = draw(plan, skip < locks ? locks - 1 : locks);
    return lock + (lock >= skip);
}

static void name_locks_of(struct plan *plan, struct slot *slot, const struct item *items,
                          uint32_t count) {
    if (slot->locked && slot->outer == NO_LOCK)
        slot->outer = lock_for(plan, items, count, NO_LOCK);
    if (slot->nested)
        slot->inner = lock_for(plan, items, count, slot->outer);
    if (slot->waits)
        plan->slots[slot->next].outer = slot->outer;
}

static uint32_t items_in(const struct plan *plan, uint32_t slot, uint32_t from) {
    uint32_t count = 0;
    while (from + count < plan->item_count && plan->items[from + count].slot == slot)
        count++;
    return count;
}

/* Locks that no slot has taken replace some that more than one has. */
static void use_all_locks(struct plan *plan) {
    uint32_t *uses = HD_NEW_ARRAY(uint32_t, plan->shape->locks), lock = 0;
    for (uint32_t i = 0; i < plan->slot_count; i++) {
        if (plan->slots[i].outer != NO_LOCK)
            uses[plan->slots[i].outer]++;
        if (plan->slots[i].inner != NO_LOCK)
            uses[plan->slots[i].inner]++;
    }
    for (uint32_t i = 0; i < plan->slot_count; i++) {
        while (lock < plan->shape->locks && uses[lock] > 0)
            lock++;
        if (lock == plan->shape->locks)
            break;
        struct slot *slot = &plan->slots[i];
        if (slot->locked && !slot->pinned && uses[slot->outer] > 1) {
            uses[slot->outer]--;
            uses[slot->outer = lock]++;
        }
    }
    free(uses);
}

static void deal_locks(struct plan *plan) {
    for (uint32_t i = 0, from = 0; i < plan->slot_count; i++) {
        uint32_t count = items_in(plan, i, from);
        name_locks_of(plan, &plan->slots[i], plan->items + from, count);
        from += count;
    }
    use_all_locks(plan);
}

/* ---- Out. ---- */

static void emit_item(struct plan *plan, uint32_t thread, const struct item *item) {
    if (item->kind == HEDDLE_MARK) {
        hd_trace_emit(plan->trace, thread, HEDDLE_MARK, item->object);
        return;
    }
    if (item->kind == HEDDLE_WRITE)
        plan->values[item->object]++;
    hd_trace_emit_value(plan->trace, thread, item->kind, item->object, plan->values[item->object]);
}

static void emit_notifies(struct plan *plan, const struct slot *slot) {
    if (slot->notified > 0)
        hd_trace_emit(plan->trace, slot->thread,
                      slot->notified % 2 == 0 ? HEDDLE_NOTIFYALL : HEDDLE_NOTIFY, slot->notified);
    for (uint32_t i = 0; i < slot->strays; i++)
        hd_trace_emit(plan->trace, slot->thread, HEDDLE_NOTIFY, 0);
}

static void emit_slot(struct plan *plan, const struct slot *slot, const struct item *items,
                      uint32_t count) {
    if (slot->wakes)
        hd_trace_emit(plan->trace, slot->thread, HEDDLE_WAKE, slot->thread + 1);
    if (slot->locked)
        hd_trace_emit(plan->trace, slot->thread, HEDDLE_ACQUIRE, slot->outer);
    for (uint32_t i = 0; i < count / 2; i++)
        emit_item(plan, slot->thread, &items[i]);
    if (slot->nested)
        hd_trace_emit(plan->trace, slot->thread, HEDDLE_ACQUIRE, slot->inner);
    for (uint32_t i = count / 2; i < count; i++)
        emit_item(plan, slot->thread, &items[i]);
    if (slot->nested)
        hd_trace_emit(plan->trace, slot->thread, HEDDLE_RELEASE, slot->inner);
    emit_notifies(plan, slot);
    if (slot->locked)
        hd_trace_emit(plan->trace, slot->thread, HEDDLE_RELEASE, slot->outer);
    if (slot->waits)
        hd_trace_emit(plan->trace, slot->thread, HEDDLE_WAIT, slot->thread + 1);
}

/* ---- Neighbouring slots that do not meet overlap. ---- */

static bool same_lock(uint32_t lock, const struct slot *slot) {
    return lock != NO_LOCK && (lock == slot->outer || lock == slot->inner);
}

static bool has_sync(const struct slot *slot) {
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

/* Interleaves the trace's events from `first` to before `second` with those
 * behind, at random. */
static void interleave(struct plan *plan, size_t first, size_t second) {
    size_t end = plan->trace->events.length, a = 0, middle = second - first, b = middle;
    heddle_event *to = plan->trace->events.data + first;
    heddle_event *from = HD_NEW_ARRAY(heddle_event, end - first + 1);
    memcpy(from, to, (end - first) * sizeof *from);
    for (size_t i = 0; i < end - first; i++) {
        size_t left = middle - a, behind = end - first - b;
        *to++ = draw(plan, (uint32_t)(left + behind)) < left ? from[a++] : from[b++];
    }
    free(from);
}

/* The events of slot `at` begin at `second`, those of the slot before at `first`. */
static bool try_overlap(struct plan *plan, uint32_t at, size_t first, size_t second) {
    const struct slot *one = &plan->slots[at - 1], *other = &plan->slots[at];
    const heddle_event *events = plan->trace->events.data;
    if (one->thread == other->thread || has_sync(one) || has_sync(other) ||
        same_lock(one->outer, other) || same_lock(one->inner, other) ||
        events_meet(events + first, second - first, events + second,
                    plan->trace->events.length - second))
        return false;
    interleave(plan, first, second);
    return true;
}

static void emit_slots(struct plan *plan) {
    bool overlaps = true; /* the slot before overlaps the one before that */
    size_t first = plan->trace->events.length;
    for (uint32_t i = 0, from = 0; i < plan->slot_count; i++) {
        uint32_t count = items_in(plan, i, from);
        size_t second = plan->trace->events.length;
        emit_slot(plan, &plan->slots[i], plan->items + from, count);
        overlaps = !overlaps && try_overlap(plan, i, first, second);
        first = second;
        from += count;
    }
}

static void emit_for_all(struct plan *plan, enum heddle_kind kind) {
    for (uint32_t thread = 1; has_forks(plan->shape) && thread < plan->shape->threads; thread++)
        hd_trace_emit(plan->trace, 0, kind, thread);
}

static void emit_names(const struct plan *plan) {
    const hd_trace_like_shape *shape = plan->shape;
    hd_trace_emit_names(plan->trace, HEDDLE_CLASS_THREAD, "T", 0, shape->threads);
    hd_trace_emit_names(plan->trace, HEDDLE_CLASS_VARIABLE, "x", 1, shape->variables);
    hd_trace_emit_names(plan->trace, HEDDLE_CLASS_LOCK, "l", 1, shape->locks);
    hd_trace_emit_names(plan->trace, HEDDLE_CLASS_CONDITION, "q", 0, shape->threads + 1);
    hd_trace_emit_names(plan->trace, HEDDLE_CLASS_LABEL, "step", 1, 1);
}

static void emit_trace(struct plan *plan) {
    emit_names(plan);
    emit_for_all(plan, HEDDLE_FORK);
    emit_slots(plan);
    emit_for_all(plan, HEDDLE_JOIN);
    if (plan->shape->lock_events % 2 != 0)
        hd_trace_emit(plan->trace, 0, HEDDLE_ACQUIRE, 0); /* and never released */
    assert(plan->trace->events.length == plan->shape->events);
}

static void make_plan(struct plan *plan) {
    deal_slots(plan);
    link_slots(plan);
    deal_scopes(plan);
    deal_waits(plan);
    index_slots(plan);
    deal_accesses(plan);
    deal_marks(plan);
    qsort(plan->items, plan->item_count, sizeof *plan->items, compare_items);
    deal_locks(plan);
}

void hd_trace_like_build(hd_trace *trace, const hd_trace_like_shape *shape, uint64_t seed) {
    uint32_t scopes = shape->lock_events / 2, slots = scopes * 5 / 4 + 3 * shape->threads;
    struct plan plan = {
        .shape = shape,
        .trace = trace,
        .slots = HD_NEW_ARRAY(struct slot, slots),
        .slot_count = slots,
        .scopes = scopes,
        .items = HD_NEW_ARRAY(struct item, shape->events),
        .sizes = HD_NEW_ARRAY(hd_trace_like_size, shape->variables),
        .by_thread = HD_NEW_ARRAY(uint32_t, slots),
        .start = HD_NEW_ARRAY(uint32_t, shape->threads + 1),
        .values = HD_NEW_ARRAY(int64_t, shape->variables),
    };
    hd_random_seed(&plan.random, seed);
    make_plan(&plan);
    emit_trace(&plan);
    free(plan.slots);
    free(plan.items);
    free(plan.sizes);
    free(plan.by_thread);
    free(plan.start);
    free(plan.values);
}

bool hd_trace_generate_like(hd_trace *trace, const hd_trace_request *request, hd_error *error) {
    const char *name = request->word != NULL ? request->word : "";
    for (size_t i = 0; i < hd_trace_like_count; i++)
        if (strcasecmp(hd_trace_like_shapes[i].name, name) == 0) {
            hd_trace_like_build(trace, &hd_trace_like_shapes[i], request->seed);
            return true;
        }
    return hd_error_set(error, "no published trace is called '%s'; see doc/generate.md", name);
}
