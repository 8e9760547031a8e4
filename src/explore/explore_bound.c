/*
 * Every trace that few preemptions lead to.
 *
 *   M. Musuvathi, S. Qadeer: Iterative context bounding for systematic testing of
 *   multithreaded programs, PLDI 2007, Algorithm 1, which remembers
 *   happens-before orders in the place of states
 *
 *   paper            here
 *   c                options.preemptions
 *   currBound        table.level
 *   workQueue        table.now: prefixes left with threads that cost a preemption
 *   nextWorkQueue    table.later
 *   Search(w)        run_frames, from the state that go_to has reached
 *   table            table.shelves: prefixes, found by their trace
 *
 * A preemption is a step of another thread than the last one's while that one is
 * enabled.  A schedule can be left for nothing where its last thread is blocked
 * or has ended, and at the start.
 *
 * The paper remembers pairs of a state and a thread.  Here a node is a prefix, as
 * a trace, with the set of threads not yet taken from it.  That is enough: if a
 * prefix P is reached with c preemptions at the least, its least schedules end in
 * some threads L; a thread of L goes on for c (any thread, if one of L is not
 * enabled), every other for c + 1, and a schedule of P that has c + 1 preemptions
 * itself can do nothing that these cannot.  So when P is entered by a step of t
 * at level c, t is taken at once if it was not taken from P before, the others wait
 * for level c + 1, and:
 *
 *   (1) each step P.t is taken once, with the least number of preemptions that a
 *       schedule of P.t that ends in t can have;
 *   (2) a trace is completed iff one of its linearizations has at most
 *       options.preemptions, and then once, by such a linearization (P.t is
 *       entered by one step only: t's last event tells P from P.t);
 *   (3) levels come in order: the first failure has as few preemptions as any.
 *
 * Several workers share a level: each takes prefixes that wait, and what it enters
 * from there is its own.  None of the above depends on the order within a level, only
 * on that a thread is taken from a prefix once.  Between two levels all wait.
 *
 * Cost: a step for each edge of the graph of prefixes within the bound, and those
 * to go from one waiting prefix to the next: they are in depth-first order, so
 * neighbours share most of their schedules, and what they share is not undone.
 * Memory grows with the prefixes, about 70 bytes each and 12 an edge; none is
 * ever forgotten.  The search stops with the limit "prefixes" at
 * options.most_prefixes, or where 32-bit numbers end.
 */
#include <stdlib.h>

#include "explore_crew.h"
#include "explore_phase.h"
#include "explore_search.h"
#include "explore_trace.h"

#define NONE UINT32_MAX

/* A prefix, as a trace. */
struct prefix {
    uint64_t check;      /* the half of its hash that is not the key */
    hd_explore_set left; /* enabled threads that were not taken from it */
    uint32_t link;       /* the end of its first schedule */
};

/* A schedule, from its end: the last step, and what is before it. */
struct link {
    uint32_t before;
    hd_step step;
};

/* The state after some events of the path, while steps are taken from it. */
struct frame {
    hd_explore_set todo; /* threads to be taken at this level */
    uint32_t link;
    uint32_t thread, choice, choices; /* being taken; choices 0: none yet */
};

/* Prefixes of which one worker at a time enters or leaves one. */
struct shelf {
    pthread_mutex_t lock;
    HD_VEC(struct prefix) prefixes;
    hd_map by_hash; /* low half of the trace -> its place + 1 */
};

enum {
    SHELVES = 64, /* of several workers; the number of a prefix is place * shelves + shelf */
    BLOCK = 1 << 14,
    BLOCKS = 1 << 18 /* of links */
};

/* Threads that another worker is to take. */
struct gift {
    hd_explore_set todo;
    uint32_t link;
};

