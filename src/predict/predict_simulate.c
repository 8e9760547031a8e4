#include "predict_simulate.h"

#include <stdlib.h>

#include <xxhash.h>

#define BIT(thread) (UINT64_C(1) << (thread))

enum { WORD = 8 };

/* A step that is being simulated. */
typedef struct stride {
    uint32_t thread, choice;
    uint32_t newborn;       /* the thread that it creates, not at its first point yet; 0: none */
    uint32_t creator;       /* the point of its creation */
    heddle_wire_step *step; /* its entry in the run */
    hd_predict_sight *seen; /* NULL: it was not seen */
} stride;

/* Threads were made, and all of them were joined: what the last thread writes is no step. */
static bool is_alone_again(const hd_predict_simulator *r) {
    return r->now.births && r->now.births == r->now.joins;
}

static bool contradicts(hd_predict_simulator *r, const char *what) {
    return (r->wrong = what, false);
}

/* --- points --------------------------------------------------------------------------------- */

/* Sets the cells of a new point. */
static void place_point(hd_predict_simulator *r, uint32_t number) {
    hd_predict_point *point = &r->learnt.points.data[number];
    uint64_t address = point->next.operation.address;
    if (point->bytes)
        point->cell = hd_predict_cells_word(&r->cells, address / WORD);
    else if (point->deed == HD_PREDICT_DEED_CALLS || point->deed == HD_PREDICT_DEED_ASKS)
        point->cell = hd_predict_cells_word(&r->cells, address / WORD | HEDDLE_WIRE_STATE);
    else if (point->deed >= HD_PREDICT_DEED_LOCKS && point->deed < HD_PREDICT_DEED_ENDS)
        point->cell = hd_predict_cells_object(&r->cells, address);
    if (point->deed == HD_PREDICT_DEED_WAITS)
        point->with = hd_predict_cells_object(&r->cells, point->next.with);
}

/* Of the point that comes next in the log; 0: it is like no other. */
static uint64_t key_of(const hd_predict_simulator *r, const hd_predict_sight *seen) {
    const heddle_wire_next *next = &seen->log->nexts.data[seen->next];
    if (!r->merges || seen->next >= seen->log->locals.length || next->inner)
        return 0;
    uint64_t state = seen->log->locals.data[seen->next];
    if (next->ended && !(r->looked_at >> next->thread & 1))
        state = 1;
    return state ? hd_predict_learnt_key(next, state) : 0;
}

/* The point that the thread reaches, which is `known` if not 0.  0: not known. */
static uint32_t next_point(hd_predict_simulator *r, stride *s, uint32_t thread, uint32_t known) {
    hd_predict_sight *seen = s->seen;
    if (!seen)
        return known;
    const heddle_wire_next *next =
        seen->next < seen->end ? &seen->log->nexts.data[seen->next] : NULL;
    if (!next || next->thread != thread)
        return 0;
    uint64_t key = key_of(r, seen);
    seen->next++;
    if (!known && key)
        known = hd_predict_learnt_with(&r->learnt, key);
    if (!known) {
        known = hd_predict_learnt_point(&r->learnt, next);
        place_point(r, known);
        if (key)
            hd_predict_learnt_name(&r->learnt, known, key);
    } else if (known >= HD_PREDICT_PRUNED || r->learnt.points.data[known].key != key ||
               !hd_predict_learnt_is(&r->learnt.points.data[known], next)) {
        contradicts(r, "a thread did something else than before");
        return 0;
    }
    return known;
}

static hd_predict_way *way_of(hd_predict_simulator *r, const stride *s, uint32_t from,
                              uint64_t found) {
    return s->seen ? hd_predict_learnt_way(&r->learnt, from, found)
                   : hd_predict_learnt_find(&r->learnt, from, found);
}

static bool go_to(hd_predict_simulator *r, stride *s, uint32_t thread, hd_predict_way *way) {
    uint32_t to = way ? next_point(r, s, thread, way->to) : 0;
    if (!to)
        return false;
    way->to = to;
    hd_predict_simulate_arrive(r, thread, to);
    return true;
}

/* --- joins, and what goes with a step ------------------------------------------------------- */

