/*
 * The question detect of a whole trace.
 */
#include "engine_detect.h"

#include <stdlib.h>
#include <string.h>

#include "engine_crew.h"
#include "engine_states.h"
#include "engine_verdict.h"

void hd_engine_detect_init(hd_engine_detection *d, const char *text) {
    *d = (hd_engine_detection){.text = text,
                               .model = HD_ORDER_POSET,
                               .request = {.class = HD_CUT_CONSISTENT,
                                           .algorithm = HD_CUT_AUTO,
                                           .workers = 1,
                                           .memory = hd_engine_states_memory(),
                                           .ask = HD_PREDICATE_LEAST_STATE}};
    hd_witness_init(&d->witness);
}

/* ---- The predicate ---- */

static bool is_wrong(const hd_engine_detection *d, hd_error *error) {
    return hd_error_set(error, "%s", d->wrong.error.text);
}

bool hd_engine_detect_read(hd_engine_detection *d, hd_error *error) {
    if (d->read)
        return true;
    if (!d->in_c) {
        d->read = hd_predicate_init(&d->predicate, d->text, &d->wrong);
        return d->read || is_wrong(d, error);
    }
    d->plugin = hd_predicate_plugin_open(d->text, error);
    if (!d->plugin)
        return false;
    hd_predicate_init_plugin(&d->predicate, d->text);
    d->read = true;
    return true;
}

static bool project(hd_engine_detection *d, hd_error *error) {
    if (!hd_predicate_project(&d->marks, &d->scene, &d->wrong))
        return is_wrong(d, error);
    d->projected = true;
    d->lifted = HD_NEW_ARRAY(uint32_t, d->scene.space.stride + 1);
    return true;
}

/* The predicate over the trace. */
static bool make_scene(hd_engine_detection *d, hd_error *error) {
    hd_order_init(&d->order, d->trace);
    if (!hd_predicate_instance_init(&d->scene, &d->order, &d->predicate, d->model,
                                    d->request.memory, &d->wrong)) {
        hd_order_release(&d->order);
        return is_wrong(d, error);
    }
    d->ready = true;
    if (d->only_marks && !project(d, error))
        return false;
    if (d->plugin)
        hd_predicate_plugin_attach(d->plugin, &d->scene);
    d->prover = hd_predicate_prover_create(&d->scene, d->keep_reads, d->request.memory, error);
    return d->prover != NULL;
}

/* ---- One state ---- */

/* Classes all of whose states have a schedule. */
static bool is_reached(const hd_engine_detection *d) {
    enum hd_cut_class class = d->request.class;
    if (d->trace->loset)
        return class == HD_CUT_REACHABLE;
    return class == HD_CUT_REACHABLE || class == HD_CUT_VIABLE || class == HD_CUT_LOCK_FREE;
}

/* The schedule to a state, checked.  A state that is consistent but has none is found, and not
 * proved. */
static bool prove(hd_engine_detection *d, const uint32_t *state, hd_error *error) {
    hd_vec_u32 schedule = {0};
    hd_vec_clear(&d->reads);
    enum hd_order_answer answer = hd_predicate_prove(d->prover, state, &schedule);
    d->proved = answer == HD_ORDER_FEASIBLE;
    bool good = true;
    if (d->proved) {
        good = hd_predicate_witness(d->prover, state, &schedule, &d->witness, error);
        hd_predicate_changed(&d->scene, &schedule, &d->reads);
    } else if (answer == HD_ORDER_INFEASIBLE && is_reached(d))
        good = hd_error_set(error, "a state that should be reachable has no schedule");
    hd_vec_release(&schedule);
    return good || hd_error_prefix(error, "an error in heddle, please report it: ");
}

static void find_frontier(hd_engine_detection *d, const uint32_t *state) {
    const hd_cut_space *space = &d->scene.space;
    hd_vec_clear(&d->frontier);
    for (uint32_t p = 0; p < space->threads; p++)
        if (state[p])
            hd_vec_push(&d->frontier, hd_cut_event(space, p, state[p]));
}

static int tell(hd_engine_detection *d, const uint32_t *state) {
    find_frontier(d, state);
    d->told++;
    d->enough = d->each && d->each(d->context, d, state) != 0;
    return d->enough || (d->most && d->told == d->most);
}

/* Of every state: as they come. */
static int take_state(void *context, const uint32_t *state) {
    hd_engine_detection *d = context;
    if (d->projected) {
        hd_predicate_lift(&d->marks, &d->scene, state, d->lifted);
        state = d->lifted;
    }
    d->failed = d->proves && !prove(d, state, d->error);
    return d->failed || tell(d, state);
}

bool hd_engine_detect_save(hd_engine_detection *d, const hd_trace *trace, const char *path,
                           hd_error *error) {
    hd_witness *witness = &d->witness;
    if (!d->output || !d->proved)
        return true;
    free(witness->question);
    free(witness->verdict);
    free(witness->trace);
    witness->question = hd_mem_string("detect", strlen("detect"));
    witness->verdict = hd_mem_string(d->text, strcspn(d->text, "\r\n"));
    witness->trace = path ? hd_mem_string(path, strlen(path)) : NULL;
    return hd_witness_save(witness, trace, d->output, error);
}

