#include "cut_states.h"

#include <string.h>

#include "cut_filter.h"
#include "cut_places.h"

const char *const hd_cut_algorithm_names[HD_CUT_ALGORITHMS] = {
    "auto", "bfs", "dfs", "tree", "lex", "quicklex", "bounds", "diagram", "lex1", "lex2", "sweep",
};

const char *const hd_cut_manner_names[HD_CUT_MANNERS] = {"symbolic", "block", "single"};

#define ONE(algorithm) (1U << (algorithm))

static const unsigned served[HD_CUT_CLASSES] = {
    [HD_CUT_CONSISTENT] = ONE(HD_CUT_AUTO) | ONE(HD_CUT_BFS) | ONE(HD_CUT_DFS) | ONE(HD_CUT_TREE) |
                          ONE(HD_CUT_LEX) | ONE(HD_CUT_QUICKLEX) | ONE(HD_CUT_BOUNDS) |
                          ONE(HD_CUT_DIAGRAM),
    [HD_CUT_FEASIBLE] = ONE(HD_CUT_AUTO) | ONE(HD_CUT_BOUNDS) | ONE(HD_CUT_DIAGRAM) |
                        ONE(HD_CUT_LEX1) | ONE(HD_CUT_LEX2),
    [HD_CUT_LOCK_FREE] = ONE(HD_CUT_AUTO) | ONE(HD_CUT_BOUNDS) | ONE(HD_CUT_DIAGRAM) |
                         ONE(HD_CUT_LEX1) | ONE(HD_CUT_LEX2),
    [HD_CUT_VIABLE] = ONE(HD_CUT_AUTO) | ONE(HD_CUT_BOUNDS) | ONE(HD_CUT_DIAGRAM) |
                      ONE(HD_CUT_LEX1) | ONE(HD_CUT_LEX2),
    [HD_CUT_STRONGLY_FEASIBLE] =
        ONE(HD_CUT_AUTO) | ONE(HD_CUT_SWEEP) | ONE(HD_CUT_LEX1) | ONE(HD_CUT_LEX2),
    [HD_CUT_REACHABLE] = ONE(HD_CUT_AUTO) | ONE(HD_CUT_SWEEP) | ONE(HD_CUT_LEX1) |
                         ONE(HD_CUT_LEX2) | ONE(HD_CUT_BFS) | ONE(HD_CUT_DFS),
};

bool hd_cut_serves(enum hd_cut_algorithm algorithm, enum hd_order_model model,
                   enum hd_cut_class class) {
    if (model == HD_ORDER_POSET && class != HD_CUT_CONSISTENT)
        return false;
    return served[class] >> algorithm & 1;
}

bool hd_cut_shares(enum hd_cut_algorithm algorithm, enum hd_cut_class class, bool lexical) {
    switch (algorithm) {
    case HD_CUT_BFS:
    case HD_CUT_DFS:
    case HD_CUT_TREE:
        return class == HD_CUT_CONSISTENT && !lexical;
    case HD_CUT_LEX1:
    case HD_CUT_LEX2:
        return false;
    default:
        return true;
    }
}

/* One question being answered. */
struct job {
    const hd_cut_request *request;
    hd_cut_answer *answer;
    hd_cut_space space;
    uint32_t *none;           /* the empty state */
    hd_cut_rules rules;       /* what clocks and locks do not say */
    hd_cut_filter *filters;   /* NULL: there are no such rules */
    hd_cut_visitor *visitors; /* the request's, or ones that only count, after the filters */
    hd_cut_visitor *counters; /* those without the filters */
};

static void done(struct job *job, enum hd_cut_algorithm algorithm, enum hd_cut_manner manner,
                 int why) {
    assert(hd_cut_serves(algorithm, job->request->model, job->request->class));
    job->answer->algorithm = algorithm;
    job->answer->manner = manner;
    job->answer->why = why;
}

/* Is there a run with all its events? */
static bool is_checked(const struct job *job) {
    return !job->request->unchecked && !job->space.order->trace->loset;
}

/* The CPU seconds of each worker, to be freed here; of one they are no news. */
static void note_busiest(struct job *job, double *seconds) {
    for (unsigned i = 0; i < job->request->workers && job->request->workers > 1; i++)
        if (seconds[i] > job->answer->busiest)
            job->answer->busiest = seconds[i];
    free(seconds);
}

