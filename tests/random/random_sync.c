/*
 * Prediction beside that of others: what happens-before with reads reports, what
 * sync-preserving and optimistic prediction find (support_sync.h) is among what `race`
 * proves; and the straight answers of the reordering solver are the sync-preserving ones
 * (guarantee S4).
 */
#include <stdio.h>

#include "race/race.h"
#include "support_race.h"
#include "support_random.h"
#include "support_sync.h"

enum { MOST_STATES = 20000 };

static unsigned long by_shb, by_sync, by_optimistic, proved, too_many;

static int take(void *context, hd_finding *finding) {
    hd_vec_u64 *pairs = context;
    hd_vec_push(pairs, (uint64_t)finding->events.data[0] << 32 | finding->events.data[1]);
    return 0;
}

static bool run(const hd_trace *trace, enum hd_race_method method, hd_vec_u64 *pairs) {
    hd_race_options options;
    hd_race_result result;
    hd_error error;
    hd_race_options_init(&options);
    options.method = method;
    options.all = true;
    return hd_race_run(trace, &options, &result, take, pairs, &error) && !result.unproved;
}

/* ---- What others find is among ours ---- */

static bool check_others(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    hd_vec_u64 ours = {0}, shb = {0}, sync = {0}, optimistic = {0};
    bool good = run(trace, HD_RACE_PREDICTIVE, &ours) && run(trace, HD_RACE_SHB, &shb);
    support_sync_preserving(trace, &sync);
    support_optimistic(trace, &optimistic);
    if (!good)
        snprintf(why, why_size, "a run failed, or something is unproved");
    good = good &&
           support_pairs_within(&shb, &sync, "is shb's, but not sync-preserving", why, why_size) &&
           support_pairs_within(&sync, &ours, "is sync-preserving, but was not proved", why,
                                why_size) &&
           support_pairs_within(&optimistic, &ours, "is optimistic, but was not proved", why,
                                why_size);
    by_shb += shb.length;
    by_sync += sync.length;
    by_optimistic += optimistic.length;
    proved += ours.length;
    hd_vec_release(&ours);
    hd_vec_release(&shb);
    hd_vec_release(&sync);
    hd_vec_release(&optimistic);
    return good;
}

/* ---- S4 ---- */

/* Pairs that the solver shows in the trace's own order. */
static void ask_all(const hd_trace *trace, hd_vec_u64 *pairs) {
    hd_order order;
    hd_order_space space;
    hd_error error;
    hd_order_query query = {.straight = true};
    hd_order_init(&order, trace);
    hd_order_need(&order, HD_ORDER_SCOPES | HD_ORDER_HELD, SIZE_MAX, &error);
    hd_order_space_init(&space, &order, NULL, SIZE_MAX, &error);
    hd_order_solver *solver = hd_order_solver_create(&space);
    for (uint32_t a = 1; a <= hd_trace_length(trace); a++)
        for (uint32_t b = a + 1; b <= hd_trace_length(trace); b++) {
            const heddle_event *x = hd_trace_event(trace, a), *y = hd_trace_event(trace, b);
            if (!hd_trace_is_access(x) || !hd_trace_is_access(y) || !hd_race_conflict(x, y))
                continue;
            hd_vec_clear(&query.next);
            hd_vec_push(&query.next, a);
            hd_vec_push(&query.next, b);
            if (hd_order_solve(solver, &query) == HD_ORDER_FEASIBLE)
                hd_vec_push(pairs, (uint64_t)a << 32 | b);
        }
    hd_order_query_release(&query);
    hd_order_solver_free(solver);
    hd_order_space_release(&space);
    hd_order_release(&order);
}

static bool check_straight(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)random;
    hd_vec_u64 expected = {0}, closed = {0}, found = {0};
    bool good = true;
    if (!support_sync_preserving_brute(trace, MOST_STATES, &expected)) {
        too_many++;
    } else {
        support_sync_preserving(trace, &closed);
        ask_all(trace, &found);
        good =
            support_pairs_within(&expected, &closed, "is missed by the closure", why, why_size) &&
            support_pairs_within(&closed, &expected, "is by the closure alone", why, why_size) &&
            support_pairs_within(&expected, &found, "is not shown straight", why, why_size) &&
            support_pairs_within(&found, &expected, "is shown, but not sync-preserving", why,
                                 why_size);
    }
    hd_vec_release(&expected);
    hd_vec_release(&closed);
    hd_vec_release(&found);
    return good;
}

SUPPORT_SUITE(random_sync) {
    const unsigned locks = SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_RMW;
    const unsigned most =
        SUPPORT_ALL & ~(unsigned)(SUPPORT_WAITS | SUPPORT_TRYFAIL | SUPPORT_SEMAPHORES);
    const unsigned tries = SUPPORT_ALL & ~(unsigned)(SUPPORT_WAITS | SUPPORT_SEMAPHORES);
    const support_property properties[] = {
        {"what others find is proved", {4, 24, 3, 2, most}, check_others},
        {"what others find beside locks is proved", {4, 32, 2, 2, locks}, check_others},
        {"S4: straight is sync-preserving", {4, 14, 2, 2, tries}, check_straight},
        {"S4: straight is sync-preserving beside locks", {3, 16, 2, 2, locks}, check_straight},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# races: %lu by shb, %lu sync-preserving, %lu optimistic, %lu proved; %lu traces with "
           "too many states\n",
           by_shb, by_sync, by_optimistic, proved, too_many);
    return status;
}
