/*
 * Running a set in the order of the trace, as far as locks, reads and edges let
 * it: of all threads that can go on, the one whose next event is first in the
 * trace does.
 *
 * Events before the first that is missing or has to move are taken as they are,
 * without looking at them: the state there is read off the lists when it is
 * asked for.  So a run costs what lies after that point.
 */
#include "order_solve_state.h"

static const hd_order_scope *hold_at(const hd_order_solver *solver, uint32_t event) {
    const hd_order_space *space = solver->space;
    return &space->scopes->scopes[space->hold_of[event]];
}

/* ---- Where the run starts ---- */

struct trouble {
    uint32_t first; /* the first acquire of an open hold that another one follows in the trace */
};

static bool find_trouble(hd_order_solver *solver, uint32_t number, void *context) {
    struct trouble *trouble = context;
    const hd_order_space *space = solver->space;
    const hd_order_scope *hold = &space->scopes->scopes[number];
    const hd_order_groups *holds = &space->holds;
    for (uint32_t g = holds->first[hold->lock]; g < holds->first[hold->lock + 1]; g++) {
        if (holds->thread[g] == hold->thread || hold->acquire >= trouble->first)
            continue;
        uint32_t last = hd_order_space_last_hold(space, g, solver->set[holds->thread[g]], hold);
        if (last != HD_ORDER_NONE && space->scopes->scopes[last].acquire > hold->acquire)
            trouble->first = hold->acquire;
    }
    return true;
}

/* UINT32_MAX: the trace's own order will do. */
static uint32_t first_moved(hd_order_solver *solver) {
    struct trouble trouble = {UINT32_MAX};
    hd_order_solve_open(solver, find_trouble, &trouble);
    uint32_t first = trouble.first, take = hd_order_solve_units_moved(solver);
    first = take < first ? take : first;
    return solver->low && solver->low < first ? solver->low : first;
}

/* ---- Cells and locks, as of the start until they are touched ---- */

/* Reads of the set that see this write, from the start on. */
static uint32_t count_readers(const hd_order_solver *solver, uint32_t cell, uint32_t write) {
    const hd_order_space *space = solver->space;
    const hd_trace_lists *lists = write ? &space->readers : &space->first;
    const uint32_t *reads = hd_trace_list(lists, write ? write : cell);
    uint32_t length = hd_trace_list_length(lists, write ? write : cell), count = 0;
    for (uint32_t i = hd_order_below(reads, length, solver->start); i < length; i++)
        count += hd_order_solve_has(solver, reads[i]);
    return count;
}

static struct hd_order_cell_state *cell_at(hd_order_solver *solver, uint32_t cell) {
    struct hd_order_cell_state *state = &solver->cells[cell];
    if (state->stamp == solver->stamp)
        return state;
    const hd_trace_lists *changes = &solver->space->changes;
    const uint32_t *writes = hd_trace_list(changes, cell);
    uint32_t below = hd_order_below(writes, hd_trace_list_length(changes, cell), solver->start);
    *state = (struct hd_order_cell_state){solver->stamp, below ? writes[below - 1] : 0, 0};
    state->pending = count_readers(solver, cell, state->now);
    return state;
}

static struct hd_order_lock_state *lock_at(hd_order_solver *solver, uint32_t lock) {
    static const hd_order_scope any = {.reading = false};
    struct hd_order_lock_state *state = &solver->locks[lock];
    if (state->stamp == solver->stamp)
        return state;
    const hd_order_space *space = solver->space;
    *state = (struct hd_order_lock_state){.stamp = solver->stamp};
    for (uint32_t g = space->holds.first[lock]; g < space->holds.first[lock + 1]; g++) {
        uint32_t before = hd_order_taken_below(space, space->holds.thread[g], solver->start);
        uint32_t last = hd_order_space_last_hold(space, g, before, &any);
        if (last == HD_ORDER_NONE ||
            hd_order_scope_end(&space->scopes->scopes[last]) < solver->start)
            continue;
        if (space->scopes->scopes[last].reading)
            state->readers++;
        else
            state->writer = last + 1;
    }
    assert(!state->writer || !state->readers);
    return state;
}

static struct hd_order_unit_state *units_at(hd_order_solver *solver, uint32_t semaphore) {
    struct hd_order_unit_state *state = &solver->units[semaphore];
    if (state->stamp != solver->stamp)
        *state = (struct hd_order_unit_state){
            solver->stamp, hd_order_units_at(&solver->space->units, semaphore, solver->start)};
    return state;
}

/* ---- Can it be taken? ---- */

