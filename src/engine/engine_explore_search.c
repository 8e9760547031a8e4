/*
 * How the question explore searches: by one search, by random runs, or by several strategies
 * (engine_explore_portfolio.c).
 */
#include <math.h>

#include "engine_explore.h"
#include "engine_team.h"

void hd_engine_explore_clear(hd_engine_exploration *e) {
    e->rounds++;
    size_t enough = e->findings.enough;
    hd_finding_list_release(&e->findings);
    hd_finding_list_init(&e->findings, enough);
    hd_engine_explore_forget(e);
    hd_engine_explore_forget_dropped(e);
    hd_engine_explore_forget_early(e);
    hd_vec_clear(&e->hung);
    hd_verdict_release(&e->rested);
}

/* Nothing is forgotten: whatever was found was run again, and others may have found it. */
void hd_engine_explore_recount(hd_engine_exploration *e) {
    for (size_t i = 0; i < e->findings.found.length; i++)
        e->findings.found.data[i].count = 0;
    hd_engine_explore_recount_outcomes(e);
    e->assumed = e->pruned = 0;
}

/* A run showed more shared memory, more threads: another machine, another search. */
bool hd_engine_explore_start_over(hd_engine_exploration *e) {
    hd_engine_explore_prior_start_over(e);
    hd_native_machine_renew(e->machine);
    hd_vec_clear(&e->explanation);
    e->explained = 0;
    hd_engine_explore_make_checker(e);
    hd_engine_explore_clear(e);
    return true;
}

/* The limit on time is for all searches together: what is left of it, 0 if none exists.  False
 * if nothing is; then what was found so far has to do. */
bool hd_engine_explore_time_left(const hd_engine_exploration *e, double started, double *left) {
    *left = 0;
    if (hd_stop_asked() || e->enough)
        return false;
    if (e->options.most_seconds <= 0)
        return true;
    *left = e->options.most_seconds - (hd_progress_clock() - started);
    return *left > 0;
}

/* Seconds that a run may go on after the time is over.  A search that is kept ends between two
 * runs: what one that was ended before its time would have done is not known. */
double hd_engine_explore_grace(const hd_engine_exploration *e) {
    static const double grace = 20;
    return hd_engine_keep_on(&e->keep) ? grace : 0;
}

/* When the search begins.  To get to know a program took some of the time. */
static double begin_time(hd_engine_exploration *e) {
    static const double least = 0.01;
    double now = hd_progress_clock();
    if (e->until > 0) {
        double left = e->until - hd_engine_explore_grace(e) - now;
        e->options.most_seconds = left > least ? left : least;
    }
    return now;
}

/* It should have started over. */
void hd_engine_explore_end_early(const hd_engine_exploration *e, hd_explore_result *result) {
    result->limit = hd_stop_asked() ? HD_EXPLORE_LIMIT_INTERRUPT
                    : e->enough     ? HD_EXPLORE_NO_LIMIT
                                    : HD_EXPLORE_LIMIT_TIME;
    result->stopped = !result->limit;
    result->complete = false;
}

static bool run_walks(hd_engine_exploration *e, hd_error *error) {
    hd_explore_walk_options *w = &e->walks;
    double started = begin_time(e);
    w->most_steps = e->options.most_steps;
    w->most_seconds = e->options.most_seconds;
    w->visit = hd_engine_explore_visit;
    w->tick = hd_engine_explore_tick;
    w->collide = e->find & HD_ENGINE_FIND_RACE ? hd_engine_explore_collide : NULL;
    w->context = e;
    if (e->program)
        hd_native_machine_learn_no_rounds(e->machine); /* or each value would start all over */
    bool good = hd_explore_walk(e->machine, w, &e->walked, error);
    while (good && e->program && hd_native_machine_changed(e->machine) &&
           hd_engine_explore_time_left(e, started, &w->most_seconds))
        good = hd_engine_explore_start_over(e) && hd_explore_walk(e->machine, w, &e->walked, error);
    if (good && e->program && hd_native_machine_changed(e->machine))
        hd_engine_explore_end_early(e, &e->walked.seen);
    e->result = e->walked.seen;
    return good;
}

