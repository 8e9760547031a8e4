/*
 * One read against all its challengers, exactly.
 */
#include "nondet_read.h"

#include <string.h>

void hd_nondet_reader_init(hd_nondet_reader *reader, const hd_order_space *space,
                           hd_order_solver *solver, uint64_t limit) {
    *reader = (hd_nondet_reader){.space = space, .solver = solver, .limit = limit};
    reader->before = HD_NEW_ARRAY(uint32_t, (size_t)space->threads + 1);
    hd_nondet_park_init(&reader->park, space);
}

void hd_nondet_reader_release(hd_nondet_reader *reader) {
    hd_nondet_park_release(&reader->park);
    hd_order_query_release(&reader->query);
    hd_vec_release(&reader->groups);
    for (int order = 0; order < HD_NONDET_ORDERS; order++)
        hd_vec_release(&reader->marks[order]);
    hd_vec_release(&reader->after_writer);
    free(reader->before);
}

/* ---- Questions ---- */

unsigned char hd_nondet_reader_solve(hd_nondet_reader *reader, enum hd_witness_order order,
                                     uint32_t challenger) {
    uint64_t before = hd_order_solver_effort(reader->solver)->branches;
    hd_nondet_reader_ask(reader, order, challenger);
    enum hd_order_answer answer = hd_order_solve(reader->solver, &reader->query);
    bool searched = hd_order_solver_effort(reader->solver)->branches != before;
    if (answer == HD_ORDER_UNKNOWN)
        return HD_NONDET_UNDECIDED;
    if (answer == HD_ORDER_FEASIBLE)
        return searched ? HD_NONDET_SHOWN_BY_SEARCH : HD_NONDET_SHOWN;
    return searched ? HD_NONDET_REFUTED_BY_SEARCH : HD_NONDET_REFUTED;
}

/* ---- Setting up ---- */

static void set_groups(hd_nondet_reader *reader) {
    const hd_order_groups *writes = &reader->space->writes;
    uint32_t variable = reader->variable;
    size_t place = 0;
    hd_vec_clear(&reader->groups);
    for (uint32_t g = writes->first[variable]; g < writes->first[variable + 1]; g++) {
        hd_nondet_group group = {.thread = writes->thread[g],
                                 .writes = writes->items + writes->start[g],
                                 .count = writes->start[g + 1] - writes->start[g],
                                 .place = place};
        assert(group.count &&
               (!reader->groups.length || hd_vec_last(&reader->groups)->thread != group.thread));
        place += group.count;
        hd_vec_push(&reader->groups, group);
    }
    assert(place == hd_trace_list_length(&reader->space->changes, variable));
    for (int order = 0; order < HD_NONDET_ORDERS; order++)
        reader->initial[order] = HD_NONDET_REFUTED;
    hd_vec_clear(&reader->after_writer);
}

/* ---- Thresholds: cr, crw, and wcr where the writer is the initial value ---- */

/* Raises the thresholds to the set of a schedule. */
static void raise_lows(hd_nondet_reader *reader, enum hd_witness_order order, const uint32_t *set) {
    assert(hd_nondet_reader_shows(reader, order, set));
    for (size_t i = 0; i < reader->groups.length; i++) {
        hd_nondet_group *group = &reader->groups.data[i];
        uint32_t within = hd_nondet_reader_writes(reader, group, set[group->thread]);
        within = within < group->high[order] ? within : group->high[order];
        group->low[order] = within > group->low[order] ? within : group->low[order];
        assert(group->low[order] <= group->high[order] && group->high[order] <= group->count);
    }
}

/* Those from `from` on are refuted, or undecided; what is refuted is so for all later
 * ones, undecided before or not. */
static void reject_writes(hd_nondet_group *group, enum hd_witness_order order, uint32_t from,
                          uint32_t to, unsigned char verdict) {
    assert(!hd_nondet_is_shown(verdict) && to <= group->count);
    if (verdict == HD_NONDET_UNDECIDED)
        group->open[order] = group->open[order] > to ? group->open[order] : to;
    else
        group->open[order] = 0;
    if (verdict == HD_NONDET_REFUTED_BY_SEARCH)
        group->rejected[order] += to - from;
}