/* 0 if the join does not ask for the thread's result. */
static uint64_t result_of(const hd_predict_simulator *r, const hd_predict_point *join) {
    uint32_t other = (uint32_t)join->next.operation.address;
    return join->next.with ? hd_predict_simulate_point(r, other)->next.with : 0;
}

static bool has_ended(const hd_predict_simulator *r, const hd_predict_point *join) {
    return r->now.ended >> join->next.operation.address & 1;
}

static void join_thread(hd_predict_simulator *r, uint32_t thread, uint32_t other) {
    uint64_t bit = BIT(other);
    r->now.joins += !(r->now.counted & bit) && other;
    r->now.counted |= bit;
    hd_predict_simulate_joined(r, thread, r->joined[thread] | bit | r->joined[other]);
}

/* A join that is not a step of its own (rt_explore.c). */
static bool passes(const hd_predict_simulator *r, uint32_t thread) {
    const hd_predict_point *point = hd_predict_simulate_point(r, thread);
    return !r->apart && point->deed == HD_PREDICT_DEED_JOINS && has_ended(r, point) &&
           r->now.births != r->now.joins + 1;
}

static bool pass_join(hd_predict_simulator *r, stride *s, uint32_t thread) {
    const hd_predict_point *point = hd_predict_simulate_point(r, thread);
    uint64_t found = result_of(r, point);
    join_thread(r, thread, (uint32_t)point->next.operation.address);
    return go_to(r, s, thread, way_of(r, s, r->at[thread], found));
}

static bool begin_thread(hd_predict_simulator *r, stride *s) {
    uint32_t thread = s->newborn;
    uint32_t to = next_point(r, s, thread, r->learnt.points.data[s->creator].newborn);
    s->newborn = 0;
    if (!to)
        return false;
    r->learnt.points.data[s->creator].newborn = to;
    hd_predict_simulate_arrive(r, thread, to);
    return true;
}

/* The thread that waits for one that ended with this step, and goes on within it. */
static bool has_waiter(const hd_predict_simulator *r, uint64_t ended, uint32_t *waiter) {
    for (uint64_t rest = ended ? r->now.bound : 0; rest; rest &= rest - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(rest);
        if (passes(r, thread) &&
            ended >> hd_predict_simulate_point(r, thread)->next.operation.address & 1) {
            *waiter = thread;
            return true;
        }
    }
    return false;
}

/* As goes_along in rt_explore.c. */
static bool go_along(hd_predict_simulator *r, stride *s) {
    uint32_t self = s->thread;
    uint64_t ended = 0;
    for (;;) {
        ended |= r->now.ended & BIT(self);
        if (passes(r, self)) {
            if (!pass_join(r, s, self))
                return false;
        } else if (s->newborn) {
            self = s->newborn;
            if (!begin_thread(r, s))
                return false;
        } else if (!has_waiter(r, ended, &self))
            return true;
    }
}

/* --- what can be done next ------------------------------------------------------------------ */

/* The expected value is private to the thread; whether a comparison with it succeeds is known only
 * if it was seen. */
static bool would_compare(hd_predict_simulator *r, const stride *s, uint32_t thread,
                          const hd_predict_point *point, bool *succeeds) {
    uint64_t found;
    if (!hd_predict_cell_read(&r->cells.all.data[point->cell], point->next.operation.address,
                              point->bytes, &found))
        return false;
    hd_predict_way *way = way_of(r, s, r->at[thread], found);
    if (s->seen && !way->result)
        way->result =
            s->seen->step->succeeds >> thread & 1 ? HD_PREDICT_SUCCEEDS : HD_PREDICT_FAILS;
    *succeeds = way && way->result == HD_PREDICT_SUCCEEDS;
    return way && way->result;
}

