/*
 * The regular families: shapes whose global states can be counted by a formula (doc/generate.md has
 * them), so that an enumeration of millions of states can be checked, and hand-over-hand locking,
 * whose scopes overlap without nesting.  No seed: there is nothing to draw.
 */
#include "generate_emit.h"

/* One thread per variable: thread i writes x_i = 1, 2, 3, ... */
static void emit_own_write(hd_trace *trace, uint32_t thread, uint32_t variable, uint64_t value) {
    hd_generate_emit_value(trace, thread, HEDDLE_WRITE, variable, (int64_t)value);
}

bool hd_generate_grid(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    uint64_t threads = request->numbers[0], each = request->numbers[1];
    if (!hd_generate_emit_fits(threads, each, error))
        return false;
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 1, threads);
    hd_generate_emit_names(trace, HEDDLE_CLASS_VARIABLE, "x", 1, threads);
    for (uint64_t step = 1; step <= each && !hd_clock_over(); step++)
        for (uint32_t thread = 0; thread < threads; thread++)
            emit_own_write(trace, thread, thread, step);
    return true;
}

bool hd_generate_forkjoin(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    uint64_t workers = request->numbers[0], each = request->numbers[1];
    if (!hd_generate_emit_fits(workers, each + 2, error))
        return false;
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 0, workers + 1);
    hd_generate_emit_names(trace, HEDDLE_CLASS_VARIABLE, "x", 1, workers);
    for (uint32_t worker = 1; worker <= workers; worker++)
        hd_generate_emit(trace, 0, HEDDLE_FORK, worker);
    for (uint64_t step = 1; step <= each && !hd_clock_over(); step++)
        for (uint32_t worker = 1; worker <= workers; worker++)
            emit_own_write(trace, worker, worker - 1, step);
    for (uint32_t worker = 1; worker <= workers; worker++)
        hd_generate_emit(trace, 0, HEDDLE_JOIN, worker);
    return true;
}

/* One item of a chain: `every` events, of which the first takes the item from
 * channel `in` and the last passes it on to `out`; -1: from or to nowhere. */
static void emit_item(hd_trace *trace, uint32_t chain, uint64_t every, int64_t in, int64_t out,
                      uint64_t number) {
    for (uint64_t step = 1; step <= every && !hd_clock_over(); step++)
        if (step == 1 && in >= 0)
            hd_generate_emit(trace, chain, HEDDLE_RECV, (uint32_t)in);
        else if (step == every && out >= 0)
            hd_generate_emit(trace, chain, HEDDLE_SEND, (uint32_t)out);
        else
            emit_own_write(trace, chain, chain, number * every + step);
}

/* Channel i goes from chain i to the next one, that of the last chain, which
 * only a ring has, to the first. */
static void emit_pipeline(hd_trace *trace, uint32_t chains, uint64_t every, uint64_t items) {
    for (uint64_t item = 0; item < items && !hd_clock_over(); item++)
        for (uint32_t chain = 0; chain < chains; chain++)
            emit_item(trace, chain, every, (int64_t)chain - 1,
                      chain + 1 < chains ? (int64_t)chain : -1, item);
}

static void emit_ring(hd_trace *trace, uint32_t chains, uint64_t every, uint64_t items) {
    for (uint64_t item = 0; item < items && !hd_clock_over(); item++)
        for (uint32_t chain = 0; chain < chains; chain++) {
            bool first = item == 0 && chain == 0;
            bool last = item + 1 == items && chain + 1 == chains;
            int64_t in = chain > 0 ? (int64_t)chain - 1 : (int64_t)chains - 1;
            emit_item(trace, chain, every, first ? -1 : in, last ? -1 : (int64_t)chain, item);
        }
}

bool hd_generate_chains(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    uint64_t chains = request->numbers[0], each = request->numbers[1], every = request->numbers[2];
    bool ring = request->numbers[3] != 0;
    if (!hd_generate_emit_fits(chains, each, error))
        return false;
    if (each % every != 0)
        return hd_error_set(error, "--every %llu does not divide the %llu events of a chain",
                            (unsigned long long)every, (unsigned long long)each);
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 1, chains);
    hd_generate_emit_names(trace, HEDDLE_CLASS_VARIABLE, "x", 1, chains);
    hd_generate_emit_names(trace, HEDDLE_CLASS_CHANNEL, "c", 1, ring ? chains : chains - 1);
    (ring ? emit_ring : emit_pipeline)(trace, (uint32_t)chains, every, each / every);
    return true;
}

bool hd_generate_product(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    uint64_t each = request->numbers[0], pairs = request->numbers[1];
    if (!hd_generate_emit_fits(2 * pairs, each, error))
        return false;
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 1, 2 * pairs);
    hd_generate_emit_names(trace, HEDDLE_CLASS_CHANNEL, "c", 1, pairs);
    for (uint64_t step = 0; step < each && !hd_clock_over(); step++)
        for (uint32_t pair = 0; pair < pairs; pair++) {
            hd_generate_emit(trace, 2 * pair, HEDDLE_SEND, pair);
            hd_generate_emit(trace, 2 * pair + 1, HEDDLE_RECV, pair);
        }
    return true;
}

/* Visit of one node: take its lock, leave the one before, count the visit. */
static void emit_visit(hd_trace *trace, uint32_t walker, uint32_t node, uint32_t nodes) {
    hd_generate_emit(trace, walker, HEDDLE_ACQUIRE, node);
    hd_generate_emit_line(trace, 1);
    if (node > 0) {
        hd_generate_emit(trace, walker, HEDDLE_RELEASE, node - 1);
        hd_generate_emit_line(trace, 2);
    }
    hd_generate_emit_value(trace, walker, HEDDLE_READ, node, walker);
    hd_generate_emit_line(trace, 3);
    hd_generate_emit_value(trace, walker, HEDDLE_WRITE, node, (int64_t)walker + 1);
    hd_generate_emit_line(trace, 4);
    if (node + 1 == nodes) {
        hd_generate_emit(trace, walker, HEDDLE_RELEASE, node);
        hd_generate_emit_line(trace, 5);
    }
}

/* Walkers cannot overtake one another; each follows the one before at a distance of one node, as
 * close as the locks allow. */
static void emit_walks(hd_trace *trace, uint64_t walkers, uint64_t nodes) {
    for (uint64_t time = 0; time < nodes + walkers - 1 && !hd_clock_over(); time++) {
        uint64_t walker = time < nodes ? 0 : time - nodes + 1;
        for (; walker < walkers && walker <= time; walker++)
            emit_visit(trace, (uint32_t)walker, (uint32_t)(time - walker), (uint32_t)nodes);
    }
}

bool hd_generate_handover(hd_trace *trace, const hd_generate_request *request, hd_error *error) {
    uint64_t walkers = request->numbers[0], nodes = request->numbers[1];
    if (!hd_generate_emit_fits(walkers, 4 * nodes, error))
        return false;
    hd_generate_emit_names(trace, HEDDLE_CLASS_THREAD, "T", 1, walkers);
    hd_generate_emit_names(trace, HEDDLE_CLASS_LOCK, "l", 1, nodes);
    hd_generate_emit_names(trace, HEDDLE_CLASS_VARIABLE, "n", 1, nodes);
    emit_walks(trace, walkers, nodes);
    return true;
}