static void count_visited(struct job *job) {
    for (unsigned i = 0; i < job->request->workers; i++) {
        assert(job->counters[i].states <= job->visitors[i].states); /* a filter adds none */
        hd_cut_count_add(&job->answer->states, job->counters[i].states);
    }
}

static void forget_visited(struct job *job) {
    for (unsigned i = 0; i < job->request->workers; i++)
        job->visitors[i].states = job->counters[i].states = 0;
}

/* ---- Consistent states ---- */

/* What `auto` lets a diagram cost: a twentieth of what a state by state count is
 * guessed to, and what is too little to notice. */
static uint64_t worthwhile_edges(const struct job *job) {
    const double edges_a_state = 0.005, unnoticed = 2000, most = 1e15;
    double guess = hd_cut_space_guess(&job->space, job->none, job->space.length);
    double edges = guess * edges_a_state + unnoticed;
    return (uint64_t)(edges < most ? edges : most);
}

/* Several diagrams at once, one a range of counts of the first thread: few of their
 * nodes are the same.  With loset pairs, or without. */
struct diagrams {
    const struct job *job;
    const hd_cut_pairs *pairs;
    size_t parts;
    hd_cut_budget budget;       /* of each */
    hd_cut_count *states;       /* [worker] */
    hd_cut_diagram_size *sizes; /* [worker] */
};

enum { TOO_LARGE = 1, PARTS_A_WORKER = 2 };

static int diagram_of_interval(void *context, unsigned worker, const uint32_t *least,
                               const uint32_t *most) {
    const struct diagrams *d = context;
    hd_cut_diagram_size size;
    bool good =
        hd_cut_diagram_count(&d->job->space, least, most, &d->budget, &d->states[worker], &size);
    d->sizes[worker].nodes += size.nodes;
    return good ? 0 : TOO_LARGE;
}

static int diagram_of_pairs(void *context, unsigned worker, size_t part) {
    const struct diagrams *d = context;
    hd_cut_diagram_size size;
    uint32_t from, to;
    hd_cut_part(&d->job->space, d->parts, part, &from, &to);
    bool good = hd_cut_pairs_count(d->pairs, from, to, &d->budget, &d->states[worker], &size);
    d->sizes[worker].nodes += size.nodes;
    return good ? 0 : TOO_LARGE;
}

/* False if it would be too large, with nothing counted. */
static bool try_diagram(struct job *job, const hd_cut_pairs *pairs) {
    const hd_cut_request *request = job->request;
    unsigned workers = request->workers;
    bool automatic = request->algorithm == HD_CUT_AUTO && !pairs;
    size_t counts = (size_t)job->space.length[0] + 1;
    struct diagrams d = {.job = job, .pairs = pairs};
    d.parts = workers > 1 ? (size_t)workers * PARTS_A_WORKER : 1;
    d.parts = d.parts < counts ? d.parts : counts;
    d.budget = (hd_cut_budget){automatic ? worthwhile_edges(job) : UINT64_MAX,
                               request->memory / workers, request->stop};
    d.states = HD_NEW_ARRAY(hd_cut_count, workers);
    d.sizes = HD_NEW_ARRAY(hd_cut_diagram_size, workers);
    double *seconds = HD_NEW_ARRAY(double, workers);
    int why = pairs ? hd_cut_share(workers, d.parts, diagram_of_pairs, &d, seconds)
                    : hd_cut_parts(&job->space, workers, d.parts, diagram_of_interval, &d, seconds);
    for (unsigned i = 0; i < workers; i++) {
        if (!why)
            hd_cut_count_add_product(&job->answer->states, d.states[i].limbs.data,
                                     d.states[i].limbs.length, 1);
        job->answer->nodes += why ? 0 : d.sizes[i].nodes;
        hd_cut_count_release(&d.states[i]);
    }
    note_busiest(job, seconds);
    free(d.states);
    free(d.sizes);
    if (!why)
        done(job, HD_CUT_DIAGRAM, HD_CUT_SYMBOLIC, 0);
    return !why;
}