/* Which values make a read in a loop wait is known only as far as it was seen. */
static bool would_wait(hd_predict_simulator *r, const stride *s, uint32_t thread,
                       const hd_predict_point *point, bool *possible) {
    uint64_t found;
    if (!hd_predict_cell_read(&r->cells.all.data[point->cell], point->next.operation.address,
                              point->bytes, &found))
        return false;
    hd_predict_way *way = way_of(r, s, r->at[thread], found);
    if (s->seen && !way->able)
        way->able = s->seen->step->enabled >> thread & 1 ? HD_PREDICT_SUCCEEDS : HD_PREDICT_FAILS;
    *possible = way && way->able == HD_PREDICT_SUCCEEDS;
    return way && way->able;
}

static bool would_await(hd_predict_simulator *r, const stride *s, uint32_t thread,
                        const hd_predict_point *point, bool *possible, bool *succeeds) {
    if (!would_wait(r, s, thread, point, possible))
        return false;
    if (point->deed == HD_PREDICT_DEED_COMPARES)
        return would_compare(r, s, thread, point, succeeds);
    *succeeds = *possible;
    return true;
}

/* Would the operation run the initialisation?  Is one running? */
static bool would_initialise(const hd_predict_simulator *r, const hd_predict_point *point,
                             bool *possible, bool *succeeds) {
    uint64_t found;
    if (!hd_predict_cell_read(&r->cells.all.data[point->cell], point->next.operation.address,
                              point->bytes, &found))
        return false;
    bool guard = point->deed == HD_PREDICT_DEED_GUARD;
    *succeeds = guard ? !(found & (HEDDLE_WIRE_GUARD_RUNS - 1)) : found != HEDDLE_WIRE_ONCE_DONE;
    *possible =
        guard ? !*succeeds || found < HEDDLE_WIRE_GUARD_RUNS : found != HEDDLE_WIRE_ONCE_RUNS;
    return true;
}

static bool would(hd_predict_simulator *r, const stride *s, uint32_t thread, bool *possible,
                  bool *succeeds) {
    const hd_predict_point *point = hd_predict_simulate_point(r, thread);
    if (point->awaits)
        return would_await(r, s, thread, point, possible, succeeds);
    switch (point->deed) {
    case HD_PREDICT_DEED_NEVER:
        *possible = *succeeds = false;
        return true;
    case HD_PREDICT_DEED_JOINS:
        *possible = *succeeds = has_ended(r, point);
        return true;
    case HD_PREDICT_DEED_COMPARES:
        *possible = true;
        return would_compare(r, s, thread, point, succeeds);
    case HD_PREDICT_DEED_ONCE:
    case HD_PREDICT_DEED_GUARD:
        return would_initialise(r, point, possible, succeeds);
    default:
        if (!hd_predict_simulate_would(r, thread, point, succeeds))
            return false;
        *possible = point->tries || *succeeds;
        return true;
    }
}

/* Computes which threads can go on.  False if that is not known, and was not seen. */
static bool look_around(hd_predict_simulator *r, stride *s) {
    if (r->now.opaque)
        return false;
    uint64_t enabled = r->now.live & ~r->now.bound, succeeding = enabled;
    assert(!(r->now.bound & ~r->now.live));
    for (uint64_t rest = r->now.bound; rest; rest &= rest - 1) {
        bool possible, succeeds;
        uint32_t thread = (uint32_t)__builtin_ctzll(rest);
        if (!would(r, s, thread, &possible, &succeeds)) {
            if (!s->seen)
                return false;
            possible = s->seen->step->enabled >> thread & 1;
            succeeds = s->seen->step->succeeds >> thread & 1;
        }
        enabled |= possible ? BIT(thread) : 0;
        succeeding |= succeeds ? BIT(thread) : 0;
    }
    s->step->enabled = enabled;
    s->step->succeeds = succeeding;
    if (s->seen && (enabled != s->seen->step->enabled || succeeding != s->seen->step->succeeds))
        return !is_alone_again(r) && /* or what it wrote while it was alone decides */
               contradicts(r, "a thread could go on that was thought to wait, or could not");
    return true;
}

/* --- steps ---------------------------------------------------------------------------------- */

