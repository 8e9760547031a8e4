#include "engine_reach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine_verdict.h"

/* ---- The state ---- */

/* NAME=COUNT of `length` bytes.  A name may have a sign of equality in it: the last one counts. */
static bool read_count(hd_engine_reach *r, const char *text, size_t length, bool *named,
                       hd_error *error) {
    const hd_cut_space *space = &r->instance.space;
    const char *sign = memrchr(text, '=', length);
    char *item = hd_mem_string(text, length), *end = NULL;
    size_t name = sign ? (size_t)(sign - text) : 0;
    const char *digits = item + name + 1;
    bool good = sign && digits[0] >= '0' && digits[0] <= '9';
    errno = 0;
    unsigned long long count = good ? strtoull(digits, &end, 10) : 0;
    good = good && !*end && !errno;
    if (!good)
        hd_error_set(error, "--reach: '%s' is not THREAD=COUNT", hd_text_name(item));
    uint32_t thread = hd_names_find(&r->trace->tables.names[HEDDLE_CLASS_THREAD], text, name);
    uint32_t place = 0;
    while (good && place < space->threads && space->thread[place] != thread)
        place++;
    item[name] = '\0';
    if (good && (thread == HD_NAMES_NONE || place == space->threads))
        good = hd_error_set(error, "--reach: the trace has no event of a thread '%s'",
                            hd_text_name(item));
    else if (good && named[place])
        good = hd_error_set(error, "--reach: thread '%s' is named twice", hd_text_name(item));
    else if (good && count > space->length[place])
        good = hd_error_set(error, "--reach: thread '%s' has %s, not %llu", hd_text_name(item),
                            hd_text_count(space->length[place], "event", "events"), count);
    if (good) {
        named[place] = true;
        r->state[place] = (uint32_t)count;
    }
    free(item);
    return good;
}

static bool read_state(hd_engine_reach *r, hd_error *error) {
    bool *named = HD_NEW_ARRAY(bool, r->instance.space.threads + 1), good = true;
    const char *text = r->text;
    while (good && text) {
        size_t length = strcspn(text, ",");
        good = read_count(r, text, length, named, error);
        text = text[length] ? text + length + 1 : NULL;
    }
    free(named);
    return good;
}

/* ---- The answer ---- */

/* An event of the state that needs one which is not in it. */
static bool find_missing(hd_engine_reach *r) {
    const hd_cut_space *space = &r->instance.space;
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t q = 0; q < space->threads; q++) {
            uint32_t needed = hd_cut_low(space, p, r->state[p])[q];
            if (needed <= r->state[q])
                continue;
            r->event = hd_cut_event(space, p, r->state[p]);
            r->needs = hd_cut_event(space, q, needed);
            return true;
        }
    return false;
}

static bool save(hd_engine_reach *r, hd_error *error) {
    hd_witness *witness = &r->witness;
    if (!r->output)
        return true;
    witness->question = hd_mem_string("states", strlen("states"));
    witness->verdict = hd_mem_string(r->text, strcspn(r->text, "\r\n"));
    witness->trace = hd_mem_string(r->path, strlen(r->path));
    return hd_witness_save(witness, r->trace, r->output, error);
}

static bool decide(hd_engine_reach *r, size_t memory, hd_error *error) {
    hd_vec_u32 schedule = {0};
    r->cut_step = !hd_predicate_whole(&r->instance, r->state);
    r->answer = HD_ORDER_INFEASIBLE;
    if (find_missing(r) || r->cut_step)
        return true;
    hd_predicate_prover *prover = hd_predicate_prover_create(&r->instance, false, memory, error);
    bool good = prover != NULL;
    if (good)
        r->answer = hd_predicate_prove(prover, r->state, &schedule);
    if (good && r->answer == HD_ORDER_FEASIBLE)
        good =
            hd_predicate_witness(prover, r->state, &schedule, &r->witness, error) && save(r, error);
    hd_predicate_prover_free(prover);
    hd_vec_release(&schedule);
    return good;
}

static void judge(hd_engine_reach *r) {
    hd_verdict_init(r->verdict, "whether one global state is reachable");
    hd_engine_verdict_recording(r->verdict, r->trace);
    r->verdict->found = r->answer == HD_ORDER_FEASIBLE;
    if (r->answer == HD_ORDER_UNKNOWN && hd_clock_look() == HD_CLOCK_LATE)
        hd_verdict_not(r->verdict, "limit", "stopped by the limit on time");
    else if (r->answer == HD_ORDER_UNKNOWN)
        hd_verdict_not(r->verdict, "interrupted", "interrupted before it was decided");
}

bool hd_engine_reach_run(hd_engine_reach *r, size_t memory, hd_error *error) {
    hd_predicate_error wrong = {0};
    bool good = hd_predicate_init(&r->any, "true", &wrong);
    assert(good);
    hd_stop_listen();
    hd_witness_init(&r->witness);
    hd_order_init(&r->order, r->trace);
    good = good &&
           hd_predicate_instance_init(&r->instance, &r->order, &r->any, r->model, memory, &wrong);
    if (!good)
        hd_error_set(error, "%s", wrong.error.text);
    r->begun = true;
    if (!good)
        return false;
    r->state = HD_NEW_ARRAY(uint32_t, r->instance.space.stride + 1);
    if (!read_state(r, error) || !decide(r, memory, error))
        return false;
    judge(r);
    return true;
}

void hd_engine_reach_release(hd_engine_reach *r) {
    if (!r->begun)
        return;
    if (r->state)
        hd_predicate_instance_release(&r->instance);
    free(r->state);
    hd_witness_release(&r->witness);
    hd_predicate_release(&r->any);
    hd_order_release(&r->order);
}
