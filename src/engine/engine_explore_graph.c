/*
 * The search through states that are put together from what runs have shown, as one of several
 * strategies (engine_explore_portfolio.c).  Programs only.
 */
#include "engine_explore_portfolio.h"

static const char graph_name[] = "graph";

enum {
    FIRST_ROUND = 2,   /* of the other strategies, before it begins */
    MOST_LOST = 16,    /* schedules that could not be repeated, before it is given up */
    STEPS_FOR_ONE = 4, /* steps that are worth one of another search */
    ALONE = 1 << 22,   /* steps at a time if it is alone */
    BYTES = 1 << 30,   /* for its states, or of the budget */
    SHARE = 4
};

/* As one of several strategies. */
static bool may_search(const hd_engine_exploration *e) {
    return hd_engine_explore_graph_can(e) && !e->sv_comp && !e->by_fork && !e->no_predict &&
           e->find & (HD_ENGINE_FIND_FAILURE | HD_ENGINE_FIND_DEADLOCK) &&
           !e->options.most_executions;
}

bool hd_engine_explore_graph_can(const hd_engine_exploration *e) {
    enum { MOST_THREADS = 64 };
    return e->program && e->machine->threads <= MOST_THREADS;
}

void hd_engine_portfolio_drop_graph(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    if (p->graph)
        hd_native_states_free(p->graph);
    p->graph = NULL;
    if (!p->graphing)
        return;
    if (e->machine->type->learn)
        e->machine->type->learn(e->machine, p->graphing);
    p->graphing->type->free(p->graphing);
    p->graphing = NULL;
}

static void begin_graph(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    size_t budget = hd_mem_budget() / SHARE;
    p->graphing = e->machine->type->copy(e->machine);
    if (!e->graph)
        hd_native_machine_count_in(p->graphing, &p->tally);
    p->graph = hd_native_states_create(p->graphing, budget && budget < BYTES ? budget : BYTES,
                                       hd_engine_portfolio_seed(e));
    p->graph_seen = (hd_native_states_figures){0};
    p->graph_over = false;
    p->graph_lost = 0;
}

/* A run ended badly: is it a finding that is enough? */
static bool push(hd_engine_exploration *e, enum hd_native_states_end end, const hd_steps *found) {
    hd_engine_portfolio *p = &e->portfolio;
    bool fails = end == HD_NATIVE_STATES_FAILS;
    if (!(e->find & (fails ? HD_ENGINE_FIND_FAILURE : HD_ENGINE_FIND_DEADLOCK)))
        return false;
    hd_engine_portfolio_lock(e);
    hd_vec_clear(&e->schedule);
    for (size_t i = 0; i < found->length; i++)
        hd_vec_push(&e->schedule, found->data[i]);
    int stop = hd_engine_explore_push(e, fails ? HD_REPLAY_VIOLATION : HD_REPLAY_STUCK, graph_name);
    hd_engine_portfolio_unlock(e);
    p->graph_lost += stop < 0;
    return stop > 0;
}

static bool go_on(hd_engine_exploration *e, uint64_t work) {
    hd_engine_portfolio *p = &e->portfolio;
    hd_steps found = {0};
    enum hd_native_states_end end = hd_native_states_go_on(p->graph, work, &found);
    p->graph_seen = hd_native_states_count(p->graph);
    if (end == HD_NATIVE_STATES_NEWS)
        p->news = true;
    else if (end == HD_NATIVE_STATES_FAILS || end == HD_NATIVE_STATES_STUCK)
        p->ended = push(e, end, &found);
    p->graph_over = end == HD_NATIVE_STATES_OVER || p->graph_lost > MOST_LOST;
    p->graph_seen.finished &= !p->graph_lost;
    hd_vec_release(&found);
    return !p->news && !p->ended;
}

void hd_engine_portfolio_begin_graph(hd_engine_exploration *e) {
    e->portfolio.graphs = may_search(e);
}

bool hd_engine_portfolio_graph(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    double seconds;
    uint64_t most;
    if (p->graph_over || p->round < FIRST_ROUND || !p->graphs)
        return true;
    if (!hd_engine_portfolio_has_left(e, &seconds, &most))
        return false;
    if (!p->graph)
        begin_graph(e);
    return go_on(e, STEPS_FOR_ONE * p->slice);
}

/* ---- Alone ---- */

/* One search, until the program turns out to be another. */
static void search_alone(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    double seconds;
    p->news = p->ended = false;
    begin_graph(e);
    while (!p->graph_over && hd_engine_explore_time_left(e, p->started, &seconds) &&
           hd_clock_look() == HD_CLOCK_GOES && go_on(e, ALONE))
        ;
    hd_engine_portfolio_drop_graph(e);
}

void hd_engine_explore_graph(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    double seconds;
    p->started = hd_progress_clock();
    search_alone(e);
    while (hd_native_machine_changed(e->machine) && !p->ended && !e->enough &&
           hd_engine_explore_time_left(e, p->started, &seconds) && hd_engine_explore_start_over(e))
        search_alone(e);
    e->result = (hd_explore_result){.threads = 1,
                                    .stopped = p->ended,
                                    .executions = p->graph_seen.executions,
                                    .deadlocks = p->graph_seen.deadlocks,
                                    .violations = p->graph_seen.violations,
                                    .blocked = p->graph_seen.blocked,
                                    .cut = p->graph_seen.cut};
    if (!p->ended && !p->graph_over)
        e->result.limit = hd_engine_portfolio_limit(e);
}
