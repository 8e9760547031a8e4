/*
 * Variables and locks that are used no more, whose numbers are given out again: a program that
 * allocates and frees for ever has no more of them than it uses at a time, and those in the events
 * that are kept.
 *
 * A number is given out only if no event that is kept, or held back, is on it.  Then no state that
 * is still to be looked at has one as the last event of a thread, and every thread knows of all
 * events on it: what is known of it is of no use.
 */
#include "predicate_online_state.h"

static int index_of(enum heddle_class class) {
    assert(class == HEDDLE_CLASS_VARIABLE || class == HEDDLE_CLASS_LOCK);
    return class == HEDDLE_CLASS_LOCK;
}

void hd_predicate_online_retire(hd_predicate_online *online, enum heddle_class class,
                                uint32_t number) {
    assert(!online->options.loset);
    hd_vec_push(&online->unused[index_of(class)].retired, number);
}

bool hd_predicate_online_reuse(hd_predicate_online *online, enum heddle_class class,
                               uint32_t *number) {
    hd_vec_u32 *spare = &online->unused[index_of(class)].spare;
    if (!spare->length)
        return false;
    *number = spare->data[--spare->length];
    online->effort.reused[index_of(class)]++;
    return true;
}

static void note(hd_bits *used, uint32_t number) {
    if (number < used->length)
        hd_bits_set(used, number);
}

static void note_event(hd_bits *used, enum heddle_class class, const heddle_event *event) {
    if (hd_trace_kinds[event->kind].class == class)
        note(used, event->object);
}

/* What is in memory of events: those of threads, and those that are held back. */
static void note_all(const hd_predicate_online *online, enum heddle_class class, hd_bits *used) {
    for (size_t p = 0; p < online->places.length; p++)
        for (size_t i = 0; i < online->places.data[p].accesses.length; i++)
            note_event(used, class, &online->places.data[p].accesses.data[i]);
    for (size_t i = online->first_held; i < online->held_back.length; i++) {
        const struct hd_predicate_held *held = &online->held_back.data[i];
        if (held->part == HD_PREDICATE_NONE)
            note_event(used, class, &held->event);
        else if (class == HEDDLE_CLASS_VARIABLE) {
            note(used, held->whole);
            note(used, held->part);
        }
    }
}

/* Nothing is known of it any more. */
static void renew(hd_predicate_online *online, enum heddle_class class, uint32_t number) {
    hd_order_machine_renew(online->machine, class, number);
    if (class == HEDDLE_CLASS_LOCK)
        return;
    if (number < online->parts.length)
        online->parts.data[number] = (struct hd_predicate_part){0};
    if (number >= online->seen.length)
        return;
    for (size_t i = 0; i < online->seen.data[number].length; i++)
        hd_vec_release(&online->seen.data[number].data[i].list);
    hd_vec_release(&online->seen.data[number]);
}

static void spare(hd_predicate_online *online, enum heddle_class class) {
    hd_vec_u32 *retired = &online->unused[index_of(class)].retired;
    uint32_t numbers = 0;
    size_t left = 0;
    hd_bits used;
    if (!retired->length)
        return;
    for (size_t i = 0; i < retired->length; i++)
        if (retired->data[i] >= numbers)
            numbers = retired->data[i] + 1;
    hd_bits_init(&used, numbers);
    note_all(online, class, &used);
    for (size_t i = 0; i < retired->length; i++) {
        uint32_t number = retired->data[i];
        if (hd_bits_has(&used, number)) {
            retired->data[left++] = number;
            continue;
        }
        renew(online, class, number);
        hd_vec_push(&online->unused[index_of(class)].spare, number);
    }
    retired->length = left;
    hd_bits_release(&used);
}

void hd_predicate_online_spare(hd_predicate_online *online) {
    spare(online, HEDDLE_CLASS_VARIABLE);
    spare(online, HEDDLE_CLASS_LOCK);
}
