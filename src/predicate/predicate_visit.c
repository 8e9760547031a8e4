#include "predicate_visit.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { STOPPED = 1, ENOUGH, LOOK_UP_EVERY = 1 << 12 };

/* One worker. */
struct visit {
    const hd_predicate_instance *instance;
    hd_predicate_request *request;
    hd_predicate_control control;
    hd_progress *progress; /* the first worker shows that of all */
    atomic_uint_fast64_t *seen;
    uint64_t told;   /* of its states, those that are in *seen */
    uint32_t *state; /* the one at hand */
    uint32_t *best;
    uint64_t best_events;
    uint64_t count;
    bool found;
    hd_vec_u32 schedule;
    int why; /* of an interval: why it ended early; 0: it did not */
};

static void init_visit(struct visit *v, const hd_predicate_instance *instance,
                       hd_predicate_request *request, atomic_uint_fast64_t *seen) {
    *v = (struct visit){.instance = instance, .request = request, .seen = seen};
    v->control = (hd_predicate_control){.stop = request->control.stop};
    v->state = HD_NEW_ARRAY(uint32_t, 2 * (size_t)instance->space.stride + 2);
    v->best = v->state + instance->space.stride + 1;
}

static void release_visit(struct visit *v) {
    hd_vec_release(&v->schedule);
    free(v->state);
}

/* Is it one, and are all reads kept if that is asked? */
static bool accept_state(struct visit *v) {
    return !v->request->keep ||
           hd_predicate_prove(v->request->keep, v->state, &v->schedule) == HD_ORDER_FEASIBLE;
}

static uint64_t events_of(const struct visit *v) {
    uint64_t events = 0;
    for (uint32_t p = 0; p < v->instance->space.threads; p++)
        events += v->state[p];
    return events;
}

static int visit_take_state(struct visit *v) {
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(&v->instance->space, v->state));
    if (!hd_predicate_true(v->instance, v->state))
        return 0;
    if (v->request->ask == HD_PREDICATE_LEAST_STATE) {
        uint64_t events = events_of(v);
        bool less =
            !v->found || events < v->best_events ||
            (events == v->best_events && hd_predicate_less(&v->instance->space, v->state, v->best));
        if (!less || !accept_state(v))
            return 0;
        v->found = true;
        v->best_events = events;
        memcpy(v->best, v->state, v->instance->space.threads * sizeof *v->best);
        return 0;
    }
    if (!accept_state(v))
        return 0;
    v->found = true;
    v->count++;
    if (v->request->ask == HD_PREDICATE_HOW_MANY)
        return 0;
    if (v->request->sink(v->request->context, v->state))
        return ENOUGH;
    return hd_predicate_go_on(&v->control) ? 0 : STOPPED; /* it may have written much */
}

static bool visit_go_on(struct visit *v) {
    uint64_t more = v->control.states - v->told;
    assert(v->told <= v->control.states);
    uint64_t seen = atomic_fetch_add(v->seen, more) + more;
    v->told = v->control.states;
    if (v->progress)
        hd_progress_step(v->progress, seen);
    return hd_predicate_go_on(&v->control);
}

static int visit_run(void *context, const uint32_t *state, uint32_t count) {
    struct visit *v = context;
    uint32_t threads = v->instance->space.threads;
    assert(!threads || state[threads - 1] + count <= v->instance->space.length[threads - 1] + 1);
    memcpy(v->state, state, threads * sizeof *state);
    for (uint32_t i = 0; i < count; i++) {
        int why = visit_take_state(v);
        if (why)
            return why;
        if (threads)
            v->state[threads - 1]++;
        if (++v->control.states % LOOK_UP_EVERY == 0 && !visit_go_on(v))
            return STOPPED;
    }
    return 0;
}

static void gather_visits(struct visit *v, hd_predicate_request *request,
                          hd_predicate_answer *answer) {
    const hd_cut_space *space = &v->instance->space;
    request->control.states += v->control.states;
    request->control.stopped |= v->control.stopped;
    hd_cut_count_add(&answer->states, v->count);
    if (v->found && request->ask == HD_PREDICATE_LEAST_STATE &&
        (!answer->found || hd_predicate_less(space, v->best, answer->state)))
        memcpy(answer->state, v->best, space->threads * sizeof *v->best);
    answer->found |= v->found;
}