/* What all workers share. */
struct table {
    uint32_t level; /* preemptions of the schedules being searched */
    struct shelf *shelves;
    uint32_t count;            /* of shelves */
    _Atomic uint64_t prefixes; /* on all */
    struct link **links;       /* blocks of them, which stay where they are */
    atomic_uint blocks;        /* that were taken */
    hd_vec_u32 now, later;     /* prefixes to be left with a preemption */
    _Atomic uint64_t next;     /* of `now`, to be left next */
    HD_VEC(struct gift) gifts; /* of this level; with the lock of the phase */
    bool cut;                  /* some executions of the level were, or the search was */
    uint32_t levels;           /* that are done */
    bool beyond;               /* there is something at the next one */
    hd_explore_phase phase;    /* a level of several workers */
};

/* A worker. */
struct bound {
    hd_explore_search *search;
    struct table *table;
    HD_VEC(hd_explore_trace) traces; /* of the first 0, 1, 2, ... events of the path */
    HD_VEC(struct frame) frames;
    uint32_t link, links_left; /* of its own block */
    uint64_t next, end;        /* of table->now, that it has taken */
    hd_vec_u32 later;          /* of table->later, what it has found */
    hd_vec_u32 route;          /* scratch of go_to: links, last first */
};

static void cut_off(struct bound *bound, enum hd_explore_limit limit) {
    bound->search->result->limit = limit;
    bound->search->stop = true;
    if (bound->search->crew)
        atomic_store(&bound->search->crew->stop, true);
}

/* ---- Schedules ---- */

static const struct link *link_at(const struct bound *bound, uint32_t number) {
    return &bound->table->links[number / BLOCK][number % BLOCK];
}

/* False if there are no more numbers. */
static bool add_link(struct bound *bound, uint32_t before, hd_step step, uint32_t *number) {
    struct table *table = bound->table;
    if (!bound->links_left) {
        uint32_t block = atomic_fetch_add(&table->blocks, 1);
        if (block >= BLOCKS - 1) {
            atomic_fetch_sub(&table->blocks, 1);
            return false;
        }
        table->links[block] = HD_NEW_ARRAY(struct link, BLOCK);
        bound->link = block * BLOCK;
        bound->links_left = BLOCK;
    }
    *number = bound->link++;
    bound->links_left--;
    table->links[*number / BLOCK][*number % BLOCK] = (struct link){before, step};
    return true;
}

/* ---- Prefixes ---- */

static bool prefixes_full(struct bound *bound, const struct shelf *shelf) {
    uint64_t most = bound->search->options->most_prefixes;
    if (!most || most > NONE - 1)
        most = NONE - 1;
    return atomic_load(&bound->table->prefixes) >= most ||
           shelf->prefixes.length >= NONE / bound->table->count - 1;
}

/* By one of several workers. */
static void lock_shelf(const struct table *table, struct shelf *shelf) {
    if (table->count > 1)
        hd_mem_lock(&shelf->lock);
}

static void unlock_shelf(const struct table *table, struct shelf *shelf) {
    if (table->count > 1)
        hd_mem_unlock(&shelf->lock);
}

/* The prefix that the path is, entered if it is new.  NULL: no room for more. */
static struct prefix *find_prefix(struct bound *bound, struct shelf *shelf, bool *added) {
    const hd_explore_trace trace = *hd_vec_last(&bound->traces);
    assert(bound->traces.length == bound->search->path.events.length + 1);
    for (uint64_t key = trace.low;; key++) {
        uint32_t *number = hd_map_at(&shelf->by_hash, key, NULL);
        *added = !*number;
        if (*number && shelf->prefixes.data[*number - 1].check != trace.high)
            continue; /* another one with the same low half */
        if (*added && prefixes_full(bound, shelf))
            return NULL;
        if (*added) {
            hd_vec_push(&shelf->prefixes, (struct prefix){.check = trace.high});
            *number = (uint32_t)shelf->prefixes.length;
            atomic_fetch_add(&bound->table->prefixes, 1);
        }
        return &shelf->prefixes.data[*number - 1];
    }
}

