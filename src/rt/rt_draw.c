/*
 * Random runs: which thread takes the next step.  All is drawn from the seed of the run, so the
 * same seed gives the same run.
 *
 *   priorities  S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte: A randomized scheduler
 * with probabilistic guarantees of finding bugs, ASPLOS 2010 orders      X. Yuan, J. Yang, R. Gu:
 * Partial order aware concurrency sampling, CAV 2018
 *
 * A thread that yields, or comes round in a loop again and again, goes after all others by
 * priorities, and its operation is drawn again by orders: the thread that it waits for must go on.
 */
#include "rt_explore.h"

/* xorshift64*, of the seed and a number. */
static uint64_t drawn(uint64_t number) {
    uint64_t x = (hd_rt_explore->seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + number;
    for (int round = 0; round < 2; round++) {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        x *= UINT64_C(0x2545f4914f6cdd1d);
    }
    return x >> 16;
}

uint8_t hd_rt_draw_way(uint32_t thread) {
    const heddle_wire_operation *pending = &hd_rt.wire->thread[thread].pending;
    if (!hd_rt_explore->seed || pending->kind != HEDDLE_WIRE_CHOICE)
        return 0;
    return (uint8_t)((drawn(hd_rt_explore->steps) >> 16) % pending->size);
}

bool hd_rt_draw_yields(uint32_t thread) {
    uint16_t kind = hd_rt.wire->thread[thread].pending.kind;
    return kind == HEDDLE_WIRE_YIELD || kind == HEDDLE_WIRE_SLEEP;
}

/* Most random runs do not: what the thread reads and then writes in a loop would never be parted.
 */
bool hd_rt_draw_keeps_rounds(void) {
    enum { ONE_IN = 4 };
    return !hd_rt_explore->drawing || drawn(UINT64_C(3) << 40) % ONE_IN == 0;
}

/* One of those that are able, all alike. */
static uint32_t any(uint64_t able, uint64_t number) {
    uint64_t skip = number % (uint64_t)__builtin_popcountll(able);
    while (skip--)
        able &= able - 1;
    return (uint32_t)__builtin_ctzll(able);
}

/* A thread goes on for some steps; then one of those that can is drawn. */
static uint32_t by_runs(uint64_t able, uint32_t last) {
    enum { STAY = 4 };
    uint64_t number = drawn(hd_rt_explore->steps);
    return able >> last & 1 && number % STAY ? last : any(able, number / STAY);
}

/* ---- Priorities of threads ---- */

/* Change points lower to 1 and more above this; the later a thread yields, the further below it. */
enum { LOWERED = HEDDLE_WIRE_STEPS + 1 };

static uint64_t priority_of(uint32_t thread) {
    uint32_t lowered = hd_rt_explored.draws[thread].lowered;
    /* Those that threads begin with are above all others; no two are the same. */
    return lowered ? lowered
                   : (drawn(UINT64_C(1) << 40 | thread) | UINT64_C(1) << 32) << 8 | thread;
}

static uint32_t highest(uint64_t able) {
    uint32_t best = (uint32_t)__builtin_ctzll(able);
    for (uint64_t rest = able; rest; rest &= rest - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(rest);
        if (priority_of(thread) > priority_of(best))
            best = thread;
    }
    return best;
}

static uint32_t by_priorities(uint64_t able, uint32_t last, uint64_t tired) {
    const heddle_wire_explore *explore = hd_rt_explore;
    if (tired)
        hd_rt_explored.draws[last].lowered = LOWERED - explore->steps;
    uint32_t thread = highest(able);
    for (uint32_t i = 1; i < explore->depth; i++)
        if (explore->length && drawn(UINT64_C(2) << 40 | i) % explore->length == explore->steps) {
            hd_rt_explored.draws[thread].lowered = LOWERED + i;
            thread = highest(able);
        }
    if (hd_rt_draw_yields(thread))
        hd_rt_explored.draws[thread].lowered = LOWERED - explore->steps;
    return thread;
}

/* ---- Priorities of operations ---- */

static uint64_t order_of(uint32_t number) {
    uint64_t taken = hd_rt_thread_at(number)->taken;
    return drawn((uint64_t)number << 56 | taken << 28 | hd_rt_explored.draws[number].redrawn);
}

static uint32_t by_orders(uint64_t able) {
    uint32_t best = (uint32_t)__builtin_ctzll(able);
    for (uint64_t rest = able; rest; rest &= rest - 1)
        if (order_of((uint32_t)__builtin_ctzll(rest)) > order_of(best))
            best = (uint32_t)__builtin_ctzll(rest);
    const heddle_wire_operation *taken = &hd_rt.wire->thread[best].pending;
    for (uint64_t rest = able; rest; rest &= rest - 1) {
        uint32_t other = (uint32_t)__builtin_ctzll(rest);
        if (other != best && (hd_rt_draw_yields(other) ||
                              heddle_wire_meet(taken, &hd_rt.wire->thread[other].pending)))
            hd_rt_explored.draws[other].redrawn++;
    }
    return best;
}

uint32_t hd_rt_draw_thread(uint64_t able, uint32_t last, uint64_t tired) {
    switch (hd_rt_explore->drawing) {
    case HEDDLE_WIRE_DRAWS_UNIFORMLY:
        return any(able, drawn(hd_rt_explore->steps));
    case HEDDLE_WIRE_DRAWS_PRIORITIES:
        return by_priorities(able, last, tired);
    case HEDDLE_WIRE_DRAWS_ORDERS:
        return by_orders(able);
    default:
        return by_runs(able, last);
    }
}
