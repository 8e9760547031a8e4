/*
 * The search through all schedules in slices (engine_explore_portfolio.c): in the way that suits,
 * and deeper and deeper where threads do not end.
 */
#include "engine_explore_portfolio.h"

enum { MOST_STATES = 1 << 21 };

/* Most runs so far were for nothing: they came to states in which all threads sleep.  Wakeup trees
 * have none of these, or few, but cost more. */
static bool prefers_optimal(const hd_engine_exploration *e) {
    enum { MANY = 1000 };
    const hd_engine_portfolio *p = &e->portfolio;
    uint64_t many = p->first_slice && p->first_slice < MANY ? p->first_slice : MANY;
    uint64_t asleep = e->result.blocked - e->result.in_vain;
    return e->result.used == HD_EXPLORE_SDPOR && !p->no_optimal && asleep > many &&
           asleep > 2 * e->result.executions;
}

bool hd_engine_portfolio_begin_search(hd_engine_exploration *e, hd_error *error) {
    hd_engine_portfolio *p = &e->portfolio;
    if (e->program)
        hd_native_machine_depth(e->machine, (uint32_t)p->how.most_steps);
    p->whole = hd_explore_begin(e->machine, &p->how, &e->result, error);
    return p->whole != NULL;
}

bool hd_engine_portfolio_begin_again(hd_engine_exploration *e, hd_error *error) {
    static const double no_time = 1e-6; /* 0 is no limit */
    hd_engine_portfolio *p = &e->portfolio;
    hd_explore_finish(p->whole, HD_EXPLORE_NO_LIMIT);
    hd_engine_portfolio_lock(e);
    hd_engine_explore_recount(e);
    if (!hd_engine_explore_time_left(e, p->started, &p->how.most_seconds))
        p->how.most_seconds = no_time;
    hd_engine_portfolio_unlock(e);
    return hd_engine_portfolio_begin_search(e, error);
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
    bool endless = e->result.cut || p->longest >= HD_ENGINE_USUAL_DEPTH;
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

bool hd_engine_portfolio_states_first(hd_engine_exploration *e) {
    enum { RUNS = 4, MOST_THREADS = 64 };
    hd_engine_portfolio *p = &e->portfolio;
    hd_random random;
    if (e->program || !p->most_states || e->machine->threads > MOST_THREADS)
        return false;
    hd_random_seed(&random, 1);
    for (int i = 0; i < RUNS && !p->longest; i++)
        if (is_long(e->machine, i, &random))
            p->longest = HD_ENGINE_USUAL_DEPTH;
    return states_do(e);
}

bool hd_engine_portfolio_search(hd_engine_exploration *e, uint64_t slice) {
    hd_engine_portfolio *p = &e->portfolio;
    hd_error error = {""};
    bool over = !hd_explore_go_on(p->whole, slice);
    if (states_do(e))
        return false;
    if (!goes_deeper(e, over)) {
        if (over || !prefers_optimal(e))
            return !over;
        p->how.algorithm = HD_EXPLORE_ODPOR;
    }
    return hd_engine_portfolio_begin_again(e, &error); /* it began before: no error to tell */
}