static void say_manner(const hd_cut_answer *cut, hd_predicate_answer *answer) {
    if (!answer->why[0])
        snprintf(answer->why, sizeof answer->why, "every state is visited and looked at");
    snprintf(answer->algorithm, sizeof answer->algorithm, "enumeration by %s",
             hd_cut_algorithm_names[cut->algorithm]);
}

/* The states of a projection are those of its own space. */
static bool visit_projection(const hd_predicate_instance *instance, const hd_cut_request *cut,
                             hd_cut_answer *done) {
    const hd_cut_space *space = &instance->space;
    hd_cut_covers covers = {0};
    enum hd_cut_algorithm algorithm =
        cut->algorithm == HD_CUT_AUTO ? HD_CUT_BOUNDS : cut->algorithm;
    hd_cut_subroutine subroutine = {algorithm, space, &covers, cut->memory};
    if (algorithm == HD_CUT_TREE || algorithm == HD_CUT_QUICKLEX)
        hd_cut_covers_init(&covers, space);
    done->algorithm = algorithm;
    if (!space->threads)
        done->why = hd_cut_emit(cut->visitors, instance->none, 1);
    else if (cut->workers > 1)
        done->why = hd_cut_prefixes(&subroutine, cut->workers, cut->visitors, NULL);
    else
        done->why = hd_cut_enumerate(&subroutine, instance->none, space->length, cut->visitors);
    hd_cut_covers_release(&covers);
    return true;
}

/* How many states there will be, if a small diagram says so; for the progress line. */
static void find_total(const hd_predicate_instance *instance, const hd_predicate_request *request) {
    hd_progress *progress = request->control.progress;
    if (!progress || !progress->active || request->class != HD_CUT_CONSISTENT)
        return;
    const hd_cut_budget budget = {1 << 20, (size_t)64 << 20, request->control.stop};
    hd_cut_diagram_size size;
    hd_cut_count total = {0};
    if (hd_cut_diagram_count(&instance->space, instance->none, instance->space.length, &budget,
                             &total, &size) &&
        !hd_cut_count_fits(&total, &progress->total))
        progress->total = 0;
    hd_cut_count_release(&total);
}

/* ---- Several processes ---- */

/* States that other processes visit, in intervals (base_turns.h). */
struct sharing {
    const hd_predicate_instance *instance;
    hd_predicate_request *request;
    hd_predicate_answer *answer;
    hd_cut_covers covers;
    enum hd_cut_algorithm algorithm;
    hd_vec_u32 intervals; /* least and most of each */
    atomic_uint_fast64_t seen;
    int why;
};

static struct visit *new_visit(struct sharing *s) {
    struct visit *v = HD_NEW(struct visit);
    init_visit(v, s->instance, s->request, &s->seen);
    return v;
}

static void *visit_interval(void *context, unsigned worker, uint64_t number) {
    struct sharing *s = context;
    const hd_cut_space *space = &s->instance->space;
    struct visit *v = new_visit(s);
    hd_cut_visitor visitor = {.context = v, .run = visit_run};
    hd_cut_subroutine subroutine = {s->algorithm, space, &s->covers, s->request->memory};
    (void)worker;
    const uint32_t *least = s->intervals.data + 2 * number * space->stride;
    v->why = hd_cut_enumerate(&subroutine, least, least + space->stride, &visitor);
    return v;
}

static void drop_visit(void *context, void *done) {
    (void)context;
    release_visit(done);
    free(done);
}

static bool enter_visit(void *context, void *done) {
    struct sharing *s = context;
    struct visit *v = done;
    s->why = v->why;
    gather_visits(v, s->request, s->answer);
    drop_visit(context, done);
    if (s->request->control.progress)
        hd_progress_step(s->request->control.progress, s->request->control.states);
    return !s->why;
}

static void pack_visit(void *context, const void *done, hd_vec_char *to) {
    const struct sharing *s = context;
    const struct visit *v = done;
    hd_bytes_put(to, v->why != 0);
    hd_bytes_put(to, v->control.states);
    hd_bytes_put(to, v->control.stopped);
    hd_bytes_put(to, v->count);
    hd_bytes_put(to, v->found);
    for (uint32_t p = 0; p < s->instance->space.threads; p++)
        hd_bytes_put(to, v->best[p]);
}