static void enumerate_consistent(struct job *job, enum hd_cut_algorithm algorithm) {
    unsigned workers = job->request->workers;
    hd_cut_covers covers = {0};
    hd_cut_subroutine subroutine = {algorithm, &job->space, &covers, job->request->memory};
    double *seconds = HD_NEW_ARRAY(double, workers);
    if (algorithm == HD_CUT_TREE || algorithm == HD_CUT_QUICKLEX)
        hd_cut_covers_init(&covers, &job->space);
    subroutine.memory /= workers;
    int why;
    if (workers == 1)
        why = hd_cut_enumerate(&subroutine, job->none, job->space.length, job->visitors);
    else if (algorithm == HD_CUT_BOUNDS || job->request->lexical)
        why = hd_cut_prefixes(&subroutine, workers, job->visitors, seconds);
    else
        why = hd_cut_paramount(&subroutine, workers, job->visitors, seconds);
    count_visited(job);
    note_busiest(job, seconds);
    hd_cut_covers_release(&covers);
    done(job, algorithm, algorithm == HD_CUT_BOUNDS ? HD_CUT_BLOCKS : HD_CUT_SINGLY, why);
}

/* With condition waits: by pairs, which know counts that no thread may have.  False if that
 * would be too large. */
static bool count_steps(struct job *job) {
    hd_cut_loset loset;
    hd_cut_pairs pairs;
    hd_error ignored;
    hd_cut_loset_init(&loset, &job->space, is_checked(job));
    bool done =
        hd_cut_pairs_init(&pairs, &loset, HD_CUT_CONSISTENT, job->request->memory, &ignored);
    if (done) {
        hd_cut_rules_leave_out(&job->rules, &pairs);
        done = try_diagram(job, &pairs);
        hd_cut_pairs_release(&pairs);
    }
    hd_cut_loset_release(&loset);
    return done;
}

static void consistent_states(struct job *job) {
    enum hd_cut_algorithm algorithm = job->request->algorithm;
    bool ours = algorithm == HD_CUT_AUTO || algorithm == HD_CUT_DIAGRAM;
    bool counted = ours && !job->request->visitors && !hd_cut_rules_count(&job->rules);
    if (counted && (hd_cut_rules_split(&job->rules) ? count_steps(job) : try_diagram(job, NULL)))
        return;
    enumerate_consistent(job, ours ? HD_CUT_BOUNDS : algorithm);
}

/* ---- Losets ---- */

static void lex_states(struct job *job, const hd_cut_loset *loset) {
    bool careful = job->request->algorithm == HD_CUT_LEX1 || hd_cut_rules_count(&job->rules);
    int why = hd_cut_lex_loset(loset, job->request->class, careful, job->visitors);
    count_visited(job);
    done(job, careful ? HD_CUT_LEX1 : HD_CUT_LEX2, HD_CUT_SINGLY, why);
}

struct walks {
    const struct job *job;
    const hd_cut_pairs *pairs;
};

/* One count of the first thread. */
static int walk_count(void *context, unsigned worker, size_t count) {
    const struct walks *w = context;
    hd_cut_visitor *visitor = &w->job->visitors[worker];
    hd_cut_begin_job(visitor, count);
    int why = hd_cut_pairs_walk(w->pairs, (uint32_t)count, (uint32_t)count, visitor);
    hd_cut_end_job(visitor, count);
    return why;
}

static void walk_pairs(struct job *job, const hd_cut_pairs *pairs) {
    struct walks w = {job, pairs};
    double *seconds = HD_NEW_ARRAY(double, job->request->workers);
    int why = hd_cut_share(job->request->workers, (size_t)job->space.length[0] + 1, walk_count, &w,
                           seconds);
    count_visited(job);
    note_busiest(job, seconds);
    done(job, HD_CUT_BOUNDS, HD_CUT_BLOCKS, why);
}

/* Feasible, lock-free, viable; false if the rows do not fit. */
static bool pair_states(struct job *job, const hd_cut_loset *loset) {
    hd_cut_pairs pairs;
    hd_error ignored;
    if (!hd_cut_pairs_init(&pairs, loset, job->request->class, job->request->memory, &ignored)) {
        bool late = hd_clock_look() != HD_CLOCK_GOES;
        if (late)
            done(job, HD_CUT_BOUNDS, HD_CUT_BLOCKS, HD_CUT_STOPPED);
        return late;
    }
    bool count = !job->request->visitors && job->request->algorithm != HD_CUT_BOUNDS &&
                 !hd_cut_rules_count(&job->rules);
    hd_cut_rules_leave_out(&job->rules, &pairs);
    if (!count || !try_diagram(job, &pairs))
        walk_pairs(job, &pairs);
    hd_cut_pairs_release(&pairs);
    return true;
}

