/*
 * Rows are copied from the clocks of room order, with their columns in the
 * wanted order; the rows of a thread's events come one after the other, so a
 * run through a thread goes through memory in order.
 */
#include "cut_space.h"

#include <string.h>

#include "cut_simd.h"

uint32_t hd_cut_space_threads(const hd_order *order, uint32_t *to) {
    uint32_t count = 0;
    const hd_trace_lists *threads = &order->index.threads;
    for (uint32_t t = 0; t < threads->count; t++) {
        if (!hd_trace_list_length(threads, t))
            continue;
        uint32_t place = count++;
        while (place && hd_trace_list(threads, to[place - 1])[0] > hd_trace_list(threads, t)[0]) {
            to[place] = to[place - 1];
            place--;
        }
        to[place] = t;
    }
    return count;
}

static void choose_threads(hd_cut_space *space, const uint32_t *places) {
    uint32_t all = hd_order_threads(space->order);
    space->thread = HD_NEW_ARRAY(uint32_t, all + 1);
    space->threads = hd_cut_space_threads(space->order, space->thread);
    if (places)
        memcpy(space->thread, places, space->threads * sizeof *places);
    space->stride = (space->threads + HD_CUT_LANES - 1) / HD_CUT_LANES * HD_CUT_LANES;
    space->length = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    space->start = HD_NEW_ARRAY(size_t, space->threads + 1);
    for (uint32_t p = 0; p < space->threads; p++) {
        space->length[p] = hd_order_thread_length(space->order, space->thread[p]);
        assert(space->length[p] <= HD_CUT_MAX_COUNT);
        assert(space->length[p]);
        space->start[p + 1] = space->start[p] + space->length[p] + 1;
    }
    /* Every thread with events has one place. */
    assert(space->start[space->threads] == (size_t)hd_order_length(space->order) + space->threads);
}

/* One thread's rows of one kind, each once; how many rows there are after it, HD_ORDER_NONE if the
 * clock was over before. */
static uint32_t copy_rows(hd_cut_space *space, const hd_order_clocks *clocks, uint32_t place,
                          uint32_t *row_of, uint32_t *rows, uint32_t used, bool timed) {
    uint32_t length = space->length[place], last = HD_ORDER_NONE;
    for (uint32_t c = 0; c <= length; c++) {
        if (timed && hd_clock_over_at((size_t)c + 1))
            return HD_ORDER_NONE;
        uint32_t count = c + clocks->reverse; /* the event whose clock it is */
        uint32_t event = count && count <= length ? hd_cut_event(space, place, count) : 0;
        uint32_t from = clocks->row_of[event];
        if (from != last) {
            uint32_t *row = rows + (size_t)used++ * space->stride;
            const uint32_t *clock = hd_order_clocks_row(clocks, event);
            for (uint32_t q = 0; q < space->stride; q++)
                row[q] = clocks->reverse ? HD_CUT_MAX_COUNT : 0;
            for (uint32_t q = 0; q < space->threads; q++)
                if (q != place)
                    row[q] = clock[space->thread[q]];
            last = from;
        }
        row_of[space->start[place] + c] = used - 1;
    }
    return used;
}

/* An upper bound of the rows that copy_rows makes of these clocks. */
static size_t most_rows(const hd_cut_space *space, const hd_order_clocks *clocks) {
    return (size_t)clocks->row_count + 2 * (size_t)space->threads;
}

/* False if the clock was over before. */
static bool find_stretches(hd_cut_space *space, bool timed) {
    for (uint32_t p = 0; p < space->threads; p++) {
        const size_t at = space->start[p];
        space->stretch[at + space->length[p]] = space->length[p];
        for (uint32_t c = space->length[p]; c-- > 0;) {
            bool same = space->low_of[at + c] == space->low_of[at + c + 1] &&
                        space->high_of[at + c] == space->high_of[at + c + 1];
            space->stretch[at + c] = same ? space->stretch[at + c + 1] : c;
            if (timed && hd_clock_over_at((size_t)c + 1))
                return false;
        }
    }
    return true;
}

/* What a count of a thread asks of the others only grows with the count, and is never more than
 * it leaves to them. */
static bool rows_rise(const hd_cut_space *space) {
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t c = 0; c <= space->length[p]; c++) {
            const uint32_t *low = hd_cut_low(space, p, c), *high = hd_cut_high(space, p, c);
            const uint32_t *before = c ? hd_cut_low(space, p, c - 1) : low;
            const uint32_t *left = c ? hd_cut_high(space, p, c - 1) : high;
            for (uint32_t q = 0; q < space->threads; q++)
                if (q != p && (before[q] > low[q] || left[q] > high[q] || low[q] > high[q]))
                    return false;
        }
    return true;
}

