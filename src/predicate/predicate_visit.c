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
    unsigned ticks;
    hd_vec_u32 schedule;
};

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
    return v->request->sink(v->request->context, v->state) ? ENOUGH : 0;
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
    }
    v->control.states += count;
    if (++v->ticks % LOOK_UP_EVERY == 0 && !visit_go_on(v))
        return STOPPED;
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

bool hd_predicate_visit(hd_predicate_instance *instance, hd_predicate_request *request,
                        hd_predicate_answer *answer, hd_error *error) {
    unsigned workers =
        request->ask == HD_PREDICATE_EVERY_STATE || request->keep ? 1 : request->workers;
    atomic_uint_fast64_t seen = 0;
    struct visit *visits = HD_NEW_ARRAY(struct visit, workers);
    hd_cut_visitor *visitors = HD_NEW_ARRAY(hd_cut_visitor, workers);
    for (unsigned i = 0; i < workers; i++) {
        visits[i] = (struct visit){.instance = instance, .request = request, .seen = &seen};
        visits[i].control = (hd_predicate_control){.stop = request->control.stop};
        visits[i].state = HD_NEW_ARRAY(uint32_t, 2 * (size_t)instance->space.stride + 2);
        visits[i].best = visits[i].state + instance->space.stride + 1;
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
    for (unsigned i = 0; i < workers; i++) {
        hd_vec_release(&visits[i].schedule);
        free(visits[i].state);
    }
    free(visits);
    free(visitors);
    return good;
}