/* Threads that may go on from the path's end without a preemption. */
static hd_explore_set free_threads(struct bound *bound) {
    const hd_explore_path *path = &bound->search->path;
    if (!path->events.length)
        return HD_EXPLORE_ALL_THREADS;
    uint32_t last = hd_vec_last(&path->events)->thread;
    hd_explore_set bit = HD_EXPLORE_BIT(last);
    return hd_explore_set_any(path->enabled & bit) ? bit : HD_EXPLORE_ALL_THREADS;
}

/* The threads that are to go on from the prefix; and how it was reached, if that is new. */
static hd_explore_set take_threads(struct bound *bound, struct shelf *shelf, struct prefix *prefix,
                                   bool added, uint32_t link) {
    const struct table *table = bound->table;
    hd_explore_set todo = prefix->left & free_threads(bound);
    prefix->left &= ~todo;
    if (added)
        prefix->link = link;
    if (added && hd_explore_set_any(prefix->left))
        hd_vec_push(&bound->later, (uint32_t)(prefix - shelf->prefixes.data) * table->count +
                                       (uint32_t)(shelf - table->shelves));
    return todo;
}

static void add_frame(struct bound *bound, hd_explore_set todo, uint32_t link) {
    hd_vec_push(&bound->frames, (struct frame){.todo = todo, .link = link});
}

/* The path has come to a prefix, by a step from the end of the link `before`.
 * False if nothing goes on from here at this level. */
static bool enter_prefix(struct bound *bound, uint32_t before, hd_step step) {
    struct table *table = bound->table;
    hd_explore_search *search = bound->search;
    struct shelf *shelf = &table->shelves[hd_vec_last(&bound->traces)->high % table->count];
    hd_explore_set enabled = search->path.enabled, todo = HD_EXPLORE_NO_THREADS;
    uint32_t link = NONE;
    bool added, some = false;
    lock_shelf(table, shelf);
    struct prefix *prefix = find_prefix(bound, shelf, &added);
    if (prefix && added && hd_explore_set_any(enabled) && !hd_explore_too_long(search))
        prefix->left = enabled;
    if (prefix)
        some = hd_explore_set_any(prefix->left & free_threads(bound));
    if (some && add_link(bound, before, step, &link))
        todo = take_threads(bound, shelf, prefix, added, link);
    unlock_shelf(table, shelf);
    if (!prefix || (some && link == NONE))
        cut_off(bound, HD_EXPLORE_LIMIT_PREFIXES);
    else if (added && !hd_explore_set_any(enabled)) /* it may end here */
        hd_explore_ended(search, hd_explore_set_any(search->path.running) ? HD_EXPLORE_DEADLOCK
                                                                          : HD_EXPLORE_COMPLETE);
    if (link == NONE)
        return false;
    add_frame(bound, todo, link);
    return true;
}

/* ---- Steps ---- */

static enum hd_machine_result step_on(struct bound *bound, hd_step step) {
    hd_explore_path *path = &bound->search->path;
    enum hd_machine_result result = hd_explore_push(path, step.thread, step.choice);
    hd_explore_trace before = *hd_vec_last(&bound->traces);
    hd_explore_trace event = hd_explore_trace_of(path, (uint32_t)path->events.length - 1);
    hd_vec_push(&bound->traces, hd_explore_trace_add(before, event));
    return result;
}

static void step_back(struct bound *bound) {
    hd_explore_pop(&bound->search->path);
    bound->traces.length--;
    assert(bound->traces.length == bound->search->path.events.length + 1);
}

/* The next way on from a frame; false if none is left. */
static bool choose_step(struct bound *bound, struct frame *frame) {
    if (frame->choice + 1 < frame->choices) {
        frame->choice++;
        return true;
    }
    if (!hd_explore_set_any(frame->todo))
        return false;
    frame->thread = hd_explore_set_first(frame->todo);
    frame->todo = hd_explore_set_rest(frame->todo);
    assert(hd_explore_set_has(bound->search->path.enabled, frame->thread) ||
           hd_machine_changed(bound->search->path.machine));
    frame->choice = 0;
    frame->choices = hd_explore_next(&bound->search->path, frame->thread)->choices;
    return true;
}

