#include "cut_slices.h"

#include <string.h>

#include "cut_diagram.h"
#include "cut_places.h"

enum { WANTED = 1024 };

/* Ours: a diagram, or where that is too large, blocks. */
static bool is_ours(const hd_cut_request *request) {
    return request->algorithm == HD_CUT_AUTO || request->algorithm == HD_CUT_DIAGRAM;
}

static bool make_space(hd_cut_slices *slices, hd_order *order, hd_error *error) {
    const hd_cut_request *request = &slices->request;
    uint32_t *places = NULL;
    if (is_ours(request) && !request->places) {
        places = HD_NEW_ARRAY(uint32_t, hd_order_threads(order) + 1);
        uint32_t count = hd_cut_space_threads(order, places);
        hd_cut_places_for_diagram(order, request->model, places, count);
    }
    bool good = hd_cut_space_init_in_time(&slices->space, order, request->model,
                                          places ? places : request->places, error);
    slices->late = !good && hd_clock_look() != HD_CLOCK_GOES;
    free(places);
    return good;
}

static bool make_pairs(hd_cut_slices *slices, hd_error *error) {
    const hd_cut_request *request = &slices->request;
    bool checked = !request->unchecked && !slices->space.order->trace->loset;
    hd_cut_loset_init(&slices->loset, &slices->space, checked);
    if (!hd_cut_pairs_init(&slices->pairs, &slices->loset, request->class, request->memory,
                           error)) {
        hd_cut_loset_release(&slices->loset);
        slices->late = hd_clock_look() != HD_CLOCK_GOES;
        return false;
    }
    hd_cut_rules_leave_out(&slices->rules, &slices->pairs);
    size_t counts = (size_t)slices->space.length[0] + 1;
    slices->paired = true;
    slices->count = counts < WANTED ? counts : WANTED;
    return true;
}

static void make_intervals(hd_cut_slices *slices) {
    const hd_cut_request *request = &slices->request;
    if (request->algorithm == HD_CUT_TREE || request->algorithm == HD_CUT_QUICKLEX)
        hd_cut_covers_init(&slices->covers, &slices->space);
    hd_cut_intervals(&slices->space, WANTED, 1, &slices->intervals);
    slices->count = slices->intervals.length / (2 * (size_t)slices->space.stride);
}

bool hd_cut_slices_init(hd_cut_slices *slices, hd_order *order, const hd_cut_request *request,
                        hd_error *error) {
    *slices = (hd_cut_slices){.count = 1};
    if (!hd_cut_prepare(order, request, &slices->request, error))
        return false;
    enum hd_cut_class class = slices->request.class;
    enum hd_cut_algorithm algorithm = slices->request.algorithm;
    if (class > HD_CUT_VIABLE || algorithm == HD_CUT_LEX1 || algorithm == HD_CUT_LEX2)
        return hd_error_set(
            error,
            "%s states of a loset (%s) are found from those before them, and cannot "
            "be counted in slices",
            hd_cut_class_names[class], hd_cut_algorithm_names[algorithm]);
    if (!make_space(slices, order, error))
        return false;
    hd_cut_rules_init(&slices->rules, &slices->space);
    if (!slices->space.threads)
        return true;
    bool halves = hd_cut_rules_split(&slices->rules) && !hd_cut_rules_count(&slices->rules);
    if (class != HD_CUT_CONSISTENT || (halves && is_ours(&slices->request)))
        return make_pairs(slices, error);
    make_intervals(slices);
    return true;
}

void hd_cut_slices_release(hd_cut_slices *slices) {
    if (slices->paired) {
        hd_cut_pairs_release(&slices->pairs);
        hd_cut_loset_release(&slices->loset);
    }
    hd_cut_covers_release(&slices->covers);
    hd_cut_rules_release(&slices->rules);
    hd_cut_space_release(&slices->space);
    hd_vec_release(&slices->intervals);
}

/* The counts of the first thread that a slice over pairs has. */
static void find_counts(const hd_cut_slices *slices, size_t slice, uint32_t *from, uint32_t *to) {
    assert(slices->paired && slice < slices->count);
    hd_cut_part(&slices->space, slices->count, slice, from, to);
}

/* As `auto` does: of intervals, a diagram that costs little beside a count state by state. */
static bool try_diagram(const hd_cut_slices *slices, size_t slice, hd_cut_count *states) {
    const hd_cut_request *request = &slices->request;
    const double edges_a_state = 0.005, unnoticed = 2000, largest = 1e15;
    hd_cut_budget budget = {UINT64_MAX, request->memory / request->workers, request->stop};
    hd_cut_diagram_size size;
    if (!is_ours(request) || hd_cut_rules_count(&slices->rules))
        return false;
    if (slices->paired) {
        uint32_t from, to;
        find_counts(slices, slice, &from, &to);
        return hd_cut_pairs_count(&slices->pairs, from, to, &budget, states, &size);
    }
    const uint32_t *least = slices->intervals.data + 2 * slice * slices->space.stride;
    const uint32_t *most = least + slices->space.stride;
    double edges = hd_cut_space_guess(&slices->space, least, most) * edges_a_state + unnoticed;
    if (request->algorithm == HD_CUT_AUTO)
        budget.edges = (uint64_t)(edges < largest ? edges : largest);
    return hd_cut_diagram_count(&slices->space, least, most, &budget, states, &size);
}

static int enumerate(const hd_cut_slices *slices, size_t slice, hd_cut_visitor *visitor) {
    const hd_cut_request *request = &slices->request;
    if (slices->paired) {
        uint32_t from, to;
        find_counts(slices, slice, &from, &to);
        return hd_cut_pairs_walk(&slices->pairs, from, to, visitor);
    }
    const uint32_t *least = slices->intervals.data + 2 * slice * slices->space.stride;
    hd_cut_subroutine subroutine = {is_ours(request) ? HD_CUT_BOUNDS : request->algorithm,
                                    &slices->space, &slices->covers,
                                    request->memory / request->workers};
    return hd_cut_enumerate(&subroutine, least, least + slices->space.stride, visitor);
}

int hd_cut_slices_count(const hd_cut_slices *slices, size_t slice, hd_cut_count *states,
                        bool *symbolic) {
    *symbolic = false;
    if (!slices->space.threads) { /* only the empty state */
        hd_cut_count_add(states, 1);
        return 0;
    }
    *symbolic = try_diagram(slices, slice, states);
    if (*symbolic)
        return 0;
    bool filtered = hd_cut_rules_split(&slices->rules) || hd_cut_rules_count(&slices->rules);
    hd_cut_visitor counter = {.stop = slices->request.stop}, visitor = counter;
    hd_cut_filter filter;
    if (filtered)
        visitor = hd_cut_filter_init(&filter, &slices->rules, &counter);
    int why = enumerate(slices, slice, &visitor);
    if (!why)
        hd_cut_count_add(states, filtered ? counter.states : visitor.states);
    if (filtered)
        hd_cut_filter_release(&filter);
    return why;
}
