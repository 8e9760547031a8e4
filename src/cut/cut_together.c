#include "cut_together.h"

#include <string.h>

static uint32_t place_of(const hd_cut_space *space, uint32_t event) {
    uint32_t thread = hd_order_thread_of(space->order, event), p = 0;
    while (space->thread[p] != thread)
        p++;
    return p;
}

static void ask(hd_cut_together *together, const hd_cut_space *space, size_t position,
                uint32_t event) {
    uint32_t *cell = together->rows + position * space->threads + place_of(space, event);
    uint32_t count = space->order->index.position[event];
    *cell = count > *cell ? count : *cell;
}

/* Each event of the group asks for all others. */
static void add_group(hd_cut_together *together, const hd_cut_space *space, const uint32_t *events,
                      size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t position =
            space->start[place_of(space, events[i])] + space->order->index.position[events[i]];
        for (size_t j = 0; j < count; j++)
            ask(together, space, position, events[j]);
    }
}

void hd_cut_together_init(hd_cut_together *together, const hd_cut_space *space) {
    const hd_trace *trace = space->order->trace;
    *together = (hd_cut_together){0};
    if (!hd_trace_loset_has_steps(trace))
        return;
    const hd_trace_loset *loset = trace->loset;
    uint32_t threads = space->threads;
    together->rows = HD_NEW_ARRAY(uint32_t, space->start[threads] * threads + 1);
    for (size_t i = 0, first = 0; i < loset->together.length; i++)
        if (!loset->together.data[i]) {
            add_group(together, space, loset->together.data + first, i - first);
            first = i + 1;
        }
    for (size_t i = 0; i < loset->always.length; i++)
        for (uint32_t p = 0; p < threads; p++)
            ask(together, space, space->start[p], loset->always.data[i]);
    /* A state with more of a thread has what it has with less. */
    for (uint32_t p = 0; p < threads; p++)
        for (size_t at = space->start[p] + 1; at < space->start[p + 1]; at++) {
            uint32_t *row = together->rows + at * threads;
            for (uint32_t q = 0; q < threads; q++)
                row[q] = row[q] > (row - threads)[q] ? row[q] : (row - threads)[q];
        }
}

void hd_cut_together_release(hd_cut_together *together) {
    free(together->rows);
    *together = (hd_cut_together){0};
}
