#include "engine_detect.h"

#include <stdio.h>

#include "engine_verdict.h"

enum { MEMORY = 4096 }; /* MiB */

/* A state that is consistent but has no schedule is found, and not proved. */
static bool prove(hd_engine_detection *d, hd_predicate_prover *prover, const uint32_t *state,
                  hd_error *error) {
    hd_vec_u32 schedule = {0};
    d->proved = hd_predicate_prove(prover, state, &schedule) == HD_ORDER_FEASIBLE;
    bool good = !d->proved || hd_predicate_witness(prover, state, &schedule, &d->witness, error) ||
                hd_error_prefix(error, "a mistake of heddle's, please report it: ");
    hd_vec_release(&schedule);
    return good;
}

static void judge(hd_engine_detection *d, const hd_trace *trace, bool complete) {
    hd_verdict *verdict = &d->verdict;
    hd_verdict_init(verdict, "states where it is true");
    hd_engine_verdict_recording(verdict, trace);
    enum hd_clock_state state = hd_clock_look();
    if (!complete && state == HD_CLOCK_STOPPED)
        hd_verdict_not(verdict, "interrupted", "interrupted before all was looked at");
    else if (!complete && state == HD_CLOCK_LATE)
        hd_verdict_not(verdict, "limit", "stopped by the limit on time");
    else if (!complete)
        hd_verdict_not(verdict, "limit", "not all states were looked at: --memory gives more");
    verdict->found = d->found;
}

static bool look(hd_engine_detection *d, hd_predicate_instance *scene, hd_predicate_prover *prover,
                 hd_error *error) {
    hd_predicate_request request = {.class = HD_CUT_CONSISTENT,
                                    .algorithm = HD_CUT_AUTO,
                                    .workers = 1,
                                    .memory = (size_t)MEMORY << 20,
                                    .ask = HD_PREDICATE_LEAST_STATE};
    hd_predicate_answer answer = {0};
    bool good = hd_predicate_detect(scene, &request, &answer, error);
    d->found = good && answer.found;
    d->looked_at = answer.looked_at;
    if (d->found) {
        const hd_cut_space *space = &scene->space;
        for (uint32_t p = 0; p < space->threads; p++)
            if (answer.state[p])
                hd_vec_push(&d->frontier, hd_cut_event(space, p, answer.state[p]));
        good = prove(d, prover, answer.state, error);
    }
    if (good)
        judge(d, scene->order->trace, answer.complete);
    hd_predicate_answer_release(&answer);
    return good;
}

static bool run(hd_engine_detection *d, hd_order *order, const hd_predicate *predicate,
                hd_error *error) {
    hd_predicate_error wrong = {0};
    hd_predicate_instance scene;
    if (!hd_predicate_instance_init(&scene, order, predicate, HD_ORDER_POSET, (size_t)MEMORY << 20,
                                    &wrong))
        return hd_error_set(error, "%s", wrong.error.text);
    hd_predicate_prover *prover =
        hd_predicate_prover_create(&scene, false, (size_t)MEMORY << 20, error);
    bool good = prover && look(d, &scene, prover, error);
    hd_predicate_prover_free(prover);
    hd_predicate_instance_release(&scene);
    return good;
}

bool hd_engine_detect_run(hd_engine_detection *d, const hd_trace *trace, const char *text,
                          hd_error *error) {
    hd_predicate predicate;
    hd_predicate_error wrong = {0};
    hd_order order;
    *d = (hd_engine_detection){0};
    hd_witness_init(&d->witness);
    if (!hd_predicate_init(&predicate, text, &wrong))
        return hd_error_set(error, "%s", wrong.error.text);
    hd_order_init(&order, trace);
    bool good = run(d, &order, &predicate, error);
    hd_order_release(&order);
    hd_predicate_release(&predicate);
    return good;
}

void hd_engine_detect_release(hd_engine_detection *d) {
    hd_witness_release(&d->witness);
    hd_vec_release(&d->frontier);
    hd_verdict_release(&d->verdict);
}