/* The value of the memory that the point accesses. */
static bool look_up(hd_predict_simulator *r, const stride *s, const hd_predict_point *point,
                    uint64_t seen, uint64_t *found) {
    hd_predict_cell *cell = &r->cells.all.data[point->cell];
    uint64_t address = point->next.operation.address;
    bool alone = is_alone_again(r); /* then what it wrote without a step may decide */
    if (!s->seen)
        return alone ? hd_predict_cell_read_alone(cell, address, point->bytes, found)
                     : hd_predict_cell_read(cell, address, point->bytes, found);
    *found = seen;
    if (alone)
        return hd_predict_cell_find_alone(cell, address, point->bytes, seen);
    return hd_predict_cell_find(cell, address, point->bytes, seen) ||
           contradicts(r, "memory changed without a step");
}

static bool meet_memory(hd_predict_simulator *r, stride *s, const hd_predict_point *point,
                        uint64_t *found) {
    const heddle_wire_step *seen = s->seen ? s->seen->step : NULL;
    if (!seen && r->cells.all.data[point->cell].idle) {
        *found = HD_PREDICT_IDLE;
        return true;
    }
    if (point->deed == HD_PREDICT_DEED_READS) {
        if (!look_up(r, s, point, seen ? seen->value : 0, found))
            return false;
        s->step->value = *found;
    } else {
        if (!look_up(r, s, point, seen ? seen->before : 0, found))
            return false;
        s->step->before = *found;
    }
    return true;
}

/* State that only uninstrumented functions see is identified by its history: which threads changed
 * it, in which order, and what each had done before.  The same history yields the same state. */
static uint64_t call(hd_predict_simulator *r, uint32_t thread, const hd_predict_point *point) {
    uint64_t found = r->cells.all.data[point->cell].now.value;
    if (point->deed == HD_PREDICT_DEED_ASKS)
        return found;
    uint64_t made_of[] = {found, r->at[thread]};
    hd_predict_cell *cell = hd_predict_simulate_change(r, point->cell);
    cell->now.value = XXH3_64bits(made_of, sizeof made_of);
    cell->now.written = UINT8_MAX;
    return found;
}

/* What the operation finds, and what it changes except memory; false if it cannot be simulated. */
static bool simulate_operation(hd_predict_simulator *r, stride *s, const hd_predict_point *point,
                               uint64_t *found) {
    uint32_t other = (uint32_t)point->next.operation.address;
    *found = 0;
    switch (point->deed) {
    case HD_PREDICT_DEED_OPAQUE:
    case HD_PREDICT_DEED_ENDS:
    case HD_PREDICT_DEED_NEVER:
        return false;
    case HD_PREDICT_DEED_SECTION: /* what comes inside finds and changes */
    case HD_PREDICT_DEED_GOES:
    case HD_PREDICT_DEED_WRITES:
        return true;
    case HD_PREDICT_DEED_CHOOSES:
        *found = s->choice;
        return s->choice < point->next.operation.size;
    case HD_PREDICT_DEED_READS:
    case HD_PREDICT_DEED_UPDATES:
    case HD_PREDICT_DEED_COMPARES:
    case HD_PREDICT_DEED_ONCE:
    case HD_PREDICT_DEED_GUARD:
        return meet_memory(r, s, point, found);
    case HD_PREDICT_DEED_CALLS:
    case HD_PREDICT_DEED_ASKS:
        *found = call(r, s->thread, point);
        return true;
    case HD_PREDICT_DEED_FORKS:
        if (r->at[other] || is_alone_again(r))
            return false; /* what it wrote while it was alone is not known */
        r->now.births++;
        s->newborn = other;
        s->creator = r->at[s->thread];
        return true;
    case HD_PREDICT_DEED_JOINS:
        if (!has_ended(r, point))
            return false;
        *found = result_of(r, point);
        join_thread(r, s->thread, other);
        return true;
    default:
        return hd_predict_simulate_object(r, s->thread, point, s->choice,
                                          s->seen ? s->seen->step : NULL, found);
    }
}

