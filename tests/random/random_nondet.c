/*
 * The room `nondet` against its definition (guarantees N1 and N2): all witnesses of
 * all reads, found by visiting every state that a reordering reaches.
 */
#include <stdio.h>
#include <string.h>

#include "nondet/nondet.h"
#include "support_brute.h"
#include "support_nondet.h"
#include "support_random.h"

enum { MOST_STATES = 20000 };

static unsigned long shown, refuted, too_many;

/* ---- By definition ---- */

typedef struct twin {
    const hd_trace *trace;
    const support_brute *brute;
    support_nondet *table;
} twin;

static size_t place(const uint32_t *schedule, size_t length, uint32_t event) {
    size_t i = 0;
    while (i < length && schedule[i] != event)
        i++;
    return i;
}

static bool is_in(const uint32_t *schedule, size_t length, uint32_t event) {
    return event == 0 || place(schedule, length, event) < length;
}

static bool is_next(const twin *t, const uint32_t *schedule, size_t length, uint32_t event) {
    if (is_in(schedule, length, event))
        return false;
    for (uint32_t a = 1; a <= hd_trace_length(t->trace); a++)
        if (support_brute_must(t->brute, a, event) && !is_in(schedule, length, a))
            return false;
    return true;
}

/* a, or the initial value, before b, which is an event; both in the schedule. */
static bool comes_before(const uint32_t *schedule, size_t length, uint32_t a, uint32_t b) {
    return b && (a == 0 || place(schedule, length, a) < place(schedule, length, b));
}

/* Enters what one state shows about one triplet. */
static void enter(const twin *t, const uint32_t *schedule, size_t length, uint32_t read,
                  uint32_t writer, uint32_t challenger, uint32_t variable) {
    bool has_w = is_in(schedule, length, writer);
    if (!is_in(schedule, length, challenger))
        return;
    if (has_w && comes_before(schedule, length, writer, challenger))
        support_nondet_set(t->table, HD_WITNESS_WCR, read, variable, challenger);
    if (!read || has_w)
        return;
    support_nondet_set(t->table, HD_WITNESS_CR, read, variable, challenger);
    if (is_next(t, schedule, length, writer))
        support_nondet_set(t->table, HD_WITNESS_CRW, read, variable, challenger);
}

static int visit(const uint32_t *schedule, size_t length, void *context) {
    const twin *t = context;
    uint32_t total = hd_trace_length(t->trace);
    for (uint32_t read = 1; read <= total; read++)
        if (hd_trace_reads(hd_trace_event(t->trace, read)) && is_next(t, schedule, length, read))
            for (uint32_t c = 0; c <= total; c++)
                if (support_nondet_challenges(t->trace, read, 0, c))
                    enter(t, schedule, length, read, support_brute_saw(t->brute, read), c,
                          hd_trace_event(t->trace, read)->object);
    for (uint32_t v = 0; v < t->trace->tables.names[HEDDLE_CLASS_VARIABLE].length; v++)
        for (uint32_t c = 0; c <= total && length == total; c++)
            if (support_nondet_challenges(t->trace, 0, v, c))
                enter(t, schedule, length, 0, support_nondet_last(t->trace, v), c, v);
    return 0;
}

/* ---- The answer ---- */

typedef struct answer {
    const hd_trace *trace;
    support_nondet *table;
    bool wrong;
} answer;

static int take(void *context, hd_finding *finding) {
    answer *a = context;
    const hd_witness_claim *claim = &finding->witness->claim;
    hd_error error;
    uint32_t variable =
        claim->read ? hd_trace_event(a->trace, claim->read)->object : claim->variable;
    support_nondet_set(a->table, claim->order, claim->read, variable, claim->challenger);
    a->wrong |= !hd_witness_check(finding->witness, a->trace, &error);
    return 0;
}

static bool compare_counts(const hd_trace *trace, const support_nondet *expected,
                           const hd_nondet_result *result, char *why, size_t why_size) {
    support_nondet_sums sums = support_nondet_sum(trace, expected);
    shown += sums.feasible;
    refuted += 3 * sums.triplets - sums.feasible;
    if (sums.triplets == result->triplets && sums.feasible == result->witnesses.feasible &&
        3 * sums.triplets == result->witnesses.possible && !result->witnesses.unknown &&
        sums.nondeterministic ==
            result->nondeterministic_reads + result->nondeterministic_final_reads)
        return true;
    snprintf(why, why_size, "%lu triplets, %lu feasible, %lu reads; expected %lu, %lu, %lu",
             (unsigned long)result->triplets, (unsigned long)result->witnesses.feasible,
             (unsigned long)(result->nondeterministic_reads + result->nondeterministic_final_reads),
             (unsigned long)sums.triplets, (unsigned long)sums.feasible,
             (unsigned long)sums.nondeterministic);
    return false;
}

