/*
 * The search by reads-from as one of several strategies (engine_explore_portfolio.c).
 */
#include "engine_explore_portfolio.h"

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

void hd_engine_portfolio_drop_unfold(hd_engine_exploration *e) {
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
        hd_engine_portfolio_drop_unfold(e);
}

void hd_engine_portfolio_begin_unfold(hd_engine_exploration *e) {
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
        hd_engine_portfolio_drop_unfold(e);
}

bool hd_engine_portfolio_unfold(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    uint64_t most;
    if (!p->unfold_search)
        return true;
    if (!hd_engine_portfolio_has_left(e, &p->unfold_options.most_seconds, &most))
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
