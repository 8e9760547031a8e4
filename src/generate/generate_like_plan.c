/*
 * The plan of a likeness: whose the slots are, which of them are locked, where
 * threads wait, which accesses are in which slot, and last the locks, so that
 * a scope can take the lock of what is accessed in it.
 */
#include "generate_like_plan.h"

enum { NESTED = 150, TRIES = 8 };

static uint32_t draw_below(hd_generate_like_plan *plan, uint32_t limit) {
    return (uint32_t)hd_random_below(&plan->random, limit);
}

static void shuffle(hd_generate_like_plan *plan, uint32_t *numbers, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = draw_below(plan, i), number = numbers[i - 1];
        numbers[i - 1] = numbers[other];
        numbers[other] = number;
    }
}

/* ---- Slots: whose they are and which are locked. ---- */

/* Each thread has one slot in every round, in an order drawn for the round. */
static void deal_slots(hd_generate_like_plan *plan) {
    uint32_t threads = plan->shape->threads;
    uint32_t *order = HD_NEW_ARRAY(uint32_t, threads);
    for (uint32_t i = 0; i < threads; i++)
        order[i] = i;
    for (uint32_t at = 0; at < plan->slot_count;) {
        shuffle(plan, order, threads);
        for (uint32_t i = 0; i < threads && at < plan->slot_count; i++)
            plan->slots[at++] = (hd_generate_like_slot){.thread = order[i],
                                                        .next = HD_GENERATE_LIKE_NONE,
                                                        .outer = HD_GENERATE_LIKE_NONE,
                                                        .inner = HD_GENERATE_LIKE_NONE};
    }
    free(order);
}

static void link_slots(hd_generate_like_plan *plan) {
    uint32_t *next = HD_NEW_ARRAY(uint32_t, plan->shape->threads);
    for (uint32_t i = 0; i < plan->shape->threads; i++)
        next[i] = HD_GENERATE_LIKE_NONE;
    for (uint32_t i = plan->slot_count; i > 0; i--) {
        hd_generate_like_slot *slot = &plan->slots[i - 1];
        slot->next = next[slot->thread];
        next[slot->thread] = i - 1;
    }
    free(next);
}

