/*
 * Locks, semaphores, condition variables and barriers, simulated as the runtime implements them
 * (rt_sync.c, rt_mutex.c, rt_cond.c).
 */
#include "predict_simulate.h"

#define BIT(thread) (UINT64_C(1) << (thread))

static const hd_predict_cell *cell_of(const hd_predict_simulator *r,
                                      const hd_predict_point *point) {
    return &r->cells.all.data[point->cell];
}

static void set_owner(hd_predict_simulator *r, uint32_t number, uint8_t owner) {
    hd_predict_cell *cell = hd_predict_simulate_change(r, number);
    /* A lock is taken when it is free, and released by the one that has it. */
    assert(!cell->now.owner != !owner && owner <= HD_PREDICT_THREADS);
    assert(!cell->now.owner || r->holds[cell->now.owner - 1]);
    if (cell->now.owner)
        r->holds[cell->now.owner - 1]--;
    if (owner)
        r->holds[owner - 1]++;
    cell->now.owner = owner;
}

/* --- whether it can be done ----------------------------------------------------------------- */

bool hd_predict_simulate_would(const hd_predict_simulator *r, uint32_t thread,
                               const hd_predict_point *point, bool *available) {
    const hd_predict_cell *cell = cell_of(r, point);
    *available = true;
    switch (point->deed) {
    case HD_PREDICT_DEED_LOCKS:
    case HD_PREDICT_DEED_LOCKS_TO_READ:
        *available = !cell->now.owner;
        return true;
    case HD_PREDICT_DEED_LOCKS_TO_WRITE:
        *available = !cell->now.owner && !cell->now.count;
        return true;
    case HD_PREDICT_DEED_TAKES:
        *available = (int64_t)cell->initial + cell->now.count > 0;
        return cell->known;
    case HD_PREDICT_DEED_WAKES:
    case HD_PREDICT_DEED_LEAVES:
        *available = r->now.signalled >> thread & 1;
        return true;
    default:
        return true;
    }
}

/* --- what it does --------------------------------------------------------------------------- */

static bool do_lock(hd_predict_simulator *r, uint32_t thread, const hd_predict_point *point) {
    switch (point->deed) {
    case HD_PREDICT_DEED_LOCKS:
    case HD_PREDICT_DEED_LOCKS_TO_WRITE:
        set_owner(r, point->cell, (uint8_t)(thread + 1));
        return true;
    case HD_PREDICT_DEED_UNLOCKS:
    case HD_PREDICT_DEED_UNLOCKS_TO_WRITE:
        if (cell_of(r, point)->now.owner != thread + 1)
            return false; /* undefined behaviour, so it is executed */
        set_owner(r, point->cell, 0);
        return true;
    case HD_PREDICT_DEED_NESTS:
    case HD_PREDICT_DEED_LOCKS_TO_READ:
        hd_predict_simulate_change(r, point->cell)->now.count++;
        return true;
    default:
        if (cell_of(r, point)->now.count <= 0)
            return false;
        hd_predict_simulate_change(r, point->cell)->now.count--;
        return true;
    }
}

/* The initial units of a semaphore and the size of a barrier are learnt from what a step found. */
static bool learn_count(hd_predict_simulator *r, const hd_predict_point *point,
                        const uint64_t *before) {
    hd_predict_cell *cell = &r->cells.all.data[point->cell];
    bool comes = point->deed == HD_PREDICT_DEED_COMES;
    if (before && !cell->known) {
        cell->initial = comes ? *before & UINT32_MAX : *before - (uint64_t)cell->now.count;
        cell->known = 1;
    }
    if (before && (comes ? *before != (cell->initial | (uint64_t)cell->now.count << 32)
                         : *before != cell->initial + (uint64_t)cell->now.count))
        r->wrong = "a semaphore or a barrier changed without a step";
    return cell->known && !r->wrong;
}

/* The threads that wait at the object to wake, or to leave. */
static uint64_t waiting_at(const hd_predict_simulator *r, const hd_predict_point *point,
                           enum hd_predict_deed deed) {
    uint64_t threads = 0;
    for (uint64_t rest = r->now.live & ~r->now.signalled; rest; rest &= rest - 1) {
        uint32_t thread = (uint32_t)__builtin_ctzll(rest);
        const hd_predict_point *other = hd_predict_simulate_point(r, thread);
        if (other->deed == deed && other->cell == point->cell)
            threads |= BIT(thread);
    }
    return threads;
}

