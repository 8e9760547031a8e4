#include "predicate_definitely.h"

#include <string.h>

/* ---- Intervals ---- */

struct interval {
    uint32_t begin; /* first event of the step into it; 0: it is there from the start */
    uint32_t end;   /* last event of the step out of it; past the thread: never */
};

static bool is_between(const hd_predicate_instance *instance, uint32_t place, uint32_t count) {
    return hd_bits_has(&instance->between, instance->space.start[place] + count);
}

/* The first interval that begins at or after a count; false if none exists. */
static bool next_interval(const hd_predicate_form *form, const hd_predicate_term *term,
                          uint32_t place, uint32_t *from, struct interval *interval) {
    const hd_cut_space *space = &form->instance->space;
    uint32_t length = space->length[place], c = *from;
    const size_t at = space->start[place];
    while (c <= length && !hd_bits_has(&term->allowed, at + c))
        c++;
    if (c > length)
        return false;
    interval->begin = c && is_between(form->instance, place, c - 1) ? c - 1 : c;
    while (c <= length &&
           (hd_bits_has(&term->allowed, at + c) || is_between(form->instance, place, c)))
        c++;
    /* c is the first count out of it; or one that lies after half a step */
    interval->end = c;
    assert(interval->begin < interval->end && interval->end > *from);
    *from = c;
    return true;
}

/* Has p begun before q ends, in every run? */
static bool begins_before_end(const hd_cut_space *space, const struct interval *all, uint32_t p,
                              uint32_t q) {
    return !all[p].begin || all[q].end > space->length[q] ||
           hd_cut_low(space, q, all[q].end)[p] >= all[p].begin;
}

/* Has each of them begun before any other ends? */
HD_ASSERT_ONLY static bool all_overlap(const hd_cut_space *space, const struct interval *all) {
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t q = 0; q < space->threads; q++)
            if (p != q && !begins_before_end(space, all, p, q))
                return false;
    return true;
}

bool hd_predicate_is_strong(const hd_predicate_form *form, const hd_predicate_term *term) {
    const hd_cut_space *space = &form->instance->space;
    struct interval *now = HD_NEW_ARRAY(struct interval, space->threads + 1);
    uint32_t *from = HD_NEW_ARRAY(uint32_t, space->threads + 1);
    bool good = true;
    for (uint32_t p = 0; p < space->threads && good; p++)
        good = next_interval(form, term, p, &from[p], &now[p]);
    for (bool changed = true; changed && good;) {
        changed = false;
        for (uint32_t p = 0; p < space->threads && good; p++)
            for (uint32_t q = 0; q < space->threads && good; q++)
                while (good && p != q && !begins_before_end(space, now, p, q)) {
                    good = next_interval(form, term, q, &from[q], &now[q]);
                    changed = true;
                }
    }
    assert(!good || all_overlap(space, now));
    free(now);
    free(from);
    return good;
}

/* ---- Search ---- */

struct avoid {
    const hd_predicate_instance *instance;
    const hd_cut_loset *loset; /* NULL: all consistent states */
    hd_predicate_control *control;
    size_t memory;
    hd_cut_table met; /* states, and after each the one it came from and the thread */
    hd_vec_u32 stack;
    uint64_t *key;
    uint32_t *now;
};

/* How many events the thread's next step has, 0 if it cannot go on. */
static uint32_t events_of_step(const struct avoid *a, uint32_t place) {
    const hd_cut_space *space = &a->instance->space;
    uint32_t count = a->now[place];
    if (count == space->length[place])
        return 0;
    uint32_t events = is_between(a->instance, place, count + 1) ? 2 : 1;
    assert(count + events <= space->length[place]); /* a wait comes with its release */
    if (a->loset)
        return hd_cut_step_is_feasible(a->loset, a->now, place) ? events : 0;
    const uint32_t *low = hd_cut_low(space, place, count + 1);
    for (uint32_t q = 0; q < space->threads; q++)
        if (q != place && low[q] > a->now[q])
            return 0;
    return events;
}