/* What is odd about the program. */
static bool warn_of_program(const hd_engine_exploration *e, hd_error *error) {
    const char *name = hd_text_name(e->path);
    const char *fork = hd_native_machine_why_fork(e->machine);
    const char *done = hd_native_machine_why_done(e->machine);
    const char *broken = hd_native_machine_broken(e->machine);
    if (hd_native_machine_refused(e->machine))
        hd_log_write(HD_LOG_WARNING,
                     "%s: calls that start other processes were refused; they fail with ENOSYS",
                     name);
    if (fork)
        hd_log_write(HD_LOG_WARNING, "%s: every run has a process of its own, which is slow: %s",
                     name, fork);
    if (done)
        hd_log_write(HD_LOG_WARNING,
                     "%s: threads depend on something that is not seen, code without "
                     "instrumentation perhaps (%s); in what order they use it is not explored",
                     name, done);
    return !broken || hd_error_set(error, "%s", broken);
}

static bool run_graph(hd_engine_exploration *e, hd_error *error) {
    if (!hd_engine_explore_graph_can(e))
        return hd_error_set(error, "--states is for programs of up to 64 threads");
    e->find &= HD_ENGINE_FIND_FAILURE | HD_ENGINE_FIND_DEADLOCK;
    if (!e->find)
        return hd_error_set(error, "--states looks for failures and deadlocks only");
    begin_time(e);
    hd_engine_explore_graph(e);
    return warn_of_program(e, error);
}

/* A program turned out not to be one that can be explored by reads-from: by traces, then. */
static void leave_reads(hd_engine_exploration *e, const char *why) {
    e->unread = why;
    e->chosen = false;
    hd_log_write(HD_LOG_WARNING, "%s: unfold does not support %s; sdpor runs",
                 hd_text_name(e->path), why);
    hd_native_machine_by_reads(e->machine, false, false, false);
    e->options.algorithm = HD_EXPLORE_SDPOR;
    e->options.by_reads = false;
}

static void check_program(hd_engine_exploration *e) {
    if (!e->machine->reads)
        return;
    if (hd_native_machine_unread(e->machine))
        leave_reads(e, hd_native_machine_unread(e->machine));
    else if (e->result.differs && !hd_native_machine_changed(e->machine) &&
             !hd_native_machine_doubt(e->machine, e->result.differs))
        leave_reads(e, e->result.differs);
}

/* Threads turned out to differ: all of them are explored, then. */
static bool check_symmetry(hd_engine_exploration *e) {
    if (!e->options.symmetric || !e->result.differs)
        return false;
    e->asymmetric = e->result.differs;
    e->options.symmetric = false;
    hd_log_write(HD_LOG_WARNING,
                 "%s: threads are not interchangeable, as %s; --symmetry is ignored",
                 hd_text_name(e->path), e->asymmetric);
    return true;
}

bool hd_engine_explore_differs(const hd_engine_exploration *e) {
    if (!e->program)
        return false;
    return e->result.complete ? hd_native_machine_settle(e->machine)
                              : hd_native_machine_changed(e->machine);
}

bool hd_engine_explore_alone(hd_engine_exploration *e, double started, hd_error *error) {
    bool good = hd_explore_run(e->machine, &e->options, &e->result, error);
    if (good && e->result.strayed && !(e->program && hd_native_machine_changed(e->machine)))
        return hd_error_set(error, "%s does not do what it did until the checkpoint",
                            e->program ? "the program" : "the model");
    check_program(e);
    bool asymmetric = check_symmetry(e);
    hd_explore_options again = e->options;
    e->keeper.from = NULL; /* it is another search then */
    while (good && e->program && (hd_engine_explore_differs(e) || asymmetric) &&
           hd_engine_explore_time_left(e, started, &again.most_seconds)) {
        good = hd_engine_explore_start_over(e) &&
               hd_explore_run(e->machine, &again, &e->result, error);
        check_program(e);
        asymmetric = check_symmetry(e);
        again.symmetric = e->options.symmetric;
        again.algorithm = e->options.algorithm;
        again.by_reads = e->options.by_reads;
    }
    if (good && e->program && (hd_native_machine_changed(e->machine) || asymmetric))
        hd_engine_explore_end_early(e, &e->result);
    if (good && e->options.symmetric && !e->result.classes)
        hd_log_write(HD_LOG_WARNING,
                     "%s: no threads are interchangeable, as far as is known; all "
                     "orders are explored",
                     hd_text_name(e->path));
    return good;
}

/* What cannot be explored by reads-from is explored by traces; but its classes are not counted
 * otherwise than asked. */
static bool check_reads(hd_engine_exploration *e, hd_error *error) {
    if (e->options.algorithm == HD_EXPLORE_UNFOLD && e->program) {
        e->options.by_reads |= (e->find & HD_ENGINE_FIND_OUTCOME) != 0; /* classes have them */
        hd_native_machine_by_reads(e->machine, true, e->find & HD_ENGINE_FIND_RACE,
                                   e->find & HD_ENGINE_FIND_OUTCOME);
        return hd_engine_explore_start_over(e);
    }
    if (e->options.algorithm != HD_EXPLORE_UNFOLD || hd_machine_by_reads(e->machine))
        return true;
    if (e->options.by_reads)
        return hd_error_set(error, "has operations that --classes=reads does not support");
    hd_log_write(HD_LOG_WARNING, "%s: has operations that unfold does not support; sdpor runs",
                 hd_text_name(e->path));
    return true;
}

