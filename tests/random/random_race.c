/*
 * The room `race` against its definition (guarantees R1 to R4): all pairs that race,
 * found by visiting every state that a reordering reaches.
 */
#include <stdio.h>
#include <string.h>

#include "race/race.h"
#include "support_race.h"
#include "support_random.h"

enum { MOST_STATES = 20000 };

static unsigned long shown, refuted, deadlocks, too_many;

typedef struct answer {
    const hd_trace *trace;
    hd_vec_u64 pairs;
    bool rejected, unproved;
} answer;

static int take(void *context, hd_finding *finding) {
    answer *a = context;
    hd_error error;
    a->unproved |= strcmp(finding->rule, "race-unproved") == 0;
    a->rejected |= finding->witness && !hd_witness_check(finding->witness, a->trace, &error);
    hd_vec_push(&a->pairs, (uint64_t)finding->events.data[0] << 32 | finding->events.data[1]);
    return 0;
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void run(answer *a, const hd_trace *trace, enum hd_race_method method, bool all) {
    hd_race_options options;
    hd_race_result result;
    hd_error error = {""};
    *a = (answer){.trace = trace};
    hd_race_options_init(&options);
    options.method = method;
    options.all = all;
    a->rejected = !hd_race_run(trace, &options, &result, take, a, &error);
    a->unproved |= result.unproved != 0 || result.races != a->pairs.length;
    if (a->pairs.length)
        qsort(a->pairs.data, a->pairs.length, sizeof *a->pairs.data, compare);
}

/* ---- R1, R2 ---- */

/* What was found are the places of all races, each once. */
static uint64_t places(const hd_trace *trace, uint64_t pair) {
    const heddle_event *a = hd_trace_event(trace, (uint32_t)(pair >> 32));
    const heddle_event *b = hd_trace_event(trace, (uint32_t)pair);
    uint64_t x = a->location ? a->location : UINT64_C(1) << 31 | a->thread << 8 | a->object;
    uint64_t y = b->location ? b->location : UINT64_C(1) << 31 | b->thread << 8 | b->object;
    return x < y ? x << 32 | y : y << 32 | x;
}

static bool same_places(const hd_trace *trace, const hd_vec_u64 *expected, const hd_vec_u64 *found,
                        char *why, size_t why_size) {
    hd_vec_u64 a = {0}, b = {0};
    bool good = true;
    for (size_t i = 0; i < expected->length; i++)
        if (!support_has_pair(&a, places(trace, expected->data[i])))
            hd_vec_push(&a, places(trace, expected->data[i]));
    for (size_t i = 0; i < found->length; i++) {
        good &= !support_has_pair(&b, places(trace, found->data[i])) &&
                support_has_pair(expected, found->data[i]);
        hd_vec_push(&b, places(trace, found->data[i]));
    }
    good &= a.length == b.length;
    if (!good)
        snprintf(why, why_size, "%zu pairs of places, expected %zu", b.length, a.length);
    hd_vec_release(&a);
    hd_vec_release(&b);
    return good;
}

static bool check_predictive(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    hd_vec_u64 expected = {0};
    answer all, some;
    bool good = true;
    if (!support_races(trace, MOST_STATES, &expected)) {
        too_many++;
        hd_vec_release(&expected);
        return true;
    }
    run(&all, trace, HD_RACE_PREDICTIVE, true);
    run(&some, trace, HD_RACE_PREDICTIVE, false);
    shown += expected.length;
    if (all.rejected || some.rejected || all.unproved || some.unproved)
        good = (snprintf(why, why_size, "a witness is rejected, or something is unproved"), 0);
    else
        good = support_pairs_within(&expected, &all.pairs, "races, but was not found", why,
                                    why_size) &&
               support_pairs_within(&all.pairs, &expected, "was found, but does not race", why,
                                    why_size) &&
               same_places(trace, &expected, &some.pairs, why, why_size);
    hd_vec_release(&expected);
    hd_vec_release(&all.pairs);
    hd_vec_release(&some.pairs);
    return good;
}

/* ---- R3 ---- */

static bool check_shb(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    hd_vec_u64 expected = {0};
    answer found;
    bool good = true;
    if (!support_races(trace, MOST_STATES, &expected)) {
        too_many++;
    } else {
        run(&found, trace, HD_RACE_SHB, true);
        shown += found.pairs.length;
        refuted += expected.length - found.pairs.length;
        good = support_pairs_within(&found.pairs, &expected, "was reported, but does not race", why,
                                    why_size);
        hd_vec_release(&found.pairs);
    }
    hd_vec_release(&expected);
    return good;
}

/* ---- R4 ---- */

/* By stored clocks: for each access, is there an earlier one that it races with? */
static bool check_hb(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    hd_order order;
    hd_error error;
    answer found;
    bool good = true;
    hd_order_init(&order, trace);
    hd_order_need(&order, HD_ORDER_POSET_CLOCKS, (size_t)1 << 30, &error);
    run(&found, trace, HD_RACE_HB, true);
    for (uint32_t b = 1; b <= hd_trace_length(trace) && good; b++) {
        bool races = false, reported = false;
        for (uint32_t a = 1; a < b; a++) {
            const heddle_event *x = hd_trace_event(trace, a), *y = hd_trace_event(trace, b);
            bool pair = hd_trace_is_access(x) && hd_trace_is_access(y) && hd_race_conflict(x, y) &&
                        !hd_order_before(&order, HD_ORDER_POSET, a, b);
            bool said = support_has_pair(&found.pairs, (uint64_t)a << 32 | b);
            races |= pair;
            reported |= said;
            good &= pair || !said;
        }
        good &= races == reported;
        if (!good)
            snprintf(why, why_size, "event %u: races %d, reported %d", b, races, reported);
    }
    hd_vec_release(&found.pairs);
    hd_order_release(&order);
    return good;
}

/* ---- R5 ---- */

/* C(v) by hand: of the accesses so far, from the one on that Eraser begins with, is there a
 * lock that each held?  A lock held for reading protects reads; atomics have one of their
 * own. */
enum { MOST_LOCKS = 8 };

typedef struct refinement {
    bool candidate[MOST_LOCKS + 1]; /* [MOST_LOCKS]: that of atomics */
    bool shared, written;
    uint32_t first_thread, last; /* the access that leaves none; 0: none does */
} refinement;

/* How the thread holds the lock before the event: 0 not, 1 for reading, 2 for writing. */
static int mode_at(const hd_trace *trace, uint32_t event, uint32_t lock) {
    int mode = 0;
    for (uint32_t n = 1; n < event; n++) {
        const heddle_event *e = hd_trace_event(trace, n);
        if (e->thread != hd_trace_event(trace, event)->thread ||
            !(hd_trace_traits(e) & HEDDLE_T_LOCK) || e->object != lock ||
            (e->flags & HEDDLE_REENTRANT))
            continue;
        mode = !hd_trace_acquires(e) ? 0 : hd_trace_is_shared(e) ? 1 : 2;
    }
    return mode;
}

static void refine(refinement *c, const hd_trace *trace, uint32_t event) {
    const heddle_event *e = hd_trace_event(trace, event);
    bool any = false;
    for (uint32_t lock = 0; lock < MOST_LOCKS; lock++)
        c->candidate[lock] &= mode_at(trace, event, lock) > (hd_trace_writes(e) ? 1 : 0);
    c->candidate[MOST_LOCKS] &= (hd_trace_traits(e) & HEDDLE_T_ATOMIC) != 0;
    for (uint32_t lock = 0; lock <= MOST_LOCKS; lock++)
        any |= c->candidate[lock];
    if (!any && !c->last)
        c->last = event;
}

/* The access that leaves the variable none, as it is to be reported. */
static uint32_t refine_all(const hd_trace *trace, uint32_t variable, bool states) {
    refinement c = {.first_thread = UINT32_MAX};
    for (uint32_t lock = 0; lock <= MOST_LOCKS; lock++)
        c.candidate[lock] = true;
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *e = hd_trace_event(trace, n);
        if (!hd_trace_is_access(e) || e->object != variable)
            continue;
        c.first_thread = c.first_thread == UINT32_MAX ? e->thread : c.first_thread;
        c.shared |= e->thread != c.first_thread;
        c.written |= c.shared && hd_trace_writes(e);
        if (c.shared || !states)
            refine(&c, trace, n);
        if (c.last && (c.written || !states))
            return n;
    }
    return 0;
}