/* Strongly feasible, reachable; false if the slabs do not fit.  What was visited
 * cannot be taken back, so then they must fit in any case. */
static bool sweep_states(struct job *job, const hd_cut_loset *loset) {
    size_t memory = job->request->memory;
    hd_cut_pairs pairs;
    hd_error ignored;
    if (job->request->class == HD_CUT_REACHABLE && hd_cut_rules_count(&job->rules))
        return false; /* a run needs its units, which slabs do not count */
    unsigned workers = job->request->workers;
    bool listed = job->request->visitors != NULL;
    if ((listed && hd_cut_sweep_bytes(&job->space, workers) > (double)memory) ||
        !hd_cut_pairs_init(&pairs, loset, HD_CUT_FEASIBLE, memory, &ignored))
        return false;
    double *seconds = HD_NEW_ARRAY(double, workers);
    int why = listed ? hd_cut_sweep_list(&pairs, job->request->class, memory, workers,
                                         job->visitors, seconds)
                     : hd_cut_sweep(&pairs, job->request->class, job->request->cell_places, memory,
                                    workers, job->visitors, seconds);
    note_busiest(job, seconds);
    hd_cut_pairs_release(&pairs);
    if (why == HD_CUT_LIMITED && !listed) {
        forget_visited(job);
        return false;
    }
    count_visited(job);
    done(job, HD_CUT_SWEEP, HD_CUT_BLOCKS, why);
    return true;
}

/* By levels, if they fit: nothing but reachable states is met.  For counting
 * only, as it cannot be taken back. */
static bool simulate_states(struct job *job, const hd_cut_loset *loset, bool depth_first) {
    bool asked = job->request->algorithm != HD_CUT_AUTO && job->request->algorithm != HD_CUT_SWEEP;
    if (!asked && (job->request->visitors || job->request->class != HD_CUT_REACHABLE))
        return false;
    int why = hd_cut_simulate(loset, depth_first, job->request->memory, job->visitors);
    assert(job->request->class == HD_CUT_REACHABLE);
    if (why == HD_CUT_LIMITED && !asked) {
        forget_visited(job);
        return false;
    }
    count_visited(job);
    done(job, depth_first ? HD_CUT_DFS : HD_CUT_BFS, HD_CUT_SINGLY, why);
    return true;
}

static void loset_states(struct job *job) {
    hd_cut_loset loset;
    hd_cut_loset_init(&loset, &job->space, is_checked(job));
    switch (job->request->algorithm) {
    case HD_CUT_LEX1:
    case HD_CUT_LEX2:
        lex_states(job, &loset);
        break;
    case HD_CUT_BFS:
    case HD_CUT_DFS:
        simulate_states(job, &loset, job->request->algorithm == HD_CUT_DFS);
        break;
    default:
        if (job->request->class <= HD_CUT_VIABLE
                ? !pair_states(job, &loset)
                : !sweep_states(job, &loset) && !simulate_states(job, &loset, false))
            lex_states(job, &loset);
    }
    hd_cut_loset_release(&loset);
}

static bool need_orders(hd_order *order, const hd_cut_request *request, hd_error *error) {
    unsigned what = request->model == HD_ORDER_POSET
                        ? HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE
                        : HD_ORDER_LOSET_CLOCKS | HD_ORDER_LOSET_REVERSE;
    bool waits = order->trace->tables.names[HEDDLE_CLASS_CONDITION].length;
    if (request->class != HD_CUT_CONSISTENT || waits)
        what |= HD_ORDER_SCOPES | HD_ORDER_HELD;
    return hd_order_need(order, what, request->memory, error);
}

static void add_filters(struct job *job) {
    unsigned workers = job->request->workers;
    job->filters = HD_NEW_ARRAY(hd_cut_filter, workers);
    job->visitors = HD_NEW_ARRAY(hd_cut_visitor, workers);
    for (unsigned i = 0; i < workers; i++)
        job->visitors[i] = hd_cut_filter_init(&job->filters[i], &job->rules, &job->counters[i]);
}