/* Bisects one group: writes below `low` are shown, from `high` on refuted. */
static void bisect(hd_nondet_reader *reader, hd_nondet_group *group, enum hd_witness_order order) {
    uint32_t high = group->high[order], probe = high;
    while (group->low[order] < high) {
        uint32_t low = group->low[order];
        assert(low < probe && probe <= high);
        unsigned char verdict = hd_nondet_reader_solve(reader, order, group->writes[probe - 1]);
        if (hd_nondet_is_shown(verdict)) {
            raise_lows(reader, order, hd_order_solver_set(reader->solver));
            assert(group->low[order] >= probe);
            if (verdict == HD_NONDET_SHOWN_BY_SEARCH)
                group->searched[order] += probe - low;
        } else {
            reject_writes(group, order, probe - 1, high, verdict);
            high = probe - 1;
        }
        low = group->low[order];
        probe = low + 1 + (high > low ? (high - low - 1) / 2 : 0);
    }
    assert(group->low[order] <= group->high[order] && group->open[order] <= group->count);
}

static void decide_thresholds(hd_nondet_reader *reader, enum hd_witness_order order) {
    for (size_t i = 0; i < reader->groups.length; i++)
        bisect(reader, &reader->groups.data[i], order);
}

/* What the closure allows: all that comes without the read, and for cr and crw
 * without the writer. */
static void set_highs(hd_nondet_reader *reader, enum hd_witness_order order) {
    const hd_order_clocks *free = &reader->space->free;
    for (size_t i = 0; i < reader->groups.length; i++) {
        hd_nondet_group *group = &reader->groups.data[i];
        uint32_t most = hd_order_clocks_at(free, reader->read, group->thread);
        if (order != HD_WITNESS_WCR) {
            uint32_t without = hd_order_clocks_at(free, reader->writer, group->thread);
            most = most < without ? most : without;
        }
        group->high[order] = hd_nondet_reader_writes(reader, group, most);
        assert(group->low[order] == 0);
    }
}

/* Is the writer part of what the read needs to be next? */
static bool needs_writer(const hd_nondet_reader *reader) {
    uint32_t own = hd_nondet_reader_position(reader, reader->read);
    uint32_t previous = own > 1 ? hd_order_event_at(reader->space, reader->thread, own - 1) : 0;
    if (previous && hd_order_needs(reader->space, reader->writer, previous))
        return true;
    hd_order_list into = hd_order_lists_of(&reader->space->order->must.into, reader->read);
    for (uint32_t i = 0; i < into.count; i++)
        if (hd_order_needs(reader->space, reader->writer, into.events[i]))
            return true;
    return false;
}

/* Shows what parking shows without the writer; true if it showed a schedule. */
static bool park_absent(hd_nondet_reader *reader, enum hd_nondet_stop read,
                        enum hd_nondet_stop writer) {
    if (!hd_nondet_park_try(&reader->park, reader->read, read, reader->writer, writer))
        return false;
    raise_lows(reader, HD_WITNESS_CR, reader->park.set);
    if (reader->park.writer_next &&
        reader->thread != hd_nondet_reader_thread(reader, reader->writer)) {
        raise_lows(reader, HD_WITNESS_CRW, reader->park.set);
        reader->initial[HD_WITNESS_CRW] = HD_NONDET_SHOWN;
    }
    reader->initial[HD_WITNESS_CR] = HD_NONDET_SHOWN;
    return true;
}

/* Are all thresholds of this order known? */
static bool is_settled(const hd_nondet_reader *reader, enum hd_witness_order order) {
    for (size_t i = 0; i < reader->groups.length; i++)
        if (reader->groups.data[i].low[order] < reader->groups.data[i].high[order])
            return false;
    return reader->initial[order] == HD_NONDET_SHOWN;
}

