#include "race_finding.h"

#include <stdio.h>
#include <string.h>

void hd_race_push_release(hd_race_push *push) {
    hd_witness_checker_free(push->checker);
    hd_map_release(&push->places);
    hd_map_release(&push->proved);
    hd_map_release(&push->passed);
    hd_map_release(&push->stacks);
}

/* ---- Places ---- */

uint32_t hd_race_place(hd_race_push *push, uint32_t event) {
    const heddle_event *e = hd_trace_event(push->trace, event);
    uint64_t key =
        e->location ? e->location : UINT64_C(1) << 63 | (uint64_t)e->thread << 32 | e->object;
    bool added;
    uint32_t *place = hd_map_at(&push->places, key, &added);
    if (added)
        *place = push->place_count++;
    assert(*place < push->place_count && push->places.length == push->place_count);
    return *place;
}

static uint64_t pair_of(hd_race_push *push, uint32_t a, uint32_t b) {
    return push->all ? hd_race_pair_key(a, b)
                     : hd_race_pair_key(hd_race_place(push, a), hd_race_place(push, b));
}

uint32_t hd_race_callers(hd_race_push *push, uint32_t event) {
    bool added;
    if (!push->trace->stacks)
        return 0;
    uint32_t *known = hd_map_at(&push->stacks, event, &added);
    if (!added)
        return *known;
    hd_trace_stack_calls calls = {0};
    uint64_t sum = 0;
    hd_trace_stack(push->trace, event, &calls);
    for (size_t i = 0; i < calls.length; i++)
        sum = sum * 31 + hd_finding_fingerprint("call", &calls.data[i].function, 1);
    hd_vec_release(&calls);
    *known = (uint32_t)(sum ^ sum >> 32) | 1;
    return *known;
}

/* The pair, the variable, and who called, in either order. */
static uint64_t passed_of(hd_race_push *push, uint64_t pair, uint32_t a, uint32_t b) {
    uint64_t object = hd_trace_event(push->trace, b)->object;
    uint64_t callers = (uint64_t)hd_race_callers(push, a) + hd_race_callers(push, b);
    return hd_map_key_with(pair, object) + (callers ^ callers >> 13) * UINT64_C(0x94d049bb133111eb);
}

bool hd_race_is_proved(hd_race_push *push, uint32_t a, uint32_t b) {
    uint64_t pair = pair_of(push, a, b);
    return hd_map_find(&push->proved, pair) ||
           (push->passed.length && hd_map_find(&push->passed, passed_of(push, pair, a, b)));
}

bool hd_race_note_proved(hd_race_push *push, uint32_t a, uint32_t b) {
    bool added, passed = push->dropped && !push->all;
    uint64_t pair = pair_of(push, a, b);
    if (passed)
        *hd_map_at(&push->passed, passed_of(push, pair, a, b), &added) = 1;
    else
        *hd_map_at(&push->proved, pair, &added) = 1;
    push->dropped = false;
    return passed;
}

char *hd_race_place_text(const hd_trace *trace, uint32_t event) {
    const heddle_event *e = hd_trace_event(trace, event);
    const char *location = hd_trace_location(&trace->tables, e);
    if (*location)
        return hd_mem_string(location, strlen(location));
    const char *thread = hd_trace_thread_name(&trace->tables, e->thread);
    const char *object = hd_trace_object_name(&trace->tables, e);
    size_t size = strlen(thread) + strlen(object) + 2;
    char *text = hd_mem_zero(size, 1);
    snprintf(text, size, "%s %s", thread, object);
    return text;
}

uint64_t hd_race_fingerprint(const hd_trace *trace, const char *rule, const uint32_t *events,
                             size_t count) {
    char **places = HD_NEW_ARRAY(char *, count + 1);
    for (size_t i = 0; i < count; i++)
        places[i] = hd_race_place_text(trace, events[i]);
    uint64_t print = hd_finding_fingerprint(rule, (const char *const *)places, count);
    for (size_t i = 0; i < count; i++)
        free(places[i]);
    free(places);
    return print;
}

/* ---- Pushing ---- */

static bool check_witness(hd_race_push *push, const hd_witness *witness) {
    push->failed |= !hd_witness_checked(&push->checker, push->trace, witness, push->error);
    return !push->failed;
}

void hd_race_push_finding(hd_race_push *push, hd_finding *finding) {
    push->dropped = false;
    if (!finding->witness || check_witness(push, finding->witness))
        push->stopped |= push->sink(push->context, finding) != 0;
    push->dropped = finding->dropped;
    hd_finding_release(finding);
}

