#include "cut_filter.h"

#include <string.h>

static void find_steps(hd_cut_rules *rules) {
    const hd_cut_space *space = rules->space;
    const hd_trace_index *index = &space->order->index;
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = 1; c < space->length[p]; c++) {
            if (!hd_order_releases_to_wait(index, hd_cut_event(space, p, c)))
                continue;
            if (!rules->between.length)
                hd_bits_init(&rules->between, space->start[space->threads]);
            hd_bits_set(&rules->between, space->start[p] + c);
        }
}

void hd_cut_rules_init(hd_cut_rules *rules, const hd_cut_space *space) {
    *rules = (hd_cut_rules){.space = space};
    if (space->order->trace->tables.names[HEDDLE_CLASS_CONDITION].length)
        find_steps(rules);
    if (space->model == HD_ORDER_LOSET)
        hd_order_units_build(&rules->units, &space->order->index);
    hd_cut_together_init(&rules->together, space);
}

void hd_cut_rules_release(hd_cut_rules *rules) {
    hd_bits_release(&rules->between);
    hd_order_units_release(&rules->units);
    hd_cut_together_release(&rules->together);
}

void hd_cut_rules_leave_out(const hd_cut_rules *rules, hd_cut_pairs *pairs) {
    const hd_cut_space *space = rules->space;
    const hd_bits *between = &rules->between;
    for (uint32_t p = 0; p < space->threads && hd_cut_rules_split(rules); p++)
        for (size_t at = hd_bits_next(between, space->start[p]); at < space->start[p + 1];
             at = hd_bits_next(between, at + 1)) {
            size_t count = at - space->start[p];
            pairs->all[pairs->word[p] + count / 64] &= ~(UINT64_C(1) << count % 64);
        }
}

static int64_t within(const hd_order_units *units, const hd_order_groups *groups,
                      uint32_t semaphore, const hd_cut_space *space, const uint32_t *state) {
    int64_t sum = 0;
    HD_ASSERT_ONLY uint32_t found = 0;
    for (uint32_t g = groups->first[semaphore]; g < groups->first[semaphore + 1]; g++)
        for (uint32_t p = 0; p < space->threads; p++)
            if (space->thread[p] == groups->thread[g]) {
                sum += hd_order_units_within(units, groups, g, state[p]);
                found++;
            }
    /* Each thread that posts or takes has one place. */
    assert(found == groups->first[semaphore + 1] - groups->first[semaphore]);
    return sum;
}

int64_t hd_cut_units_left(const hd_order_units *units, const hd_cut_space *space,
                          uint32_t semaphore, const uint32_t *state) {
    return units->initial[semaphore] + within(units, &units->posts, semaphore, space, state) -
           within(units, &units->takes, semaphore, space, state);
}

bool hd_cut_units_suffice(const hd_order_units *units, const hd_cut_space *space,
                          const uint32_t *state) {
    for (uint32_t s = 0; s < units->semaphores; s++)
        if (hd_cut_units_left(units, space, s, state) < 0)
            return false;
    return true;
}

/* ---- Visiting ---- */

static bool is_between(const hd_cut_rules *rules, uint32_t place, uint32_t count) {
    return hd_cut_rules_split(rules) &&
           hd_bits_has(&rules->between, rules->space->start[place] + count);
}

/* May the last thread be at this count, with the others as they are? */
static bool is_state(const hd_cut_filter *filter, uint32_t last, uint32_t count) {
    const hd_cut_rules *rules = filter->rules;
    filter->state[last] = count;
    return !is_between(rules, last, count) &&
           (!rules->units.semaphores ||
            hd_cut_units_suffice(&rules->units, rules->space, filter->state)) &&
           (!rules->together.rows ||
            hd_cut_together_whole(&rules->together, rules->space, filter->state));
}

static int pass_states(void *context, const uint32_t *state, uint32_t count) {
    hd_cut_filter *filter = context;
    uint32_t threads = filter->rules->space->threads, last = threads - 1;
    if (!threads)
        return hd_cut_emit(filter->to, state, count);
    for (uint32_t p = 0; p < last; p++)
        if (is_between(filter->rules, p, state[p]))
            return 0;
    memcpy(filter->state, state, threads * sizeof *state);
    uint32_t end = state[last] + count;
    for (uint32_t from = state[last]; from < end;) {
        if (!is_state(filter, last, from)) {
            from++;
            continue;
        }
        uint32_t to = from + 1;
        while (to < end && is_state(filter, last, to))
            to++;
        filter->state[last] = from;
        HD_COSTLY_ASSERT(hd_cut_seems_consistent(filter->rules->space, filter->state));
        int why = hd_cut_emit(filter->to, filter->state, to - from);
        if (why)
            return why;
        from = to;
    }
    return 0;
}

static void begin_job(void *context, size_t job) {
    const hd_cut_filter *filter = context;
    hd_cut_begin_job(filter->to, job);
}

static void end_job(void *context, size_t job) {
    const hd_cut_filter *filter = context;
    hd_cut_end_job(filter->to, job);
}

hd_cut_visitor hd_cut_filter_init(hd_cut_filter *filter, const hd_cut_rules *rules,
                                  hd_cut_visitor *to) {
    *filter = (hd_cut_filter){rules, to, HD_NEW_ARRAY(uint32_t, rules->space->stride + 1)};
    return (hd_cut_visitor){.context = filter,
                            .run = pass_states,
                            .stop = to->stop,
                            .begin_job = begin_job,
                            .end_job = end_job};
}

void hd_cut_filter_release(hd_cut_filter *filter) {
    free(filter->state);
    *filter = (hd_cut_filter){0};
}
