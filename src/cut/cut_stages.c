#include "cut_stages.h"

#include "cut_places.h"
#include "cut_sweep.h"

bool hd_cut_staged(hd_order *order, const hd_cut_request *request) {
    hd_cut_request simple;
    hd_error ignored = {""};
    return hd_cut_prepare(order, request, &simple, &ignored) && simple.class > HD_CUT_VIABLE &&
           (simple.algorithm == HD_CUT_AUTO || simple.algorithm == HD_CUT_SWEEP);
}

static bool make_space(hd_cut_stages *stages, hd_order *order, hd_error *error) {
    const hd_cut_request *request = &stages->request;
    uint32_t *places = NULL;
    if (!request->places) {
        places = HD_NEW_ARRAY(uint32_t, hd_order_threads(order) + 1);
        uint32_t count = hd_cut_space_threads(order, places);
        hd_cut_places_for_sweep(order, places, count);
    }
    bool good = hd_cut_space_init_in_time(&stages->space, order, request->model,
                                          places ? places : request->places, error);
    stages->late = !good && hd_clock_look() != HD_CLOCK_GOES;
    free(places);
    return good;
}

static void make_visitors(hd_cut_stages *stages) {
    unsigned workers = stages->request.workers;
    stages->counters = HD_NEW_ARRAY(hd_cut_visitor, workers);
    stages->visitors = stages->counters;
    for (unsigned i = 0; i < workers; i++)
        stages->counters[i].stop = stages->request.stop;
    if (!hd_cut_rules_split(&stages->rules) && !hd_cut_rules_count(&stages->rules))
        return;
    stages->filters = HD_NEW_ARRAY(hd_cut_filter, workers);
    stages->visitors = HD_NEW_ARRAY(hd_cut_visitor, workers);
    for (unsigned i = 0; i < workers; i++)
        stages->visitors[i] =
            hd_cut_filter_init(&stages->filters[i], &stages->rules, &stages->counters[i]);
}

bool hd_cut_stages_init(hd_cut_stages *stages, hd_order *order, const hd_cut_request *request,
                        hd_error *error) {
    *stages = (hd_cut_stages){0};
    if (!hd_cut_prepare(order, request, &stages->request, error) ||
        !make_space(stages, order, error))
        return false;
    size_t memory = stages->request.memory;
    unsigned workers = stages->request.workers;
    bool checked = !request->unchecked && !order->trace->loset;
    const hd_cut_space *space = &stages->space;
    hd_cut_rules_init(&stages->rules, space);
    make_visitors(stages);
    stages->levels = space->threads ? space->length[0] + 1 : 1;
    if (stages->request.class == HD_CUT_REACHABLE && hd_cut_rules_count(&stages->rules))
        return hd_error_set(error, "reachable states of a loset with semaphores cannot be counted "
                                   "in stages");
    if (!space->threads)
        return true;
    hd_cut_loset_init(&stages->loset, space, checked);
    if (!hd_cut_pairs_init(&stages->pairs, &stages->loset, HD_CUT_FEASIBLE, memory, error)) {
        stages->late = hd_clock_look() != HD_CLOCK_GOES;
        return false;
    }
    if (space->threads < 2)
        return true;
    stages->sweeping =
        hd_cut_sweeping_begin(&stages->pairs, stages->request.class, stages->request.cell_places,
                              memory, workers, stages->visitors);
    if (!stages->sweeping)
        return hd_error_set(error, "the sweep needs more than the memory of --memory");
    stages->levels = hd_cut_sweeping_levels(stages->sweeping);
    return true;
}

void hd_cut_stages_release(hd_cut_stages *stages) {
    hd_cut_sweeping_end(stages->sweeping);
    for (unsigned i = 0; stages->filters && i < stages->request.workers; i++)
        hd_cut_filter_release(&stages->filters[i]);
    if (stages->filters)
        free(stages->visitors);
    free(stages->filters);
    free(stages->counters);
    hd_cut_pairs_release(&stages->pairs);
    if (stages->loset.space)
        hd_cut_loset_release(&stages->loset);
    hd_cut_rules_release(&stages->rules);
    hd_cut_space_release(&stages->space);
    hd_cut_count_release(&stages->states);
}

int hd_cut_stages_take(hd_cut_stages *stages, uint32_t levels) {
    uint32_t from = stages->done, left = stages->levels - from;
    assert(levels && left);
    levels = levels < left ? levels : left;
    for (unsigned i = 0; i < stages->request.workers; i++)
        stages->visitors[i].states = stages->counters[i].states = 0;
    uint32_t to = from + levels - 1;
    int why = !stages->space.threads ? hd_cut_emit(stages->visitors, &from, 1)
              : stages->sweeping     ? hd_cut_sweeping_take(stages->sweeping, from, to, NULL)
                                 : hd_cut_pairs_walk(&stages->pairs, from, to, stages->visitors);
    if (why)
        return why;
    for (unsigned i = 0; i < stages->request.workers; i++)
        hd_cut_count_add(&stages->states, stages->counters[i].states);
    stages->done += levels;
    return 0;
}

void hd_cut_stages_put(const hd_cut_stages *stages, hd_vec_char *to) {
    hd_bytes_put(to, stages->levels);
    hd_bytes_put(to, stages->done);
    hd_cut_count_put(&stages->states, to);
    if (stages->sweeping && stages->done)
        hd_cut_sweeping_put(stages->sweeping, stages->done - 1, to);
}

bool hd_cut_stages_get(hd_cut_stages *stages, hd_bytes *from) {
    assert(!stages->done);
    if (hd_bytes_get(from, UINT32_MAX) != stages->levels)
        from->bad = true;
    uint32_t done = (uint32_t)hd_bytes_get(from, stages->levels);
    hd_cut_count_get(&stages->states, from);
    if (stages->sweeping && done && !from->bad &&
        !hd_cut_sweeping_get(stages->sweeping, done - 1, from))
        return false;
    stages->done = from->bad ? 0 : done;
    return hd_bytes_done(from);
}