static struct hd_order_blocked wait_for(enum hd_order_wait why, uint32_t event) {
    return (struct hd_order_blocked){why, event};
}

static const struct hd_order_blocked ready = {HD_ORDER_READY, 0};

/* An event that must come first, by the trace or by an added edge.  What an event needs
 * by the trace changes with its row, by added edges only where one leads to. */
static struct hd_order_blocked check_edges(const hd_order_solver *solver, uint32_t event,
                                           uint32_t thread) {
    const hd_order_space *space = solver->space;
    uint32_t position = solver->done[thread];
    bool added = position + 1 >= solver->edge_at[thread];
    const uint32_t *row = hd_order_clocks_row(&space->need, event);
    if (!added && position &&
        space->need.row_of[event] == space->need.row_of[hd_order_event_at(space, thread, position)])
        return ready; /* as for the event before */
    for (uint32_t t = 0; t < space->threads; t++) {
        if (t == thread)
            continue;
        uint32_t needed = added ? hd_order_chains_before(&solver->chains, event, t) : row[t];
        if (needed > solver->done[t])
            return wait_for(HD_ORDER_EVENT, hd_order_event_at(space, t, needed));
    }
    return ready;
}

/* Some read of the set that still has to see what is in the cell, other than `not`. */
static uint32_t pending_read(const hd_order_solver *solver, uint32_t cell, uint32_t write,
                             uint32_t not ) {
    const hd_order_space *space = solver->space;
    const hd_trace_lists *lists = write ? &space->readers : &space->first;
    const uint32_t *reads = hd_trace_list(lists, write ? write : cell);
    uint32_t length = hd_trace_list_length(lists, write ? write : cell);
    for (uint32_t i = 0; i < length; i++)
        if (reads[i] != not &&hd_order_solve_has(solver, reads[i]) &&
            hd_order_position(space, reads[i]) >
                solver->done[hd_order_event(space, reads[i])->thread])
            return reads[i];
    assert(0);
    return 0;
}

static struct hd_order_blocked check_write(hd_order_solver *solver, uint32_t event) {
    uint32_t cell = hd_order_cell_written(solver->space, event);
    if (cell == HD_ORDER_NONE)
        return ready;
    const struct hd_order_cell_state *state = cell_at(solver, cell);
    bool sees = hd_order_cell_read(solver->space, event) == cell;
    if (state->pending <= (uint32_t)sees)
        return ready;
    return wait_for(HD_ORDER_CELL, pending_read(solver, cell, state->now, event));
}

/* A hold of the group that conflicts, is in the set and not begun. */
static uint32_t to_come(const hd_order_solver *solver, uint32_t group, const hd_order_scope *hold) {
    const hd_order_space *space = solver->space;
    uint32_t thread = space->holds.thread[group];
    uint32_t last = hd_order_space_last_hold(space, group, solver->set[thread], hold);
    if (last == HD_ORDER_NONE)
        return 0;
    uint32_t acquire = space->scopes->scopes[last].acquire;
    return hd_order_position(space, acquire) > solver->done[thread] ? acquire : 0;
}

static struct hd_order_blocked check_open(const hd_order_solver *solver,
                                          const hd_order_scope *hold) {
    const hd_order_groups *holds = &solver->space->holds;
    if (hd_order_solve_has(solver, hold->release))
        return ready;
    for (uint32_t g = holds->first[hold->lock]; g < holds->first[hold->lock + 1]; g++) {
        uint32_t other = holds->thread[g] == hold->thread ? 0 : to_come(solver, g, hold);
        if (other)
            return wait_for(HD_ORDER_LAST, other);
    }
    return ready;
}

/* The acquire of some hold for reading that is not yet over. */
static uint32_t reader_of(const hd_order_solver *solver, uint32_t lock) {
    static const hd_order_scope any = {.reading = false};
    const hd_order_space *space = solver->space;
    for (uint32_t g = space->holds.first[lock]; g < space->holds.first[lock + 1]; g++) {
        uint32_t done = solver->done[space->holds.thread[g]];
        uint32_t last = hd_order_space_last_hold(space, g, done, &any);
        if (last == HD_ORDER_NONE)
            continue;
        const hd_order_scope *hold = &space->scopes->scopes[last];
        if (!hold->release || hd_order_position(space, hold->release) > done)
            return hold->acquire;
    }
    assert(0);
    return 0;
}

