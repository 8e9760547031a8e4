/*
 * wcr where the writer is an event: challengers that come after it and before the read.
 *
 * Challengers of one thread that a schedule shows are a row of its writes: from the first one after
 * the writer to the last one that the schedule has.  So whole rows are asked for, those of several
 * threads together: where nothing stands against it, one schedule shows them all.
 * If the read needs a challenger, every schedule has it; then a challenger that the closure refutes
 * refutes the earlier ones of its thread, too.
 */
#include <stdlib.h>
#include <string.h>

#include "nondet_read.h"

/* Fills verdicts of wcr from index `from` up to but not including `to`, as far as they
 * can be. */
static void fill_verdicts(hd_nondet_reader *reader, const hd_nondet_group *group, uint32_t from,
                          uint32_t to, unsigned char verdict) {
    from = from > group->from ? from : group->from;
    to = to < group->end ? to : group->end;
    assert(from >= to || group->place + to - group->from <= reader->after_writer.length);
    assert(verdict != HD_NONDET_OPEN);
    for (uint32_t i = from; i < to; i++) {
        unsigned char *known = &reader->after_writer.data[group->place + i - group->from];
        /* What is decided stays; another schedule may show it once more. */
        assert(*known == HD_NONDET_OPEN ||
               (hd_nondet_is_shown(*known) && hd_nondet_is_shown(verdict)));
        *known = verdict;
    }
}

/* Shows challengers that are after the writer in a parked schedule: of the body
 * those with higher numbers, and all in the tail. */
static void show_parked(hd_nondet_reader *reader) {
    uint32_t writer = reader->writer;
    const uint32_t *body = reader->park.body, *set = reader->park.set;
    assert(set[reader->thread] + 1 == hd_nondet_reader_position(reader, reader->read));
    if (hd_nondet_reader_position(reader, writer) > body[hd_nondet_reader_thread(reader, writer)])
        return;
    for (size_t i = 0; i < reader->groups.length; i++) {
        const hd_nondet_group *group = &reader->groups.data[i];
        uint32_t in_body = hd_nondet_reader_writes(reader, group, body[group->thread]);
        uint32_t later = hd_order_below(group->writes, group->count, writer + 1);
        fill_verdicts(reader, group, later, in_body, HD_NONDET_SHOWN);
        fill_verdicts(reader, group, in_body,
                      hd_nondet_reader_writes(reader, group, set[group->thread]), HD_NONDET_SHOWN);
    }
}

/* The same for the schedule that the solver found. */
static void show_solved(hd_nondet_reader *reader, unsigned char verdict) {
    const uint32_t *set = hd_order_solver_set(reader->solver);
    uint32_t *before = reader->before; /* events of each thread before the writer */
    assert(hd_nondet_reader_shows(reader, HD_WITNESS_WCR, set));
    hd_order_solver_counts_before(reader->solver, reader->writer, before);
    for (size_t i = 0; i < reader->groups.length; i++) {
        const hd_nondet_group *group = &reader->groups.data[i];
        uint32_t j = hd_nondet_reader_writes(reader, group, before[group->thread]);
        uint32_t end = hd_nondet_reader_writes(reader, group, set[group->thread]);
        end = end < group->end ? end : group->end;
        for (j = j > group->from ? j : group->from; j < end; j++)
            if (hd_nondet_after(reader, group, j) == HD_NONDET_OPEN &&
                group->writes[j] != reader->writer)
                fill_verdicts(reader, group, j, j + 1, verdict);
    }
}

/* Opens what the closure allows: after the writer, and without the read. */
static void open_after_writer(hd_nondet_reader *reader) {
    const hd_order_space *space = reader->space;
    for (size_t i = 0; i < reader->groups.length; i++) {
        hd_nondet_group *group = &reader->groups.data[i];
        uint32_t before = hd_order_clocks_at(&space->need, reader->writer, group->thread);
        uint32_t most = reader->read ? hd_order_clocks_at(&space->free, reader->read, group->thread)
                                     : hd_order_space_length(space, group->thread);
        group->from = hd_nondet_reader_writes(reader, group, before);
        group->end = hd_nondet_reader_writes(reader, group, most);
        group->end = group->end > group->from ? group->end : group->from;
        group->place = reader->after_writer.length;
        hd_vec_resize(&reader->after_writer, group->place + (group->end - group->from));
    }
}