/* Draws the slots that are locked, and among them those locked twice. */
static void deal_scopes(hd_generate_like_plan *plan) {
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
static uint32_t find_notifier(const hd_generate_like_plan *plan, uint32_t wait) {
    uint32_t found = HD_GENERATE_LIKE_NONE;
    for (uint32_t i = wait + 1; i < plan->slots[wait].next; i++) {
        if (plan->slots[i].notified > 0)
            continue;
        if (plan->slots[i].locked)
            return i;
        found = i;
    }
    return found;
}

/* Every thread has a slot after the waits: the last two rounds have no waits. */
static bool try_wait(hd_generate_like_plan *plan, uint32_t at) {
    hd_generate_like_slot *slot = &plan->slots[at];
    if (!slot->locked || slot->next > plan->slot_count - 2 * plan->shape->threads ||
        !plan->slots[slot->next].locked)
        return false;
    uint32_t notifier = find_notifier(plan, at);
    if (notifier == HD_GENERATE_LIKE_NONE)
        return false;
    slot->waits = slot->pinned = true;
    plan->slots[slot->next].wakes = plan->slots[slot->next].pinned = true;
    plan->slots[notifier].notified = slot->thread + 1;
    return true;
}

/* Waits come first, as many as fit before the last third of the trace; the remaining wait events
 * become notifications without a waiter. */
static void deal_waits(hd_generate_like_plan *plan) {
    uint32_t left = plan->shape->wait_events;
    for (uint32_t i = 0; left >= 3 && i < plan->slot_count / 3 * 2; i++)
        if (try_wait(plan, i)) {
            left -= 3;
            if (plan->quiet < plan->slots[i].next)
                plan->quiet = plan->slots[i].next;
        }
    for (; left > 0; left--)
        plan->slots[draw_below(plan, plan->slot_count)].strays++;
}

/* ---- Accesses. ---- */

static void index_slots(hd_generate_like_plan *plan) {
    uint32_t threads = plan->shape->threads, length = 0;
    for (uint32_t thread = 0; thread < threads; thread++) {
        plan->start[thread] = length;
        for (uint32_t i = plan->quiet; i < plan->slot_count; i++)
            if (plan->slots[i].thread == thread)
                plan->by_thread[length++] = i;
    }
    plan->start[threads] = length;
}

/* A slot of the thread; of several drawn ones, the first that is not locked. */
static uint32_t draw_slot(hd_generate_like_plan *plan, uint32_t thread) {
    uint32_t from = plan->start[thread], count = plan->start[thread + 1] - from;
    uint32_t tries = hd_random_chance(&plan->random, plan->shape->bare) ? TRIES : 1;
    uint32_t slot = HD_GENERATE_LIKE_NONE;
    assert(count > 0);
    for (; tries > 0 && (slot == HD_GENERATE_LIKE_NONE || plan->slots[slot].locked); tries--)
        slot = plan->by_thread[from + draw_below(plan, count)];
    return slot;
}

static void add_item(hd_generate_like_plan *plan, uint32_t slot, enum heddle_kind kind,
                     uint32_t object) {
    plan->items[plan->item_count++] =
        (hd_generate_like_item){.slot = slot,
                                .object = object,
                                .place = hd_random_next(&plan->random),
                                .kind = (uint8_t)kind};
}

static uint32_t draw_reader(hd_generate_like_plan *plan, uint32_t home) {
    uint32_t threads = plan->shape->threads;
    if (hd_random_chance(&plan->random, plan->shape->own))
        return home;
    if (hd_random_chance(&plan->random, plan->shape->back))
        return draw_below(plan, threads);
    return home + 1 + draw_below(plan, threads - home - 1);
}

static uint32_t draw_writer(hd_generate_like_plan *plan, uint32_t home) {
    if (hd_random_chance(&plan->random, plan->shape->rivals))
        return home + 1 + draw_below(plan, plan->shape->threads - home - 1);
    return home;
}

static void deal_hot(hd_generate_like_plan *plan, uint32_t variable) {
    uint32_t home = draw_below(plan, plan->shape->threads - 1);
    for (uint32_t i = 0; i < plan->sizes[variable].writes; i++)
        add_item(plan, draw_slot(plan, draw_writer(plan, home)), HEDDLE_WRITE, variable);
    for (uint32_t i = 0; i < plan->sizes[variable].reads; i++)
        add_item(plan, draw_slot(plan, draw_reader(plan, home)), HEDDLE_READ, variable);
}

static void deal_accesses(hd_generate_like_plan *plan) {
    plan->hot = hd_generate_like_sizes(plan->sizes, plan->shape, &plan->random);
    for (uint32_t variable = 0; variable < plan->hot; variable++)
        deal_hot(plan, variable);
    for (uint32_t variable = plan->hot; variable < plan->shape->variables; variable++)
        for (uint32_t i = 0; i < plan->sizes[variable].reads; i++)
            add_item(plan, draw_below(plan, plan->slot_count), HEDDLE_READ, variable);
}

/* What no other measure counts: forks and joins, if there is room, and marks. */
static uint32_t others(const hd_generate_like_shape *shape) {
    return shape->events - shape->lock_events - shape->access_events - shape->wait_events;
}

bool hd_generate_like_has_forks(const hd_generate_like_shape *shape) {
    return others(shape) >= 2 * (shape->threads - 1);
}

static void deal_marks(hd_generate_like_plan *plan) {
    uint32_t marks = others(plan->shape);
    if (hd_generate_like_has_forks(plan->shape))
        marks -= 2 * (plan->shape->threads - 1);
    for (; marks > 0; marks--)
        add_item(plan, draw_below(plan, plan->slot_count), HEDDLE_MARK, 0);
}

static int compare_items(const void *one, const void *other) {
    const hd_generate_like_item *a = one, *b = other;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return (a->object > b->object) - (a->object < b->object);
}

/* ---- Locks. ---- */

/* Each hot variable has its lock, and a scope with an access to one takes it;
 * `skip` is a lock that the slot has already. */
static uint32_t lock_for(hd_generate_like_plan *plan, const hd_generate_like_item *items,
                         uint32_t count, uint32_t skip) {
    uint32_t locks = plan->shape->locks;
    for (uint32_t i = 0; i < count; i++)
        if (items[i].kind != HEDDLE_MARK && items[i].object < plan->hot &&
            items[i].object % locks != skip)
            return items[i].object % locks;
    uint32_t lock = draw_below(plan, skip < locks ? locks - 1 : locks);
    return lock + (lock >= skip);
}

static void name_locks_of(hd_generate_like_plan *plan, hd_generate_like_slot *slot,
                          const hd_generate_like_item *items, uint32_t count) {
    if (slot->locked && slot->outer == HD_GENERATE_LIKE_NONE)
        slot->outer = lock_for(plan, items, count, HD_GENERATE_LIKE_NONE);
    if (slot->nested)
        slot->inner = lock_for(plan, items, count, slot->outer);
    if (slot->waits)
        plan->slots[slot->next].outer = slot->outer;
}

uint32_t hd_generate_like_items_in(const hd_generate_like_plan *plan, uint32_t slot,
                                   uint32_t from) {
    uint32_t count = 0;
    while (from + count < plan->item_count && plan->items[from + count].slot == slot)
        count++;
    return count;
}

/* Locks that no slot has taken replace some that more than one has. */
static void use_all_locks(hd_generate_like_plan *plan) {
    uint32_t *uses = HD_NEW_ARRAY(uint32_t, plan->shape->locks), lock = 0;
    for (uint32_t i = 0; i < plan->slot_count; i++) {
        if (plan->slots[i].outer != HD_GENERATE_LIKE_NONE)
            uses[plan->slots[i].outer]++;
        if (plan->slots[i].inner != HD_GENERATE_LIKE_NONE)
            uses[plan->slots[i].inner]++;
    }
    for (uint32_t i = 0; i < plan->slot_count; i++) {
        while (lock < plan->shape->locks && uses[lock] > 0)
            lock++;
        if (lock == plan->shape->locks)
            break;
        hd_generate_like_slot *slot = &plan->slots[i];
        if (slot->locked && !slot->pinned && uses[slot->outer] > 1) {
            uses[slot->outer]--;
            uses[slot->outer = lock]++;
        }
    }
    free(uses);
}

static void deal_locks(hd_generate_like_plan *plan) {
    for (uint32_t i = 0, from = 0; i < plan->slot_count; i++) {
        uint32_t count = hd_generate_like_items_in(plan, i, from);
        name_locks_of(plan, &plan->slots[i], plan->items + from, count);
        from += count;
    }
    use_all_locks(plan);
}

static void make_plan(hd_generate_like_plan *plan) {
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

void hd_generate_like_plan_init(hd_generate_like_plan *plan, const hd_generate_like_shape *shape,
                                uint64_t seed) {
    uint32_t scopes = shape->lock_events / 2, slots = scopes * 5 / 4 + 3 * shape->threads;
    *plan = (hd_generate_like_plan){
        .shape = shape,
        .slots = HD_NEW_ARRAY(hd_generate_like_slot, slots),
        .slot_count = slots,
        .scopes = scopes,
        .items = HD_NEW_ARRAY(hd_generate_like_item, shape->events),
        .sizes = HD_NEW_ARRAY(hd_generate_like_size, shape->variables),
        .by_thread = HD_NEW_ARRAY(uint32_t, slots),
        .start = HD_NEW_ARRAY(uint32_t, shape->threads + 1),
    };
    hd_random_seed(&plan->random, seed);
    make_plan(plan);
}

void hd_generate_like_plan_release(hd_generate_like_plan *plan) {
    free(plan->slots);
    free(plan->items);
    free(plan->sizes);
    free(plan->by_thread);
    free(plan->start);
}