static struct hd_order_blocked check_lock(hd_order_solver *solver, uint32_t event) {
    const hd_order_scope *hold = hold_at(solver, event);
    const struct hd_order_lock_state *lock = lock_at(solver, hold->lock);
    if (lock->writer)
        return wait_for(HD_ORDER_HELD_LOCK,
                        solver->space->scopes->scopes[lock->writer - 1].acquire);
    if (lock->readers && !hold->reading)
        return wait_for(HD_ORDER_HELD_LOCK, reader_of(solver, hold->lock));
    return check_open(solver, hold);
}

static bool takes_lock(const heddle_event *e) {
    return hd_trace_acquires(e) && !(e->flags & HEDDLE_REENTRANT);
}

static bool gives_back(const heddle_event *e) {
    return hd_trace_releases(e) && !(e->flags & HEDDLE_REENTRANT);
}

static struct hd_order_blocked check_ready(hd_order_solver *solver, uint32_t event) {
    const heddle_event *e = hd_order_event(solver->space, event);
    struct hd_order_blocked blocked = check_edges(solver, event, e->thread);
    if (blocked.why == HD_ORDER_READY)
        blocked = check_write(solver, event);
    if (blocked.why == HD_ORDER_READY && takes_lock(e))
        blocked = check_lock(solver, event);
    if (blocked.why == HD_ORDER_READY && e->kind == HEDDLE_TAKE &&
        !units_at(solver, e->object)->left)
        blocked = wait_for(HD_ORDER_UNIT, event);
    return blocked;
}

/* ---- Taking it ---- */

static void take_cells(hd_order_solver *solver, uint32_t event) {
    uint32_t cell = hd_order_cell_read(solver->space, event);
    if (cell != HD_ORDER_NONE) {
        struct hd_order_cell_state *state = cell_at(solver, cell);
        assert(state->now == solver->space->index->pair[event] && state->pending);
        state->pending--;
    }
    cell = hd_order_cell_written(solver->space, event);
    if (cell != HD_ORDER_NONE) {
        struct hd_order_cell_state *state = cell_at(solver, cell);
        state->now = event;
        state->pending = count_readers(solver, cell, event);
    }
}

static void take_lock(hd_order_solver *solver, uint32_t event, const heddle_event *e) {
    struct hd_order_lock_state *lock = lock_at(solver, e->object);
    bool taken = hd_trace_acquires(e);
    assert(!taken || (!lock->writer && (hd_trace_is_shared(e) || !lock->readers)));
    assert(taken || (hd_trace_is_shared(e) ? lock->readers != 0
                                           : lock->writer == solver->space->hold_of[event] + 1));
    if (!hd_trace_is_shared(e))
        lock->writer = taken ? solver->space->hold_of[event] + 1 : 0;
    else if (taken)
        lock->readers++;
    else
        lock->readers--;
    assert(!lock->writer || !lock->readers);
}

static void set_next_event(hd_order_solver *solver, uint32_t thread) {
    uint32_t done = solver->done[thread];
    assert(done <= solver->set[thread]); /* a wait is in the set with its release */
    solver->next[thread] = done < solver->set[thread]
                               ? hd_order_event_at(solver->space, thread, done + 1)
                               : UINT32_MAX;
}

/* Was all done that must come before the event, by the trace or by added edges? */
static bool is_enabled(const hd_order_solver *solver, uint32_t event) {
    for (uint32_t t = 0; t < solver->space->threads; t++)
        if (hd_order_chains_before(&solver->chains, event, t) > solver->done[t])
            return false;
    return true;
}

static void run_take_event(hd_order_solver *solver, uint32_t event) {
    const heddle_event *e = hd_order_event(solver->space, event);
    assert(hd_order_position(solver->space, event) == solver->done[e->thread] + 1);
    HD_COSTLY_ASSERT(is_enabled(solver, event));
    take_cells(solver, event);
    if (takes_lock(e) || gives_back(e))
        take_lock(solver, event, e);
    else if (e->kind == HEDDLE_POST)
        units_at(solver, e->object)->left++;
    else if (e->kind == HEDDLE_TAKE) {
        assert(units_at(solver, e->object)->left);
        units_at(solver, e->object)->left--;
    }
    hd_vec_push(&solver->order, event);
    solver->done[e->thread]++;
    if (hd_order_releases_to_wait(solver->space->index, event)) {
        assert(hd_order_event(solver->space, event + 1)->thread == e->thread);
        hd_vec_push(&solver->order, event + 1);
        solver->done[e->thread]++;
    }
    if (solver->edge_at[e->thread] <= solver->done[e->thread])
        solver->edge_at[e->thread] =
            hd_order_chains_next(&solver->chains, e->thread, solver->done[e->thread]);
    set_next_event(solver, e->thread);
}

