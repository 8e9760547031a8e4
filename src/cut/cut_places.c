#include "cut_places.h"

enum { MOST_THREADS = 1024 }; /* with more, the table would cost more than it saves */

static void swap(uint32_t *places, uint32_t a, uint32_t b) {
    uint32_t other = places[a];
    places[a] = places[b];
    places[b] = other;
}

/* Is each thread that has events there once? */
HD_ASSERT_ONLY static bool are_all_threads(const hd_order *order, const uint32_t *places,
                                           uint32_t count) {
    uint32_t with_events = 0;
    for (uint32_t t = 0; t < hd_order_threads(order); t++) {
        uint32_t times = 0;
        for (uint32_t i = 0; i < count; i++)
            times += places[i] == t;
        if (times != (hd_order_thread_length(order, t) != 0))
            return false;
        with_events += times;
    }
    return with_events == count;
}

/* [a * threads + b]: edges between the two, either way. */
static void count_edges(const hd_order *order, const hd_order_lists *into, uint32_t *edges) {
    uint32_t threads = hd_order_threads(order);
    for (uint32_t i = 0; i < into->count; i++) {
        uint32_t to = hd_order_thread_of(order, into->keys[i]);
        hd_order_list list = hd_order_lists_at(into, i);
        for (uint32_t e = 0; e < list.count; e++) {
            uint32_t from = hd_order_thread_of(order, list.events[e]);
            edges[(size_t)from * threads + to]++;
            edges[(size_t)to * threads + from]++;
        }
    }
}

void hd_cut_places_for_diagram(const hd_order *order, enum hd_order_model model, uint32_t *places,
                               uint32_t count) {
    uint32_t threads = hd_order_threads(order);
    if (threads > MOST_THREADS)
        return;
    uint32_t *edges = HD_NEW_ARRAY(uint32_t, (size_t)threads * threads + 1);
    int64_t *gain = HD_NEW_ARRAY(int64_t, threads + 1); /* [thread]: if it came next */
    count_edges(order, &order->must.into, edges);
    if (model == HD_ORDER_POSET)
        count_edges(order, &order->observed.into, edges);
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t u = 0; u < threads; u++)
            gain[t] -= t != u ? edges[(size_t)t * threads + u] : 0;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < count; i++)
            if (gain[places[i]] > gain[places[best]])
                best = i;
        for (; best > k; best--) /* the others stay as they are */
            swap(places, best, best - 1);
        for (uint32_t i = k + 1; i < count; i++)
            gain[places[i]] += 2 * (int64_t)edges[(size_t)places[k] * threads + places[i]];
    }
    free(edges);
    free(gain);
    HD_COSTLY_ASSERT(are_all_threads(order, places, count));
}

void hd_cut_places_for_sweep(const hd_order *order, uint32_t *places, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j && hd_order_thread_length(order, places[j]) >
                                      hd_order_thread_length(order, places[j - 1]);
             j--)
            swap(places, j, j - 1);
    if (count > 2)
        swap(places, 1, count - 1);
    HD_COSTLY_ASSERT(are_all_threads(order, places, count));
    assert(!count || hd_order_thread_length(order, places[0]) >=
                         hd_order_thread_length(order, places[count - 1]));
}
