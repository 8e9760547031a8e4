/*
 * QuickLex: all consistent states in lexical order.
 *
 * Chang, "Predicate Detection for Parallel Computations", Algorithms 11-16.
 *
 *   paper                      here
 *   G, L, M                    state, least, most
 *   R(e)                       hd_cut_covers_into (Algorithm 12)
 *   stack_l                    stacks + l * (threads + 1), tops[l]
 *   [p_k : value]              struct entry
 *   PROPAGATE, IS_ENABLED      propagate, is_enabled
 *   RESET, UPDATE_STACK        reset, update_stack
 *
 * Mended: in line 12 of Algorithm 13 an event is enabled iff every remote event
 * r has r.vc[r.pid] <= G[r.pid].  Bounded by an interval, a thread is reset to
 * the greater of its least count and what the others ask of it: the least count
 * is the bottom of its stack, with no thread's number.
 *
 * Time: amortised, the threads times the remote events of an event for each
 * state; memory: the square of the threads.
 */
#include <string.h>

#include "cut_covers.h"

struct entry {
    uint32_t place; /* threads up to this place ask for it, + 1; 0: the bottom */
    uint32_t value;
};

struct quicklex {
    const hd_cut_space *space;
    const hd_cut_covers *covers;
    const uint32_t *most;
    uint32_t *state;
    struct entry *stacks;
    uint32_t *tops; /* [place]: index of the top entry in its stack */
};

static inline bool is_enabled(const struct quicklex *q, uint32_t k) {
    size_t event = q->space->start[k] + q->state[k] + 1;
    uint32_t end = q->covers->into_start[event + 1];
    for (uint32_t i = q->covers->into_start[event]; i < end; i++)
        if (q->covers->into[i].count > q->state[q->covers->into[i].place])
            return false;
    return true;
}

/* The same by the clock of the event instead of its remote events. */
HD_ASSERT_ONLY static bool is_enabled_by_clock(const struct quicklex *q, uint32_t k) {
    const uint32_t *clock = hd_cut_low(q->space, k, q->state[k] + 1);
    for (uint32_t j = 0; j < q->space->threads; j++)
        if (j != k && clock[j] > q->state[j])
            return false;
    return true;
}

/* What the least state and the threads up to k ask of thread l: what its stack is for. */
HD_ASSERT_ONLY static uint32_t asked_of(const struct quicklex *q, uint32_t l, uint32_t k) {
    uint32_t value = q->stacks[(size_t)l * (q->space->threads + 1)].value;
    for (uint32_t j = 0; j <= k; j++)
        if (hd_cut_low(q->space, j, q->state[j])[l] > value)
            value = hd_cut_low(q->space, j, q->state[j])[l];
    return value;
}

/* The thread to go on, HD_ORDER_NONE if none exists. */
static inline uint32_t propagate(const struct quicklex *q) {
    for (uint32_t k = q->space->threads; k-- > 0;)
        if (q->state[k] < q->most[k] && is_enabled(q, k))
            return k;
    return HD_ORDER_NONE;
}

static inline uint32_t update_stack(struct quicklex *q, uint32_t l, uint32_t k, uint32_t value) {
    struct entry *stack = q->stacks + (size_t)l * (q->space->threads + 1);
    uint32_t top = q->tops[l];
    while (stack[top].place > k + 1)
        top--;
    if (stack[top].value < value) {
        if (stack[top].place != k + 1)
            stack[++top].place = k + 1;
        stack[top].value = value;
    }
    assert(top == 0 ||
           (stack[top - 1].place < stack[top].place && stack[top - 1].value < stack[top].value));
    assert(top <= q->space->threads);
    q->tops[l] = top;
    return stack[top].value;
}

static inline void reset(struct quicklex *q, uint32_t k) {
    const uint32_t *clock = hd_cut_low(q->space, k, q->state[k]);
    for (uint32_t l = k + 1; l < q->space->threads; l++) {
        q->state[l] = update_stack(q, l, k, clock[l]);
        assert(q->state[l] <= q->most[l]);
        HD_COSTLY_ASSERT(q->state[l] == asked_of(q, l, k));
    }
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(q->space, q->state));
}

/* Algorithm 15.  The least state is consistent, so nothing asks for more. */
static void initialize_stacks(struct quicklex *q, const uint32_t *least) {
    for (uint32_t l = 0; l < q->space->threads; l++)
        q->stacks[(size_t)l * (q->space->threads + 1)] = (struct entry){0, least[l]};
}

static int quicklex_enumerate(struct quicklex *q, hd_cut_visitor *visitor) {
    int why = 0;
    uint64_t states = 0; /* in a register, not through the pointer */
    for (;;) {
        enum { LOOK_UP_EVERY = 1 << 12 };
        if (++states % LOOK_UP_EVERY == 0 && (why = hd_cut_stopped(visitor)))
            break;
        if (visitor->run && (why = visitor->run(visitor->context, q->state, 1)))
            break;
        uint32_t k = propagate(q);
        if (k == HD_ORDER_NONE)
            break;
        HD_COSTLY_ASSERT(is_enabled_by_clock(q, k));
        q->state[k]++;
        reset(q, k);
    }
    visitor->states += states;
    return why;
}

int hd_cut_quicklex(const hd_cut_space *space, const hd_cut_covers *covers, const uint32_t *least,
                    const uint32_t *most, hd_cut_visitor *visitor) {
    size_t threads = space->threads;
    struct quicklex q = {.space = space, .covers = covers, .most = most};
    q.state = HD_NEW_ARRAY(uint32_t, space->stride + 1);
    memcpy(q.state, least, threads * sizeof *q.state);
    q.stacks = HD_NEW_ARRAY(struct entry, threads * (threads + 1) + 1);
    q.tops = HD_NEW_ARRAY(uint32_t, threads + 1);
    initialize_stacks(&q, least);
    int why = quicklex_enumerate(&q, visitor);
    free(q.state);
    free(q.stacks);
    free(q.tops);
    return why;
}
