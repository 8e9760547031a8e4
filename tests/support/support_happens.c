#include "support_happens.h"

const heddle_event *support_happens_at(const support_happens *r, uint32_t number) {
    return hd_trace_event(r->trace, number);
}

/* ---- Synchronises-with ---- */

bool support_happens_atomic(const heddle_event *e) {
    return e->kind == HEDDLE_ATOMIC_READ || e->kind == HEDDLE_ATOMIC_WRITE ||
           e->kind == HEDDLE_ATOMIC_RMW;
}

static bool is_release(const heddle_event *e) {
    enum heddle_order order = heddle_event_order(e);
    return order == HEDDLE_ORDER_RELEASE || order == HEDDLE_ORDER_ACQ_REL ||
           order == HEDDLE_ORDER_SEQ_CST;
}

static bool is_acquire(const heddle_event *e) {
    enum heddle_order order = heddle_event_order(e);
    return order == HEDDLE_ORDER_ACQUIRE || order == HEDDLE_ORDER_ACQ_REL ||
           order == HEDDLE_ORDER_SEQ_CST;
}

uint32_t support_happens_reads_from(const support_happens *r, uint32_t read) {
    uint32_t from = 0;
    for (uint32_t n = 1; n < read; n++)
        if (hd_trace_is_access(support_happens_at(r, n)) &&
            hd_trace_writes(support_happens_at(r, n)) &&
            support_happens_at(r, n)->object == support_happens_at(r, read)->object)
            from = n;
    return from;
}

/* Is the write in the release sequence of the head, or in the one that it would head? */
static bool in_sequence(const support_happens *r, uint32_t head, uint32_t write) {
    while (write && write != head) {
        if (support_happens_at(r, write)->kind != HEDDLE_ATOMIC_RMW)
            return false;
        write = support_happens_reads_from(r, write);
    }
    return write == head;
}

static bool sequenced(const support_happens *r, uint32_t a, uint32_t b) {
    return a < b && support_happens_at(r, a)->thread == support_happens_at(r, b)->thread;
}

/* Everything that synchronises because of the read, whose value comes from the head's sequence. */
static void synchronise(support_happens *r, uint32_t head, uint32_t read) {
    for (uint32_t a = 1; a <= r->length; a++) {
        bool source = a == head ? is_release(support_happens_at(r, a))
                                : support_happens_at(r, a)->kind == HEDDLE_FENCE &&
                                      is_release(support_happens_at(r, a)) && sequenced(r, a, head);
        for (uint32_t b = 1; source && b <= r->length; b++) {
            bool target = b == read
                              ? is_acquire(support_happens_at(r, b))
                              : support_happens_at(r, b)->kind == HEDDLE_FENCE &&
                                    is_acquire(support_happens_at(r, b)) && sequenced(r, read, b);
            if (target)
                r->before[a][b] = true;
        }
    }
}

static void add_atomics(support_happens *r) {
    for (uint32_t read = 1; read <= r->length; read++) {
        if (!support_happens_atomic(support_happens_at(r, read)) ||
            !hd_trace_reads(support_happens_at(r, read)))
            continue;
        uint32_t from = support_happens_reads_from(r, read);
        for (uint32_t head = 1; from && head < read; head++)
            if (support_happens_atomic(support_happens_at(r, head)) &&
                hd_trace_writes(support_happens_at(r, head)) &&
                support_happens_at(r, head)->object == support_happens_at(r, read)->object &&
                in_sequence(r, head, from))
                synchronise(r, head, read);
    }
}

static bool changes_lock(const heddle_event *e, bool acquires) {
    return !(e->flags & HEDDLE_REENTRANT) &&
           (acquires ? hd_trace_acquires(e) : hd_trace_releases(e));
}

static bool is_of(const heddle_event *e, enum heddle_kind kind, const heddle_event *other) {
    return e->kind == kind && e->object == other->object;
}

/* The post whose unit the take gets, if the oldest goes first; 0: an initial unit.  Each take
 * before it gets the first post before that take that is still there. */
static uint32_t unit_of(const support_happens *r, uint32_t take) {
    bool gone[SUPPORT_HAPPENS_MOST + 1] = {false};
    uint32_t unit = 0;
    for (uint32_t t = 1; t <= take; t++) {
        if (!is_of(support_happens_at(r, t), HEDDLE_TAKE, support_happens_at(r, take)))
            continue;
        for (unit = 1; unit < t; unit++)
            if (!gone[unit] &&
                is_of(support_happens_at(r, unit), HEDDLE_POST, support_happens_at(r, take)))
                break;
        unit = unit == t ? 0 : unit;
        gone[unit] = true;
    }
    return unit;
}

static bool synchronises(const support_happens *r, uint32_t a, uint32_t b, bool all_posts) {
    const heddle_event *x = support_happens_at(r, a), *y = support_happens_at(r, b);
    if (x->thread == y->thread || (x->kind == HEDDLE_FORK && x->object == y->thread) ||
        (y->kind == HEDDLE_JOIN && y->object == x->thread))
        return true;
    if (changes_lock(x, false) && changes_lock(y, true) && x->object == y->object)
        return !hd_trace_is_shared(x) || !hd_trace_is_shared(y);
    return y->kind == HEDDLE_TAKE && is_of(x, HEDDLE_POST, y) && (all_posts || unit_of(r, b) == a);
}

static void relate(support_happens *r, const hd_trace *trace, bool all_posts) {
    *r = (support_happens){.trace = trace, .length = hd_trace_length(trace)};
    for (uint32_t b = 1; b <= r->length; b++)
        for (uint32_t a = 1; a < b; a++)
            r->before[a][b] = synchronises(r, a, b, all_posts);
    add_atomics(r);
    for (uint32_t k = 1; k <= r->length; k++)
        for (uint32_t a = 1; a <= r->length; a++)
            for (uint32_t b = 1; b <= r->length && r->before[a][k]; b++)
                r->before[a][b] |= r->before[k][b];
}

void support_happens_relate(support_happens *r, const hd_trace *trace) {
    relate(r, trace, false);
}

void support_happens_relate_all_posts(support_happens *r, const hd_trace *trace) {
    relate(r, trace, true);
}

bool support_happens_conflict(const heddle_event *x, const heddle_event *y) {
    return hd_trace_is_access(x) && hd_trace_is_access(y) && x->thread != y->thread &&
           x->object == y->object && (hd_trace_writes(x) || hd_trace_writes(y)) &&
           !(support_happens_atomic(x) && support_happens_atomic(y)) && !hd_trace_is_exempt(x) &&
           !hd_trace_is_exempt(y);
}
