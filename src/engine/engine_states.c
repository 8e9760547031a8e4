/*
 * The question states: counting, or visiting, and the verdict.
 */
#include "engine_states.h"

#include <stdlib.h>
#include <string.h>

#include "engine_verdict.h"

size_t hd_engine_states_memory(void) {
    size_t all = hd_mem_budget() ? hd_mem_budget() : hd_mem_budget_default();
    return (all ? all : SIZE_MAX) / 2;
}

void hd_engine_states_init(hd_engine_states *s, const hd_trace *trace) {
    *s = (hd_engine_states){.trace = trace,
                            .request = {.model = HD_ORDER_POSET,
                                        .class = HD_CUT_CONSISTENT,
                                        .algorithm = HD_CUT_AUTO,
                                        .workers = 1,
                                        .memory = hd_engine_states_memory()}};
}

/* ---- The order of the threads ---- */

/* Moves the thread of this name forward to a place; what it jumps over stays in order.  Those
 * before are named already. */
static bool place_thread(hd_engine_states *s, const char *name, size_t length, uint32_t place,
                         hd_error *error) {
    uint32_t number = hd_names_find(&s->trace->tables.names[HEDDLE_CLASS_THREAD], name, length);
    char *text = hd_mem_string(name, length);
    uint32_t from = 0;
    while (from < s->threads && s->places[from] != number)
        from++;
    bool good = true;
    if (number == HD_NAMES_NONE || from == s->threads)
        good = hd_error_set(error, "--order: the trace has no event of a thread '%s'",
                            hd_text_name(text));
    else if (from < place)
        good = hd_error_set(error, "--order: thread '%s' is named twice", hd_text_name(text));
    free(text);
    for (; good && from > place; from--)
        s->places[from] = s->places[from - 1];
    if (good)
        s->places[place] = number;
    return good;
}

bool hd_engine_states_begin(hd_engine_states *s, hd_error *error) {
    const char *names = s->names;
    if (s->begun)
        return true;
    hd_order_init(&s->order, s->trace);
    s->begun = true;
    if (s->order.late)
        return hd_order_late(error);
    s->places = HD_NEW_ARRAY(uint32_t, hd_order_threads(&s->order) + 1);
    s->threads = hd_cut_space_threads(&s->order, s->places);
    for (uint32_t place = 0; names; place++) {
        size_t length = strcspn(names, ",");
        if (!place_thread(s, names, length, place, error))
            return false;
        names = names[length] ? names + length + 1 : NULL;
    }
    s->request.places = s->names ? s->places : NULL;
    return true;
}

/* ---- The answer ---- */

/* Nothing can be found, only counted. */
static void judge(hd_engine_states *s) {
    hd_verdict *verdict = &s->verdict;
    hd_verdict_release(verdict);
    hd_verdict_init(verdict, "how many global states there are");
    hd_engine_verdict_recording(verdict, s->trace);
    if (s->counted.why == HD_CUT_LIMITED)
        hd_verdict_not(verdict, "limit", "%s needs more than the memory of --memory",
                       hd_cut_algorithm_names[s->counted.algorithm]);
    else if (s->counted.why && hd_clock_look() == HD_CLOCK_LATE)
        hd_verdict_not(verdict, "limit", "stopped by the limit on time");
    else if (s->counted.why)
        hd_verdict_not(verdict, "interrupted", "interrupted before all were counted");
}

void hd_engine_states_none(hd_engine_states *s) {
    bool ours = s->request.algorithm == HD_CUT_AUTO;
    s->counted = (hd_cut_answer){.algorithm = ours ? HD_CUT_BOUNDS : s->request.algorithm,
                                 .manner = ours ? HD_CUT_BLOCKS : HD_CUT_SINGLY,
                                 .why = HD_CUT_STOPPED};
}

static bool reach(hd_engine_states *s, hd_error *error) {
    s->reached->verdict = &s->verdict;
    return hd_engine_reach_run(s->reached, s->request.memory, error);
}

static bool find_posets(hd_engine_states *s, hd_error *error) {
    hd_verdict *verdict = &s->verdict;
    hd_stop_listen();
    s->posets->stop = &hd_stop_number;
    if (!hd_cut_posets_find(&s->order, s->posets, error))
        return false;
    hd_verdict_init(verdict, "how many valid posets the loset has");
    hd_engine_verdict_recording(verdict, s->trace);
    if (!s->posets->complete && hd_clock_look() == HD_CLOCK_LATE)
        hd_verdict_not(verdict, "limit", "stopped by the limit on time");
    else if (!s->posets->complete)
        hd_verdict_not(verdict, "interrupted", "interrupted before all were found");
    return true;
}

/* A number that is only known to lie between two others is no complete answer. */
static bool estimate(hd_engine_states *s, hd_error *error) {
    hd_verdict *verdict = &s->verdict;
    hd_cut_estimate *e = s->estimate;
    hd_stop_listen();
    s->request.stop = &hd_stop_number;
    if (!hd_cut_estimate_states(&s->order, &s->request, e, error))
        return false;
    hd_verdict_init(verdict, "about how many global states there are");
    hd_engine_verdict_recording(verdict, s->trace);
    if (!e->drawn && !e->exact)
        hd_verdict_not(verdict, "limit", "stopped before any path was drawn");
    else if (!e->exact)
        hd_verdict_not(verdict, "sampled", "an estimate from %llu drawn paths",
                       (unsigned long long)e->drawn);
    return true;
}

bool hd_engine_states_run(hd_engine_states *s, hd_error *error) {
    if (s->reach)
        return reach(s, error);
    if (!hd_engine_states_begin(s, error))
        return false;
    if (s->posets)
        return find_posets(s, error);
    if (s->estimate)
        return estimate(s, error);
    hd_stop_listen();
    s->request.stop = &hd_stop_number;
    bool good = !hd_engine_keep_on(&s->keep) && !s->team
                    ? hd_cut_states(&s->order, &s->request, &s->counted, error)
                : !s->team && hd_cut_staged(&s->order, &s->request)
                    ? hd_engine_states_staged(s, error)
                    : hd_engine_states_sliced(s, error);
    if (good)
        judge(s);
    return good;
}

bool hd_engine_states_again(hd_engine_states *s, hd_cut_visitor *visitor, hd_error *error) {
    hd_cut_answer again = {0};
    hd_cut_request request = s->request;
    request.workers = 1;
    request.visitors = visitor;
    bool good = hd_cut_states(&s->order, &request, &again, error) && !again.why;
    hd_cut_answer_release(&again);
    return good;
}

void hd_engine_states_release(hd_engine_states *s) {
    hd_cut_answer_release(&s->counted);
    hd_engine_keep_release(&s->keep);
    hd_verdict_release(&s->verdict);
    free(s->places);
    if (s->begun)
        hd_order_release(&s->order);
}
