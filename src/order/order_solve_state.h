/*
 * What the parts of the reordering solver share.  Private to it.
 */
#ifndef HD_ORDER_SOLVE_STATE_H
#define HD_ORDER_SOLVE_STATE_H

#include "order_chains.h"
#include "order_solve.h"

/* A cell and a lock while a set runs; of another run if the stamp is old. */
struct hd_order_cell_state {
    uint32_t stamp;
    uint32_t now;     /* last write, 0: initial value */
    uint32_t pending; /* reads of the set that still have to see it */
};

struct hd_order_lock_state {
    uint32_t stamp;
    uint32_t writer;  /* its hold + 1; 0: none */
    uint32_t readers; /* holds for reading */
};

struct hd_order_unit_state {
    uint32_t stamp;
    uint32_t left; /* units of the semaphore */
};

/* Why a thread's next event cannot be taken now. */
enum hd_order_wait {
    HD_ORDER_READY,
    HD_ORDER_EVENT, /* another event comes first */
    HD_ORDER_CELL,  /* a write, while a read has to see the value now there */
    HD_ORDER_HELD_LOCK,
    HD_ORDER_LAST, /* an acquire whose hold stays open, while another is to come */
    HD_ORDER_UNIT  /* a take, while the semaphore has no unit */
};

struct hd_order_blocked {
    enum hd_order_wait why;
    uint32_t event; /* what it waits for: EVENT that one, CELL the read, UNIT the take itself, else
                       an acquire */
};

/* Two ways to go on, of which one must be where `one` and `other` are in the set; each an
 * edge, before which a release may have to come in. */
struct hd_order_choice {
    struct hd_order_way {
        uint32_t before, after; /* events; before is 0: this way is closed */
    } ways[2];
    uint32_t one, other;
};

/* A set of decisions, by their depth; the deepest share a member. */
enum { HD_ORDER_DECISION_WORDS = 8, HD_ORDER_DEEPEST = 64 * HD_ORDER_DECISION_WORDS - 1 };

typedef struct hd_order_decisions {
    uint64_t words[HD_ORDER_DECISION_WORDS];
} hd_order_decisions;

static inline bool hd_order_decisions_have(const hd_order_decisions *set, size_t depth) {
    depth = depth < HD_ORDER_DEEPEST ? depth : HD_ORDER_DEEPEST;
    return set->words[depth / 64] >> depth % 64 & 1;
}

static inline void hd_order_decisions_add(hd_order_decisions *set, size_t depth) {
    depth = depth < HD_ORDER_DEEPEST ? depth : HD_ORDER_DEEPEST;
    set->words[depth / 64] |= (uint64_t)1 << depth % 64;
}

/* A shared member goes with the first that shares it. */
static inline void hd_order_decisions_remove(hd_order_decisions *set, size_t depth) {
    if (depth <= HD_ORDER_DEEPEST)
        set->words[depth / 64] &= ~((uint64_t)1 << depth % 64);
}

static inline void hd_order_decisions_join(hd_order_decisions *set,
                                           const hd_order_decisions *more) {
    for (int i = 0; i < HD_ORDER_DECISION_WORDS; i++)
        set->words[i] |= more->words[i];
}

/* A way that was taken: tried, or all that was left after the other one failed. */
struct hd_order_decision {
    struct hd_order_way way;
    hd_order_decisions reason; /* that the other way fails by; none of one that is tried */
};

struct hd_order_solver {
    const hd_order_space *space;
    const hd_order_query *query;
    hd_order_chains chains;
    uint32_t *set;      /* [thread]: events in it */
    uint32_t *cap;      /* [thread]: at most so many */
    uint32_t low, high; /* edges that go back in the trace are between these; 0: none */
    bool trivial;       /* the trace's own order did: no run was made */
    hd_vec_u32 levels;  /* sets of the levels above */
    /* [group of holds, or of writes]: where in its list an answer was last. */
    uint32_t *near_holds, *near_writes;

    /* Decisions above, and what is learned of those that fail: order_solve_learn.c. */
    HD_VEC(struct hd_order_decision) decisions;
    hd_order_decisions conflict; /* decisions that the last failure needs */
    uint32_t *forced;            /* [thread]: the set as asked for, before any decision */
    hd_order_solver *probe;      /* NULL until it is needed */

