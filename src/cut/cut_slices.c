#include "cut_slices.h"

#include <string.h>

#include "cut_diagram.h"
#include "cut_places.h"

enum { WANTED = 1024 };

bool hd_cut_slices_init(hd_cut_slices *slices, hd_order *order, const hd_cut_request *request,
                        hd_error *error) {
    *slices = (hd_cut_slices){.request = *request};
    hd_cut_rules rules;
    uint32_t *places = NULL;
    if (request->model != HD_ORDER_POSET || order->trace->loset)
        return hd_error_set(error, "only the states of posets can be counted in slices");
    if (!hd_order_need(order, HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE, request->memory,
                       error))
        return false;
    bool ours = request->algorithm == HD_CUT_AUTO || request->algorithm == HD_CUT_DIAGRAM;
    if (ours && !request->places) {
        places = HD_NEW_ARRAY(uint32_t, hd_order_threads(order) + 1);
        uint32_t count = hd_cut_space_threads(order, places);
        hd_cut_places_for_diagram(order, request->model, places, count);
    }
    bool good = hd_cut_space_init_in_time(&slices->space, order, request->model,
                                          places ? places : request->places, error);
    free(places);
    if (!good)
        return false;
    hd_cut_rules_init(&rules, &slices->space);
    good = !hd_cut_rules_split(&rules) && !hd_cut_rules_count(&rules);
    hd_cut_rules_release(&rules);
    if (!good)
        return hd_error_set(error, "states of a trace with waits on conditions, or with objects "
                                   "that are counted, cannot be counted in slices");
    if (request->algorithm == HD_CUT_TREE || request->algorithm == HD_CUT_QUICKLEX)
        hd_cut_covers_init(&slices->covers, &slices->space);
    hd_cut_intervals(&slices->space, WANTED, 1, &slices->intervals);
    slices->count =
        slices->space.threads ? slices->intervals.length / (2 * (size_t)slices->space.stride) : 1;
    return true;
}

void hd_cut_slices_release(hd_cut_slices *slices) {
    hd_cut_covers_release(&slices->covers);
    hd_cut_space_release(&slices->space);
    hd_vec_release(&slices->intervals);
}

/* As `auto` does: a diagram that costs little beside a count state by state. */
static bool try_diagram(const hd_cut_slices *slices, const uint32_t *least, const uint32_t *most,
                        hd_cut_count *states) {
    const hd_cut_request *request = &slices->request;
    const double edges_a_state = 0.005, unnoticed = 2000, largest = 1e15;
    double edges = hd_cut_space_guess(&slices->space, least, most) * edges_a_state + unnoticed;
    bool automatic = request->algorithm == HD_CUT_AUTO;
    hd_cut_budget budget = {automatic ? (uint64_t)(edges < largest ? edges : largest) : UINT64_MAX,
                            request->memory / request->workers, request->stop};
    hd_cut_diagram_size size;
    return (automatic || request->algorithm == HD_CUT_DIAGRAM) &&
           hd_cut_diagram_count(&slices->space, least, most, &budget, states, &size);
}

int hd_cut_slices_count(const hd_cut_slices *slices, size_t slice, hd_cut_count *states,
                        bool *symbolic) {
    const hd_cut_request *request = &slices->request;
    size_t stride = slices->space.stride;
    *symbolic = false;
    if (!slices->space.threads) { /* only the empty state */
        hd_cut_count_add(states, 1);
        return 0;
    }
    const uint32_t *least = slices->intervals.data + 2 * slice * stride;
    *symbolic = try_diagram(slices, least, least + stride, states);
    if (*symbolic)
        return 0;
    bool ours = request->algorithm == HD_CUT_AUTO || request->algorithm == HD_CUT_DIAGRAM;
    hd_cut_subroutine subroutine = {ours ? HD_CUT_BOUNDS : request->algorithm, &slices->space,
                                    &slices->covers, request->memory / request->workers};
    hd_cut_visitor visitor = {.stop = request->stop};
    int why = hd_cut_enumerate(&subroutine, least, least + stride, &visitor);
    if (!why)
        hd_cut_count_add(states, visitor.states);
    return why;
}