static uint32_t count_preemptions(const hd_explore_path *path) {
    uint32_t count = 0;
    for (size_t i = 1; i < path->events.length; i++) {
        const hd_explore_event *event = &path->events.data[i];
        count += event->thread != event[-1].thread &&
                 hd_explore_set_has(event->enabled, event[-1].thread);
    }
    return count;
}

static void take_frame_step(struct bound *bound, const struct frame *frame) {
    hd_step step = {frame->thread, frame->choice};
    uint32_t link = frame->link;
    enum hd_machine_result result = step_on(bound, step);
    HD_COSTLY_ASSERT(count_preemptions(&bound->search->path) == bound->table->level);
    if (result != HD_MACHINE_WENT_ON)
        hd_explore_ended(bound->search, hd_explore_end_by(result));
    else if (enter_prefix(bound, link, step))
        return;
    step_back(bound);
}

static void *call_for_help(void) {
    return HD_NEW(char);
}

/* Another worker has nothing to do: it gets what is left of the first frame, but of the last one.
 */
static void give_frame(struct bound *bound) {
    struct table *table = bound->table;
    size_t i = 0;
    while (i + 1 < bound->frames.length && !hd_explore_set_any(bound->frames.data[i].todo))
        i++;
    if (i + 1 >= bound->frames.length)
        return;
    struct frame *frame = &bound->frames.data[i];
    hd_mem_lock(&table->phase.lock);
    hd_vec_push(&table->gifts, (struct gift){.todo = frame->todo, .link = frame->link});
    hd_explore_phase_give(&table->phase, bound->search, call_for_help);
    hd_mem_unlock(&table->phase.lock);
    frame->todo = HD_EXPLORE_NO_THREADS;
}

/* Depth first, without preemptions, from the frame that is there; false if the search pauses. */
static bool run_frames(struct bound *bound) {
    while (bound->frames.length) {
        if (hd_explore_pauses(bound->search))
            return false;
        struct frame *frame = hd_vec_last(&bound->frames);
        assert(bound->frames.length <= bound->search->path.events.length + 1);
        hd_explore_look_at_clock(bound->search); /* many steps only lead to known prefixes */
        if (hd_explore_is_wanted(bound->search))
            give_frame(bound);
        if (!bound->search->stop && choose_step(bound, frame)) {
            take_frame_step(bound, frame);
            continue;
        }
        bound->frames.length--;
        if (bound->frames.length)
            step_back(bound);
    }
    return true;
}

/* ---- Levels ---- */

static bool same_step(const hd_explore_path *path, size_t event, hd_step step) {
    return event < path->events.length && path->events.data[event].thread == step.thread &&
           path->events.data[event].choice == step.choice;
}

/* Brings the path to the end of a schedule; what it shares with it stays. */
static void go_to(struct bound *bound, uint32_t link) {
    const hd_explore_path *path = &bound->search->path;
    hd_vec_clear(&bound->route);
    for (uint32_t l = link; link_at(bound, l)->before != NONE; l = link_at(bound, l)->before)
        hd_vec_push(&bound->route, l);
    size_t length = bound->route.length, shared = 0;
    while (shared < length &&
           same_step(path, shared, link_at(bound, bound->route.data[length - 1 - shared])->step))
        shared++;
    while (path->events.length > shared)
        step_back(bound);
    for (size_t i = shared; i < length; i++)
        step_on(bound, link_at(bound, bound->route.data[length - 1 - i])->step);
    assert(path->events.length == length);
}