/* A part of a group's challengers. */
struct row {
    const hd_nondet_group *group;
    uint32_t from, to;
};

/* The first open challenger of the group from this place on; its `end` if all are decided. */
static uint32_t first_open(const hd_nondet_reader *reader, const hd_nondet_group *group,
                           uint32_t from) {
    while (from < group->end && hd_nondet_after(reader, group, from) != HD_NONDET_OPEN)
        from++;
    return from;
}

/* The open challengers of a group from `from` up to but not including `to`: they get smaller until
 * both ends are open; false if none is. */
static bool trim_row(const hd_nondet_reader *reader, struct row *row) {
    const hd_nondet_group *group = row->group;
    row->from = first_open(reader, group, row->from);
    while (row->from < row->to && hd_nondet_after(reader, group, row->to - 1) != HD_NONDET_OPEN)
        row->to--;
    return row->from < row->to;
}

/* Asks for rows of challengers at once, without a search: the first of each after the writer, and
 * the last of each in it.  False if no schedule was found so. */
static bool solve_rows(hd_nondet_reader *reader, const struct row *rows, size_t count) {
    hd_order_query *query = &reader->query;
    hd_order_query_clear(query);
    query->limit = reader->limit;
    query->unsearched = true;
    hd_vec_push(&query->next, reader->read);
    hd_vec_push(&query->in, reader->writer);
    for (size_t i = 0; i < count; i++) {
        struct row row = rows[i];
        if (!trim_row(reader, &row))
            continue;
        hd_vec_push(&query->in, row.group->writes[row.to - 1]);
        hd_vec_push(&query->edges, (uint64_t)reader->writer << 32 | row.group->writes[row.from]);
    }
    if (!query->edges.length)
        return true;
    if (hd_order_solve(reader->solver, query) != HD_ORDER_FEASIBLE)
        return false;
    show_solved(reader, HD_NONDET_SHOWN);
    return true;
}

/* Failures of such questions that are allowed, for a read. */
enum { MOST_FAILURES = 64 };

/* All rows, then each half of them, down to halves of a row, while not too many questions fail. */
static void solve_halves(hd_nondet_reader *reader, const struct row *rows, size_t count,
                         unsigned *failures) {
    if (!count || *failures >= MOST_FAILURES || solve_rows(reader, rows, count))
        return;
    ++*failures;
    if (count > 1) {
        solve_halves(reader, rows, count / 2, failures);
        solve_halves(reader, rows + count / 2, count - count / 2, failures);
        return;
    }
    struct row low = *rows, high;
    if (!trim_row(reader, &low) || low.to - low.from < 2)
        return;
    high = low;
    high.from = low.to = low.from + (low.to - low.from) / 2;
    solve_halves(reader, &high, 1, failures);
    solve_halves(reader, &low, 1, failures);
}

/* The read's own writes, which it needs, are not among them: most often they are refuted. */
static void solve_all_rows(hd_nondet_reader *reader) {
    struct row *rows = HD_NEW_ARRAY(struct row, reader->groups.length + 1);
    unsigned failures = 0;
    size_t count = 0;
    for (size_t i = 0; i < reader->groups.length; i++) {
        const hd_nondet_group *group = &reader->groups.data[i];
        if (group->thread != reader->thread && group->from < group->end)
            rows[count++] = (struct row){group, group->from, group->end};
    }
    solve_halves(reader, rows, count, &failures);
    free(rows);
}

/* Asks for one challenger. */
static unsigned char solve_one(hd_nondet_reader *reader, const hd_nondet_group *group, uint32_t j) {
    unsigned char verdict = hd_nondet_reader_solve(reader, HD_WITNESS_WCR, group->writes[j]);
    fill_verdicts(reader, group, j, j + 1, verdict);
    if (hd_nondet_is_shown(verdict))
        show_solved(reader, verdict);
    return verdict;
}

/* The closure refutes the j-th.  If every schedule has it, an earlier one that is after the writer
 * has it after the writer, too: so they are refuted. */