/* False if the time was up before; then nothing was started. */
static bool start_job(struct job *job, hd_order *order, hd_error *error) {
    const hd_cut_request *request = job->request;
    uint32_t *places = NULL;
    bool ours = request->algorithm == HD_CUT_AUTO || request->algorithm == HD_CUT_DIAGRAM ||
                request->algorithm == HD_CUT_SWEEP;
    if (ours && !request->visitors && !request->places) {
        places = HD_NEW_ARRAY(uint32_t, hd_order_threads(order) + 1);
        uint32_t count = hd_cut_space_threads(order, places);
        if (request->class > HD_CUT_VIABLE)
            hd_cut_places_for_sweep(order, places, count);
        else
            hd_cut_places_for_diagram(order, request->model, places, count);
    }
    bool good = hd_cut_space_init_in_time(&job->space, order, request->model,
                                          places ? places : request->places, error);
    free(places);
    if (!good)
        return false;
    job->none = HD_NEW_ARRAY(uint32_t, job->space.stride + 1);
    job->visitors = request->visitors;
    if (!job->visitors)
        job->visitors = HD_NEW_ARRAY(hd_cut_visitor, request->workers);
    for (unsigned i = 0; request->stop && i < request->workers; i++)
        job->visitors[i].stop = request->stop;
    job->counters = job->visitors;
    hd_cut_rules_init(&job->rules, &job->space);
    if (hd_cut_rules_split(&job->rules) || hd_cut_rules_count(&job->rules))
        add_filters(job);
    return true;
}

static void finish_job(struct job *job) {
    for (unsigned i = 0; job->filters && i < job->request->workers; i++)
        hd_cut_filter_release(&job->filters[i]);
    if (job->filters)
        free(job->visitors);
    free(job->filters);
    if (!job->request->visitors)
        free(job->counters);
    hd_cut_rules_release(&job->rules);
    hd_cut_space_release(&job->space);
    free(job->none);
}

/* Without locks all classes are the consistent states; lex1 and the like are asked
 * for to see them at work. */
static hd_cut_request simplify_request(const hd_order *order, const hd_cut_request *request) {
    hd_cut_request simple = *request;
    bool ours = request->algorithm == HD_CUT_AUTO || request->algorithm == HD_CUT_BOUNDS ||
                request->algorithm == HD_CUT_DIAGRAM || request->algorithm == HD_CUT_SWEEP;
    bool counts = request->model == HD_ORDER_LOSET &&
                  order->trace->tables.names[HEDDLE_CLASS_SEMAPHORE].length;
    if (request->class != HD_CUT_CONSISTENT && ours && !order->scopes.count && !counts) {
        simple.class = HD_CUT_CONSISTENT;
        if (request->algorithm == HD_CUT_SWEEP)
            simple.algorithm = HD_CUT_AUTO;
    }
    return simple;
}

bool hd_cut_prepare(hd_order *order, const hd_cut_request *request, hd_cut_request *simple,
                    hd_error *error) {
    if (!hd_cut_serves(request->algorithm, request->model, request->class))
        return hd_error_set(error, "algorithm %s does not serve %s states of a %s",
                            hd_cut_algorithm_names[request->algorithm],
                            hd_cut_class_names[request->class],
                            request->model == HD_ORDER_POSET ? "poset" : "loset");
    if (!need_orders(order, request, error))
        return false;
    *simple = simplify_request(order, request);
    return true;
}

bool hd_cut_states(hd_order *order, const hd_cut_request *request, hd_cut_answer *answer,
                   hd_error *error) {
    hd_cut_request simple;
    *answer = (hd_cut_answer){0};
    assert(request->workers >= 1);
    if (!hd_cut_prepare(order, request, &simple, error))
        return false;
    struct job job = {.request = &simple, .answer = answer};
    if (!start_job(&job, order, error))
        return false;
    if (!job.space.threads) { /* only the empty state */
        int why = hd_cut_emit(job.visitors, job.none, 1);
        count_visited(&job);
        done(&job, request->algorithm, HD_CUT_SINGLY, why);
    } else if (simple.class == HD_CUT_CONSISTENT) {
        consistent_states(&job);
    } else {
        loset_states(&job);
    }
    assert(!job.space.threads || answer->algorithm != HD_CUT_AUTO); /* one of them did it */
    finish_job(&job);
    return true;
}

void hd_cut_answer_release(hd_cut_answer *answer) {
    hd_cut_count_release(&answer->states);
}