/* The search by reads-from was the first of all to come to an answer: it runs alone. */
static bool take_over(hd_engine_exploration *e, double started, hd_error *error) {
    static const double no_time = 1e-6;  /* 0 is no limit */
    static const double long_enough = 2; /* seconds, for it to be worth starting workers */
    double left;
    if (hd_progress_clock() - started > long_enough)
        e->options.threads = e->workers;
    e->chosen = true;
    e->alone = true;
    e->options.algorithm = HD_EXPLORE_UNFOLD;
    if (!hd_engine_explore_time_left(e, started, &left))
        left = no_time;
    e->options.most_seconds = left;
    return check_reads(e, error) && hd_engine_explore_alone(e, hd_progress_clock(), error);
}

static void recount(void *context) {
    hd_engine_explore_recount(context);
}

static bool run_search(hd_engine_exploration *e, hd_error *error) {
    if (!check_reads(e, error))
        return false;
    e->options.visit = hd_engine_explore_visit;
    e->options.glance = e->program ? hd_engine_explore_glance : NULL;
    e->options.anew = recount;
    e->options.skip_complete = !e->program; /* an execution of a model has no outcome */
    e->options.tick = hd_engine_explore_tick;
    e->options.symmetric = e->symmetry;
    e->options.estimates = e->symmetry ? false
                                       : e->progress.active || e->options.most_seconds > 0 ||
                                             e->options.most_executions ||
                                             hd_clock_left(INFINITY) < INFINITY;
    e->options.collide = e->find & HD_ENGINE_FIND_RACE ? hd_engine_explore_collide : NULL;
    e->options.each_variable = e->filter.on;
    e->options.sectioned = e->explain && e->program ? hd_engine_explore_sectioned : NULL;
    e->options.context = e;
    double started = begin_time(e);
    bool good = e->team    ? hd_engine_team_lead(e, error)
                : e->alone ? hd_engine_explore_alone(e, started, error)
                           : hd_engine_portfolio_run(e, error);
    if (good && e->portfolio.takes_over)
        good = take_over(e, started, error);
    good =
        good && (!e->program || warn_of_program(e, error)) && hd_engine_explore_prior_end(e, error);
    if (good && e->alone && !e->chosen && !e->team && e->options.threads > e->result.threads)
        hd_log_write(HD_LOG_WARNING, "%s works with one worker: its trees are not shared",
                     e->options.bounded ? "--bound" : hd_explore_algorithm_name(e->result.used));
    return good;
}

static bool run_once(hd_engine_exploration *e, hd_error *error) {
    return e->walk ? run_walks(e, error) : e->graph ? run_graph(e, error) : run_search(e, error);
}

/* Was all done that there was to do, and nothing found? */
static bool found_nothing(const hd_engine_exploration *e) {
    enum hd_explore_limit limit = e->result.limit;
    bool ended = limit != HD_EXPLORE_LIMIT_TIME && limit != HD_EXPLORE_LIMIT_INTERRUPT;
    bool over = e->walk ? ended : e->graph ? e->portfolio.graph_over : e->result.complete;
    return over && !e->findings.found.length && !e->races.found.length && !e->enough &&
           hd_clock_look() == HD_CLOCK_GOES;
}

/* Nothing fails with the usual inputs: does it with those that the program compares them with?
 * Without a limit on time that has one, for there may be very many more executions. */
static bool run_wider(hd_engine_exploration *e, double seconds, hd_error *error) {
    static const double least = 10, times = 4;
    bool good = true;
    while (good && found_nothing(e) && hd_native_machine_widen(e->machine)) {
        if (!e->widened && e->options.most_seconds <= 0 && e->until <= 0)
            e->options.most_seconds = times * seconds > least ? times * seconds : least;
        e->widened = true;
        good = hd_engine_explore_start_over(e) && run_once(e, error);
    }
    return good;
}

bool hd_engine_explore_search(hd_engine_exploration *e, hd_error *error) {
    double started = hd_progress_clock();
    return run_once(e, error) && (!e->program || hd_engine_keep_on(&e->keep) || e->team ||
                                  run_wider(e, hd_progress_clock() - started, error));
}