/* ---- The answer ---- */

static bool look(hd_engine_detection *d, hd_error *error) {
    hd_progress progress;
    hd_stop_listen();
    hd_progress_start(&progress, "looking at", "states", 0);
    d->request.control = (hd_predicate_control){.stop = &hd_stop_number, .progress = &progress};
    d->request.sink = take_state;
    d->request.context = d;
    d->request.keep = d->keep_reads ? d->prover : NULL;
    d->error = error; // cppcheck-suppress autoVariables ; taken back below
    bool good =
        hd_predicate_detect(d->projected ? &d->marks : &d->scene, &d->request, &d->answer, error) &&
        !d->failed && hd_engine_crew_good(error);
    d->error = NULL;
    d->request.control = (hd_predicate_control){0};
    hd_progress_end(&progress);
    if (good && d->projected && d->answer.found && d->answer.state) {
        hd_predicate_lift(&d->marks, &d->scene, d->answer.state, d->lifted);
        memcpy(d->answer.state, d->lifted, d->scene.space.threads * sizeof *d->lifted);
    }
    return good;
}

/* A run that passes no such state, as a reordering, checked. */
static bool prove_avoiding(hd_engine_detection *d, hd_error *error) {
    hd_witness_clear(&d->witness);
    d->witness.claim.let_go = true;
    for (size_t i = 0; i < d->answer.avoiding.length; i++)
        hd_vec_push(&d->witness.schedule, d->answer.avoiding.data[i]);
    d->proved = true;
    return hd_witness_check(&d->witness, d->trace, error) ||
           hd_error_prefix(error, "an error in heddle, please report it: ");
}

/* What the answer needs beside itself: a schedule, checked, and saved if that was asked. */
static bool complete_answer(hd_engine_detection *d, hd_error *error) {
    bool state = hd_engine_detect_has_state(d);
    if (state && !prove(d, d->answer.state, error))
        return false;
    if (d->answer.avoiding.length && !prove_avoiding(d, error))
        return false;
    if ((state || d->answer.avoiding.length) && !hd_engine_detect_save(d, d->trace, d->path, error))
        return false;
    if (state)
        tell(d, d->answer.state);
    return true;
}

/* Why not all was looked at. */
static void not_all(hd_engine_detection *d) {
    hd_verdict *verdict = &d->verdict;
    enum hd_clock_state state = hd_clock_look();
    if (state == HD_CLOCK_STOPPED)
        hd_verdict_not(verdict, "interrupted", "interrupted before all was looked at");
    else if (state == HD_CLOCK_LATE)
        hd_verdict_not(verdict, "limit", "stopped by the limit on time");
    else if (d->keep_reads)
        hd_verdict_not(verdict, "undecided", "not every state was decided");
    else
        hd_verdict_not(verdict, "limit", "not all states were looked at: --memory gives more");
}

static void judge(hd_engine_detection *d) {
    hd_verdict *verdict = &d->verdict;
    bool enough = d->enough || (d->most && d->told == d->most);
    bool stopped = enough && d->request.ask == HD_PREDICATE_EVERY_STATE;
    hd_verdict_init(verdict, d->request.ask == HD_PREDICATE_EVERY_RUN
                                 ? "whether every run passes a state where it is true"
                                 : "states where it is true");
    hd_engine_verdict_recording(verdict, d->trace);
    if (hd_stop_asked() || (!d->answer.complete && !stopped))
        not_all(d);
    if (stopped)
        hd_verdict_not(verdict, "stopped", "stopped after %s",
                       hd_text_count((size_t)d->told, "state", "states"));
    verdict->found = d->answer.found;
}

bool hd_engine_detect_run(hd_engine_detection *d, hd_error *error) {
    if (!hd_engine_detect_read(d, error) || !make_scene(d, error) || !look(d, error) ||
        !complete_answer(d, error))
        return false;
    judge(d);
    return true;
}

bool hd_engine_detect_again(hd_engine_detection *d, hd_error *error) {
    enum hd_predicate_ask asked = d->request.ask;
    hd_predicate_answer_release(&d->answer);
    d->request.ask = HD_PREDICATE_EVERY_STATE;
    d->told = 0;
    bool good = look(d, error);
    d->request.ask = asked;
    return good;
}

void hd_engine_detect_release(hd_engine_detection *d) {
    hd_predicate_answer_release(&d->answer);
    hd_predicate_prover_free(d->prover);
    hd_predicate_plugin_close(d->plugin);
    if (d->projected)
        hd_predicate_instance_release(&d->marks);
    free(d->lifted);
    if (d->ready) {
        hd_predicate_instance_release(&d->scene);
        hd_order_release(&d->order);
    }
    hd_predicate_release(&d->predicate);
    hd_witness_release(&d->witness);
    hd_vec_release(&d->frontier);
    hd_vec_release(&d->reads);
    hd_verdict_release(&d->verdict);
}
