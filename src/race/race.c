/*
 * A trace put to one of the methods.
 */
#include "race.h"

#include <stdlib.h>

#include "race_apart.h"
#include "race_blocks.h"
#include "race_certain.h"
#include "race_finding.h"
#include "race_predict.h"

void hd_race_options_init(hd_race_options *options) {
    const size_t most = (size_t)1 << 30, budget = hd_mem_budget_or(most);
    *options = (hd_race_options){.max_bytes = budget < most ? budget : most};
}

/* ---- The methods that report ---- */

typedef struct reports {
    const hd_race_options *options;
    hd_race_result *result;
    hd_race_push *push;
} reports;

static void add_pair(reports *r, uint32_t first, uint32_t second) {
    assert(first < second);
    bool once = first && !r->options->all; /* of two places */
    if (once && hd_race_is_proved(r->push, first, second))
        return;
    r->result->races++;
    if (!r->options->count_only)
        hd_race_push_pair(r->push, HD_RACE_REPORTED, first, second, NULL);
    if (once)
        hd_race_note_proved(r->push, first, second);
}

static void report_pair(void *context, uint32_t first, uint32_t second) {
    reports *r = context;
    if (!hd_race_push_over(r->push))
        add_pair(r, first, second);
}

/* The one edge that the clock machine cannot know by itself is that of a wait to the
 * notification that ends it; without waits the must-edges need not be found. */
static bool has_waits(const hd_trace *trace) {
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++)
        if (hd_trace_event(trace, n)->kind == HEDDLE_WAIT)
            return true;
    return false;
}

static void look_at_order(const hd_trace *trace, enum hd_race_sees sees, reports *r,
                          hd_race_report *report) {
    hd_trace_index index = {0};
    hd_order_must must = {0};
    bool waits = has_waits(trace);
    if (waits) {
        hd_trace_index_build(&index, trace);
        hd_order_must_build(&must, &index);
    }
    hd_race_happens *happens = hd_race_happens_create(sees, waits ? &must : NULL, report, r);
    for (uint32_t n = 1; n <= hd_trace_length(trace) && !hd_race_push_over(r->push); n++)
        hd_race_happens_step(happens, n, hd_trace_event(trace, n));
    hd_race_happens_free(happens);
    hd_order_must_release(&must);
    hd_trace_index_release(&index);
}

static void look_at_locks(const hd_trace *trace, reports *r) {
    hd_race_lockset *lockset =
        hd_race_lockset_create(r->options->method == HD_RACE_LOCKSET, report_pair, r);
    for (uint32_t n = 1; n <= hd_trace_length(trace) && !hd_race_push_over(r->push); n++)
        hd_race_lockset_step(lockset, n, hd_trace_event(trace, n));
    hd_race_lockset_free(lockset);
}

static void run_reports(const hd_trace *trace, const hd_race_options *options,
                        hd_race_result *result, hd_race_push *push) {
    reports r = {.options = options, .result = result, .push = push};
    if (options->known)
        for (size_t i = 0; i < options->known->pairs.length && !push->failed && !push->stopped; i++)
            add_pair(&r, options->known->pairs.data[i].first, options->known->pairs.data[i].second);
    else if (options->method == HD_RACE_HB || options->method == HD_RACE_SHB)
        look_at_order(trace, options->method == HD_RACE_SHB ? HD_RACE_SEES_ALL : HD_RACE_SEES_NONE,
                      &r, report_pair);
    else
        look_at_locks(trace, &r);
}

/* ---- Memory orders ---- */

/* No reordering puts the two side by side, if an atomic read between them is to see what it saw;
 * but that orders them only if the memory orders say so. */
static void prove_unordered(void *context, uint32_t first, uint32_t second) {
    reports *r = context;
    assert(first < second && hd_race_conflict(hd_trace_event(r->push->trace, first),
                                              hd_trace_event(r->push->trace, second)));
    if (hd_race_push_over(r->push) || hd_race_is_proved(r->push, first, second))
        return;
    r->result->races++;
    if (!r->options->count_only)
        hd_race_push_unordered(r->push, first, second);
    hd_race_note_proved(r->push, first, second);
}

static bool has_weaker_orders(const hd_trace *trace) {
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++)
        if (hd_trace_is_ordered(hd_trace_event(trace, n)) &&
            heddle_event_order(hd_trace_event(trace, n)) != HEDDLE_ORDER_SEQ_CST)
            return true;
    return false;
}

/* ---- Prediction ---- */

static bool run_prediction(const hd_trace *trace, const hd_race_options *options,
                           hd_race_result *result, hd_race_push *push, hd_error *error) {
    hd_order order;
    hd_order_space space;
    hd_order_init(&order, trace);
    bool good = hd_order_need(&order, HD_ORDER_SCOPES | HD_ORDER_HELD, options->max_bytes, error) &&
                hd_order_space_init(&space, &order, NULL, options->max_bytes, error);
    if (good && options->blocks) {
        hd_race_blocks(&space, options, result, push);
        hd_order_space_release(&space);
    } else if (good) {
        hd_race_predict(&space, options, result, push);
        if (!hd_turns_serves())
            hd_race_certain(&space, options, result, push);
        reports r = {.options = options, .result = result, .push = push};
        bool weaker = !hd_turns_serves() && has_weaker_orders(trace);
        if (weaker)
            look_at_order(trace, HD_RACE_SEES_PLAIN, &r, prove_unordered);
        if (weaker)
            hd_race_apart(&space, options, result, push);
        hd_order_space_release(&space);
    }
    hd_order_release(&order);
    return good;
}

bool hd_race_run(const hd_trace *trace, const hd_race_options *options, hd_race_result *result,
                 hd_finding_sink *sink, void *context, hd_error *error) {
    hd_stop_listen();
    hd_race_push push = {
        .trace = trace, .sink = sink, .context = context, .error = error, .all = options->all};
    bool good = true;
    *result = (hd_race_result){0};
    if (options->method == HD_RACE_PREDICTIVE || options->blocks)
        good = run_prediction(trace, options, result, &push, error);
    else
        run_reports(trace, options, result, &push);
    result->stopped = push.stopped;
    /* Each race was counted when it was noted as proved, once. */
    assert(options->method != HD_RACE_PREDICTIVE || options->blocks ||
           result->races == push.proved.length + push.passed.length);
    hd_race_push_release(&push);
    return good && !push.failed;
}