static bool check_lockset(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    bool good = true;
    for (int states = 0; states < 2 && good; states++) {
        answer found;
        size_t expected = 0;
        run(&found, trace, states ? HD_RACE_LOCKSET : HD_RACE_LOCKSET_PLAIN, true);
        for (uint32_t v = 0; v < 8 && good; v++) {
            uint32_t last = refine_all(trace, v, states);
            bool said = false;
            for (size_t i = 0; i < found.pairs.length; i++)
                said |= (uint32_t)found.pairs.data[i] == last;
            expected += last != 0;
            good = !last || said;
            if (!good)
                snprintf(why, why_size, "event %u is not reported, states %d", last, states);
        }
        if (good && expected != found.pairs.length) {
            snprintf(why, why_size, "%zu reports, not %zu", found.pairs.length, expected);
            good = false;
        }
        hd_vec_release(&found.pairs);
    }
    return good;
}

/* ---- D1, D2 ---- */

static int take_deadlock(void *context, hd_finding *finding) {
    answer *a = context;
    hd_error error;
    uint64_t set = 0;
    a->unproved |= strcmp(finding->rule, "deadlock-unproved") == 0;
    a->rejected |= !finding->witness || !hd_witness_check(finding->witness, a->trace, &error);
    for (size_t i = 0; i < finding->events.length; i++)
        set |= UINT64_C(1) << (finding->events.data[i] - 1);
    a->unproved |= support_has_pair(&a->pairs, set);
    hd_vec_push(&a->pairs, set);
    return 0;
}