void hd_race_attach(hd_finding *finding, const char *question, hd_witness_claim claim,
                    hd_vec_u32 *schedule) {
    assert(!finding->witness);
    finding->witness = HD_NEW(hd_witness);
    hd_witness_init(finding->witness);
    finding->witness->claim = claim;
    finding->witness->schedule = *schedule;
    *schedule = (hd_vec_u32){0};
    finding->witness->question = hd_mem_string(question, strlen(question));
}

static char *message_of(const char *variable, uint32_t first, uint32_t second, bool unordered) {
    char text[512];
    if (unordered)
        snprintf(
            text, sizeof text,
            "events %u and %u race on %.380s: the memory orders between them do not order them",
            first, second, variable);
    else if (first)
        snprintf(text, sizeof text, "events %u and %u race on %.400s", first, second, variable);
    else
        snprintf(text, sizeof text, "no lock protects %.400s always", variable);
    return hd_mem_string(text, strlen(text));
}

static void push_claim(hd_race_push *push, enum hd_race_pair pair, const hd_witness_claim *claim,
                       hd_vec_u32 *schedule) {
    static const char *const rules[] = {[HD_RACE_SHOWN] = "race",
                                        [HD_RACE_REPORTED] = "race-report",
                                        [HD_RACE_UNPROVED] = "race-unproved"};
    static const char beyond[] = "reads see other writes in this schedule than in the trace, and "
                                 "no decision depends on them";
    const char *rule = rules[pair];
    uint32_t events[2] = {claim->first, claim->second};
    const hd_trace *trace = push->trace;
    const char *variable = hd_trace_object_name(&trace->tables, hd_trace_event(trace, events[1]));
    hd_finding finding;
    assert(events[0] < events[1]);
    assert((schedule != NULL) == (pair == HD_RACE_SHOWN)); /* only what is shown has one */
    if (!push->sink)
        return;
    hd_finding_init(&finding, HD_FINDING_RACE, rule);
    finding.unproved = pair == HD_RACE_UNPROVED;
    finding.unordered = claim->kind == HD_WITNESS_UNORDERED;
    finding.message = message_of(variable, events[0], events[1], finding.unordered);
    finding.variable = hd_mem_string(variable, strlen(variable));
    if (claim->decisions)
        finding.because = beyond;
    finding.location = hd_race_place_text(trace, events[1]);
    size_t known = events[0] ? 2 : 1;
    finding.fingerprint = hd_race_fingerprint(trace, rule, events + 2 - known, known);
    hd_vec_push(&finding.events, events[0]);
    hd_vec_push(&finding.events, events[1]);
    if (schedule)
        hd_race_attach(&finding, "race", *claim, schedule);
    hd_race_push_finding(push, &finding);
}

void hd_race_push_pair(hd_race_push *push, enum hd_race_pair pair, uint32_t a, uint32_t b,
                       hd_vec_u32 *schedule) {
    hd_witness_claim claim = {
        .kind = HD_WITNESS_RACE, .first = a < b ? a : b, .second = a < b ? b : a};
    push_claim(push, pair, &claim, schedule);
}

void hd_race_push_certain(hd_race_push *push, uint32_t a, uint32_t b, hd_vec_u32 *schedule) {
    hd_witness_claim claim = {.kind = HD_WITNESS_RACE,
                              .decisions = true,
                              .first = a < b ? a : b,
                              .second = a < b ? b : a};
    push_claim(push, HD_RACE_SHOWN, &claim, schedule);
}

void hd_race_push_unordered(hd_race_push *push, uint32_t first, uint32_t second) {
    hd_witness_claim claim = {.kind = HD_WITNESS_UNORDERED, .first = first, .second = second};
    hd_vec_u32 schedule = {0};
    for (uint32_t n = 1; n < second; n++)
        hd_vec_push(&schedule, n);
    push_claim(push, HD_RACE_SHOWN, &claim, &schedule);
    hd_vec_release(&schedule);
}

bool hd_race_show_unordered(hd_race_push *push, uint32_t first, uint32_t second,
                            hd_vec_u32 *schedule, bool told) {
    hd_witness witness;
    hd_error error = {""};
    hd_witness_init(&witness);
    witness.claim =
        (hd_witness_claim){.kind = HD_WITNESS_UNORDERED, .first = first, .second = second};
    witness.schedule = *schedule;
    bool good = hd_witness_checked(&push->checker, push->trace, &witness, &error);
    if (good && told)
        push_claim(push, HD_RACE_SHOWN, &witness.claim, schedule);
    return good;
}