uint64_t hd_predict_simulate_waiters(const hd_predict_simulator *r, const hd_predict_point *point) {
    return waiting_at(r, point, HD_PREDICT_DEED_WAKES);
}

static void come_to_barrier(hd_predict_simulator *r, uint32_t thread, const hd_predict_point *point,
                            uint64_t *found) {
    hd_predict_cell *cell = hd_predict_simulate_change(r, point->cell);
    r->now.signalled &= ~BIT(thread);
    assert(cell->known && (uint64_t)cell->now.count < cell->initial);
    *found = (uint64_t)++cell->now.count >= cell->initial; /* the last one */
    if (!*found)
        return;
    cell->now.count = 0;
    r->now.signalled |= BIT(thread) | waiting_at(r, point, HD_PREDICT_DEED_LEAVES);
}

static void notify_waiters(hd_predict_simulator *r, const hd_predict_point *point,
                           uint32_t choice) {
    uint64_t threads = waiting_at(r, point, HD_PREDICT_DEED_WAKES);
    if (point->deed == HD_PREDICT_DEED_NOTIFIES) {
        for (; choice && threads; choice--)
            threads &= threads - 1;
        threads &= 0 - threads;
    }
    assert(point->deed == HD_PREDICT_DEED_NOTIFIES_ALL || !(threads & (threads - 1)));
    r->now.signalled |= threads;
}

/* Releases the mutex; the thread is not notified yet. */
static bool wait_for(hd_predict_simulator *r, uint32_t thread, const hd_predict_point *point) {
    const hd_predict_content *mutex = &r->cells.all.data[point->with].now;
    if (mutex->owner != thread + 1 || mutex->count)
        return false;                        /* the thread does not hold it, or would keep it */
    int32_t with = (int32_t)point->with + 1; /* the count of a condition is the mutex of the last */
    if (cell_of(r, point)->now.count != with) {
        if (waiting_at(r, point, HD_PREDICT_DEED_WAKES))
            return false; /* others wait with another mutex: undefined, so it is executed */
        hd_predict_simulate_change(r, point->cell)->now.count = with;
    }
    set_owner(r, point->with, 0);
    r->now.signalled &= ~BIT(thread);
    return true;
}

/* Performs an operation that need not wait. */
static bool do_operation(hd_predict_simulator *r, uint32_t thread, const hd_predict_point *point,
                         uint32_t choice, uint64_t *found) {
    switch (point->deed) {
    case HD_PREDICT_DEED_POSTS:
        hd_predict_simulate_change(r, point->cell)->now.count++;
        return true;
    case HD_PREDICT_DEED_TAKES:
        hd_predict_simulate_change(r, point->cell)->now.count--;
        return true;
    case HD_PREDICT_DEED_WAITS:
        return wait_for(r, thread, point);
    case HD_PREDICT_DEED_NOTIFIES:
    case HD_PREDICT_DEED_NOTIFIES_ALL:
        notify_waiters(r, point, choice);
        return true;
    case HD_PREDICT_DEED_COMES:
        come_to_barrier(r, thread, point, found);
        return true;
    case HD_PREDICT_DEED_WAKES:
    case HD_PREDICT_DEED_LEAVES:
        return true;
    default:
        return do_lock(r, thread, point);
    }
}

bool hd_predict_simulate_object(hd_predict_simulator *r, uint32_t thread,
                                const hd_predict_point *point, uint32_t choice,
                                const heddle_wire_step *seen, uint64_t *found) {
    bool counted = point->deed == HD_PREDICT_DEED_POSTS || point->deed == HD_PREDICT_DEED_TAKES ||
                   point->deed == HD_PREDICT_DEED_COMES;
    bool available;
    if (counted && !learn_count(r, point, seen ? &seen->before : NULL))
        return false;
    if (!hd_predict_simulate_would(r, thread, point, &available))
        return false;
    *found = 0;
    if (!available)
        return point->tries; /* it fails, and changes nothing */
    if (!do_operation(r, thread, point, choice, found))
        return false;
    *found |= point->tries;
    return true;
}