static bool check_deadlocks(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    hd_vec_u64 expected = {0};
    hd_race_options options;
    hd_race_deadlock_result result;
    hd_error error = {""};
    answer found = {.trace = trace};
    bool good = true;
    if (!support_deadlocks(trace, MOST_STATES, &expected)) {
        too_many++;
        hd_vec_release(&expected);
        return true;
    }
    hd_race_options_init(&options);
    options.all = true;
    found.rejected |= !hd_race_deadlocks(trace, &options, &result, take_deadlock, &found, &error);
    deadlocks += expected.length;
    for (size_t i = 0; i < expected.length; i++)
        good &= support_has_pair(&found.pairs, expected.data[i]);
    good &= !found.rejected && !found.unproved && !result.cut && !result.unproved &&
            found.pairs.length == expected.length && result.deadlocks == expected.length;
    if (!good)
        snprintf(why, why_size, "%zu deadlocks%s, expected %zu", found.pairs.length,
                 found.rejected ? " (one rejected)" : "", expected.length);
    hd_vec_release(&expected);
    hd_vec_release(&found.pairs);
    return good;
}

/* Traces whose threads nest locks, in which deadlocks are common: each thread makes two
 * nests of up to three locks, with an access of one variable here and there. */
enum { NEST_THREADS = 4, NEST_LOCKS = 3, NEST_EVENTS = 14 };

typedef struct nests {
    heddle_event events[NEST_THREADS][NEST_EVENTS];
    unsigned length[NEST_THREADS], done[NEST_THREADS];
    unsigned writers[NEST_LOCKS], readers[NEST_LOCKS];
} nests;

static void add(nests *n, uint32_t thread, enum heddle_kind kind, uint32_t object) {
    n->events[thread][n->length[thread]++] =
        (heddle_event){.thread = thread, .kind = (uint8_t)kind, .object = object};
}

static void draw_nest(nests *n, uint32_t thread, hd_random *random) {
    uint32_t first = (uint32_t)hd_random_below(random, NEST_LOCKS);
    uint32_t step = 1 + (uint32_t)hd_random_below(random, NEST_LOCKS - 1);
    unsigned depth = 2 + (hd_random_below(random, 4) == 0);
    bool reading[NEST_LOCKS];
    for (unsigned i = 0; i < depth; i++) {
        reading[i] = hd_random_below(random, 4) == 0;
        add(n, thread, reading[i] ? HEDDLE_READ_ACQUIRE : HEDDLE_ACQUIRE,
            (first + i * step) % NEST_LOCKS);
        if (i == 0 && hd_random_below(random, 3) == 0)
            add(n, thread, hd_random_below(random, 2) ? HEDDLE_READ : HEDDLE_WRITE, 0);
    }
    for (unsigned i = depth; i-- > 0;)
        add(n, thread, reading[i] ? HEDDLE_READ_RELEASE : HEDDLE_RELEASE,
            (first + i * step) % NEST_LOCKS);
}

