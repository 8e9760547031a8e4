/*
 * Estimates of the number of states against brute force: every state is a path, an estimate that is
 * called exact is, and the intervals hold the number as often as they say, over hundreds of small
 * posets and losets.
 */
#include <math.h>
#include <stdio.h>

#include "support_random.h"
#include "support_states.h"

enum { MOST_VECTORS = 4000, MEMORY = 64 << 20, DRAWS = 400 };

static const double confidence = 0.8;

/* Over all cases of a run: intervals that were drawn for, and those that miss. */
static unsigned drawn, missed, exact;

static double count_of(const support_states *s, const hd_bits *of) {
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    double count = 0;
    for (size_t v = hd_bits_next(of, 0); v < of->length; v = hd_bits_next(of, v + 1)) {
        support_states_vector(s, v, state);
        count += support_states_whole(s, state);
    }
    return count;
}

/* A few nodes a level, so that most have to be joined. */
static bool compare(hd_order *order, enum hd_order_model model, enum hd_cut_class class,
                    double truth, hd_random *random, char *why, size_t size) {
    hd_cut_request request = {.model = model, .class = class, .workers = 1, .memory = MEMORY};
    hd_cut_estimate e = {.confidence = confidence,
                         .seconds = 1000,
                         .draws = DRAWS,
                         .seed = hd_random_next(random),
                         .nodes = 1 + (uint32_t)hd_random_below(random, 4)};
    hd_error error;
    if (!hd_cut_estimate_states(order, &request, &e, &error)) {
        snprintf(why, size, "%s", error.text);
        return false;
    }
    if (e.paths < truth || (e.exact && e.paths != truth) || e.least > e.most) {
        snprintf(why, size, "%g paths%s, interval %g to %g, but %g states", e.paths,
                 e.exact ? ", exactly" : "", e.least, e.most, truth);
        return false;
    }
    exact += e.exact;
    drawn += !e.exact;
    missed += truth < e.least * (1 - 1e-9) || truth > e.most * (1 + 1e-9);
    return true;
}

static bool posets(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    support_cut test;
    if (!support_cut_init(&test, trace, random, MOST_VECTORS))
        return true;
    bool right = compare(&test.order, HD_ORDER_POSET, HD_CUT_CONSISTENT,
                         count_of(&test.states, &test.states.poset), random, why, size);
    support_cut_release(&test);
    return right;
}

static bool losets(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    support_cut test;
    if (!support_cut_init(&test, trace, random, MOST_VECTORS))
        return true;
    enum hd_cut_class class = (enum hd_cut_class)hd_random_below(random, HD_CUT_CLASSES);
    bool right = compare(&test.order, HD_ORDER_LOSET, class,
                         count_of(&test.states, &test.states.classes[class]), random, why, size);
    support_cut_release(&test);
    return right;
}

/* The interval of a coin, against sums of binomial probabilities. */
static bool coins(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    (void)trace;
    uint64_t n = 1 + hd_random_below(random, 60), k = hd_random_below(random, n + 1);
    double least, most, below = 0, above = 0, error = 0.1;
    hd_cut_coin_interval(k, n, error, &least, &most);
    for (uint64_t i = 0; i <= n; i++) {
        double ways = lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1);
        above += i >= k ? exp(ways) * pow(least, (double)i) * pow(1 - least, (double)(n - i)) : 0;
        below += i <= k ? exp(ways) * pow(most, (double)i) * pow(1 - most, (double)(n - i)) : 0;
    }
    bool right = (k == 0 ? least == 0 : fabs(above - error / 2) < 1e-9) &&
                 (k == n ? most == 1 : fabs(below - error / 2) < 1e-9);
    if (!right)
        snprintf(why, size, "%u of %u: %g to %g, tails %g and %g", (unsigned)k, (unsigned)n, least,
                 most, above, below);
    return right;
}

enum {
    LOCKS = SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_CHANNELS | SUPPORT_FORKS | SUPPORT_WAITS |
            SUPPORT_SEMAPHORES
};

static const support_property properties[] = {
    {"intervals of coins", {2, 2, 1, 1, SUPPORT_ALL}, coins},
    {"estimates of posets", {5, 18, 2, 2, SUPPORT_ALL}, posets},
    {"estimates of losets", {4, 16, 2, 2, LOCKS}, losets},
};

SUPPORT_SUITE(random_estimate) {
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    double allowed = (1 - confidence) * drawn;
    bool often = missed > allowed + 4 * sqrt(allowed) + 1;
    printf("# %u intervals, %u of them miss, %.0f may; %u counts were exact\n", drawn, missed,
           allowed, exact);
    if (often)
        printf("# too many intervals miss\n");
    return status ? status : often;
}
