#include "nondet_finding.h"

#include <stdio.h>
#include <string.h>

void hd_nondet_push_release(hd_nondet_push *push) {
    hd_witness_checker_free(push->checker);
    hd_map_release(&push->seen);
}

/* ---- Words ---- */

static const char *variable_name(const hd_trace *trace, uint32_t variable) {
    return hd_names_text(&trace->tables.names[HEDDLE_CLASS_VARIABLE], variable);
}

/* Where it is in the program; the thread's name where that is not known. */
static const char *place_of(const hd_trace *trace, uint32_t event) {
    const heddle_event *e = hd_trace_event(trace, event);
    const char *location = hd_trace_location(&trace->tables, e);
    return *location ? location : hd_trace_thread_name(&trace->tables, e->thread);
}

static uint64_t fingerprint_of(const hd_trace *trace, uint32_t read, uint32_t variable) {
    const char *places[2] = {variable_name(trace, variable), read ? place_of(trace, read) : "end"};
    return hd_finding_fingerprint(read ? "nondet" : "nondet-final", places, 2);
}

/* "the initial value", or "event 7". */
static void say_write(char *to, size_t size, uint32_t write) {
    if (!write)
        snprintf(to, size, "the initial value");
    else
        snprintf(to, size, "event %u", write);
}

static char *message_of(const hd_trace *trace, const hd_witness_claim *claim, uint32_t variable) {
    char sees[64], writer[64], text[512];
    say_write(sees, sizeof sees, claim->sees);
    say_write(writer, sizeof writer, claim->writer);
    if (claim->read)
        snprintf(text, sizeof text, "event %u can read %s from %s, not %s", claim->read,
                 variable_name(trace, variable), sees, writer);
    else
        snprintf(text, sizeof text, "%s can end as written by %s, not %s",
                 variable_name(trace, variable), sees, writer);
    return hd_mem_string(text, strlen(text));
}

/* ---- Pushing ---- */

static bool is_seen_by_all(hd_nondet_seen *all, uint64_t fingerprint) {
    hd_mem_lock(&all->mutex);
    bool seen = hd_map_find(&all->seen, fingerprint);
    hd_mem_unlock(&all->mutex);
    return seen;
}

bool hd_nondet_push_wants(hd_nondet_push *push, uint32_t read, uint32_t variable) {
    if (!push->options->grouped)
        return true;
    uint64_t fingerprint = fingerprint_of(push->trace, read, variable);
    return !hd_map_find(&push->seen, fingerprint) && !is_seen_by_all(push->all, fingerprint);
}

void hd_nondet_push_again(hd_nondet_push *push, uint32_t read, uint32_t variable) {
    hd_finding finding;
    hd_finding_init(&finding, HD_FINDING_READ, read ? "nondet" : "nondet-final");
    finding.fingerprint = fingerprint_of(push->trace, read, variable);
    push->stopped |= push->sink(push->context, &finding) != 0;
    hd_finding_release(&finding);
}

static bool check_witness(hd_nondet_push *push, const hd_witness *witness) {
    push->failed |= !hd_witness_checked(&push->checker, push->trace, witness, push->error);
    return !push->failed;
}

void hd_nondet_push_witness(hd_nondet_push *push, uint32_t variable, hd_witness_claim claim,
                            hd_vec_u32 *schedule) {
    const hd_trace *trace = push->trace;
    hd_finding finding;
    hd_finding_init(&finding, HD_FINDING_READ, claim.read ? "nondet" : "nondet-final");
    finding.message = message_of(trace, &claim, variable);
    const char *name = variable_name(trace, variable);
    finding.variable = hd_mem_string(name, strlen(name));
    if (claim.read) {
        const char *place = place_of(trace, claim.read);
        finding.location = hd_mem_string(place, strlen(place));
    }
    finding.fingerprint = fingerprint_of(trace, claim.read, variable);
    uint32_t events[] = {claim.read, claim.writer, claim.challenger, claim.sees};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        hd_vec_push(&finding.events, events[i]);
    finding.witness = HD_NEW(hd_witness);
    hd_witness_init(finding.witness);
    finding.witness->claim = claim;
    finding.witness->schedule = *schedule;
    *schedule = (hd_vec_u32){0};
    finding.witness->question = hd_mem_string("nondet", strlen("nondet"));
    if (check_witness(push, finding.witness)) {
        *hd_map_at(&push->seen, finding.fingerprint, NULL) = 1;
        push->stopped |= push->sink(push->context, &finding) != 0;
    }
    hd_finding_release(&finding);
}