/* What the operation writes; false if it writes nothing. */
static bool writes(const hd_predict_point *point, uint64_t found, bool succeeded,
                   const hd_predict_way *way, uint64_t *value) {
    switch (point->deed) {
    case HD_PREDICT_DEED_ONCE:
        *value = HEDDLE_WIRE_ONCE_RUNS;
        return succeeded;
    case HD_PREDICT_DEED_GUARD:
        *value = found | HEDDLE_WIRE_GUARD_RUNS;
        return succeeded;
    case HD_PREDICT_DEED_COMPARES:
        *value = way->value;
        return succeeded;
    case HD_PREDICT_DEED_WRITES:
    case HD_PREDICT_DEED_UPDATES:
        *value = way->value;
        return true;
    default:
        return false;
    }
}

/* In a test, and only there, some of what is learnt is wrong: the comparison must notice. */
#ifdef HD_PREDICT_FAULTS
static uint64_t spoil(uint64_t value) {
    static uint32_t count;
    const char *each = getenv("HEDDLE_FAULT_EACH");
    unsigned long apart = each ? strtoul(each, NULL, 10) : 0;
    return apart && ++count % apart == 0 ? value ^ 1 : value;
}
#else
static uint64_t spoil(uint64_t value) {
    return value;
}
#endif

/* What it wrote is learnt, except for pthread_once and guards, whose values are known. */
static bool change_memory(hd_predict_simulator *r, stride *s, const hd_predict_point *point,
                          hd_predict_way *way, bool succeeded) {
    uint64_t value;
    bool once = point->deed == HD_PREDICT_DEED_ONCE || point->deed == HD_PREDICT_DEED_GUARD;
    if (point->deed == HD_PREDICT_DEED_COMPARES)
        s->step->value = s->step->before;
    if (point->deed == HD_PREDICT_DEED_CHOOSES) { /* what was chosen, for people */
        if (s->seen)
            way->value = s->seen->step->value;
        s->step->value = way->value;
    }
    if (!writes(point, s->step->before, succeeded, way, &value) ||
        (!s->seen && r->cells.all.data[point->cell].idle))
        return true;
    if (s->seen && !once) {
        value = s->seen->step->value;
        if (way->to && way->value != value)
            return contradicts(r, "a thread wrote something else than before");
        if (!way->to)
            way->value = spoil(value);
    }
    s->step->value = once ? 0 : value;
    hd_predict_cell_write(hd_predict_simulate_change(r, point->cell), point->next.operation.address,
                          point->bytes, value);
    return true;
}

/* The next point is one inside the section that is the step. */
static bool is_inside(const hd_predict_simulator *r, const stride *s, const hd_predict_way *way) {
    if (s->seen)
        return s->seen->next < s->seen->end && s->seen->log->nexts.data[s->seen->next].inner;
    return way->to && way->to < HD_PREDICT_PRUNED && r->learnt.points.data[way->to].next.inner;
}

/* A read or a write inside it.  The way that leads on from it; NULL: it cannot be simulated. */
static hd_predict_way *pass_inside(hd_predict_simulator *r, stride *s, uint32_t at) {
    const hd_predict_point *point = &r->learnt.points.data[at];
    const heddle_wire_next *seen = s->seen ? &s->seen->log->nexts.data[s->seen->next - 1] : NULL;
    uint64_t found = 0;
    if (point->deed == HD_PREDICT_DEED_OPAQUE ||
        (point->deed == HD_PREDICT_DEED_READS &&
         !look_up(r, s, point, seen ? seen->with : 0, &found)))
        return NULL;
    hd_predict_way *way = way_of(r, s, at, found);
    if (!way || (!s->seen && !way->to))
        return NULL;
    hd_vec_push(&r->nexts, point->next);
    hd_vec_last(&r->nexts)->with = found;
    if (point->deed == HD_PREDICT_DEED_READS)
        return way;
    uint64_t value = seen ? seen->also[0] : way->value;
    if (way->to && way->value != value)
        return contradicts(r, "a thread wrote something else than before"), NULL;
    way->value = seen ? spoil(value) : value;
    hd_vec_last(&r->nexts)->also[0] = value;
    hd_predict_cell_write(hd_predict_simulate_change(r, point->cell), point->next.operation.address,
                          point->bytes, value);
    return way;
}