static void meet_state(struct avoid *a, uint32_t from, uint32_t place) {
    bool added;
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(&a->instance->space, a->now));
    /* Within a step of a loset that is no run there is no state, and nothing is true. */
    assert(a->instance->together.rows || hd_predicate_whole(a->instance, a->now));
    if (hd_predicate_true(a->instance, a->now))
        return;
    size_t number = hd_cut_table_add(&a->met, a->key, &added);
    if (!added)
        return;
    a->control->states++;
    assert(place == HD_PREDICATE_NONE || from < number);
    hd_cut_table_record(&a->met, number)[a->met.width] = (uint64_t)from << 32 | place;
    hd_vec_push(&a->stack, (uint32_t)number);
}

/* Are these all events of the state? */
HD_ASSERT_ONLY static bool has_events_of(const struct avoid *a, const hd_vec_u32 *run,
                                         const uint32_t *state) {
    uint64_t events = 0;
    for (uint32_t p = 0; p < a->instance->space.threads; p++)
        events += state[p];
    return run->length == events;
}

static void trace_back(const struct avoid *a, uint32_t number, hd_vec_u32 *run) {
    const hd_cut_space *space = &a->instance->space;
    hd_vec_clear(run);
    for (;;) {
        const uint64_t *record = hd_cut_table_record(&a->met, number);
        uint32_t place = (uint32_t)record[a->met.width];
        uint32_t before = (uint32_t)(record[a->met.width] >> 32);
        if (place == HD_PREDICATE_NONE)
            break;
        const uint32_t *state = (const uint32_t *)record;
        const uint32_t *from = (const uint32_t *)hd_cut_table_record(&a->met, before);
        assert(before < number && state[place] > from[place]);
        for (uint32_t c = state[place]; c > from[place]; c--)
            hd_vec_push(run, hd_cut_event(space, place, c));
        number = before;
    }
    for (size_t i = 0; i < run->length / 2; i++) {
        uint32_t event = run->data[i];
        run->data[i] = run->data[run->length - 1 - i];
        run->data[run->length - 1 - i] = event;
    }
}

/* Depth first; the last thread that can go on is tried first. */
static int search_avoiding(struct avoid *a, hd_vec_u32 *run) {
    const hd_cut_space *space = &a->instance->space;
    meet_state(a, 0, HD_PREDICATE_NONE);
    while (a->stack.length) {
        uint32_t number = hd_vec_pop(&a->stack);
        memcpy(a->key, hd_cut_table_record(&a->met, number), a->met.width * sizeof *a->key);
        HD_COSTLY_ASSERT(!hd_predicate_true(a->instance, a->now));
        assert(a->stack.length < a->met.count);
        bool maximal = true;
        for (uint32_t p = 0; p < space->threads; p++) {
            uint32_t events = events_of_step(a, p);
            if (!events)
                continue;
            maximal = false;
            a->now[p] += events;
            meet_state(a, number, p);
            a->now[p] -= events;
        }
        if (maximal) {
            trace_back(a, number, run);
            assert(has_events_of(a, run, a->now));
            return 1;
        }
        if (!hd_predicate_go_on(a->control) || hd_cut_table_bytes(&a->met) > a->memory)
            return -1;
    }
    return 0;
}

int hd_predicate_avoid(const hd_predicate_instance *instance, const hd_cut_loset *loset,
                       size_t memory, hd_predicate_control *control, hd_vec_u32 *run) {
    struct avoid a = {.instance = instance, .loset = loset, .control = control, .memory = memory};
    size_t width = hd_cut_table_words(instance->space.threads);
    a.key = HD_NEW_ARRAY(uint64_t, width + 1);
    a.now = (uint32_t *)a.key;
    hd_cut_table_init(&a.met, width, 1);
    int answer = search_avoiding(&a, run);
    hd_cut_table_release(&a.met);
    hd_vec_release(&a.stack);
    free(a.key);
    return answer;
}
