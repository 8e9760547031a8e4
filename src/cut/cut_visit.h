/*
 * How states come out of an enumeration.  They come in runs: states that differ
 * in the last thread only, whose count goes up by one each time.  Published
 * algorithms give runs of one; ours give the longest.  A visitor that takes
 * blocks gets from `bounds` all states with the same counts of all threads but
 * the last two in one call.
 *
 *     static int print(void *context, const uint32_t *state, uint32_t count) { ... return 0; }
 *     hd_cut_visitor visitor = {.run = print};
 *     int why = hd_cut_quicklex(&space, least, most, &visitor);
 *
 * With neither, states are only counted.  One call a state:
 * hd_cut_each.  Other than 0 from a visitor stops the enumeration, and
 * is what it returns; HD_CUT_LIMITED is returned when memory ran out, and
 * HD_CUT_STOPPED when what `stop` points to was set, with the states before
 * that visited.
 */
#ifndef HD_CUT_VISIT_H
#define HD_CUT_VISIT_H

#include "cut_space.h"

enum { HD_CUT_LIMITED = INT32_MIN, HD_CUT_STOPPED };

typedef int hd_cut_run(void *context, const uint32_t *state, uint32_t count);

/* The last two threads of one prefix: with the last but one at first + i, the
 * last ranges over least[i]..most[i]. */
typedef struct hd_cut_block {
    const uint32_t *state; /* its last two counts mean nothing */
    uint32_t first, count;
    const uint32_t *least, *most;
} hd_cut_block;

typedef int hd_cut_take_block(void *context, const hd_cut_block *block);

typedef struct hd_cut_visitor {
    void *context;
    hd_cut_run *run;          /* NULL: only counted */
    hd_cut_take_block *block; /* NULL: as runs */
    uint64_t states;          /* seen so far */
    const volatile int *stop; /* looked at now and then; NULL: never */
    /* Of work that is shared out: called before a job and after it, whether or not it
     * stopped.  Jobs are begun in ascending order.  May be NULL. */
    void (*begin_job)(void *context, size_t job);
    void (*end_job)(void *context, size_t job);
} hd_cut_visitor;

static inline void hd_cut_begin_job(const hd_cut_visitor *visitor, size_t job) {
    if (visitor->begin_job)
        visitor->begin_job(visitor->context, job);
}

static inline void hd_cut_end_job(const hd_cut_visitor *visitor, size_t job) {
    if (visitor->end_job)
        visitor->end_job(visitor->context, job);
}

static inline int hd_cut_stopped(const hd_cut_visitor *visitor) {
    return (visitor->stop && *visitor->stop) || hd_clock_over() ? HD_CUT_STOPPED : 0;
}

static inline int hd_cut_emit(hd_cut_visitor *visitor, const uint32_t *state, uint32_t count) {
    assert(count);
    visitor->states += count;
    if (visitor->stop && *visitor->stop)
        return HD_CUT_STOPPED;
    /* A state of many threads can take long. */
    if ((visitor->states & 0x3f) < count && hd_clock_over())
        return HD_CUT_STOPPED;
    return visitor->run ? visitor->run(visitor->context, state, count) : 0;
}

/* For assertions: does an enumeration of this interval have the state? */
HD_ASSERT_ONLY static inline bool hd_cut_is_between(const hd_cut_space *space,
                                                    const uint32_t *least, const uint32_t *state,
                                                    const uint32_t *most) {
    for (uint32_t p = 0; p < space->threads; p++)
        if (state[p] < least[p] || state[p] > most[p])
            return false;
    return hd_cut_consistent(space, state);
}

/* One call a state, with a vector that may be read as it stands. */
typedef int hd_cut_state(void *context, const uint32_t *state);

typedef struct hd_cut_each {
    void *context;
    hd_cut_state *state;
    uint32_t threads;
    uint32_t *copy; /* of the state, so that counts can go up in it */
} hd_cut_each;

void hd_cut_each_init(hd_cut_each *each, uint32_t threads, hd_cut_state *state, void *context);
void hd_cut_each_release(hd_cut_each *each);
/* An hd_cut_run, with an hd_cut_each as its context. */
int hd_cut_each_run(void *context, const uint32_t *state, uint32_t count);

/*
 * The enumerations of all consistent states from `least` to `most`, both
 * consistent, in vectors as long as the space's stride.  So each can serve as
 * the subroutine of ParaMount (cut_share.h).
 *
 *   bfs        by number of events; memory for two levels
 *   dfs        by simulation; memory for all states
 *   tree       from `most` down, one event a step; memory linear in the events
 *   lex        lexical; no memory
 *   quicklex   lexical; memory quadratic in the threads
 *   bounds     lexical, in runs and blocks; memory quadratic in the threads
 *
 * `memory` limits, in bytes, those that need it.
 */
typedef struct hd_cut_covers hd_cut_covers;

int hd_cut_bfs(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
               size_t memory, hd_cut_visitor *visitor);
int hd_cut_dfs(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
               size_t memory, hd_cut_visitor *visitor);
int hd_cut_tree(const hd_cut_space *space, const hd_cut_covers *covers, const uint32_t *least,
                const uint32_t *most, hd_cut_visitor *visitor);
int hd_cut_lex(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
               hd_cut_visitor *visitor);
int hd_cut_quicklex(const hd_cut_space *space, const hd_cut_covers *covers, const uint32_t *least,
                    const uint32_t *most, hd_cut_visitor *visitor);
int hd_cut_bounds(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                  hd_cut_visitor *visitor);

#endif
