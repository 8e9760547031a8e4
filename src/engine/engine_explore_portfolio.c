/*
 * Finds a failure first, or proves that nothing fails.
 *
 * The search through all schedules has the first slice: for most small programs that is all.  A
 * larger one may have its failure far from where a depth-first search begins, so other strategies
 * get as much of the work from then on, each with a machine of its own:
 *
 *   bound  every schedule with no preemption, with one, with two, ...
 *   pct    random runs by priorities of threads, for deeper and deeper failures
 *   pos    random runs by priorities of operations
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
#include <string.h>

#include "engine_explore.h"

const char hd_engine_search_name[] = "search";
static const char bound_name[] = "bound", pct_name[] = "pct", pos_name[] = "pos";
static const char unfold_name[] = "unfold";

/* Steps, and as much other work, of the search; and of one strategy at first and later. */
enum { FIRST_SLICE = 1 << 18, LEAST_SLICE = 1 << 15, MOST_SLICE = 1 << 21 };

enum {
    PREEMPTIONS = 6,
    MOST_PREFIXES = 1 << 20,
    LEAST_DEPTH = 2,
    DEPTHS = 7,
    MOST_RUN_STEPS = 1 << 14,
    FIRST_DEPTHS = 8,      /* searched before the other strategies begin */
    USUAL_DEPTH = 1 << 11, /* steps of a thread, before it counts as one that does not end */
    FIRST_STATES = 1 << 14,
    MOST_STATES = 1 << 21
};

