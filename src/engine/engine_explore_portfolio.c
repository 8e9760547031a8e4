/*
 * Finds a failure first, or proves that nothing fails.
 *
 * The search through all schedules has the first slice: for most small programs that is all.  A
 * larger one may have its failure far from where a depth-first search begins, so other strategies
 * get half as much work as it from then on, each with a machine of its own:
 *
 *   bound  every schedule with no preemption, with one, with two, ...
 *   pct    random runs by priorities of threads, for deeper and deeper failures
 *   pos    random runs by priorities of operations
 *   graph  states of a program that are put together from what runs have shown
 *   states of a model whose executions may have no end: all its states, if they are not too many
 *
 *   unfold by reads-from, which may need far fewer executions: where it is the first to come to an
 *          answer, it takes over
 *
 * With one worker they take turns.  Slices are measured in steps and runs, so the same question is
 * answered in the same way again.  With more the strategies run beside the search, which has the
 * other workers.
 *
 * What one of them finds out about a program, such as a word that threads share, is for all: the
 * machines are made anew then, and every search starts over.
 */
#include <stdlib.h>

#include "engine_explore_portfolio.h"

const char hd_engine_search_name[] = "search";
static const char bound_name[] = "bound", unfold_name[] = "unfold";

/* Steps, and as much other work, of the search; and of one strategy at first and later. */
enum { FIRST_SLICE = 1 << 18, LEAST_SLICE = 1 << 15, MOST_SLICE = 1 << 21 };

enum {
    FIRST_DEPTHS = 8, /* searched before the other strategies begin */
    FIRST_STATES = 1 << 14
};

const char *hd_engine_portfolio_name(const hd_engine_exploration *e, const hd_machine *machine) {
    const hd_engine_portfolio *p = &e->portfolio;
    if (e->chosen)
        return unfold_name;
    if (e->alone || e->walk || e->graph)
        return NULL;
    if (machine == p->bounding)
        return bound_name;
    return machine == p->walking ? p->walk : hd_engine_search_name;
}

void hd_engine_portfolio_lock(hd_engine_exploration *e) {
    if (e->portfolio.beside)
        hd_mem_lock(&e->portfolio.visiting);
}

void hd_engine_portfolio_unlock(hd_engine_exploration *e) {
    if (e->portfolio.beside)
        hd_mem_unlock(&e->portfolio.visiting);
}

uint32_t hd_engine_explore_workers(const hd_engine_exploration *e) {
    return e->portfolio.workers > e->result.threads ? e->portfolio.workers : e->result.threads;
}

/* ---- Limits ---- */

static uint64_t executions_apart(const hd_engine_portfolio *p) {
    return p->bound_before + p->bound.executions + p->pct.executions + p->pos.executions;
}

bool hd_engine_portfolio_has_left(hd_engine_exploration *e, double *seconds, uint64_t *most) {
    uint64_t limit = e->options.most_executions;
    uint64_t done = limit ? e->result.executions + executions_apart(&e->portfolio) : 0;
    *most = limit > done ? limit - done : 0;
    hd_engine_portfolio_lock(e);
    bool left = hd_engine_explore_time_left(e, e->portfolio.started, seconds);
    hd_engine_portfolio_unlock(e);
    return left && hd_clock_look() == HD_CLOCK_GOES && (!limit || *most);
}

enum hd_explore_limit hd_engine_portfolio_limit(const hd_engine_exploration *e) {
    double seconds;
    if (hd_stop_asked() || hd_clock_look() == HD_CLOCK_STOPPED)
        return HD_EXPLORE_LIMIT_INTERRUPT;
    if (hd_clock_look() == HD_CLOCK_LATE ||
        !hd_engine_explore_time_left(e, e->portfolio.started, &seconds))
        return e->enough ? HD_EXPLORE_NO_LIMIT : HD_EXPLORE_LIMIT_TIME;
    return HD_EXPLORE_LIMIT_EXECUTIONS;
}

uint64_t hd_engine_portfolio_seed(const hd_engine_exploration *e) {
    return e->walks.seed ? (e->walks.seed - 1) << 32 : 0;
}

/* ---- In turns ---- */

static void take_turns(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    double seconds;
    uint64_t most;
    while (hd_engine_portfolio_slices(e) && hd_engine_portfolio_has_left(e, &seconds, &most)) {
        if (p->how.most_executions)
            p->how.most_executions = e->result.executions + most;
        uint64_t others = 2 + (p->bound_over ? 0U : 1U) + (p->unfold_search ? 1U : 0U);
        if (!hd_engine_portfolio_search(e, 2 * others * p->slice)) /* two thirds of the work */
            return;
        if (p->slice < MOST_SLICE)
            p->slice *= 2;
    }
}

/* ---- Side by side ---- */

struct beside {
    hd_engine_exploration *e;
    hd_worker_for ties;
    hd_worker_failure failure;
    volatile int stop;
    pthread_t thread;
};

static void run_beside(void *context) {
    struct beside *beside = context;
    hd_engine_portfolio *p = &beside->e->portfolio;
    while (hd_engine_portfolio_slices(beside->e) && hd_clock_look() == HD_CLOCK_GOES)
        if (p->slice < MOST_SLICE)
            p->slice *= 2;
    if (p->news || p->ended || p->takes_over)
        __atomic_store_n(&beside->stop, 1, __ATOMIC_RELAXED);
}

static void *beside_thread(void *context) {
    struct beside *beside = context;
    if (!hd_worker_run(&beside->ties, run_beside, beside, &beside->failure))
        __atomic_store_n(&beside->stop, 1, __ATOMIC_RELAXED);
    return NULL;
}