static void *unpack_visit(void *context, uint64_t number, hd_bytes *from) {
    struct sharing *s = context;
    const hd_cut_space *space = &s->instance->space;
    struct visit *v = new_visit(s);
    (void)number;
    v->why = hd_bytes_get(from, 1) ? STOPPED : 0;
    v->control.states = hd_bytes_get(from, UINT64_MAX);
    v->control.stopped = hd_bytes_get(from, 1);
    v->count = hd_bytes_get(from, UINT64_MAX);
    v->found = hd_bytes_get(from, 1);
    for (uint32_t p = 0; p < space->threads; p++)
        v->best[p] = (uint32_t)hd_bytes_get(from, space->length[p]);
    return v;
}

/* Can intervals of consistent states be visited one by one?  That of which the sink is told is told
 * in one order. */
static bool can_share(const hd_predicate_instance *instance, const hd_predicate_request *request) {
    if (!hd_turns_crew_now() || request->ask == HD_PREDICATE_EVERY_STATE || request->keep ||
        !instance->space.threads || request->class != HD_CUT_CONSISTENT ||
        instance->model != HD_ORDER_POSET || instance->order->trace->loset)
        return false;
    if (instance->counts)
        return true;
    hd_cut_rules rules;
    hd_cut_rules_init(&rules, &instance->space);
    bool good = !hd_cut_rules_split(&rules) && !hd_cut_rules_count(&rules);
    hd_cut_rules_release(&rules);
    return good;
}

static void visit_shared(hd_predicate_instance *instance, hd_predicate_request *request,
                         hd_predicate_answer *answer) {
    enum { WANTED = 1024 };
    const hd_cut_space *space = &instance->space;
    bool ours = request->algorithm == HD_CUT_AUTO || request->algorithm == HD_CUT_DIAGRAM;
    struct sharing s = {.instance = instance,
                        .request = request,
                        .answer = answer,
                        .algorithm = ours ? HD_CUT_BOUNDS : request->algorithm};
    if (s.algorithm == HD_CUT_TREE || s.algorithm == HD_CUT_QUICKLEX)
        hd_cut_covers_init(&s.covers, space);
    hd_cut_intervals(space, WANTED, 1, &s.intervals);
    hd_turns turns = {.context = &s,
                      .pieces = s.intervals.length / (2 * (size_t)space->stride),
                      .work = visit_interval,
                      .enter = enter_visit,
                      .drop = drop_visit,
                      .pack = pack_visit,
                      .unpack = unpack_visit};
    hd_turns_run(&turns, 1);
    answer->complete &= !s.why && hd_clock_look() == HD_CLOCK_GOES;
    say_manner(&(hd_cut_answer){.algorithm = s.algorithm}, answer);
    hd_cut_covers_release(&s.covers);
    hd_vec_release(&s.intervals);
}

bool hd_predicate_visit(hd_predicate_instance *instance, hd_predicate_request *request,
                        hd_predicate_answer *answer, hd_error *error) {
    if (can_share(instance, request)) {
        visit_shared(instance, request, answer);
        return true;
    }
    if (hd_turns_serves())
        return true; /* there is nothing to do for it */
    unsigned workers =
        request->ask == HD_PREDICATE_EVERY_STATE || request->keep ? 1 : request->workers;
    atomic_uint_fast64_t seen = 0;
    struct visit *visits = HD_NEW_ARRAY(struct visit, workers);
    hd_cut_visitor *visitors = HD_NEW_ARRAY(hd_cut_visitor, workers);
    for (unsigned i = 0; i < workers; i++) {
        init_visit(&visits[i], instance, request, &seen);
        visitors[i] = (hd_cut_visitor){.context = &visits[i], .run = visit_run};
    }
    visits[0].progress = request->control.progress;
    find_total(instance, request);
    hd_cut_request cut = {.model = instance->model,
                          .class = request->class,
                          .algorithm = request->algorithm == HD_CUT_DIAGRAM ? HD_CUT_AUTO
                                                                            : request->algorithm,
                          .workers = workers,
                          .memory = request->memory,
                          .visitors = visitors};
    hd_cut_answer done = {0};
    bool good = instance->counts ? visit_projection(instance, &cut, &done)
                                 : hd_cut_states(instance->order, &cut, &done, error);
    if (good) {
        for (unsigned i = 0; i < workers; i++) {
            assert(done.why || visitors[i].states == visits[i].control.states);
            gather_visits(&visits[i], request, answer);
        }
        answer->complete &= done.why == 0 || done.why == ENOUGH;
        say_manner(&done, answer);
        hd_cut_answer_release(&done);
    }
    for (unsigned i = 0; i < workers; i++)
        release_visit(&visits[i]);
    free(visits);
    free(visitors);
    return good;
}
