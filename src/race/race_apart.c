#include "race_apart.h"

enum {
    LEAST = 4,   /* pairs of events that are tried, however long the trace is */
    MOST = 1000, /* and however short */
    WORK = 20000000,
    SOLVING = 1000000, /* for one question */
    USUAL = 2000 /* millions: the limit that all of these are for; they grow with a larger one */
};

typedef struct search {
    const hd_order_space *space;
    const hd_race_options *options;
    hd_race_result *result;
    hd_race_push *push;
    hd_order_solver *solver;
    hd_order_query query;
    hd_order_machine *sure; /* what every order has: must-edges, and what reads see */
    hd_map open;            /* pairs of places that are not decided */
    hd_vec_u32 schedule;
    uint64_t left; /* pairs of events that may still be tried */
} search;

/* As many times a number as the limit is larger than usual.  Without a limit there is no end. */
static uint64_t allowed(const search *s, uint64_t usual) {
    uint64_t limit = s->options->limit, times = limit / (USUAL * UINT64_C(1000000));
    if (!limit)
        return UINT64_MAX;
    return times > 1 ? usual * times : usual;
}

static const heddle_event *at(const search *s, uint32_t event) {
    return hd_order_event(s->space, event);
}

/* A reordering with `first` after which `second` is next.  It is as small as what is asked for. */
static enum hd_order_answer solve(search *s, uint32_t first, uint32_t second) {
    uint64_t limit = s->options->limit, solving = allowed(s, SOLVING);
    hd_vec_push(&s->query.in, first);
    hd_vec_push(&s->query.next, second);
    s->query.limit = limit < solving ? limit : solving;
    enum hd_order_answer answer = hd_order_solve(s->solver, &s->query);
    if (answer == HD_ORDER_FEASIBLE)
        hd_order_solver_schedule(s->solver, &s->schedule);
    return answer;
}

static bool show(search *s, uint32_t first, uint32_t second) {
    bool shown =
        hd_race_show_unordered(s->push, first, second, &s->schedule, !s->options->count_only);
    if (shown) {
        s->result->races++;
        hd_race_note_proved(s->push, first, second);
    }
    return shown;
}

/* Of a lock: where the thread of the first access takes it in a hold that ends after that access,
 * and where the thread of the second gives it back for the last time. */
typedef struct passed {
    uint32_t lock, taken, given;
} passed;

typedef HD_VEC(passed) passings;

/* The locks that go from the first thread to the second after the first access. */
static void find_passed(search *s, uint32_t first, uint32_t second, passings *locks) {
    uint32_t one = at(s, first)->thread, two = at(s, second)->thread;
    for (size_t i = 0; i < s->schedule.length; i++) {
        uint32_t event = s->schedule.data[i];
        const heddle_event *e = at(s, event);
        if ((e->thread != one && e->thread != two) ||
            (!hd_trace_acquires(e) && !hd_trace_releases(e)))
            continue;
        size_t k = 0;
        while (k < locks->length && locks->data[k].lock != e->object)
            k++;
        if (k == locks->length)
            hd_vec_push(locks, (passed){.lock = e->object});
        passed *it = &locks->data[k];
        if (e->thread == one && hd_trace_acquires(e) && !it->taken)
            it->taken = event;
        else if (e->thread == one && hd_trace_releases(e) && event < first)
            it->taken = 0;
        else if (e->thread == two && hd_trace_releases(e))
            it->given = event;
    }
    size_t kept = 0;
    for (size_t k = 0; k < locks->length; k++)
        if (locks->data[k].taken && locks->data[k].given)
            locks->data[kept++] = locks->data[k];
    locks->length = kept;
}

static void turn(search *s, const passed *lock) {
    hd_vec_push(&s->query.edges, (uint64_t)lock->given << 32 | lock->taken);
}

/* Is there no order in which the lock goes the other way?  Then it orders the two in all. */
static bool is_bound(search *s, uint32_t first, uint32_t second, const passed *lock) {
    hd_order_query_clear(&s->query);
    turn(s, lock);
    return solve(s, first, second) == HD_ORDER_INFEASIBLE;
}

/* True: it is shown, or no order leaves them unordered. */
static bool is_decided(search *s, uint32_t first, uint32_t second) {
    passings locks = {0};
    hd_order_query_clear(&s->query);
    enum hd_order_answer answer = solve(s, first, second);
    if (answer != HD_ORDER_FEASIBLE)
        return answer == HD_ORDER_INFEASIBLE;
    if (show(s, first, second))
        return true;
    find_passed(s, first, second, &locks);
    hd_order_query_clear(&s->query);
    for (size_t i = 0; i < locks.length; i++)
        turn(s, &locks.data[i]);
    bool decided =
        locks.length > 0 && solve(s, first, second) == HD_ORDER_FEASIBLE && show(s, first, second);
    for (size_t i = 0; !decided && i < locks.length; i++)
        decided = is_bound(s, first, second, &locks.data[i]);
    hd_vec_release(&locks);
    return decided;
}