/* False if the clock was over before all rows were copied. */
static bool fill(hd_cut_space *space, const hd_order *order, enum hd_order_model model,
                 const uint32_t *places, bool timed) {
    enum { OFTEN = 1 << 22 }; /* numbers, so that small spaces are always filled */
    *space = (hd_cut_space){.order = order, .model = model};
    choose_threads(space, places);
    size_t positions = space->start[space->threads];
    const hd_order_clocks *clocks = &order->clocks[model], *reverse = &order->reverse[model];
    space->low_of = HD_NEW_ARRAY(uint32_t, positions + 1);
    space->high_of = HD_NEW_ARRAY(uint32_t, positions + 1);
    space->stretch = HD_NEW_ARRAY(uint32_t, positions + 1);
    space->lows = HD_NEW_ARRAY(uint32_t, most_rows(space, clocks) * space->stride + HD_CUT_LANES);
    space->highs = HD_NEW_ARRAY(uint32_t, most_rows(space, reverse) * space->stride + HD_CUT_LANES);
    uint32_t lows = 0, highs = 0;
    size_t looked = 0;
    for (uint32_t p = 0; p < space->threads; p++) {
        lows = copy_rows(space, clocks, p, space->low_of, space->lows, lows, timed);
        if (lows != HD_ORDER_NONE)
            highs = copy_rows(space, reverse, p, space->high_of, space->highs, highs, timed);
        if (lows == HD_ORDER_NONE || highs == HD_ORDER_NONE)
            return false;
        size_t copied = ((size_t)lows + highs) * space->stride;
        if (!timed || copied - looked < OFTEN)
            continue;
        looked = copied;
        if (hd_clock_look() != HD_CLOCK_GOES)
            return false;
    }
    assert(lows <= most_rows(space, clocks) && highs <= most_rows(space, reverse));
    HD_COSTLY_ASSERT(rows_rise(space));
    return find_stretches(space, timed);
}

void hd_cut_space_init(hd_cut_space *space, const hd_order *order, enum hd_order_model model,
                       const uint32_t *places) {
    fill(space, order, model, places, false);
}

bool hd_cut_space_init_in_time(hd_cut_space *space, const hd_order *order,
                               enum hd_order_model model, const uint32_t *places, hd_error *error) {
    if (fill(space, order, model, places, true))
        return true;
    hd_cut_space_release(space);
    return hd_order_late(error);
}

void hd_cut_space_release(hd_cut_space *space) {
    free(space->thread);
    free(space->length);
    free(space->start);
    free(space->low_of);
    free(space->high_of);
    free(space->stretch);
    free(space->lows);
    free(space->highs);
    *space = (hd_cut_space){0};
}

bool hd_cut_consistent(const hd_cut_space *space, const uint32_t *state) {
    for (uint32_t p = 0; p < space->threads; p++) {
        if (state[p] > space->length[p])
            return false;
        const uint32_t *low = hd_cut_low(space, p, state[p]);
        for (uint32_t q = 0; q < space->threads; q++)
            if (low[q] > state[q])
                return false;
    }
    return true;
}

double hd_cut_space_guess(const hd_cut_space *space, const uint32_t *least, const uint32_t *most) {
    enum { DESCENTS = 64 };
    double sum = 0;
    int done = 0;
    hd_random random;
    hd_random_seed(&random, 1);
    uint32_t *low = HD_NEW_ARRAY(uint32_t, 2 * (size_t)space->stride + 1);
    uint32_t *high = low + space->stride;
    /* A descent takes the square of the threads; what is not done in time is not missed then. */
    for (; done < DESCENTS && !hd_clock_over(); done++) {
        double product = 1;
        memcpy(low, least, space->stride * sizeof *low);
        memcpy(high, most, space->stride * sizeof *high);
        for (uint32_t p = 0; p < space->threads && !hd_clock_over(); p++) {
            assert(low[p] <= high[p]); /* no descent ends before the last thread */
            uint32_t range = high[p] - low[p] + 1;
            uint32_t count = low[p] + (uint32_t)hd_random_below(&random, range);
            product *= range;
            hd_cut_narrow(low, high, low, high, hd_cut_low(space, p, count),
                          hd_cut_high(space, p, count), p + 1, space->stride);
        }
        sum += product;
    }
    free(low);
    return done ? sum / done : 1;
}
