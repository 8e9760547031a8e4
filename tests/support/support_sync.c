#include "support_sync.h"

#include "support_race.h"

enum { MOST = 64 };

typedef struct world {
    const hd_trace *trace;
    support_brute *brute;
    uint32_t length;
    bool in[MOST + 1];               /* the set that grows */
    bool before[MOST + 1][MOST + 1]; /* edges of the graph on it */
} world;

static const heddle_event *event(const world *w, uint32_t number) {
    return hd_trace_event(w->trace, number);
}

/* Begins a hold. */
static bool is_acquire(const world *w, uint32_t number) {
    const heddle_event *e = event(w, number);
    return hd_trace_acquires(e) && !(e->flags & HEDDLE_REENTRANT);
}

/* The release that ends a hold; 0: none. */
static uint32_t match(const world *w, uint32_t acquire) {
    const heddle_event *a = event(w, acquire);
    for (uint32_t n = acquire + 1; n <= w->length; n++) {
        const heddle_event *e = event(w, n);
        if (e->thread == a->thread && e->object == a->object && !(e->flags & HEDDLE_REENTRANT) &&
            (hd_trace_releases(e)))
            return n;
    }
    return 0;
}

/* Holds of one lock that exclude each other. */
static bool exclude(const world *w, uint32_t a, uint32_t b) {
    const heddle_event *x = event(w, a), *y = event(w, b);
    return a != b && is_acquire(w, a) && is_acquire(w, b) && x->object == y->object &&
           !(hd_trace_is_shared(x) && hd_trace_is_shared(y));
}

/* ---- The set ---- */

/* Program order, must-edges, what a read saw. */
static bool needs(const world *w, uint32_t number, uint32_t other) {
    return support_brute_must(w->brute, other, number) ||
           support_brute_saw(w->brute, number) == other;
}

/* Is there a hold in the set that has to be closed?  The release that comes in for it is
 * `number`. */
typedef bool closes(const world *w, uint32_t number, uint32_t a, uint32_t b);

static bool comes_in(const world *w, uint32_t number, uint32_t a, uint32_t b, closes *rule) {
    for (uint32_t n = 1; n <= w->length; n++)
        if (w->in[n] && needs(w, n, number))
            return true;
    return rule(w, number, a, b);
}

/* The least set after which a and b can be next; false if one of them, or a hold that
 * never ends but has to, is in it. */
static bool close_set(world *w, uint32_t a, uint32_t b, closes *rule) {
    bool grown = true;
    for (uint32_t n = 1; n <= w->length; n++)
        w->in[n] = support_brute_must(w->brute, n, a) || support_brute_must(w->brute, n, b);
    while (grown) {
        grown = false;
        for (uint32_t n = 1; n <= w->length; n++)
            if (!w->in[n] && comes_in(w, n, a, b, rule))
                w->in[n] = grown = true;
    }
    return !w->in[a] && !w->in[b];
}

/* A hold that another one follows is closed. */
static bool closes_followed(const world *w, uint32_t number, uint32_t a, uint32_t b) {
    (void)a, (void)b;
    for (uint32_t x = 1; x <= w->length; x++)
        for (uint32_t y = x + 1; y <= w->length; y++)
            if (w->in[x] && w->in[y] && exclude(w, x, y) && match(w, x) == number)
                return true;
    return false;
}

/* Can the event not be without the access?  By program order, must-edges and reads. */
static bool depends(const world *w, uint32_t number, uint32_t access) {
    bool reached[MOST + 1] = {false};
    reached[access] = true;
    for (uint32_t n = access + 1; n <= number; n++) /* they all go forward in the trace */
        for (uint32_t m = access; m < n; m++)
            reached[n] |= reached[m] && needs(w, n, m);
    return reached[number];
}

/* Every hold is closed that can be without the two. */
static bool closes_all(const world *w, uint32_t number, uint32_t a, uint32_t b) {
    for (uint32_t x = 1; x <= w->length; x++)
        if (w->in[x] && is_acquire(w, x) && match(w, x) == number)
            return !depends(w, number, a) && !depends(w, number, b);
    return false;
}

static bool is_open(const world *w, uint32_t acquire) {
    uint32_t end = match(w, acquire);
    return !end || !w->in[end];
}

/* ---- The graph of the optimistic ones ---- */