/* False if the other thread cannot be started. */
static bool run_both(hd_engine_exploration *e) {
    struct beside beside = {.e = e};
    hd_clock clock = {.stop = &beside.stop};
    hd_clock_begin(&clock);
    beside.ties = hd_worker_ties();
    pthread_mutex_init(&e->portfolio.visiting, NULL);
    e->portfolio.beside = true;
    bool started = pthread_create(&beside.thread, NULL, beside_thread, &beside) == 0;
    if (started) {
        e->portfolio.workers = e->portfolio.how.threads + 1;
        uint64_t slice = e->portfolio.how.threads > 1 ? 0 : FIRST_SLICE; /* a crew cannot pause */
        while (hd_engine_portfolio_search(e, slice))
            slice *= 2;
        __atomic_store_n(&beside.stop, 1, __ATOMIC_RELAXED);
        pthread_join(beside.thread, NULL);
    }
    e->portfolio.beside = false;
    pthread_mutex_destroy(&e->portfolio.visiting);
    hd_clock_end(&clock);
    hd_worker_pass_on(&beside.failure);
    return started;
}

/* ---- Everything together ---- */

/* The search after its first slice, and the others. */
static bool go_on(hd_engine_exploration *e, hd_error *error) {
    hd_engine_portfolio *p = &e->portfolio;
    bool whole = e->result.used == HD_EXPLORE_EPOR; /* all of it is known: no step can fail */
    bool beside = e->workers > 1 && (whole || !p->how.most_executions);
    if (!whole && !hd_engine_portfolio_begin(e, error))
        return false;
    if (beside)
        hd_engine_explore_checker(e);       /* it is started by the thread that uses it last */
    if (beside && e->workers + whole > 2) { /* several share the search, from its beginning */
        p->how.threads = e->workers - !whole;
        if (!hd_engine_portfolio_begin_again(e, error))
            return false;
    }
    if (whole)
        hd_explore_go_on(p->whole, 0);
    else if (!beside || !run_both(e))
        take_turns(e);
    return p->whole != NULL;
}

/* What was complete with so many preemptions is not, if the program turns out to be another. */
static void forget_bound(hd_engine_portfolio *p) {
    p->bound_before += p->bound.executions;
    p->bound = (hd_explore_result){0};
}

/* From the first state on, until the search has ended or the program turns out to be another. */
static bool run_round(hd_engine_exploration *e, hd_error *error) {
    hd_engine_portfolio *p = &e->portfolio;
    forget_bound(p);
    p->how.threads = 1;
    p->how.algorithm = e->options.algorithm;
    p->how.most_steps = e->options.most_steps > HD_ENGINE_USUAL_DEPTH ? HD_ENGINE_USUAL_DEPTH
                                                                      : e->options.most_steps;
    p->deepens = false;
    p->depth = 0;
    p->states = (hd_graph_states_result){0};
    p->longest = 0;
    p->takes_over = p->unfold_found = false;
    p->most_states = e->options.most_steps > HD_ENGINE_USUAL_DEPTH ? FIRST_STATES : 0;
    bool good = hd_engine_portfolio_begin_search(e, error);
    uint64_t slice = p->first_slice ? p->first_slice : FIRST_SLICE;
    bool more =
        good && !hd_engine_portfolio_states_first(e) && hd_engine_portfolio_search(e, slice);
    for (int depths = 0; more && p->deepens && depths < FIRST_DEPTHS; depths++)
        more = hd_engine_portfolio_search(e, slice);
    if (more)
        good = go_on(e, error);
    bool enough = p->ended || p->news || p->takes_over;
    if (p->whole)
        hd_explore_finish(p->whole, enough ? HD_EXPLORE_NO_LIMIT : hd_engine_portfolio_limit(e));
    p->whole = NULL;
    if (e->program && p->how.algorithm != e->options.algorithm &&
        hd_native_machine_forgive(e->machine))
        p->no_optimal = p->news = true; /* it asked for steps that a loop does not have then */
    p->takes_over &= !p->ended && !p->news;
    hd_engine_portfolio_end(e);
    if (p->ended || p->news || p->states.complete) { /* whatever the search says */
        e->result.limit = HD_EXPLORE_NO_LIMIT;
        e->result.complete = p->states.complete && !p->ended && !p->news;
        e->result.stopped = !e->result.complete;
        e->result.covered = e->result.complete ? 1 : e->result.covered;
    }
    return good;
}

/* In a test, and only there, the environment says how long slices are: FIRST,LEAST. */
#ifdef HD_ENGINE_SLICES
static void set_slices(hd_engine_portfolio *p) {
    const char *text = getenv("HEDDLE_SLICES");
    char *least = NULL;
    if (text)
        p->first_slice = strtoull(text, &least, 10);
    if (least && *least)
        p->least_slice = strtoull(least + 1, NULL, 10);
}
#else
static void set_slices(hd_engine_portfolio *p) {
    (void)p;
}
#endif

bool hd_engine_portfolio_run(hd_engine_exploration *e, hd_error *error) {
    hd_engine_portfolio *p = &e->portfolio;
    p->how = e->options;
    p->started = hd_progress_clock();
    set_slices(p);
    p->seed = hd_engine_portfolio_seed(e);
    p->slice = p->least_slice ? p->least_slice : LEAST_SLICE;
    bool good = run_round(e, error);
    while (good && hd_engine_explore_differs(e) && !p->ended &&
           hd_engine_explore_time_left(e, p->started, &p->how.most_seconds)) {
        p->how.most_executions = e->options.most_executions;
        p->news = false;
        good = hd_engine_explore_start_over(e) && run_round(e, error);
    }
    if (good && e->program && hd_native_machine_changed(e->machine)) {
        forget_bound(p);
        if (!p->ended)
            hd_engine_explore_end_early(e, &e->result);
    }
    return good;
}