static void leave_open(search *s, uint32_t first, uint32_t second) {
    bool added;
    hd_map_at(&s->open,
              hd_race_pair_key(hd_race_place(s->push, first), hd_race_place(s->push, second)),
              &added);
    if (!added || hd_race_push_over(s->push))
        return;
    s->result->unproved++;
    hd_race_push_pair(s->push, HD_RACE_UNPROVED, first, second, NULL);
}

static void try_pair(search *s, uint32_t first, uint32_t second) {
    s->left -= s->left > 0;
    if (!s->left || !is_decided(s, first, second))
        leave_open(s, first, second);
}

static bool is_asked(search *s, uint32_t first, uint32_t second) {
    const hd_order_held *held = &s->space->order->held;
    const heddle_event *a = at(s, first), *b = at(s, second);
    return a->thread != b->thread && hd_trace_may_race(a, b) &&
           !hd_race_is_proved(s->push, first, second) &&
           !hd_order_sets_conflict(&held->sets, hd_order_held_before(held, first),
                                   hd_order_held_before(held, second));
}

typedef struct access {
    uint32_t event, clock;
} access;

/* The accesses of a variable, the latest of those that are alike. */
typedef struct latest {
    HD_VEC(access) accesses;
} latest;

/* Does the later of two accesses stand for the earlier?  What is after it in every order is after
 * the earlier one too, and the same locks keep others from both. */
static bool stands_for(search *s, uint32_t earlier, uint32_t later) {
    const heddle_event *a = at(s, earlier), *b = at(s, later);
    const hd_order_held *held = &s->space->order->held;
    return !s->options->all && a->thread == b->thread &&
           hd_race_place(s->push, earlier) == hd_race_place(s->push, later) &&
           hd_trace_traits(a) == hd_trace_traits(b) &&
           hd_trace_is_exempt(a) == hd_trace_is_exempt(b) &&
           hd_order_held_before(held, earlier) == hd_order_held_before(held, later);
}

static void enter(search *s, latest *of, access one) {
    for (size_t i = 0; i < of->accesses.length; i++)
        if (stands_for(s, of->accesses.data[i].event, one.event)) {
            of->accesses.data[i] = one;
            return;
        }
    hd_vec_push(&of->accesses, one);
}

/* Locks and semaphores order in this trace what they may not order in another. */
static hd_order_time step(search *s, uint32_t event) {
    heddle_event e = *at(s, event);
    if (hd_trace_acquires(&e) || hd_trace_releases(&e) || e.kind == HEDDLE_TRYFAIL ||
        e.kind == HEDDLE_POST || e.kind == HEDDLE_TAKE) {
        e.kind = HEDDLE_MARK;
        e.object = 0;
    }
    return hd_order_machine_step(s->sure, &e);
}

static void look_at(search *s, latest *of, uint32_t b, hd_order_time time) {
    for (size_t i = 0; i < of->accesses.length && !hd_race_push_over(s->push); i++) {
        access a = of->accesses.data[i];
        if (a.clock > hd_order_time_at(time, at(s, a.event)->thread) && is_asked(s, a.event, b))
            try_pair(s, a.event, b);
    }
}

void hd_race_apart(const hd_order_space *space, const hd_race_options *options,
                   hd_race_result *result, hd_race_push *push) {
    uint32_t length = hd_trace_length(push->trace), most = WORK / (length + 1);
    size_t variables = push->trace->tables.names[HEDDLE_CLASS_VARIABLE].length;
    search s = {.space = space, .options = options, .result = result, .push = push};
    s.left = allowed(&s, most < LEAST ? LEAST : most > MOST ? MOST : most);
    s.solver = hd_order_solver_create(space);
    s.sure = hd_order_machine_create(HD_ORDER_POSET);
    hd_order_machine_count_orders(s.sure);
    hd_order_machine_use_edges(s.sure, &space->order->must);
    latest *of = HD_NEW_ARRAY(latest, variables + 1);
    for (uint32_t b = 1; b <= length && !hd_race_push_over(push); b++) {
        hd_order_time time = step(&s, b);
        const heddle_event *e = at(&s, b);
        if (!hd_trace_is_access(e))
            continue;
        uint32_t clock = hd_order_time_at(time, e->thread);
        look_at(&s, &of[e->object], b, time);
        enter(&s, &of[e->object], (access){b, clock});
    }
    for (size_t i = 0; i <= variables; i++)
        hd_vec_release(&of[i].accesses);
    free(of);
    hd_order_machine_free(s.sure);
    hd_order_solver_free(s.solver);
    hd_order_query_release(&s.query);
    hd_vec_release(&s.schedule);
    hd_map_release(&s.open);
}
