/*
 * Where no thread can go on: does one of them wait in vain?  It would go round its loop again, and
 * a word that it read in the last round has changed since (rt_rounds.c), so it would find something
 * else than it did.  How long a round is, is learnt from runs that ended like this.
 */
#include "predict_simulate.h"

enum { WORD = 8 };

/* Of a thread at the end of a run: what its waiting depends on.  NULL: it is not in a loop, or that
 * is not known. */
static hd_predict_way *way_at(hd_predict_simulator *r, uint32_t thread, bool learns) {
    const hd_predict_point *point = hd_predict_simulate_point(r, thread);
    uint64_t found = 0;
    if (point->awaits ? !hd_predict_cell_read(&r->cells.all.data[point->cell],
                                              point->next.operation.address, point->bytes, &found)
                      : point->next.operation.kind != HEDDLE_WIRE_ROUND)
        return NULL;
    return learns ? hd_predict_learnt_way(&r->learnt, r->at[thread], found)
                  : hd_predict_learnt_find(&r->learnt, r->at[thread], found);
}

/* The value that the step found, or left as it was; false if it read none. */
static bool value_of(const heddle_wire_operation *operation, const heddle_wire_step *step,
                     uint64_t *value) {
    switch (operation->kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_ATOMIC_READ + 1:
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
        *value = step->value;
        return true;
    case HEDDLE_ATOMIC_RMW + 1:
        *value = step->before;
        return true;
    default:
        return false;
    }
}

static bool has_changed(const hd_predict_simulator *r, const heddle_wire_operation *operation,
                        const heddle_wire_step *step) {
    uint64_t then, now;
    const uint32_t *cell = hd_map_find(&r->cells.words, operation->address / WORD);
    return cell && value_of(operation, step, &then) &&
           operation->address % WORD + operation->size <= WORD &&
           hd_predict_cell_read(&r->cells.all.data[*cell], operation->address, operation->size,
                                &now) &&
           now != then;
}

/* The number of the thread's operation before number `from` of `nexts`; `from` if there is none. */
static size_t next_before(const hd_predict_simulator *r, uint32_t thread, size_t from) {
    size_t at = from;
    while (at-- > 0)
        if (r->nexts.data[at].thread == thread && !r->nexts.data[at].inner)
            return at;
    return from;
}

/* Has a word changed that the thread read in the last `steps` of its steps?  The last of its
 * operations is the one that it waits at. */
static bool is_in_vain(const hd_predict_simulator *r, uint32_t thread, uint32_t steps) {
    size_t next = next_before(r, thread, r->nexts.length);
    for (size_t i = r->steps.length; i-- > 0 && steps;) {
        if (r->steps.data[i].thread != thread)
            continue;
        size_t before = next_before(r, thread, next);
        const heddle_wire_operation *operation = &r->nexts.data[before].operation;
        if (before == next || operation->kind == HEDDLE_JOIN + 1)
            return false; /* a join may have been no step */
        if (has_changed(r, operation, &r->steps.data[i]))
            return true;
        next = before;
        steps--;
    }
    return false;
}

bool hd_predict_simulate_vain(hd_predict_simulator *r) {
    for (uint64_t rest = r->now.live; rest; rest &= rest - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(rest);
        const hd_predict_way *way = way_at(r, thread, false);
        if (way && way->round > 1 && is_in_vain(r, thread, way->round - 1U))
            return true;
    }
    return false;
}

void hd_predict_simulate_rounds(hd_predict_simulator *r, const hd_launch_log *log) {
    for (uint64_t rest = r->now.live; rest; rest &= rest - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(rest);
        hd_predict_way *way = way_at(r, thread, true);
        uint32_t round = log->rounds[thread] + 1U;
        if (!way || round > UINT16_MAX)
            continue;
        if (way->round && way->round != round)
            r->wrong = "a round of a loop had another length than before";
        way->round = (uint16_t)round;
    }
    if (log->end != HD_LAUNCH_VAIN && hd_predict_simulate_vain(r))
        r->wrong = "threads waited for ever where that was thought to be in vain";
}
