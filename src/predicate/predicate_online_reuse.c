/*
 * Variables that are used no more, whose numbers are given out again: a program that allocates and
 * frees for ever has no more of them than it uses at a time, and those in the events that are kept.
 *
 * A number is given out only if no event that is kept, or held back, accesses the variable: then no
 * state that is still to be looked at has one as the last event of a thread, and all that is known
 * of the variable is of no use.
 */
#include "predicate_online_state.h"

void hd_predicate_online_retire(hd_predicate_online *online, uint32_t variable) {
    assert(!online->options.loset);
    hd_vec_push(&online->retired, variable);
}

bool hd_predicate_online_reuse(hd_predicate_online *online, uint32_t *variable) {
    if (!online->spare.length)
        return false;
    *variable = online->spare.data[--online->spare.length];
    online->effort.reused++;
    return true;
}

static void note(hd_bits *used, uint32_t variables, uint32_t variable) {
    if (variable < variables)
        hd_bits_set(used, variable);
}

/* What is in memory of events: those of threads, and those that are held back. */
static void note_all(const hd_predicate_online *online, uint32_t variables, hd_bits *used) {
    for (size_t p = 0; p < online->places.length; p++) {
        const struct hd_predicate_online_place *place = &online->places.data[p];
        for (size_t i = 0; i < place->accesses.length; i++)
            if (hd_trace_is_access(&place->accesses.data[i]))
                note(used, variables, place->accesses.data[i].object);
    }
    for (size_t i = online->first_held; i < online->held_back.length; i++) {
        const struct hd_predicate_held *held = &online->held_back.data[i];
        if (held->part != HD_PREDICATE_NONE) {
            note(used, variables, held->whole);
            note(used, variables, held->part);
        } else if (hd_trace_is_access(&held->event))
            note(used, variables, held->event.object);
    }
}

/* Nothing is known of it any more. */
static void renew(hd_predicate_online *online, uint32_t variable) {
    hd_order_machine_renew(online->machine, variable);
    if (variable < online->parts.length)
        online->parts.data[variable] = (struct hd_predicate_part){0};
    if (variable >= online->seen.length)
        return;
    for (size_t i = 0; i < online->seen.data[variable].length; i++)
        hd_vec_release(&online->seen.data[variable].data[i].list);
    hd_vec_release(&online->seen.data[variable]);
}

void hd_predicate_online_spare(hd_predicate_online *online) {
    uint32_t variables = 0;
    size_t left = 0;
    hd_bits used;
    if (!online->retired.length)
        return;
    for (size_t i = 0; i < online->retired.length; i++)
        if (online->retired.data[i] >= variables)
            variables = online->retired.data[i] + 1;
    hd_bits_init(&used, variables);
    note_all(online, variables, &used);
    for (size_t i = 0; i < online->retired.length; i++) {
        uint32_t variable = online->retired.data[i];
        if (hd_bits_has(&used, variable)) {
            online->retired.data[left++] = variable;
            continue;
        }
        renew(online, variable);
        hd_vec_push(&online->spare, variable);
    }
    online->retired.length = left;
    hd_bits_release(&used);
}