/* ---- The run ---- */

static void begin_run(hd_order_solver *solver) {
    const hd_order_space *space = solver->space;
    solver->stamp++;
    solver->waiting = 0;
    hd_vec_clear(&solver->order);
    for (uint32_t t = 0; t < space->threads; t++) {
        solver->done[t] = hd_order_taken_below(space, t, solver->start);
        assert(solver->done[t] <= solver->set[t]);
        solver->blocked[t] = ready;
        solver->edge_at[t] = hd_order_chains_next(&solver->chains, t, solver->done[t]);
        set_next_event(solver, t);
    }
}

/* Might a blocked thread go on now?  A quick look; the check follows. */
static bool may_go_on(hd_order_solver *solver, const struct hd_order_blocked *blocked,
                      const heddle_event *taken) {
    const heddle_event *e = hd_order_event(solver->space, blocked->event);
    switch (blocked->why) {
    case HD_ORDER_EVENT:
        return hd_order_position(solver->space, blocked->event) <= solver->done[e->thread];
    case HD_ORDER_CELL:
        return hd_order_position(solver->space, blocked->event) <= solver->done[e->thread];
    case HD_ORDER_HELD_LOCK:
        return gives_back(taken) && taken->object == e->object;
    case HD_ORDER_LAST:
        return hd_order_position(solver->space, blocked->event) <= solver->done[e->thread];
    case HD_ORDER_UNIT:
        return taken->kind == HEDDLE_POST && taken->object == e->object;
    case HD_ORDER_READY:
        break;
    }
    return true;
}

/* Whether any thread can go on again. */
static bool unblock(hd_order_solver *solver, const heddle_event *taken) {
    bool any = false;
    for (uint32_t t = 0; t < solver->space->threads && solver->waiting; t++)
        if (solver->blocked[t].why != HD_ORDER_READY &&
            may_go_on(solver, &solver->blocked[t], taken)) {
            assert(solver->next[t] == UINT32_MAX && solver->done[t] < solver->set[t]);
            solver->blocked[t] = ready;
            solver->waiting--;
            set_next_event(solver, t);
            any = true;
        }
    return any;
}

/* The thread whose next event is first in the trace, and the first of the others'. */
static uint32_t first_thread(const hd_order_solver *solver, uint32_t *others) {
    uint32_t first = 0;
    *others = UINT32_MAX;
    for (uint32_t t = 1; t < solver->space->threads; t++) {
        uint32_t next = solver->next[t];
        if (next < solver->next[first]) {
            *others = solver->next[first];
            first = t;
        } else if (next < *others) {
            *others = next;
        }
    }
    return first;
}

/* Takes events of one thread as long as they are the first in the trace. */
static void take_turn(hd_order_solver *solver, uint32_t thread, uint32_t others) {
    assert(solver->blocked[thread].why == HD_ORDER_READY);
    while (solver->next[thread] < others) {
        uint32_t event = solver->next[thread];
        solver->effort.work += 40;
        solver->blocked[thread] = check_ready(solver, event);
        if (solver->blocked[thread].why != HD_ORDER_READY) {
            solver->next[thread] = UINT32_MAX;
            solver->waiting++;
            return;
        }
        run_take_event(solver, event);
        if (solver->waiting && unblock(solver, hd_order_event(solver->space, event)))
            return;
    }
}

/* At the end of a run: each thread has done its part of the set, or waits. */
static bool all_done_or_blocked(const hd_order_solver *solver) {
    uint32_t waiting = 0;
    for (uint32_t t = 0; t < solver->space->threads; t++) {
        if (solver->blocked[t].why != HD_ORDER_READY)
            waiting++;
        else if (solver->done[t] != solver->set[t])
            return false;
    }
    return waiting == solver->waiting;
}

bool hd_order_solve_run(hd_order_solver *solver) {
    uint32_t moved = first_moved(solver), others;
    solver->trivial = moved == UINT32_MAX;
    if (solver->trivial)
        return true;
    uint32_t missing = hd_order_solve_first_missing(solver);
    solver->start = moved < missing ? moved : missing;
    solver->effort.runs++;
    begin_run(solver);
    for (;;) {
        uint32_t thread = first_thread(solver, &others);
        if (solver->next[thread] == UINT32_MAX) {
            HD_COSTLY_ASSERT(all_done_or_blocked(solver));
            return solver->waiting == 0;
        }
        take_turn(solver, thread, others);
    }
}