/* ---- Values ---- */

/* Do the two writes leave the same value, as far as the trace says?  0 is the initial
 * value, which a read of it may tell. */
static bool value_of(const hd_nondet_reader *reader, uint32_t write, int64_t *value) {
    const hd_order_space *space = reader->space;
    const hd_trace_lists *first = &space->first;
    if (!write) {
        for (uint32_t i = first->start[reader->variable]; i < first->start[reader->variable + 1];
             i++) {
            const heddle_event *e = hd_order_event(space, first->items[i]);
            if (!hd_trace_writes(e) && (e->flags & HEDDLE_HAS_VALUE)) {
                *value = e->value;
                return true;
            }
        }
        return false;
    }
    *value = hd_order_event(space, write)->value;
    return (hd_order_event(space, write)->flags & HEDDLE_HAS_VALUE) != 0;
}

static bool differs(const hd_nondet_reader *reader, uint32_t write) {
    int64_t one, other;
    return !value_of(reader, write, &one) || !value_of(reader, reader->writer, &other) ||
           one != other;
}

/* ---- One read ---- */

static uint32_t last_write(const hd_nondet_reader *reader, const hd_vec_u32 *schedule) {
    for (size_t i = schedule->length; i-- > 0;) {
        const heddle_event *e = hd_order_event(reader->space, schedule->data[i]);
        if (hd_trace_writes(e) && e->object == reader->variable)
            return schedule->data[i];
    }
    return 0;
}

/* Makes the schedule of a witness; with --values the read must see the challenger.
 * False if none exists, which only --values and --paper allow. */
static bool make_finding(hd_nondet_push *push, hd_nondet_reader *reader,
                         enum hd_witness_order order, uint32_t challenger, bool wanted) {
    hd_nondet_reader_ask(reader, order, challenger);
    bool surely = !push->options->values && !push->options->paper; /* one is known */
    reader->query.limit = surely ? 0 : reader->limit;
    reader->query.known = surely;
    if (push->options->values) {
        reader->query.ends_with = true;
        reader->query.of = reader->variable;
        reader->query.last = challenger;
    }
    if (hd_order_solve(reader->solver, &reader->query) != HD_ORDER_FEASIBLE) {
        assert(!surely);
        return false;
    }
    if (!wanted)
        return true;
    hd_vec_u32 schedule = {0};
    hd_order_solver_schedule(reader->solver, &schedule);
    hd_witness_claim claim = {.kind = reader->read ? HD_WITNESS_READ : HD_WITNESS_FINAL_READ,
                              .order = order,
                              .read = reader->read,
                              .variable = reader->read ? 0 : reader->variable,
                              .sees = last_write(reader, &schedule),
                              .writer = reader->writer,
                              .challenger = challenger};
    /* In each of the three orders the read sees another write; with --values, the challenger. */
    assert(claim.sees != reader->writer);
    assert(!push->options->values || claim.sees == challenger);
    hd_nondet_push_witness(push, reader->variable, claim, &schedule);
    hd_vec_release(&schedule);
    return true;
}

/* What a person would rather see: the challenger near the read in the trace, in an
 * order that the trace nearly has. */
struct candidate {
    enum hd_witness_order order;
    uint32_t challenger;
    uint64_t rank;
};

static uint64_t rank_of(const hd_nondet_reader *reader, enum hd_witness_order order,
                        uint32_t challenger) {
    uint32_t read = reader->read ? reader->read : reader->writer;
    uint64_t distance = challenger > read ? challenger - read : read - challenger, rank;
    if (order == HD_WITNESS_WCR)
        rank = challenger > reader->writer ? 0 : 3;
    else
        rank = order == HD_WITNESS_CRW ? 1 : 2;
    return rank << 32 | distance;
}

typedef HD_VEC(struct candidate) candidates;