/* Leaves a waiting prefix with the threads that are left. */
static void leave_prefix(struct bound *bound, uint32_t number) {
    const struct table *table = bound->table;
    struct shelf *shelf = &table->shelves[number % table->count];
    lock_shelf(table, shelf);
    struct prefix *prefix = &shelf->prefixes.data[number / table->count];
    hd_explore_set todo = prefix->left;
    uint32_t link = prefix->link;
    uint64_t check = prefix->check;
    prefix->left = HD_EXPLORE_NO_THREADS;
    unlock_shelf(table, shelf);
    if (!hd_explore_set_any(todo))
        return;
    go_to(bound, link);
    assert(hd_vec_last(&bound->traces)->high == check ||
           hd_machine_changed(bound->search->path.machine));
    (void)check;
    add_frame(bound, todo, link);
}

/* What another worker has given; false: there is nothing. */
static bool take_gift(struct bound *bound) {
    struct table *table = bound->table;
    struct gift gift = {.link = NONE};
    hd_mem_lock(&table->phase.lock);
    if (table->gifts.length) {
        gift = hd_vec_pop(&table->gifts);
        hd_explore_phase_take(&table->phase);
    }
    hd_mem_unlock(&table->phase.lock);
    if (gift.link == NONE)
        return false;
    go_to(bound, gift.link);
    add_frame(bound, gift.todo, gift.link);
    return true;
}

static bool is_stopped(hd_explore_search *search) {
    return search->crew ? hd_explore_phase_stops(search) : search->stop;
}

/* A prefix that waits, and that no other worker takes; false: there is none.  Neighbours share most
 * of their schedules. */
static bool take_waiting(struct bound *bound) {
    enum { MANY = 1 << 12, AT_A_TIME = 16 };
    struct table *table = bound->table;
    uint64_t count = table->now.length;
    if (bound->next == bound->end) {
        uint64_t some = table->count > 1 && count > MANY ? AT_A_TIME : 1;
        uint64_t next = atomic_fetch_add(&table->next, some),
                 left = next < count ? count - next : 0;
        bound->next = next;
        bound->end = next + (left < some ? left : some);
    }
    if (bound->next == bound->end)
        return false;
    leave_prefix(bound, table->now.data[bound->next++]);
    return true;
}

/* All that waits, and what others give.  False if the search pauses. */
static bool run_level(struct bound *bound) {
    do
        if (!run_frames(bound))
            return false;
    while (!is_stopped(bound->search) &&
           (take_waiting(bound) || (bound->table->count > 1 && take_gift(bound))));
    return true;
}

/* What a worker has found at a level. */
static void bring_together(struct bound *bound) {
    struct table *table = bound->table;
    for (size_t i = 0; i < bound->later.length; i++)
        hd_vec_push(&table->later, bound->later.data[i]);
    hd_vec_clear(&bound->later);
    table->cut |= bound->search->stop || bound->search->result->limit;
}

/* The same by several workers. */
static bool run_together(struct bound *bound) {
    struct table *table = bound->table;
    hd_explore_search *search = bound->search;
    bool several = table->count > 1, goes_on;
    uint32_t others = table->now.length ? (uint32_t)table->now.length - 1 : 0;
    if (several)
        hd_explore_phase_open(&table->phase, search, others, call_for_help);
    do
        goes_on = run_level(bound);
    while (several && !hd_explore_phase_close(&table->phase, search));
    if (several && hd_worker_failed(&search->crew->failure))
        return false; /* others may still work */
    if (goes_on)
        bring_together(bound);
    return goes_on;
}

/* Waiting prefixes become those to search; false if nothing was left out. */
static bool next_level(struct bound *bound) {
    struct table *table = bound->table;
    assert(!bound->frames.length);
    hd_vec_u32 waiting = table->later;
    table->later = table->now;
    table->now = waiting;
    hd_vec_clear(&table->later);
    atomic_store(&table->next, 0);
    for (size_t i = 0; i < table->now.length; i++) {
        uint32_t number = table->now.data[i];
        const struct shelf *shelf = &table->shelves[number % table->count];
        if (hd_explore_set_any(shelf->prefixes.data[number / table->count].left))
            return true;
    }
    return false;
}