static void refute_earlier(hd_nondet_reader *reader, const hd_nondet_group *group, uint32_t j) {
    const hd_order_clocks *need = &reader->space->need;
    uint32_t needed = hd_order_clocks_at(need, reader->read, group->thread);
    if (hd_nondet_reader_position(reader, group->writes[j]) > needed)
        return;
    for (uint32_t i = group->from; i < j; i++)
        if (hd_nondet_after(reader, group, i) == HD_NONDET_OPEN)
            fill_verdicts(reader, group, i, i + 1, HD_NONDET_REFUTED);
}

/* The first open challenger, then the last, then those in the middle; with `one` until something is
 * shown. */
static bool solve_group(hd_nondet_reader *reader, const hd_nondet_group *group, bool one) {
    for (unsigned asked = 0;; asked++) {
        uint32_t first = first_open(reader, group, group->from), last = group->end;
        if (first == group->end)
            return false;
        while (hd_nondet_after(reader, group, last - 1) != HD_NONDET_OPEN)
            last--;
        uint32_t j = asked == 0   ? first
                     : asked == 1 ? last - 1
                                  : first_open(reader, group, first + (last - 1 - first) / 2);
        unsigned char verdict = solve_one(reader, group, j);
        if (hd_nondet_is_shown(verdict) && one)
            return true;
        if (verdict == HD_NONDET_REFUTED)
            refute_earlier(reader, group, j);
    }
}

/* So few open challengers are asked for one by one: most often one schedule shows them.  Builds
 * with assertions ask for rows early, because the traces of the tests are small. */
#ifdef NDEBUG
enum { FEW = 16 };
#else
enum { FEW = 2 };
#endif

static bool has_many_open(const hd_nondet_reader *reader) {
    unsigned open = 0;
    for (size_t i = 0; i < reader->after_writer.length && open <= FEW; i++)
        open += reader->after_writer.data[i] == HD_NONDET_OPEN;
    return open > FEW;
}

static void solve_open(hd_nondet_reader *reader, bool one) {
    if (!one && has_many_open(reader))
        solve_all_rows(reader);
    for (size_t i = 0; i < reader->groups.length; i++)
        if (solve_group(reader, &reader->groups.data[i], one))
            return;
}

static bool has(const hd_nondet_reader *reader, enum hd_nondet_verdict verdict) {
    return reader->after_writer.length &&
           memchr(reader->after_writer.data, (int)verdict, reader->after_writer.length);
}

void hd_nondet_reader_decide_after(hd_nondet_reader *reader, bool one) {
    open_after_writer(reader);
    if (!has(reader, HD_NONDET_OPEN))
        return;
    if (hd_nondet_park_try(&reader->park, reader->read, HD_NONDET_AT, 0, HD_NONDET_AT))
        show_parked(reader);
    if (one && has(reader, HD_NONDET_SHOWN))
        return;
    if (has(reader, HD_NONDET_OPEN) && hd_nondet_park_has_holds(&reader->park, reader->read) &&
        hd_nondet_park_try(&reader->park, reader->read, HD_NONDET_TAIL, 0, HD_NONDET_AT))
        show_parked(reader);
    if (has(reader, HD_NONDET_OPEN) && !(one && has(reader, HD_NONDET_SHOWN)))
        solve_open(reader, one);
    assert(one || !has(reader, HD_NONDET_OPEN));
}

/* In whole schedules, if a write is after the writer, so are the later writes of its
 * thread. */
static void bisect_final(hd_nondet_reader *reader, hd_nondet_group *group) {
    uint32_t low = group->from, high = group->end; /* below low refuted, from high on shown */
    uint32_t probe = high - 1;
    while (low < high) {
        assert(low <= probe && probe < high);
        unsigned char verdict =
            hd_nondet_reader_solve(reader, HD_WITNESS_WCR, group->writes[probe]);
        if (hd_nondet_is_shown(verdict)) {
            fill_verdicts(reader, group, probe, high, verdict);
            high = probe;
        } else {
            fill_verdicts(reader, group, low, probe + 1, verdict);
            low = probe + 1;
        }
        probe = low + (high - low) / 2;
    }
}

void hd_nondet_reader_decide_whole(hd_nondet_reader *reader) {
    open_after_writer(reader);
    for (size_t i = 0; i < reader->groups.length; i++)
        if (reader->groups.data[i].from < reader->groups.data[i].end)
            bisect_final(reader, &reader->groups.data[i]);
    assert(!has(reader, HD_NONDET_OPEN));
}
