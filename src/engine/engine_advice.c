#include "engine_advice.h"

#include "report/report.h"

/* The schedule as a trace, and which step each event is of. */
typedef struct told {
    hd_trace trace;
    hd_vec_u32 steps; /* of event n at n - 1 */
} told;

static int after_step(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)step;
    told *t = context;
    machine->type->record(machine, &t->trace);
    while (t->steps.length < hd_trace_length(&t->trace))
        hd_vec_push(&t->steps, (uint32_t)number);
    return 0;
}

void hd_engine_explore_advise(const hd_engine_exploration *e, const hd_finding *finding,
                              const hd_replay_shrunk *shrunk, hd_vec_char *text,
                              hd_vec_u32 *steps) {
    enum hd_replay_claim claim = hd_engine_claim_of(finding);
    if (claim != HD_REPLAY_STUCK && claim != HD_REPLAY_VIOLATION)
        return;
    told t = {0};
    hd_replay_watch watch = {NULL, after_step, &t};
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_trace_init(&t.trace);
    hd_replay_prepare(hd_engine_explore_checker(e), claim);
    hd_replay_run(hd_engine_explore_checker(e), &shrunk->schedule, &watch, &outcome, &error);
    hd_report_advice advice;
    hd_report_advise(&t.trace, claim == HD_REPLAY_STUCK, &advice);
    if (advice.text.length)
        hd_text_append_text(text, advice.text.data);
    for (size_t i = 0; i < advice.events.length; i++)
        hd_vec_push(steps, t.steps.data[advice.events.data[i] - 1]);
    hd_report_advice_release(&advice);
    hd_vec_release(&t.steps);
    hd_trace_release(&t.trace);
}
