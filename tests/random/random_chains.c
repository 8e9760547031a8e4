/*
 * What the reordering solver stands on against slow twins: reachability under
 * edges that come and go against Floyd and Warshall, and parking against a walk
 * along the trace.
 */
#include <stdio.h>
#include <string.h>

#include "order/order.h"
#include "support_brute.h"
#include "support_random.h"

enum { EVENTS = 24, ROUNDS = 40 };

typedef struct matrix {
    bool at[EVENTS + 1][EVENTS + 1];
} matrix;

typedef struct fixture {
    const hd_trace *trace;
    uint32_t length;
    support_brute *brute;
    hd_order order;
    hd_order_space space;
} fixture;

static unsigned long added, refused, undone, whole, stopped;

static void setup(fixture *f, const hd_trace *trace) {
    hd_error error;
    *f = (fixture){.trace = trace, .length = hd_trace_length(trace)};
    f->brute = support_brute_create(trace);
    hd_order_init(&f->order, trace);
    hd_order_need(&f->order, HD_ORDER_SCOPES | HD_ORDER_HELD, SIZE_MAX, &error);
    hd_order_space_init(&f->space, &f->order, NULL, SIZE_MAX, &error);
}

static void teardown(fixture *f) {
    hd_order_space_release(&f->space);
    hd_order_release(&f->order);
    support_brute_free(f->brute);
}

/* ---- Chains ---- */

static bool is_read(const fixture *f, uint32_t event) {
    const heddle_event *e = hd_trace_event(f->trace, event);
    return hd_trace_reads(e) || e->kind == HEDDLE_TRYFAIL;
}

/* Must-edges, and reads-from.  A release that is one step with its wait is seen only
 * with that. */
static void base(const fixture *f, matrix *m) {
    memset(m, 0, sizeof *m);
    for (uint32_t a = 1; a <= f->length; a++)
        for (uint32_t b = 1; b <= f->length; b++) {
            bool saw = is_read(f, b) && support_brute_saw(f->brute, b) == a;
            m->at[a][b] |= support_brute_must(f->brute, a, b) || saw;
            if (saw && hd_order_releases_to_wait(&f->order.index, a) && b != a + 1)
                m->at[a + 1][b] = true;
        }
}

static void close_matrix(matrix *m, uint32_t length) {
    for (uint32_t k = 1; k <= length; k++)
        for (uint32_t i = 1; i <= length; i++)
            for (uint32_t j = 1; j <= length && m->at[i][k]; j++)
                m->at[i][j] |= m->at[k][j];
}

static bool same(const fixture *f, const hd_order_chains *chains, const matrix *edges, char *why,
                 size_t why_size) {
    matrix m = *edges;
    close_matrix(&m, f->length);
    for (uint32_t a = 1; a <= f->length; a++)
        for (uint32_t b = 1; b <= f->length; b++) {
            if (a == b || hd_order_chains_reach(chains, a, b) == m.at[a][b])
                continue;
            snprintf(why, why_size, "event %u is %sbefore event %u", a, m.at[a][b] ? "" : "not ",
                     b);
            return false;
        }
    return true;
}

/* Adds random edges, now and then takes some back. */
static bool check_chains(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    if (hd_trace_length(trace) < 2 || hd_trace_length(trace) > EVENTS)
        return true;
    fixture f;
    hd_order_chains chains;
    matrix stack[ROUNDS + 1];
    size_t marks[ROUNDS + 1], depth = 0;
    setup(&f, trace);
    hd_order_chains_init(&chains, &f.space);
    base(&f, &stack[0]);
    marks[0] = 0;
    bool good = same(&f, &chains, &stack[0], why, why_size);
    for (int round = 0; round < ROUNDS && good; round++) {
        uint32_t a = 1 + (uint32_t)hd_random_below(random, f.length);
        uint32_t b = 1 + (uint32_t)hd_random_below(random, f.length);
        if (depth && hd_random_chance(random, 250)) {
            depth -= 1 + (size_t)hd_random_below(random, depth);
            hd_order_chains_undo(&chains, marks[depth]);
            undone++;
        } else if (a == b || hd_order_chains_reach(&chains, b, a)) {
            refused++;
        } else {
            hd_order_chains_add(&chains, a, b);
            stack[depth + 1] = stack[depth];
            stack[++depth].at[a][b] = true;
            marks[depth] = chains.trail.length;
            added++;
        }
        good = same(&f, &chains, &stack[depth], why, why_size);
    }
    hd_order_chains_release(&chains);
    teardown(&f);
    return good;
}

/* ---- Parking ---- */

/* Goes along the trace: a thread stops at its limit, or where it cannot go on in
 * trace order, and then for good. */
static void walk(const fixture *f, const uint32_t *most, uint32_t *set) {
    uint32_t schedule[EVENTS + 1];
    bool stops[EVENTS + 1] = {false};
    size_t length = 0;
    memset(set, 0, (f->space.threads + 1) * sizeof *set);
    for (uint32_t event = 1; event <= f->length; event++) {
        uint32_t thread = hd_trace_event(f->trace, event)->thread;
        stops[thread] |= set[thread] == most[thread] ||
                         !support_brute_enabled(f->brute, schedule, length, event, true);
        if (stops[thread])
            continue;
        schedule[length++] = event;
        set[thread]++;
    }
}

/* Not between a release and its wait. */
static uint32_t draw_limit(const fixture *f, hd_random *random, uint32_t thread) {
    uint32_t length = hd_order_space_length(&f->space, thread);
    if (hd_random_chance(random, 600))
        return length;
    uint32_t most = (uint32_t)hd_random_below(random, length + 1);
    if (most &&
        hd_order_releases_to_wait(&f->order.index, hd_order_event_at(&f->space, thread, most)))
        most++;
    return most;
}

static bool check_parking(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    if (!hd_trace_length(trace) || hd_trace_length(trace) > EVENTS)
        return true;
    fixture f;
    hd_order_park park;
    uint32_t most[EVENTS + 1], set[EVENTS + 1], expected[EVENTS + 1];
    bool good = true;
    setup(&f, trace);
    hd_order_park_init(&park, &f.space);
    for (int round = 0; round < ROUNDS && good; round++) {
        for (uint32_t t = 0; t < f.space.threads; t++)
            most[t] = draw_limit(&f, random, t);
        walk(&f, most, expected);
        memcpy(set, most, f.space.threads * sizeof *set);
        hd_order_park_run(&park, set);
        bool all = true;
        for (uint32_t t = 0; t < f.space.threads && good; t++) {
            good = set[t] == expected[t];
            all = all && set[t] == most[t];
            if (!good)
                snprintf(why, why_size, "thread %u stops after %u events, not after %u", t, set[t],
                         expected[t]);
        }
        whole += all;
        stopped += !all;
    }
    hd_order_park_release(&park);
    teardown(&f);
    return good;
}

SUPPORT_SUITE(random_chains) {
    const support_property properties[] = {
        {"chains equal paths", {6, EVENTS, 3, 3, SUPPORT_ALL}, check_chains},
        {"chains of many threads equal paths", {16, EVENTS, 2, 3, SUPPORT_ALL}, check_chains},
        {"parking equals a walk", {6, EVENTS, 3, 3, SUPPORT_ALL}, check_parking},
        {"parking of many threads equals a walk", {16, EVENTS, 2, 3, SUPPORT_ALL}, check_parking},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# %lu edges added, %lu refused, %lu undone; %lu times nobody else stopped, %lu "
           "somebody\n",
           added, refused, undone, whole, stopped);
    return status;
}
