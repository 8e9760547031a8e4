/*
 * The strategies beside the search through all schedules (engine_explore_portfolio.c), in slices.
 */
#include "engine_explore_portfolio.h"

static const char pct_name[] = "pct", pos_name[] = "pos";

enum {
    PREEMPTIONS = 6,
    MOST_PREFIXES = 1 << 20,
    LEAST_DEPTH = 2,
    DEPTHS = 7,
    MOST_RUN_STEPS = 1 << 14
};

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
    if (!hd_engine_portfolio_has_left(e, &seconds, &most))
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
    if (!hd_engine_portfolio_has_left(e, &options.most_seconds, &most))
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

bool hd_engine_portfolio_begin(hd_engine_exploration *e, hd_error *error) {
    hd_engine_portfolio *p = &e->portfolio;
    double seconds;
    uint64_t most;
    hd_engine_portfolio_has_left(e, &seconds, &most);
    p->ran = true;
    p->bounding = copy_for(e);
    p->walking = copy_for(e);
    p->bound_over = p->graph_over = false;
    p->options = e->options;
    p->options.tick = NULL;
    p->options.bounded = true;
    p->options.preemptions = p->preemptions = PREEMPTIONS;
    p->options.most_prefixes = MOST_PREFIXES;
    p->options.most_seconds = seconds;
    p->search = hd_explore_begin(p->bounding, &p->options, &p->bound, error);
    if (!p->search)
        return false;
    hd_engine_portfolio_begin_unfold(e);
    hd_engine_portfolio_begin_graph(e);
    return true;
}

bool hd_engine_portfolio_slices(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    bool more = bound_slice(e) && walk_slice(e, HD_EXPLORE_PCT, depth_of(p->round), &p->pct) &&
                walk_slice(e, HD_EXPLORE_POS, 0, &p->pos) && hd_engine_portfolio_graph(e) &&
                hd_engine_portfolio_unfold(e);
    p->round++;
    return more;
}

void hd_engine_portfolio_end(hd_engine_exploration *e) {
    hd_engine_portfolio *p = &e->portfolio;
    hd_machine *machines[] = {p->bounding, p->walking};
    if (p->search)
        hd_explore_finish(p->search, p->ended ? HD_EXPLORE_NO_LIMIT : hd_engine_portfolio_limit(e));
    p->search = NULL;
    hd_engine_portfolio_drop_unfold(e);
    hd_engine_portfolio_drop_graph(e);
    p->bounding = p->walking = NULL;
    for (size_t i = 0; i < 2; i++) {
        if (!machines[i])
            continue;
        if (e->machine->type->learn)
            e->machine->type->learn(e->machine, machines[i]);
        machines[i]->type->free(machines[i]);
    }
}
