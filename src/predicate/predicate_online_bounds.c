/*
 * Bounds on the counts of threads, narrowed (predicate_online_search.h).
 */
#include <string.h>

#include "predicate_online_search.h"

uint32_t hd_predicate_online_next(const hd_predicate_online *online, uint32_t place,
                                  uint32_t count) {
    const hd_vec_u32 *starts = &online->places.data[place].starts;
    size_t from = 0, to = starts->length;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (starts->data[middle] <= count)
            from = middle + 1;
        else
            to = middle;
    }
    return from < starts->length ? starts->data[from] : UINT32_MAX;
}

/* The last count of the collection before that of this one; false without one that is
 * kept. */
static bool previous_end(const hd_predicate_online *online, uint32_t place, uint32_t *count) {
    const hd_vec_u32 *starts = &online->places.data[place].starts;
    size_t from = 0, to = starts->length;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (starts->data[middle] <= *count)
            from = middle + 1;
        else
            to = middle;
    }
    if (!from)
        return false;
    *count = starts->data[from - 1] - 1;
    return true;
}

bool hd_predicate_online_allows(const struct hd_predicate_online_search *s, uint32_t place,
                                uint32_t count) {
    if (hd_predicate_online_between(s->online, place, count))
        return false;
    for (uint32_t i = s->first[place]; i < s->first[place + 1]; i++) {
        const hd_predicate_literal *it = &s->term->conditions.data[i];
        if ((hd_predicate_at(&s->online->facts, it->a, place, count) != 0) != it->want)
            return false;
    }
    return true;
}

/* ---- Up ---- */

/* A thread starts at a count, with what that needs. */
static void raise_to(const struct hd_predicate_online_search *s, uint32_t *low, uint32_t place,
                     uint32_t count) {
    for (uint32_t r = 0; r < s->places; r++) {
        uint32_t needed = hd_predicate_online_clock(s->online, place, count, r);
        low[r] = needed > low[r] ? needed : low[r];
    }
    low[place] = count;
}

static bool raise_low(const struct hd_predicate_online_search *s, uint32_t *low,
                      const uint32_t *high) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t q = 0; q < s->places; q++) {
            uint32_t count = low[q];
            while (count <= high[q] && !hd_predicate_online_allows(s, q, count))
                count = hd_predicate_online_next(s->online, q, count);
            if (count > high[q])
                return false;
            if (count != low[q]) {
                raise_to(s, low, q, count);
                changed = true;
            }
        }
    }
    return true;
}

/* ---- Down ---- */

/* The most events of a thread, from `low` on, that have heard of no more than `limit` of
 * another. */
static uint32_t most_without(const struct hd_predicate_online_search *s, uint32_t place,
                             uint32_t low, uint32_t high, uint32_t other, uint32_t limit) {
    assert(hd_predicate_online_clock(s->online, place, low, other) <= limit);
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (hd_predicate_online_clock(s->online, place, middle, other) <= limit)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* As `low` is a state that the conditions allow, nothing falls below it. */
static void lower_high(const struct hd_predicate_online_search *s, const uint32_t *low,
                       uint32_t *high) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t q = 0; q < s->places; q++) {
            uint32_t count = high[q];
            for (uint32_t r = 0; r < s->places; r++)
                if (r != q && hd_predicate_online_clock(s->online, q, count, r) > high[r])
                    count = most_without(s, q, low[q], count, r, high[r]);
            while (count > low[q] && !hd_predicate_online_allows(s, q, count))
                if (!previous_end(s->online, q, &count) || count < low[q])
                    count = low[q];
            changed |= count != high[q];
            high[q] = count;
        }
    }
}

/* ---- Totals ---- */

struct range {
    int64_t most, sum; /* of one thread; of all */
};

/* The most that a thread adds between the bounds, where it may stop. */
static int64_t most_of(const struct hd_predicate_online_search *s,
                       const struct hd_predicate_total *total, uint32_t place, uint32_t low,
                       uint32_t high) {
    int64_t most = INT64_MIN;
    for (uint32_t c = low; c <= high; c = hd_predicate_online_next(s->online, place, c)) {
        int64_t value = hd_predicate_online_total_at(&s->online->terms, total, place, c);
        if (value > most && hd_predicate_online_allows(s, place, c))
            most = value;
    }
    return most;
}

/* A thread that adds less than `needed` goes on, or back, to where it adds as much; false if it
 * never does. */
static bool narrow_place(const struct hd_predicate_online_search *s,
                         const struct hd_predicate_total *total, uint32_t q, int64_t needed,
                         uint32_t *low, uint32_t *high, bool *changed) {
    uint32_t count = low[q], end = high[q];
    while (count <= end &&
           (hd_predicate_online_total_at(&s->online->terms, total, q, count) < needed ||
            !hd_predicate_online_allows(s, q, count)))
        count = hd_predicate_online_next(s->online, q, count);
    if (count > end)
        return false;
    if (count != low[q]) {
        raise_to(s, low, q, count);
        *changed = true;
    }
    while (hd_predicate_online_total_at(&s->online->terms, total, q, end) < needed)
        if (!previous_end(s->online, q, &end) || end < count)
            end = count;
    *changed |= end != high[q];
    high[q] = end;
    return true;
}

static bool narrow_total(const struct hd_predicate_online_search *s,
                         const struct hd_predicate_total *total, uint32_t *low, uint32_t *high,
                         bool *changed) {
    int64_t sum = 0;
    uint32_t last = HD_PREDICATE_NONE;
    for (size_t i = 0; i < total->shares.length; i++) {
        uint32_t q = total->shares.data[i].place;
        if (q != last)
            sum += most_of(s, total, q, low[q], high[q]);
        last = q;
    }
    if (sum < total->least)
        return false;
    last = HD_PREDICATE_NONE;
    for (size_t i = 0; i < total->shares.length; i++) {
        uint32_t q = total->shares.data[i].place;
        bool moved = false;
        if (q == last || low[q] == high[q])
            continue;
        int64_t others = sum - most_of(s, total, q, low[q], high[q]);
        if (!narrow_place(s, total, q, total->least - others, low, high, &moved))
            return false;
        *changed |= moved;
        last = q;
        if (moved) /* others may start later now: what they can add is less */
            return true;
    }
    return true;
}

bool hd_predicate_online_narrow(const struct hd_predicate_online_search *s, uint32_t *low,
                                uint32_t *high) {
    for (bool changed = true; changed;) {
        changed = false;
        if (!raise_low(s, low, high))
            return false;
        if (s->exact && s->term->totals.length)
            lower_high(s, low, high);
        for (size_t i = 0; s->exact && i < s->term->totals.length && !changed; i++)
            if (!narrow_total(s, &s->online->terms.totals.data[s->term->totals.data[i]], low, high,
                              &changed))
                return false;
    }
    return true;
}
