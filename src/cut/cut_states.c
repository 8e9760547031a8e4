#include "cut_states.h"

#include <string.h>

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

/* One question being answered. */
struct job {
    const hd_cut_request *request;
    hd_cut_answer *answer;
    hd_cut_space space;
    uint32_t *none;           /* the empty state */
    hd_cut_visitor *visitors; /* the request's, or ones that only count */
};

static void done(struct job *job, enum hd_cut_algorithm algorithm, enum hd_cut_manner manner,
                 int why) {
    job->answer->algorithm = algorithm;
    job->answer->manner = manner;
    job->answer->why = why;
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

static bool try_diagram(struct job *job) {
    bool automatic = job->request->algorithm == HD_CUT_AUTO;
    hd_cut_budget budget = {automatic ? worthwhile_edges(job) : UINT64_MAX, job->request->memory,
                            job->request->stop};
    hd_cut_diagram_size size;
    if (!hd_cut_diagram_count(&job->space, job->none, job->space.length, &budget,
                              &job->answer->states, &size))
        return false;
    job->answer->nodes = size.nodes;
    done(job, HD_CUT_DIAGRAM, HD_CUT_SYMBOLIC, 0);
    return true;
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
    else if (algorithm == HD_CUT_BOUNDS)
        why = hd_cut_prefixes(&subroutine, workers, job->visitors, seconds);
    else
        why = hd_cut_paramount(&subroutine, workers, job->visitors, seconds);
    for (unsigned i = 0; i < workers; i++) {
        hd_cut_count_add(&job->answer->states, job->visitors[i].states);
        if (seconds[i] > job->answer->busiest)
            job->answer->busiest = seconds[i];
    }
    free(seconds);
    hd_cut_covers_release(&covers);
    done(job, algorithm, algorithm == HD_CUT_BOUNDS ? HD_CUT_BLOCKS : HD_CUT_SINGLY, why);
}

static void consistent_states(struct job *job) {
    enum hd_cut_algorithm algorithm = job->request->algorithm;
    bool ours = algorithm == HD_CUT_AUTO || algorithm == HD_CUT_DIAGRAM;
    if (ours && !job->request->visitors && try_diagram(job))
        return;
    enumerate_consistent(job, ours ? HD_CUT_BOUNDS : algorithm);
}

/* ---- Losets ---- */

static void count_visited(struct job *job) {
    hd_cut_count_add(&job->answer->states, job->visitors[0].states);
}

static void lex_states(struct job *job, const hd_cut_loset *loset) {
    bool careful = job->request->algorithm == HD_CUT_LEX1;
    int why = hd_cut_lex_loset(loset, job->request->class, careful, job->visitors);
    count_visited(job);
    done(job, careful ? HD_CUT_LEX1 : HD_CUT_LEX2, HD_CUT_SINGLY, why);
}

/* Feasible, lock-free, viable; false if the rows do not fit. */
static bool pair_states(struct job *job, const hd_cut_loset *loset) {
    hd_cut_pairs pairs;
    hd_error ignored;
    if (!hd_cut_pairs_init(&pairs, loset, job->request->class, job->request->memory, &ignored))
        return false;
    hd_cut_budget budget = {UINT64_MAX, job->request->memory, job->request->stop};
    hd_cut_diagram_size size;
    bool count = !job->request->visitors && job->request->algorithm != HD_CUT_BOUNDS;
    if (count && hd_cut_pairs_count(&pairs, &budget, &job->answer->states, &size)) {
        job->answer->nodes = size.nodes;
        done(job, HD_CUT_DIAGRAM, HD_CUT_SYMBOLIC, 0);
    } else {
        int why = hd_cut_pairs_walk(&pairs, job->visitors);
        count_visited(job);
        done(job, HD_CUT_BOUNDS, HD_CUT_BLOCKS, why);
    }
    hd_cut_pairs_release(&pairs);
    return true;
}

/* Strongly feasible, reachable; false if the slabs do not fit.  What was visited
 * cannot be taken back, so then they must fit in any case. */
static bool sweep_states(struct job *job, const hd_cut_loset *loset) {
    size_t memory = job->request->memory;
    hd_cut_pairs pairs;
    hd_error ignored;
    if (hd_cut_sweep_bytes(&job->space, job->request->visitors != NULL) > (double)memory ||
        !hd_cut_pairs_init(&pairs, loset, HD_CUT_FEASIBLE, memory, &ignored))
        return false;
    int why = hd_cut_sweep(&pairs, job->request->class, memory, job->visitors);
    hd_cut_pairs_release(&pairs);
    if (why == HD_CUT_LIMITED && !job->request->visitors) {
        job->visitors[0].states = 0;
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
    if (why == HD_CUT_LIMITED && !asked) {
        job->visitors[0].states = 0;
        return false;
    }
    count_visited(job);
    done(job, depth_first ? HD_CUT_DFS : HD_CUT_BFS, HD_CUT_SINGLY, why);
    return true;
}

static void loset_states(struct job *job) {
    hd_cut_loset loset;
    hd_cut_loset_init(&loset, &job->space, !job->request->unchecked);
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

static bool need(hd_order *order, const hd_cut_request *request, hd_error *error) {
    unsigned what = request->model == HD_ORDER_POSET
                        ? HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE
                        : HD_ORDER_LOSET_CLOCKS | HD_ORDER_LOSET_REVERSE;
    if (request->class != HD_CUT_CONSISTENT)
        what |= HD_ORDER_SCOPES | HD_ORDER_HELD;
    return hd_order_need(order, what, request->memory, error);
}

static void start(struct job *job, hd_order *order) {
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
    hd_cut_space_init(&job->space, order, request->model, places ? places : request->places);
    free(places);
    job->none = HD_NEW_ARRAY(uint32_t, job->space.stride + 1);
    job->visitors = request->visitors;
    if (!job->visitors)
        job->visitors = HD_NEW_ARRAY(hd_cut_visitor, request->workers);
    for (unsigned i = 0; request->stop && i < request->workers; i++)
        job->visitors[i].stop = request->stop;
}

/* Without locks all classes are the consistent states; lex1 and the like are asked
 * for to see them at work. */
static hd_cut_request simplify(const hd_order *order, const hd_cut_request *request) {
    hd_cut_request simple = *request;
    bool ours = request->algorithm == HD_CUT_AUTO || request->algorithm == HD_CUT_BOUNDS ||
                request->algorithm == HD_CUT_DIAGRAM || request->algorithm == HD_CUT_SWEEP;
    if (request->class != HD_CUT_CONSISTENT && ours && !order->scopes.count) {
        simple.class = HD_CUT_CONSISTENT;
        if (request->algorithm == HD_CUT_SWEEP)
            simple.algorithm = HD_CUT_AUTO;
    }
    return simple;
}

bool hd_cut_states(hd_order *order, const hd_cut_request *request, hd_cut_answer *answer,
                   hd_error *error) {
    *answer = (hd_cut_answer){0};
    assert(request->workers >= 1);
    if (!hd_cut_serves(request->algorithm, request->model, request->class))
        return hd_error_set(error, "algorithm %s does not serve %s states of a %s",
                            hd_cut_algorithm_names[request->algorithm],
                            hd_cut_class_names[request->class],
                            request->model == HD_ORDER_POSET ? "poset" : "loset");
    if (!need(order, request, error))
        return false;
    hd_cut_request simple = simplify(order, request);
    struct job job = {.request = &simple, .answer = answer};
    start(&job, order);
    if (!job.space.threads) { /* only the empty state */
        int why = hd_cut_emit(job.visitors, job.none, 1);
        count_visited(&job);
        done(&job, request->algorithm, HD_CUT_SINGLY, why);
    } else if (simple.class == HD_CUT_CONSISTENT) {
        consistent_states(&job);
    } else {
        loset_states(&job);
    }
    hd_cut_space_release(&job.space);
    free(job.none);
    if (!request->visitors)
        free(job.visitors);
    return true;
}

void hd_cut_answer_release(hd_cut_answer *answer) {
    hd_cut_count_release(&answer->states);
}