static bool conflict(const world *w, uint32_t a, uint32_t b) {
    const heddle_event *x = event(w, a), *y = event(w, b);
    return hd_trace_is_access(x) && hd_trace_is_access(y) && x->object == y->object &&
           (hd_trace_writes(x) || hd_trace_writes(y));
}

/* An edge from x to y, both in the set. */
static bool has_edge(const world *w, uint32_t x, uint32_t y) {
    if (needs(w, y, x) || (x < y && conflict(w, x, y)))
        return true;
    for (uint32_t a = 1; a <= w->length; a++) { /* x releases a, y begins after that */
        if (!w->in[a] || match(w, a) != x || !exclude(w, a, y))
            continue;
        if (a < y ? true : is_open(w, y))
            return true;
    }
    return false;
}

static bool is_acyclic(world *w) {
    for (uint32_t x = 1; x <= w->length; x++)
        for (uint32_t y = 1; y <= w->length; y++)
            w->before[x][y] = w->in[x] && w->in[y] && has_edge(w, x, y);
    for (uint32_t k = 1; k <= w->length; k++)
        for (uint32_t x = 1; x <= w->length; x++)
            for (uint32_t y = 1; y <= w->length; y++)
                w->before[x][y] |= w->before[x][k] && w->before[k][y];
    for (uint32_t x = 1; x <= w->length; x++)
        if (w->before[x][x])
            return false;
    return true;
}

/* No two holds that exclude each other stay open. */
static bool shares(const world *w) {
    for (uint32_t x = 1; x <= w->length; x++)
        for (uint32_t y = x + 1; y <= w->length; y++)
            if (w->in[x] && w->in[y] && exclude(w, x, y) && is_open(w, x) && is_open(w, y))
                return false;
    return true;
}

/* ---- All pairs ---- */

static bool may_race(const world *w, uint32_t a, uint32_t b) {
    const heddle_event *x = event(w, a), *y = event(w, b);
    return conflict(w, a, b) && x->thread != y->thread &&
           !(hd_trace_traits(x) & hd_trace_traits(y) & HEDDLE_T_ATOMIC) && !hd_trace_is_exempt(x) &&
           !hd_trace_is_exempt(y);
}

typedef bool decides(world *w, uint32_t a, uint32_t b);

static void all_pairs(const hd_trace *trace, hd_vec_u64 *pairs, decides *decide) {
    world w = {.trace = trace, .length = hd_trace_length(trace)};
    assert(w.length <= MOST);
    w.brute = support_brute_create(trace);
    for (uint32_t a = 1; a <= w.length; a++)
        for (uint32_t b = a + 1; b <= w.length; b++)
            if (may_race(&w, a, b) && decide(&w, a, b))
                hd_vec_push(pairs, (uint64_t)a << 32 | b);
    support_brute_free(w.brute);
}

static bool is_sync_preserving(world *w, uint32_t a, uint32_t b) {
    if (!close_set(w, a, b, closes_followed))
        return false;
    for (uint32_t x = 1; x <= w->length; x++)
        for (uint32_t y = x + 1; y <= w->length; y++)
            if (w->in[x] && w->in[y] && exclude(w, x, y) && is_open(w, x))
                return false; /* it never ends */
    return true;
}

static bool is_optimistic(world *w, uint32_t a, uint32_t b) {
    return close_set(w, a, b, closes_all) && shares(w) && is_acyclic(w);
}

void support_sync_preserving(const hd_trace *trace, hd_vec_u64 *pairs) {
    all_pairs(trace, pairs, is_sync_preserving);
}

void support_optimistic(const hd_trace *trace, hd_vec_u64 *pairs) {
    all_pairs(trace, pairs, is_optimistic);
}

/* ---- By all reorderings ---- */

bool support_sync_preserving_brute(const hd_trace *trace, size_t most, hd_vec_u64 *pairs) {
    world w = {.trace = trace, .length = hd_trace_length(trace)};
    support_pair order[MOST];
    size_t count = 0;
    for (uint32_t x = 1; x <= w.length; x++)
        for (uint32_t y = x + 1; y <= w.length; y++) {
            if (!exclude(&w, x, y))
                continue;
            if (count == MOST)
                return false;
            order[count++] = (support_pair){x, y};
        }
    return support_races_in_order(trace, order, count, most, pairs);
}