const char *hd_engine_portfolio_name(const hd_engine_exploration *e, const hd_machine *machine) {
    const hd_engine_portfolio *p = &e->portfolio;
    if (e->chosen)
        return unfold_name;
    if (e->alone || e->walk)
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

/* ---- Limits ---- */

static uint64_t executions_apart(const hd_engine_portfolio *p) {
    return p->bound_before + p->bound.executions + p->pct.executions + p->pos.executions;
}

/* Is there something left of the limits?  Of executions, `most` is what is. */
static bool has_left(hd_engine_exploration *e, double *seconds, uint64_t *most) {
    uint64_t limit = e->options.most_executions;
    uint64_t done = limit ? e->result.executions + executions_apart(&e->portfolio) : 0;
    *most = limit > done ? limit - done : 0;
    hd_engine_portfolio_lock(e);
    bool left = hd_engine_explore_time_left(e, e->portfolio.started, seconds);
    hd_engine_portfolio_unlock(e);
    return left && hd_clock_look() == HD_CLOCK_GOES && (!limit || *most);
}

/* What ended the search when it was not its turn. */
static enum hd_explore_limit limit_of(const hd_engine_exploration *e) {
    double seconds;
    if (hd_stop_asked() || hd_clock_look() == HD_CLOCK_STOPPED)
        return HD_EXPLORE_LIMIT_INTERRUPT;
    if (hd_clock_look() == HD_CLOCK_LATE ||
        !hd_engine_explore_time_left(e, e->portfolio.started, &seconds))
        return e->enough ? HD_EXPLORE_NO_LIMIT : HD_EXPLORE_LIMIT_TIME;
    return HD_EXPLORE_LIMIT_EXECUTIONS;
}

/* ---- The strategies ---- */

static hd_machine *copy_for(hd_engine_exploration *e) {
    hd_machine *machine = e->machine->type->copy(e->machine);
    if (e->program) {
        hd_native_machine_count_in(machine, &e->portfolio.tally);
        hd_native_machine_learn_no_rounds(machine); /* or each value would start all over */
    }
    return machine;
}

/* Did the search stop because of what was found, or because the machine is another? */
static bool note_end(hd_engine_exploration *e, const hd_machine *machine, bool stopped) {
    hd_engine_portfolio *p = &e->portfolio;
    if (e->program && (hd_native_machine_changed(machine) || hd_native_machine_broken(machine)))
        p->news = true;
    else if (stopped)
        p->ended = true;
    return p->news || p->ended;
}

static bool bound_slice(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    double seconds;
    uint64_t most;
    if (p->bound_over)
        return true;
    if (!has_left(e, &seconds, &most))
        return false;
    p->options.most_executions = e->options.most_executions ? p->bound.executions + most : 0;
    if (hd_explore_go_on(p->search, p->slice))
        return !note_end(e, p->bounding, false);
    hd_explore_finish(p->search, HD_EXPLORE_NO_LIMIT);
    p->search = NULL;
    p->bound_over = true;
    return !note_end(e, p->bounding, p->bound.stopped);
}

static bool walk_slice(hd_engine_exploration *e, enum hd_explore_walk_kind kind, uint32_t depth,
                       hd_engine_sampled *sum) {
    hd_engine_portfolio *p = &e->portfolio;
    hd_explore_walk_options options = {.kind = kind,
                                       .runs = UINT64_MAX,
                                       .seed = ++p->seed,
                                       .depth = depth,
                                       .length = p->length,
                                       .most_work = p->slice,
                                       .most_steps = MOST_RUN_STEPS,
                                       .visit = e->options.visit,
                                       .collide = e->options.collide,
                                       .context = e};
    hd_explore_walk_result walked;
    hd_error error = {""};
    uint64_t most;
    if (!has_left(e, &options.most_seconds, &most))
        return false;
    if (most)
        options.runs = most;
    if (e->options.most_steps && e->options.most_steps < MOST_RUN_STEPS)
        options.most_steps = e->options.most_steps;
    p->walk = kind == HD_EXPLORE_PCT ? pct_name : pos_name;
    if (!hd_explore_walk(p->walking, &options, &walked, &error))
        return false; /* the search says why */
    sum->runs += walked.runs;
    sum->executions += walked.seen.executions;
    sum->cut += walked.cut;
    sum->depth = depth > sum->depth ? depth : sum->depth;
    p->length = walked.longest > p->length ? walked.longest : p->length;
    return !note_end(e, p->walking, walked.seen.stopped);
}

/* Every second round is for shallow failures, which are most; the others go deeper and deeper. */
static uint32_t depth_of(uint32_t round) {
    return round % 2 ? LEAST_DEPTH + round / 2 % 2 : LEAST_DEPTH + 1 + round / 2 % (DEPTHS - 1);
}

/* ---- By reads-from ---- */

/* It is a search of its own, on a machine whose steps are others: nothing of it is told.  Where it
 * comes to its end, or to a failure that is enough, it is the one that answers, and runs again
 * from its beginning (engine_explore_search.c). */
static int note_unfold(void *context, hd_machine *machine, enum hd_explore_end end,
                       const hd_step *schedule, size_t length) {
    hd_engine_exploration *e = context;
    unsigned sort = end == HD_EXPLORE_DEADLOCK    ? HD_ENGINE_FIND_DEADLOCK
                    : end == HD_EXPLORE_VIOLATION ? HD_ENGINE_FIND_FAILURE
                                                  : 0;
    (void)schedule;
    (void)length;
    if (e->program && end == HD_EXPLORE_DEADLOCK && hd_native_machine_assumed(machine))
        return 0;
    e->portfolio.unfold_found |= (e->find & sort) && e->findings.enough;
    return e->portfolio.unfold_found;
}

/* They are looked for all the same, as that is a part of the search. */
static void note_unfold_race(void *context, const hd_explore_collision *found) {
    (void)context;
    (void)found;
}

/* Classes by reads-from do not tell all ways in which threads can print.  So where the program was
 * seen to end in several, the search through all schedules counts them. */
static bool has_one_end(hd_engine_exploration *e) {
    hd_engine_portfolio_lock(e);
    bool one = e->outcomes.length <= 1;
    hd_engine_portfolio_unlock(e);
    return one;
}

static bool may_unfold(hd_engine_exploration *e) {
    return !e->options.most_executions && !(e->find & HD_ENGINE_FIND_OUTCOME) &&
           (e->program || hd_machine_by_reads(e->machine)) && has_one_end(e);
}

static void drop_unfold(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    if (p->unfold_search)
        hd_explore_finish(p->unfold_search, HD_EXPLORE_NO_LIMIT);
    p->unfold_search = NULL;
    if (p->unfolding)
        p->unfolding->type->free(p->unfolding);
    p->unfolding = NULL;
}

static void begin_unfold_search(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    hd_error error = {""};
    p->unfold_search = hd_explore_begin(p->unfolding, &p->unfold_options, &p->unfold, &error);
    if (!p->unfold_search)
        drop_unfold(e);
}

static void begin_unfold(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    if (!may_unfold(e))
        return;
    p->unfolds = true;
    p->unfolding = e->machine->type->copy(e->machine);
    if (e->program) {
        hd_native_machine_count_in(p->unfolding, &p->tally);
        hd_native_machine_by_reads(p->unfolding, true, e->find & HD_ENGINE_FIND_RACE, false);
        hd_native_machine_renew(p->unfolding);
    }
    p->unfold_options = e->options;
    p->unfold_options.algorithm = HD_EXPLORE_UNFOLD;
    p->unfold_options.tick = NULL;
    p->unfold_options.threads = 1;
    p->unfold_options.skip_complete = true;
    p->unfold_options.visit = note_unfold;
    p->unfold_options.collide = e->find & HD_ENGINE_FIND_RACE ? note_unfold_race : NULL;
    begin_unfold_search(e);
}

static bool is_as_was(const hd_engine_exploration *e) {
    const hd_engine_portfolio *p = &e->portfolio;
    return !p->unfold.differs && (!e->program || (!hd_native_machine_changed(p->unfolding) &&
                                                  !hd_native_machine_unread(p->unfolding) &&
                                                  !hd_native_machine_broken(p->unfolding)));
}

/* The program turned out to be another, or not to be one for this search. */
static void begin_unfold_again(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    if (e->program && hd_native_machine_changed(p->unfolding) &&
        !hd_native_machine_unread(p->unfolding) && !hd_native_machine_broken(p->unfolding)) {
        hd_native_machine_renew(p->unfolding);
        begin_unfold_search(e);
    } else
        drop_unfold(e);
}

/* False if it has the answer, or there is no time. */
static bool unfold_slice(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    uint64_t most;
    if (!p->unfold_search)
        return true;
    if (!has_left(e, &p->unfold_options.most_seconds, &most))
        return false;
    if (hd_explore_go_on(p->unfold_search, p->slice))
        return true;
    hd_explore_finish(p->unfold_search, HD_EXPLORE_NO_LIMIT);
    p->unfold_search = NULL;
    p->takes_over = is_as_was(e) && (p->unfold_found || p->unfold.complete) && has_one_end(e);
    p->unfold_found = false;
    if (!p->takes_over)
        begin_unfold_again(e);
    return !p->takes_over;
}

/* ---- All of them ---- */

static bool begin_strategies(hd_engine_exploration *e, hd_error *error) {
    hd_engine_portfolio *p = &e->portfolio;
    double seconds;
    uint64_t most;
    has_left(e, &seconds, &most);
    p->ran = true;
    p->bounding = copy_for(e);
    p->walking = copy_for(e);
    p->bound_over = false;
    p->options = e->options;
    p->options.tick = NULL;
    p->options.bounded = true;
    p->options.preemptions = p->preemptions = PREEMPTIONS;
    p->options.most_prefixes = MOST_PREFIXES;
    p->options.most_seconds = seconds;
    p->search = hd_explore_begin(p->bounding, &p->options, &p->bound, error);
    if (!p->search)
        return false;
    begin_unfold(e);
    return true;
}

/* A slice of each; false if there is no other to come. */
static bool run_strategies(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    bool more = bound_slice(e) && walk_slice(e, HD_EXPLORE_PCT, depth_of(p->round), &p->pct) &&
                walk_slice(e, HD_EXPLORE_POS, 0, &p->pos) && unfold_slice(e);
    p->round++;
    return more;
}

/* What they found out is for the search too. */
static void end_strategies(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    hd_machine *machines[] = {p->bounding, p->walking};
    if (p->search)
        hd_explore_finish(p->search, p->ended ? HD_EXPLORE_NO_LIMIT : limit_of(e));
    p->search = NULL;
    drop_unfold(e);
    p->bounding = p->walking = NULL;
    for (size_t i = 0; i < 2; i++) {
        if (!machines[i])
            continue;
        if (e->machine->type->learn)
            e->machine->type->learn(e->machine, machines[i]);
        machines[i]->type->free(machines[i]);
    }
}

/* ---- The search ---- */

/* Most runs so far were for nothing: they came to states in which all threads sleep.  Wakeup trees
 * have none of these, but cost more, and are searched by one worker. */
static bool prefers_optimal(const hd_engine_exploration *e) {
    enum { MANY = 1000 };
    const hd_engine_portfolio *p = &e->portfolio;
    uint64_t workers = e->workers > 2 ? e->workers - 1 : 1;
    uint64_t many = p->first_slice && p->first_slice < MANY ? p->first_slice : MANY;
    return e->result.used == HD_EXPLORE_SDPOR && !p->no_optimal && e->result.blocked > many &&
           e->result.blocked > 2 * workers * e->result.executions;
}

static bool begin_search(hd_engine_exploration *e, hd_error *error) {
    hd_engine_portfolio *p = &e->portfolio;
    if (e->program)
        hd_native_machine_depth(e->machine, (uint32_t)p->how.most_steps);
    p->whole = hd_explore_begin(e->machine, &p->how, &e->result, error);
    return p->whole != NULL;
}

/* The search from its beginning, in another way. */
static bool begin_again(hd_engine_exploration *e, hd_error *error) {
    static const double no_time = 1e-6; /* 0 is no limit */
    hd_engine_portfolio *p = &e->portfolio;
    hd_explore_finish(p->whole, HD_EXPLORE_NO_LIMIT);
    hd_engine_portfolio_lock(e);
    hd_engine_explore_recount(e);
    if (!hd_engine_explore_time_left(e, p->started, &p->how.most_seconds))
        p->how.most_seconds = no_time;
    hd_engine_portfolio_unlock(e);
    return begin_search(e, error);
}

/* Threads take very many steps, perhaps without end: then the search goes through short runs first,
 * and through longer and longer ones.  A run that is cut makes each of these searches incomplete,
 * so nothing is left out. */
static bool goes_deeper(hd_engine_exploration *e, bool over) {
    enum { FIRST_DEPTH = 64, DEEPER = 4 };
    hd_engine_portfolio *p = &e->portfolio;
    uint64_t *depth = &p->how.most_steps, most = e->options.most_steps;
    if (!e->result.cut || *depth == most || e->result.stopped)
        return false;
    if (!p->deepens) {
        p->deepens = true;
        *depth = FIRST_DEPTH;
        return true;
    }
    if (!over || e->result.limit != HD_EXPLORE_LIMIT_STEPS)
        return false;
    p->depth = *depth;
    *depth = most / DEEPER < *depth ? most : DEEPER * *depth;
    return true;
}

/* Until when states may be looked at: as long as there is time.  Those of a program, which prove
 * nothing if no livelock is among them, take no longer than all the rest.  False: not now. */
static bool states_until(const hd_engine_exploration *e, double *until) {
    static const double least = 1;
    const hd_engine_portfolio *p = &e->portfolio;
    double left, now = hd_progress_clock(), others = now - p->started - p->on_states;
    if (!hd_engine_explore_time_left(e, p->started, &left))
        return false;
    if (e->program) {
        double share = (others > least ? others : least) - p->on_states;
        left = left > 0 && left < share ? left : share;
        if (left <= 0)
            return false;
    }
    *until = left > 0 ? now + left : 0;
    return true;
}

/* Executions were cut off, or would have been if nothing had failed: are there perhaps not so many
 * states?  True if all is known by now. */
static bool states_do(hd_engine_exploration *e) {
    enum { MORE = 8 };
    hd_engine_portfolio *p = &e->portfolio;
    hd_engine_portfolio_lock(e);
    hd_clock clock = {0};
    double since = hd_progress_clock();
    bool endless = e->result.cut || p->longest >= USUAL_DEPTH;
    bool now = endless && !e->result.stopped && p->most_states && states_until(e, &clock.until);
    hd_engine_portfolio_unlock(e);
    if (!now)
        return false;
    hd_clock_begin(&clock);
    bool all = hd_engine_explore_states(e, p->most_states);
    bool cut = hd_clock_look() != HD_CLOCK_GOES;
    hd_clock_end(&clock);
    p->on_states += hd_progress_clock() - since;
    p->ended |= p->states.stopped;
    if (!cut) /* else there are more of them to come */
        p->most_states = p->most_states < MOST_STATES / MORE ? p->most_states * MORE : 0;
    return all;
}

/* A run of a model in which the first thread that can go on does, the last one, or any: is it so
 * long that it may have no end?  The search looks at each pair of its steps; this does not. */
static bool is_long(hd_machine *machine, int which, hd_random *random) {
    enum { LONG = 1 << 14 };
    hd_machine_operation operation = {0};
    int steps = 0;
    machine->type->restart(machine);
    for (bool goes = true; goes && steps < LONG && !hd_clock_over(); steps++) {
        uint32_t chosen = UINT32_MAX, choices = 1, able = 0;
        for (uint32_t t = 0; t < machine->threads; t++) {
            if (!machine->type->next(machine, t, &operation) || !operation.enabled)
                continue;
            able++;
            if (able > 1 && (which == 0 || (which > 1 && hd_random_below(random, able))))
                continue;
            chosen = t;
            choices = operation.choices;
        }
        uint32_t choice = choices > 1 ? (uint32_t)hd_random_below(random, choices) : 0;
        goes = chosen != UINT32_MAX &&
               machine->type->step(machine, chosen, choice) == HD_MACHINE_WENT_ON;
    }
    machine->type->restart(machine);
    return steps == LONG;
}

/* Some runs of a model are very long: then its states are looked at first. */
static bool states_first(hd_engine_exploration *e) {
    enum { RUNS = 4, MOST_THREADS = 64 };
    hd_engine_portfolio *p = &e->portfolio;
    hd_random random;
    if (e->program || !p->most_states || e->machine->threads > MOST_THREADS)
        return false;
    hd_random_seed(&random, 1);
    for (int i = 0; i < RUNS && !p->longest; i++)
        if (is_long(e->machine, i, &random))
            p->longest = USUAL_DEPTH;
    return states_do(e);
}

/* False if it is over. */
static bool search_slice(hd_engine_exploration *e, uint64_t slice) {
    hd_engine_portfolio *p = &e->portfolio;
    hd_error error = {""};
    bool over = !hd_explore_go_on(p->whole, slice);
    if (states_do(e))
        return false;
    if (!goes_deeper(e, over)) {
        if (over || !prefers_optimal(e))
            return !over;
        p->how.algorithm = HD_EXPLORE_ODPOR;
        p->how.threads = 1;
    }
    return begin_again(e, &error); /* it began before: no error to tell */
}

/* ---- In turns ---- */

static void take_turns(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    double seconds;
    uint64_t most;
    while (run_strategies(e) && has_left(e, &seconds, &most)) {
        if (p->how.most_executions)
            p->how.most_executions = e->result.executions + most;
        uint64_t others = 2 + (p->bound_over ? 0U : 1U) + (p->unfold_search ? 1U : 0U);
        if (!search_slice(e, others * p->slice)) /* half of the work */
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
    while (run_strategies(beside->e) && hd_clock_look() == HD_CLOCK_GOES)
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
        uint64_t slice = e->portfolio.how.threads > 1 ? 0 : FIRST_SLICE; /* a crew cannot pause */
        while (search_slice(e, slice))
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
    if (!whole && !begin_strategies(e, error))
        return false;
    if (beside && e->workers + whole > 2) { /* several share the search, from its beginning */
        p->how.threads = e->workers - !whole;
        if (!begin_again(e, error))
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
    p->how.most_steps = e->options.most_steps > USUAL_DEPTH ? USUAL_DEPTH : e->options.most_steps;
    p->deepens = false;
    p->depth = 0;
    p->states = (hd_graph_states_result){0};
    p->longest = 0;
    p->takes_over = p->unfold_found = false;
    p->most_states = e->options.most_steps > USUAL_DEPTH ? FIRST_STATES : 0;
    bool good = begin_search(e, error);
    uint64_t slice = p->first_slice ? p->first_slice : FIRST_SLICE;
    bool more = good && !states_first(e) && search_slice(e, slice);
    for (int depths = 0; more && p->deepens && depths < FIRST_DEPTHS; depths++)
        more = search_slice(e, slice);
    if (more)
        good = go_on(e, error);
    bool enough = p->ended || p->news || p->takes_over;
    if (p->whole)
        hd_explore_finish(p->whole, enough ? HD_EXPLORE_NO_LIMIT : limit_of(e));
    p->whole = NULL;
    if (e->program && p->how.algorithm != e->options.algorithm &&
        hd_native_machine_forgive(e->machine))
        p->no_optimal = p->news = true; /* it asked for steps that a loop does not have then */
    p->takes_over &= !p->ended && !p->news;
    end_strategies(e);
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
    p->seed = e->walks.seed ? (e->walks.seed - 1) << 32 : 0; /* each slice has one of its own */
    p->slice = p->least_slice ? p->least_slice : LEAST_SLICE;
    bool good = run_round(e, error);
    while (good && e->program && hd_native_machine_changed(e->machine) && !p->ended &&
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