    /* The run. */
    uint32_t start;    /* events before it were taken as in the trace */
    uint32_t stamp;    /* of the run */
    uint32_t *done;    /* [thread] */
    uint32_t *next;    /* [thread]: number of its next event; none or blocked: UINT32_MAX */
    uint32_t waiting;  /* blocked threads */
    uint32_t *edge_at; /* [thread]: next position that an added edge leads to; none: UINT32_MAX */
    struct hd_order_blocked *blocked;
    struct hd_order_cell_state *cells;
    struct hd_order_lock_state *locks;
    struct hd_order_unit_state *units; /* [semaphore] */
    hd_vec_u32 order;                  /* events taken from start on */

    uint64_t limit; /* of effort.work */
    hd_order_effort effort;
};

/* ---- order_solve_set.c ---- */

/* The event and all that it needs come into the set; false: it is above a cap. */
bool hd_order_solve_include(hd_order_solver *solver, uint32_t event);

static inline bool hd_order_solve_has(const hd_order_solver *solver, uint32_t event) {
    return event && hd_order_position(solver->space, event) <=
                        solver->set[hd_order_event(solver->space, event)->thread];
}

/* Could it come in, by the caps of its own thread? */
static inline bool hd_order_solve_may(const hd_order_solver *solver, uint32_t event) {
    return event && hd_order_position(solver->space, event) <=
                        solver->cap[hd_order_event(solver->space, event)->thread];
}

/* An edge between two events of the set; false if it closes a cycle. */
bool hd_order_solve_edge(hd_order_solver *solver, uint32_t before, uint32_t after);

/* Calls `visit` for every hold that is open in the set; stops at false. */
typedef bool hd_order_solve_visit(hd_order_solver *solver, uint32_t hold, void *context);
bool hd_order_solve_open(hd_order_solver *solver, hd_order_solve_visit *visit, void *context);

/* An edge of a choice, with what it needs; false if that cannot be. */
bool hd_order_solve_take(hd_order_solver *solver, struct hd_order_way way);

/* ---- order_solve.c ---- */

/* The least set and the edges that a query asks for; false if they cannot be. */
bool hd_order_solve_start(hd_order_solver *solver, const hd_order_query *query);

/* Is the clock over, or the work limit passed too?  It stays so until the next query. */
bool hd_order_solve_late(const hd_order_solver *solver);
bool hd_order_solve_over(const hd_order_solver *solver);

/* ---- order_solve_learn.c ---- */

/* What is forced is a contradiction: the decisions that this needs. */
hd_order_decisions hd_order_learn(hd_order_solver *solver);

/* The decisions that a choice needs to be one. */
hd_order_decisions hd_order_learn_presence(const hd_order_solver *solver,
                                           const struct hd_order_choice *choice);

/* ---- order_solve_forced.c ---- */

/* Adds what is forced until nothing more is; false: a contradiction. */
bool hd_order_solve_force(hd_order_solver *solver);

/* ---- order_solve_straight.c ---- */

/* Does the trace's own order do, for a set that may grow?  Else nothing is changed. */
bool hd_order_solve_straight(hd_order_solver *solver);

/* ---- order_solve_run.c ---- */

/* Runs the set; false if it gets stuck. */
bool hd_order_solve_run(hd_order_solver *solver);

/* ---- order_solve_units.c ---- */

/* Brings in posts until the set runs as in the trace, as far as semaphores go; false if it finds
 * none. */
bool hd_order_solve_units_straight(hd_order_solver *solver);

/* Number of the first event that is not in the set; UINT32_MAX if all are. */
uint32_t hd_order_solve_first_missing(const hd_order_solver *solver);

/* The first take that finds no unit when the set runs as in the trace; UINT32_MAX: none. */
uint32_t hd_order_solve_units_moved(hd_order_solver *solver);

bool hd_order_solve_units_force(hd_order_solver *solver);

/* The run is stuck at a take.  A post of the set that it may wait for, 0 if none exists; then
 * what there is to decide, nothing if that is a contradiction: `one` is 0. */
uint32_t hd_order_solve_awaited_post(const hd_order_solver *solver, uint32_t take);
struct hd_order_choice hd_order_solve_unit_choice(const hd_order_solver *solver, uint32_t take);

/* ---- order_solve_stuck.c ---- */

/* A choice in the circle that it got stuck in; `one` is 0: it has no way out. */
struct hd_order_choice hd_order_solve_choice(hd_order_solver *solver);

#endif