/* Both parked, in all ways that differ; with `one` until something is shown. */
static bool park_all_absent(hd_nondet_reader *reader, bool one) {
    static const enum hd_nondet_stop ways[][2] = {
        /* read, writer */
        {HD_NONDET_AT, HD_NONDET_AT},        {HD_NONDET_TAIL, HD_NONDET_AT},
        {HD_NONDET_AT, HD_NONDET_OUTSIDE},   {HD_NONDET_AT, HD_NONDET_TAIL},
        {HD_NONDET_TAIL, HD_NONDET_OUTSIDE}, {HD_NONDET_TAIL, HD_NONDET_TAIL}};
    bool read = hd_nondet_park_has_holds(&reader->park, reader->read), shown = false;
    bool writer = hd_nondet_park_has_holds(&reader->park, reader->writer);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if ((ways[i][0] != HD_NONDET_AT && !read) || (ways[i][1] != HD_NONDET_AT && !writer))
            continue;
        shown |= park_absent(reader, ways[i][0], ways[i][1]);
        if ((one && shown) ||
            (is_settled(reader, HD_WITNESS_CR) && is_settled(reader, HD_WITNESS_CRW)))
            break;
    }
    return shown;
}

/* The initial value as challenger: is there any schedule of this order? */
static void decide_initial(hd_nondet_reader *reader, enum hd_witness_order order) {
    if (hd_nondet_is_shown(reader->initial[order]))
        return;
    unsigned char verdict = hd_nondet_reader_solve(reader, order, 0);
    reader->initial[order] = verdict;
    if (hd_nondet_is_shown(verdict))
        raise_lows(reader, order, hd_order_solver_set(reader->solver));
    for (size_t i = 0; !hd_nondet_is_shown(verdict) && i < reader->groups.length; i++) {
        hd_nondet_group *group = &reader->groups.data[i];
        reject_writes(group, order, 0, group->high[order], verdict);
        group->high[order] = 0;
    }
}

/* Can both be next?  Not in one thread, nor under a common lock. */
static bool can_be_next(const hd_nondet_reader *reader) {
    const hd_order_held *held = &reader->space->order->held;
    return reader->thread != hd_nondet_reader_thread(reader, reader->writer) &&
           !hd_order_sets_conflict(&held->sets, hd_order_held_before(held, reader->read),
                                   hd_order_held_before(held, reader->writer));
}

/* crw shows cr, so what cr refutes is refuted. */
static void limit_by_absent(hd_nondet_reader *reader) {
    for (size_t i = 0; i < reader->groups.length; i++) {
        hd_nondet_group *group = &reader->groups.data[i];
        uint32_t low = group->low[HD_WITNESS_CR], open = group->open[HD_WITNESS_CR];
        uint32_t end = low > open ? low : open;
        assert(group->low[HD_WITNESS_CRW] <= end); /* what crw shows, cr does not refute */
        if (group->high[HD_WITNESS_CRW] > end)
            group->high[HD_WITNESS_CRW] = end;
    }
}

static void decide_absent(hd_nondet_reader *reader) {
    if (!reader->writer || needs_writer(reader))
        return;
    bool both = can_be_next(reader);
    set_highs(reader, HD_WITNESS_CR);
    set_highs(reader, HD_WITNESS_CRW);
    park_all_absent(reader, false);
    decide_initial(reader, HD_WITNESS_CR);
    decide_thresholds(reader, HD_WITNESS_CR);
    if (!both || reader->initial[HD_WITNESS_CR] == HD_NONDET_REFUTED ||
        reader->initial[HD_WITNESS_CR] == HD_NONDET_REFUTED_BY_SEARCH)
        return;
    limit_by_absent(reader);
    decide_initial(reader, HD_WITNESS_CRW);
    decide_thresholds(reader, HD_WITNESS_CRW);
}

/* ---- wcr ---- */