static bool can_go(const nests *n, uint32_t thread) {
    if (n->done[thread] == n->length[thread])
        return false;
    const heddle_event *e = &n->events[thread][n->done[thread]];
    if (e->kind == HEDDLE_ACQUIRE)
        return !n->writers[e->object] && !n->readers[e->object];
    return e->kind != HEDDLE_READ_ACQUIRE || !n->writers[e->object];
}

static void go(nests *n, uint32_t thread, hd_trace *trace) {
    const heddle_event *e = &n->events[thread][n->done[thread]++];
    if (hd_trace_traits(e) & HEDDLE_T_LOCK) {
        n->writers[e->object] += e->kind == HEDDLE_ACQUIRE;
        n->writers[e->object] -= e->kind == HEDDLE_RELEASE;
        n->readers[e->object] += e->kind == HEDDLE_READ_ACQUIRE;
        n->readers[e->object] -= e->kind == HEDDLE_READ_RELEASE;
    }
    hd_trace_append(trace, *e);
}

static void draw_nests(hd_trace *trace, hd_random *random) {
    nests n = {0};
    uint32_t threads = 2 + (uint32_t)hd_random_below(random, NEST_THREADS - 1);
    for (uint32_t i = 0; i < NEST_LOCKS; i++)
        hd_trace_name(trace, HEDDLE_CLASS_LOCK, "l%u", i);
    hd_trace_name(trace, HEDDLE_CLASS_VARIABLE, "x");
    for (uint32_t t = 0; t < threads; t++) {
        hd_trace_name(trace, HEDDLE_CLASS_THREAD, "t%u", t);
        draw_nest(&n, t, random);
        if (threads == 2)
            draw_nest(&n, t, random);
    }
    for (unsigned tries = 0; tries < 400; tries++) { /* a run that hangs ends there */
        uint32_t thread = (uint32_t)hd_random_below(random, threads);
        if (can_go(&n, thread))
            go(&n, thread, trace);
    }
}

/* The trace given is not used: a failing case is that of its seed. */
static bool check_nests(const hd_trace *unused, hd_random *random, char *why, size_t why_size) {
    (void)unused;
    hd_trace trace;
    hd_error error;
    hd_trace_init(&trace);
    draw_nests(&trace, random);
    bool good = hd_trace_check_all(&trace, &error);
    if (good)
        good = check_deadlocks(&trace, random, why, why_size);
    else
        snprintf(why, why_size, "%.200s", error.text);
    hd_trace_release(&trace);
    return good;
}

SUPPORT_SUITE(random_race) {
    const unsigned units = SUPPORT_SEMAPHORES | SUPPORT_LOCKS | SUPPORT_RMW;
    const unsigned locks = SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_TRYFAIL | SUPPORT_RMW;
    const unsigned nested = SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_FORKS | SUPPORT_REENTRANT;
    const unsigned no_tries = SUPPORT_ALL & ~(unsigned)SUPPORT_TRYFAIL;
    const support_property properties[] = {
        {"R1, R2: races equal brute force", {4, 16, 3, 2, SUPPORT_ALL}, check_predictive},
        {"R1, R2: races beside locks equal brute force", {4, 16, 2, 2, locks}, check_predictive},
        {"R1, R2: races beside semaphores equal brute force",
         {4, 16, 1, 2, units},
         check_predictive},
        {"R1, R2: races of many threads equal brute force", {8, 18, 2, 2, locks}, check_predictive},
        {"R3: what shb reports races", {4, 16, 2, 2, no_tries}, check_shb},
        {"R4: hb equals stored clocks", {6, 60, 3, 4, SUPPORT_ALL}, check_hb},
        {"R5: lockset equals refinement by hand", {5, 40, 3, 4, SUPPORT_ALL}, check_lockset},
        {"D1, D2: deadlocks equal brute force", {5, 20, 3, 1, nested}, check_deadlocks},
        {"D1, D2: deadlocks of nested locks equal brute force", {2, 2, 1, 1, 0}, check_nests},
        {"D1, D2: deadlocks beside tries and semaphores equal brute force",
         {4, 18, 3, 1, SUPPORT_LOCKS | SUPPORT_TRYFAIL | SUPPORT_SEMAPHORES},
         check_deadlocks},
        {"D1, D2: deadlocks of every kind equal brute force",
         {4, 18, 3, 1, SUPPORT_ALL},
         check_deadlocks},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# %lu races, %lu that shb does not report, %lu deadlocks, %lu traces with too many "
           "states\n",
           shown, refuted, deadlocks, too_many);
    return status;
}
