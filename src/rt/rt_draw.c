/*
 * Random runs: which thread takes the next step.  All is drawn from the seed of the run, so the
 * same seed gives the same run.
 *
 *   priorities of threads: S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte: A randomized
 *   scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010
 *
 *   priorities of operations: X. Yuan, J. Yang, R. Gu: Partial order aware concurrency sampling,
 *   CAV 2018
 *
 * A thread that yields, or comes round in a loop again and again, goes after all others by
 * priorities, and its operation is drawn again by orders: the thread that it waits for must go on.
 */
#include "rt_explore.h"

/* Of each thread; a part of the state of the run. */
static struct {
    uint32_t lowered; /* its priority since a change point, 0: as it began; */
    uint32_t redrawn; /* how often the priority of its next operation was drawn again */
} draws[HEDDLE_WIRE_EXPLORED];
static uint32_t draws_used; /* no thread from this number on was lowered or drawn again */

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
    const heddle_wire_operation *pending = &hd_rt.wire->thread[thread].pending;
    return pending->kind == HEDDLE_WIRE_YIELD || pending->kind == HEDDLE_WIRE_SLEEP ||
           (pending->flags & HEDDLE_WIRE_TIMED && !hd_rt_possible(hd_rt_thread_at(thread)));
}

/* Most random runs do not: what the thread reads and then writes in a loop would never be parted.
 */
bool hd_rt_draw_keeps_rounds(void) {
    enum { ONE_IN = 4 };
    return !hd_rt_explore->drawing || drawn(UINT64_C(3) << 40) % ONE_IN == 0;
}

/* One of those that are able, all alike. */
static uint32_t any(const hd_rt_set *able, uint64_t number) {
    uint32_t count = (uint32_t)__builtin_popcountll(able->word[0]);
    uint32_t thread = hd_rt_set_next(able, 0);
    HD_RT_MORE_WORDS(i)
    count += (uint32_t)__builtin_popcountll(able->word[i]);
    for (uint64_t skip = number % count; skip; skip--)
        thread = hd_rt_set_next(able, thread + 1);
    return thread;
}

/* A thread goes on for some steps; then one of those that can is drawn. */
static uint32_t by_runs(const hd_rt_set *able, uint32_t last) {
    enum { STAY = 4 };
    uint64_t number = drawn(hd_rt_explore->steps);
    return hd_rt_set_has(able, last) && number % STAY ? last : any(able, number / STAY);
}

/* ---- Priorities of threads ---- */

/* Change points lower to 1 and more above this; the later a thread yields, the further below it. */
enum { LOWERED = HEDDLE_WIRE_STEPS + 1 };

static uint64_t priority_of(uint32_t thread) {
    uint32_t lowered = draws[thread].lowered;
    /* Those that threads begin with are above all others; no two are the same. */
    return lowered ? lowered
                   : (drawn(UINT64_C(1) << 40 | thread) | UINT64_C(1) << 32) << 10 | thread;
}

static uint32_t highest(const hd_rt_set *able) {
    uint32_t best = hd_rt_set_next(able, 0);
    HD_RT_EACH(i, rest, able) {
        uint32_t thread = hd_rt_set_thread(i, rest);
        if (priority_of(thread) > priority_of(best))
            best = thread;
    }
    return best;
}

static uint32_t by_priorities(const hd_rt_set *able, uint32_t last, bool tired) {
    const heddle_wire_explore *explore = hd_rt_explore;
    if (tired)
        draws[last].lowered = LOWERED - explore->steps;
    uint32_t thread = highest(able);
    for (uint32_t i = 1; i < explore->depth; i++)
        if (explore->length && drawn(UINT64_C(2) << 40 | i) % explore->length == explore->steps) {
            draws[thread].lowered = LOWERED + i;
            thread = highest(able);
        }
    if (hd_rt_draw_yields(thread))
        draws[thread].lowered = LOWERED - explore->steps;
    return thread;
}

/* ---- Priorities of operations ---- */

/* No two operations have the same number, which has the thread in bits 56 to 63, 50 and 51. */
static uint64_t order_of(uint32_t thread) {
    uint64_t taken = hd_rt_thread_at(thread)->taken, number = (uint64_t)thread << 56;
    number |= (uint64_t)(thread >> 8) << 50;
    return drawn(number | taken << 28 | draws[thread].redrawn);
}

static uint32_t by_orders(const hd_rt_set *able) {
    uint32_t best = hd_rt_set_next(able, 0);
    HD_RT_EACH(i, rest, able)
    if (order_of(hd_rt_set_thread(i, rest)) > order_of(best))
        best = hd_rt_set_thread(i, rest);
    const heddle_wire_operation *taken = &hd_rt.wire->thread[best].pending;
    HD_RT_EACH(i, rest, able) {
        uint32_t other = hd_rt_set_thread(i, rest);
        if (other != best && (hd_rt_draw_yields(other) ||
                              heddle_wire_meet(taken, &hd_rt.wire->thread[other].pending)))
            draws[other].redrawn++;
    }
    return best;
}

uint32_t hd_rt_draw_thread(const hd_rt_set *able, uint32_t last, bool tired) {
    if (draws_used < hd_rt_explore->threads)
        draws_used = hd_rt_explore->threads;
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

/* Of a run without priorities nothing is kept. */
char *hd_rt_draw_transfer(char *state, bool back, hd_rt_transfer *transfer) {
    uint64_t count = hd_rt_explore->drawing > HEDDLE_WIRE_DRAWS_UNIFORMLY ? draws_used : 0;
    state = transfer(state, &count, sizeof count, back);
    state = transfer(state, draws, count * sizeof *draws, back);
    if (back)
        for (; draws_used > count; draws_used--)
            draws[draws_used - 1].lowered = draws[draws_used - 1].redrawn = 0;
    // cppcheck-suppress returnDanglingLifetime ; it points to where the count was kept
    return state;
}