/* False if the search pauses. */
static bool search_levels(struct bound *bound) {
    struct table *table = bound->table;
    hd_explore_search *search = bound->search;
    for (;;) {
        if (!run_together(bound))
            return false;
        bool more = next_level(bound);
        if (!table->cut)
            table->levels = table->level + 1;
        table->beyond = more;
        if (!more || search->stop || table->level >= search->options->preemptions)
            return true;
        table->level++;
    }
}

/* ---- Beginning and end ---- */

static struct table *make_table(uint32_t shelves) {
    struct table *table = HD_NEW(struct table);
    table->shelves = HD_NEW_ARRAY(struct shelf, shelves);
    table->count = shelves;
    table->links = HD_NEW_ARRAY(struct link *, BLOCKS);
    for (uint32_t i = 0; i < shelves; i++)
        pthread_mutex_init(&table->shelves[i].lock, NULL);
    hd_explore_phase_init(&table->phase);
    return table;
}

static void end_table(struct table *table, hd_explore_result *result) {
    result->prefixes = atomic_load(&table->prefixes);
    result->levels = table->levels;
    result->beyond = table->beyond;
    for (uint32_t i = 0; i < table->count; i++) {
        pthread_mutex_destroy(&table->shelves[i].lock);
        hd_vec_release(&table->shelves[i].prefixes);
        hd_map_release(&table->shelves[i].by_hash);
    }
    for (uint32_t i = 0; i < atomic_load(&table->blocks); i++)
        free(table->links[i]);
    free(table->shelves);
    free(table->links);
    hd_vec_release(&table->now);
    hd_vec_release(&table->later);
    hd_vec_release(&table->gifts);
    hd_explore_phase_release(&table->phase);
    free(table);
}

static struct bound *begin_worker(hd_explore_search *search, struct table *table) {
    struct bound *bound = HD_NEW(struct bound);
    bound->search = search;
    bound->table = table;
    hd_vec_push(&bound->traces, (hd_explore_trace){0, 0});
    search->own = bound;
    return bound;
}

static void end_worker(void *own) {
    struct bound *bound = own;
    hd_vec_release(&bound->traces);
    hd_vec_release(&bound->frames);
    hd_vec_release(&bound->later);
    hd_vec_release(&bound->route);
    free(bound);
}

static void bound_go_on(hd_explore_search *search) {
    struct bound *bound = search->own;
    if (!search_levels(bound))
        return;
    end_table(bound->table, search->result);
    end_worker(bound);
    search->own = NULL;
}

/* ---- Several workers ---- */

static void *crew_begin(hd_explore_search *search) {
    return begin_worker(search, search->own);
}

/* The first item of all is that of who leads; the others call for help. */
static void crew_work(void *own, void *item) {
    struct bound *bound = own;
    hd_explore_phase *phase = &bound->table->phase;
    if (!item) {
        enter_prefix(bound, NONE, (hd_step){0, 0});
        search_levels(bound);
        return;
    }
    free(item);
    if (!hd_explore_phase_enter(phase))
        return;
    run_level(bound);
    hd_mem_lock(&phase->lock);
    bring_together(bound);
    hd_explore_phase_leave(phase);
}

static void run_crew(hd_explore_search *search) {
    static const hd_explore_job job = {
        .begin = crew_begin, .work = crew_work, .drop = free, .end = end_worker};
    struct table *table = make_table(SHELVES);
    search->own = table;
    hd_explore_crew_run(search, &job);
    end_table(table, search->result);
    search->own = NULL;
}

void hd_explore_bound(hd_explore_search *search) {
    if (hd_explore_has_workers(search) && !search->pause_at) {
        run_crew(search);
        return;
    }
    search->go_on = bound_go_on;
    enter_prefix(begin_worker(search, make_table(1)), NONE, (hd_step){0, 0});
    bound_go_on(search);
}