static void add_candidate(candidates *found, const hd_nondet_push *push,
                          const hd_nondet_reader *reader, enum hd_witness_order order,
                          uint32_t challenger, unsigned char verdict) {
    if (!hd_nondet_is_shown(verdict) || challenger == reader->writer ||
        (challenger && challenger == reader->read) ||
        (push->options->values && !differs(reader, challenger)))
        return;
    hd_vec_push(found, (struct candidate){order, challenger, rank_of(reader, order, challenger)});
}

static int compare(const void *a, const void *b) {
    uint64_t x = ((const struct candidate *)a)->rank, y = ((const struct candidate *)b)->rank;
    return (x > y) - (x < y);
}

static void add_write(candidates *found, const hd_nondet_push *push, const hd_nondet_reader *reader,
                      enum hd_witness_order order, const hd_nondet_group *group, uint32_t i) {
    if (i < group->count)
        add_candidate(found, push, reader, order, group->writes[i],
                      hd_nondet_verdict(reader, group, order, i));
}

/* Of a threshold the two on either side of the read in the trace are near it. */
static void gather_near(candidates *found, const hd_nondet_push *push,
                        const hd_nondet_reader *reader, enum hd_witness_order order,
                        const hd_nondet_group *group) {
    uint32_t after = hd_order_below(group->writes, group->low[order], reader->read);
    add_write(found, push, reader, order, group, after);
    if (after > 0)
        add_write(found, push, reader, order, group, after - 1);
}

static void gather_order(candidates *found, const hd_nondet_push *push,
                         const hd_nondet_reader *reader, enum hd_witness_order order) {
    bool threshold = hd_nondet_has_threshold(reader, order);
    bool one = !push->options->all && !push->options->values;
    add_candidate(found, push, reader, order, 0, reader->initial[order]);
    for (size_t g = 0; g < reader->groups.length; g++) {
        const hd_nondet_group *group = &reader->groups.data[g];
        bool later = !reader->marked && !threshold;
        uint32_t from = later ? group->from : 0, end = later ? group->end : group->count;
        if (one && threshold)
            gather_near(found, push, reader, order, group);
        else
            for (uint32_t i = from; i < end; i++)
                add_write(found, push, reader, order, group, i);
    }
}

static void gather_candidates(candidates *found, const hd_nondet_push *push,
                              const hd_nondet_reader *reader) {
    for (int order = 0; order < HD_NONDET_ORDERS; order++)
        gather_order(found, push, reader, (enum hd_witness_order)order);
}

HD_ASSERT_ONLY static bool first_is_best(const candidates *found) {
    for (size_t i = 1; i < found->length; i++)
        if (found->data[i].rank < found->data[0].rank)
            return false;
    return true;
}

/* The best one first: alone if only one is asked for. */
static void sort_candidates(candidates *found, bool all) {
    if (!found->length)
        return;
    if (all) {
        qsort(found->data, found->length, sizeof *found->data, compare);
        return;
    }
    size_t best = 0;
    for (size_t i = 1; i < found->length; i++)
        if (found->data[i].rank < found->data[best].rank)
            best = i;
    struct candidate first = found->data[best];
    found->data[best] = found->data[0];
    found->data[0] = first;
}

bool hd_nondet_push_read(hd_nondet_push *push, hd_nondet_reader *reader) {
    const hd_nondet_options *options = push->options;
    candidates found = {0};
    bool counts = false, wants = push->sink && !options->count_only;
    if (!wants && !options->values)
        return (reader->marked ? reader->counts : hd_nondet_reader_count(reader)).feasible > 0;
    gather_candidates(&found, push, reader);
    sort_candidates(&found, options->all || options->values || options->paper);
    HD_COSTLY_ASSERT(first_is_best(&found));
    if (!options->values)
        counts = found.length > 0;
    if (counts && wants && !options->all &&
        !hd_nondet_push_wants(push, reader->read, reader->variable))
        hd_nondet_push_again(push, reader->read, reader->variable);
    else
        for (size_t i = 0; i < found.length && (wants || options->values); i++) {
            bool made =
                make_finding(push, reader, found.data[i].order, found.data[i].challenger, wants);
            counts |= made;
            if (push->failed || push->stopped || (made && !options->all))
                break;
        }
    hd_vec_release(&found);
    return counts;
}