static void park_after_initial(hd_nondet_reader *reader) {
    set_highs(reader, HD_WITNESS_WCR);
    if (hd_nondet_park_try(&reader->park, reader->read, HD_NONDET_AT, 0, HD_NONDET_AT))
        raise_lows(reader, HD_WITNESS_WCR, reader->park.set);
    if (hd_nondet_park_has_holds(&reader->park, reader->read) &&
        hd_nondet_park_try(&reader->park, reader->read, HD_NONDET_TAIL, 0, HD_NONDET_AT))
        raise_lows(reader, HD_WITNESS_WCR, reader->park.set);
}

/* Where the writer is the initial value every schedule with the challenger will do. */
static void decide_after_initial(hd_nondet_reader *reader) {
    park_after_initial(reader);
    decide_thresholds(reader, HD_WITNESS_WCR);
}

/* ---- Both ---- */

/* Sets the read at hand, with nothing known of it. */
static void start_read(hd_nondet_reader *reader, uint32_t read, uint32_t variable) {
    const hd_trace_lists *changes = &reader->space->changes;
    reader->read = read;
    reader->thread = read ? hd_nondet_reader_thread(reader, read) : HD_ORDER_NONE;
    reader->variable = variable;
    reader->writer =
        read ? reader->space->index->pair[read] : changes->items[changes->start[variable + 1] - 1];
    set_groups(reader);
}

void hd_nondet_reader_start(hd_nondet_reader *reader, uint32_t read, uint32_t variable) {
    size_t count = hd_trace_list_length(&reader->space->changes, variable);
    start_read(reader, read, variable);
    reader->marked = true;
    for (int order = 0; order < HD_NONDET_ORDERS; order++) {
        hd_vec_resize(&reader->marks[order], count);
        for (size_t i = 0; i < count; i++)
            reader->marks[order].data[i] = HD_NONDET_REFUTED;
    }
}

void hd_nondet_reader_decide(hd_nondet_reader *reader, uint32_t read) {
    start_read(reader, read, hd_order_event(reader->space, read)->object);
    decide_absent(reader);
    if (reader->writer)
        hd_nondet_reader_decide_after(reader, false);
    else
        decide_after_initial(reader);
}

/* ---- One witness, if there is any ---- */

/* Without the writer: crw shows cr, and cr of any challenger that of the initial value. */
static bool show_one_absent(hd_nondet_reader *reader) {
    if (!reader->writer || needs_writer(reader))
        return false;
    set_highs(reader, HD_WITNESS_CR);
    set_highs(reader, HD_WITNESS_CRW);
    if (!park_all_absent(reader, true))
        decide_initial(reader, HD_WITNESS_CR);
    return hd_nondet_is_shown(reader->initial[HD_WITNESS_CR]);
}

/* The first write of a thread is after the initial value if any of them can be. */
static void show_one_after_initial(hd_nondet_reader *reader) {
    park_after_initial(reader);
    for (size_t i = 0; i < reader->groups.length; i++)
        if (reader->groups.data[i].low[HD_WITNESS_WCR])
            return;
    for (size_t i = 0; i < reader->groups.length; i++) {
        hd_nondet_group *group = &reader->groups.data[i];
        if (!group->high[HD_WITNESS_WCR])
            continue;
        unsigned char verdict = hd_nondet_reader_solve(reader, HD_WITNESS_WCR, group->writes[0]);
        if (hd_nondet_is_shown(verdict)) {
            raise_lows(reader, HD_WITNESS_WCR, hd_order_solver_set(reader->solver));
            return;
        }
        reject_writes(group, HD_WITNESS_WCR, 0, group->high[HD_WITNESS_WCR], verdict);
    }
}

void hd_nondet_reader_decide_one(hd_nondet_reader *reader, uint32_t read) {
    start_read(reader, read, hd_order_event(reader->space, read)->object);
    if (show_one_absent(reader))
        return;
    if (reader->writer)
        hd_nondet_reader_decide_after(reader, true);
    else
        show_one_after_initial(reader);
}

void hd_nondet_reader_decide_final(hd_nondet_reader *reader, uint32_t variable) {
    start_read(reader, 0, variable);
    hd_nondet_reader_decide_whole(reader);
}