/* All that is inside the section.  The way that leads out of it. */
static hd_predict_way *go_through(hd_predict_simulator *r, stride *s, hd_predict_way *way) {
    while (way && is_inside(r, s, way)) {
        assert(way->to < HD_PREDICT_PRUNED);
        uint32_t to = way->to = next_point(r, s, s->thread, way->to);
        way = to ? pass_inside(r, s, to) : NULL;
    }
    return way;
}

/* The process ends with this step. */
static bool end_all(hd_predict_simulator *r, stride *s, hd_predict_way *way) {
    if (s->seen) {
        uint32_t output;
        if (s->seen->next != s->seen->end || s->seen->log->end != HD_LAUNCH_ENDED ||
            !hd_predict_simulate_output(r, s->seen->log, &output))
            return false;
        uint32_t to =
            s->seen->step->over == HEDDLE_WIRE_OVER_PRUNED ? HD_PREDICT_PRUNED : HD_PREDICT_OVER;
        if (way->to && (way->to != to || (way->output != output && !r->merges)))
            return contradicts(r, "the program ended in another way than before");
        way->to = to;
        way->output = output;
    }
    r->output = way->output;
    s->step->over = way->to == HD_PREDICT_PRUNED ? HEDDLE_WIRE_OVER_PRUNED : HEDDLE_WIRE_OVER;
    r->now.live = r->now.bound = 0;
    return true;
}

static bool stride_on(hd_predict_simulator *r, stride *s, bool succeeded) {
    uint32_t from = r->at[s->thread];
    uint64_t found;
    const hd_predict_point *point = hd_predict_simulate_point(r, s->thread);
    hd_predict_simulate_joined(r, s->thread, 0);
    r->now.stepped |= BIT(s->thread);
    if ((s->choice && point->deed != HD_PREDICT_DEED_NOTIFIES &&
         point->deed != HD_PREDICT_DEED_CHOOSES) ||
        !simulate_operation(r, s, point, &found))
        return false;
    if (is_alone_again(r)) {
        if (s->seen && !hd_predict_simulate_looks(r, s->thread, s->seen->looks))
            return false;
        found = hd_predict_simulate_alone(r, s->thread, found);
    } else if (s->seen && s->seen->step->over && s->seen->looks->count)
        return false; /* what it looks at while it exits is not part of what it finds */
    if (r->lasts)
        found = hd_predict_simulate_last(r, s->thread, found);
    hd_predict_way *way = way_of(r, s, from, found);
    if (!way || (!s->seen && !way->to) || !change_memory(r, s, point, way, succeeded))
        return false;
    if (point->deed == HD_PREDICT_DEED_SECTION && !(way = go_through(r, s, way)))
        return false;
    if (s->seen ? s->seen->step->over : way->to >= HD_PREDICT_PRUNED)
        return end_all(r, s, way);
    return go_to(r, s, s->thread, way) && go_along(r, s) &&
           (!s->seen || s->seen->next == s->seen->end) && look_around(r, s);
}

bool hd_predict_simulate_step(hd_predict_simulator *r, heddle_wire_decision decision,
                              hd_predict_sight *seen) {
    assert(r->moments.length == r->steps.length && decision.thread < HD_PREDICT_THREADS);
    assert(r->at[decision.thread] && !r->wrong);
    bool succeeded = !r->steps.length || hd_vec_last(&r->steps)->succeeds >> decision.thread & 1;
    hd_vec_push(&r->moments, r->now);
    hd_vec_last(&r->moments)->old = (uint32_t)r->old.length;
    hd_vec_last(&r->moments)->nexts = (uint32_t)r->nexts.length;
    hd_vec_push(&r->steps,
                (heddle_wire_step){.thread = decision.thread, .choice = decision.choice});
    stride s = {.thread = decision.thread,
                .choice = decision.choice,
                .step = hd_vec_last(&r->steps),
                .seen = seen};
    if (!stride_on(r, &s, succeeded)) {
        hd_predict_simulate_back(r, r->steps.length - 1);
        return false;
    }
    s.step->nexts = (uint32_t)r->nexts.length & 0xffffffU;
    assert(s.step->nexts == r->nexts.length && s.step == hd_vec_last(&r->steps));
    assert(!(s.step->enabled & ~r->now.live) && !r->wrong);
    return true;
}