/* One witness a read: the same reads, each with a witness that is feasible. */
static bool compare_reads(const hd_trace *trace, const support_nondet *expected,
                          const hd_nondet_result *all, char *why, size_t why_size) {
    support_nondet *found = support_nondet_create(trace);
    answer a = {.trace = trace, .table = found};
    hd_nondet_options options;
    hd_nondet_result result;
    hd_error error = {""};
    hd_nondet_options_init(&options);
    options.reads = true;
    options.workers = 2;
    bool good = hd_nondet_run(trace, &options, &result, take, &a, &error) && !a.wrong;
    support_nondet_sums sums = support_nondet_sum(trace, found);
    good = good && result.nondeterministic_reads == all->nondeterministic_reads &&
           result.nondeterministic_final_reads == all->nondeterministic_final_reads &&
           sums.nondeterministic == support_nondet_sum(trace, expected).nondeterministic &&
           sums.feasible == sums.nondeterministic && !result.witnesses.unknown &&
           result.witnesses.possible ==
               result.witnesses.feasible + result.witnesses.infeasible + result.witnesses.unasked;
    if (!good)
        snprintf(why, why_size, "one witness a read: %lu reads, %lu shown; expected %lu",
                 (unsigned long)result.nondeterministic_reads, (unsigned long)sums.nondeterministic,
                 (unsigned long)all->nondeterministic_reads);
    hd_nondet_result_release(&result);
    support_nondet_free(found);
    return good;
}

static bool check(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    support_brute *brute = support_brute_create(trace);
    support_nondet *expected = support_nondet_create(trace), *found = support_nondet_create(trace);
    twin t = {trace, brute, expected};
    answer a = {.trace = trace, .table = found};
    hd_nondet_options options;
    hd_nondet_result result;
    hd_error error = {""};
    hd_nondet_options_init(&options);
    options.all = true;
    options.workers = hd_random_below(random, 4) ? 1 : 3;
    bool good = true;
    if (support_brute_states(brute, true, NULL, 0, MOST_STATES, visit, &t) < 0) {
        too_many++;
    } else {
        good = hd_nondet_run(trace, &options, &result, take, &a, &error);
        if (!good || a.wrong)
            good = (snprintf(why, why_size, "%s", good ? "a witness is rejected" : error.text), 0);
        else
            good = support_nondet_equal(trace, expected, found, why, why_size) &&
                   compare_counts(trace, expected, &result, why, why_size) &&
                   compare_reads(trace, expected, &result, why, why_size);
        hd_nondet_result_release(&result);
    }
    support_nondet_free(expected);
    support_nondet_free(found);
    support_brute_free(brute);
    return good;
}

SUPPORT_SUITE(random_nondet) {
    const unsigned units = SUPPORT_SEMAPHORES | SUPPORT_LOCKS | SUPPORT_RMW;
    const unsigned locks = SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_TRYFAIL | SUPPORT_RMW;
    const support_property properties[] = {
        {"exact equals brute force", {4, 16, 3, 2, SUPPORT_ALL}, check},
        {"exact on locks equals brute force", {4, 16, 2, 2, locks}, check},
        {"exact on semaphores equals brute force", {4, 16, 1, 2, units}, check},
        {"exact on semaphores alone equals brute force", {4, 14, 1, 1, SUPPORT_SEMAPHORES}, check},
        {"exact on plain accesses equals brute force", {4, 14, 1, 2, SUPPORT_LOCKS}, check},
        {"exact on atomic reads that wait equals brute force",
         {4, 14, 1, 2, SUPPORT_ATOMICS | SUPPORT_RMW | SUPPORT_ORDERS | SUPPORT_LOCKS},
         check},
        {"exact on many threads equals brute force", {16, 20, 2, 2, locks}, check},
    };
    int status =
        support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
    printf("# %lu witnesses feasible, %lu not, %lu traces with too many states\n", shown, refuted,
           too_many);
    return status;
}
