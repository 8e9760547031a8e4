/*
 * The verdicts about a read, one by one and summed up.
 */
#include "nondet_read.h"

unsigned char hd_nondet_verdict(const hd_nondet_reader *reader, const hd_nondet_group *group,
                                enum hd_witness_order order, uint32_t i) {
    assert(i < group->count);
    assert(!reader->marked || group->place + i < reader->marks[order].length);
    if (reader->marked)
        return reader->marks[order].data[group->place + i];
    if (!hd_nondet_has_threshold(reader, order))
        return i >= group->from && i < group->end ? hd_nondet_after(reader, group, i)
                                                  : HD_NONDET_REFUTED;
    return i < group->low[order]    ? HD_NONDET_SHOWN
           : i < group->open[order] ? HD_NONDET_UNDECIDED
                                    : HD_NONDET_REFUTED;
}

static void count_verdicts(hd_nondet_counts *counts, unsigned char verdict, uint64_t times) {
    bool searched = verdict == HD_NONDET_SHOWN_BY_SEARCH || verdict == HD_NONDET_REFUTED_BY_SEARCH;
    if (hd_nondet_is_shown(verdict)) {
        counts->feasible += times;
        *(searched ? &counts->with_choice : &counts->no_choice) += times;
    } else if (verdict == HD_NONDET_OPEN || verdict == HD_NONDET_UNDECIDED) {
        counts->unknown += times;
    } else {
        counts->infeasible += times;
        *(searched ? &counts->with_choice : &counts->cyclic) += times;
    }
}

/* All but what is refuted by the closure. */
static void count_threshold(hd_nondet_counts *counts, const hd_nondet_group *group,
                            enum hd_witness_order order) {
    uint32_t low = group->low[order], open = group->open[order];
    assert(low <= group->count && open <= group->count);
    assert((low > open ? low : open) + group->rejected[order] <= group->count);
    uint32_t searched = group->searched[order] < low ? group->searched[order] : low;
    count_verdicts(counts, HD_NONDET_SHOWN_BY_SEARCH, searched);
    count_verdicts(counts, HD_NONDET_SHOWN, low - searched);
    count_verdicts(counts, HD_NONDET_UNDECIDED, open > low ? open - low : 0);
    count_verdicts(counts, HD_NONDET_REFUTED_BY_SEARCH, group->rejected[order]);
}

static void count_order(const hd_nondet_reader *reader, enum hd_witness_order order,
                        hd_nondet_counts *counts) {
    for (size_t i = 0; i < reader->groups.length; i++)
        if (hd_nondet_has_threshold(reader, order))
            count_threshold(counts, &reader->groups.data[i], order);
    for (size_t i = 0; !hd_nondet_has_threshold(reader, order) && i < reader->after_writer.length;
         i++)
        count_verdicts(counts, reader->after_writer.data[i], 1);
    if (reader->writer)
        count_verdicts(counts, reader->initial[order], 1);
}

hd_nondet_counts hd_nondet_reader_count(const hd_nondet_reader *reader) {
    hd_nondet_counts counts = {0};
    uint64_t triplets = hd_trace_list_length(&reader->space->changes, reader->variable);
    if (reader->read && hd_trace_writes(hd_order_event(reader->space, reader->read)))
        triplets--; /* a read is no challenger of itself; nor is the writer, but then 0 is one */
    for (int order = 0; order < HD_NONDET_ORDERS; order++)
        count_order(reader, (enum hd_witness_order)order, &counts);
    counts.possible = 3 * triplets;
    uint64_t known = counts.feasible + counts.infeasible + counts.unknown;
    assert(known <= counts.possible);
    count_verdicts(&counts, HD_NONDET_REFUTED, counts.possible - known);
    assert(counts.cyclic + counts.no_choice + counts.with_choice + counts.unknown ==
           counts.possible);
    return counts;
}

/* ---- One witness ---- */

void hd_nondet_reader_ask(hd_nondet_reader *reader, enum hd_witness_order order,
                          uint32_t challenger) {
    hd_order_query *query = &reader->query;
    hd_order_query_clear(query);
    query->limit = reader->limit;
    query->whole = reader->read == 0;
    if (reader->read)
        hd_vec_push(&query->next, reader->read);
    assert(!challenger || (challenger != reader->writer && challenger != reader->read));
    if (challenger)
        hd_vec_push(&query->in, challenger);
    if (order == HD_WITNESS_WCR && reader->writer) {
        hd_vec_push(&query->in, reader->writer);
        hd_vec_push(&query->edges, (uint64_t)reader->writer << 32 | challenger);
    }
    if (order == HD_WITNESS_CR)
        hd_vec_push(&query->out, reader->writer);
    if (order == HD_WITNESS_CRW)
        hd_vec_push(&query->next, reader->writer);
}

void hd_nondet_reader_mark(hd_nondet_reader *reader, enum hd_witness_order order,
                           uint32_t challenger, unsigned char verdict) {
    assert(reader->marked);
    if (!challenger) {
        reader->initial[order] = verdict;
        return;
    }
    for (size_t i = 0; i < reader->groups.length; i++) {
        const hd_nondet_group *group = &reader->groups.data[i];
        if (group->thread != hd_order_event(reader->space, challenger)->thread)
            continue;
        uint32_t own = hd_order_below(group->writes, group->count, challenger);
        assert(own < group->count && group->writes[own] == challenger);
        reader->marks[order].data[group->place + own] = verdict;
    }
}
