#include "engine_temporal.h"

#include "engine_verdict.h"

/* The path is a schedule, by the checker. */
static bool prove(hd_engine_temporal *t, hd_error *error) {
    hd_witness witness;
    if (!t->check.has_path)
        return true;
    hd_witness_init(&witness);
    witness.claim.let_go = true;
    for (size_t i = 0; i < t->check.path.length; i++)
        hd_vec_push(&witness.schedule, t->check.path.data[i]);
    bool good = hd_witness_check(&witness, t->trace, error) ||
                hd_error_prefix(error, "an error in heddle, please report it: ");
    hd_witness_release(&witness);
    return good;
}

static void judge(hd_engine_temporal *t) {
    hd_verdict_init(&t->verdict,
                    t->check.all ? "states where it is true" : "whether it is true at the start");
    hd_engine_verdict_recording(&t->verdict, t->trace);
    t->verdict.found = t->check.all ? t->check.states != 0 : t->check.start == HD_PREDICATE_T_TRUE;
    if (t->check.start != HD_PREDICATE_T_UNKNOWN && (t->check.complete || !t->check.all))
        return;
    enum hd_clock_state state = hd_clock_look();
    if (state == HD_CLOCK_LATE)
        hd_verdict_not(&t->verdict, "limit", "stopped by the limit on time");
    else if (state == HD_CLOCK_STOPPED || hd_stop_asked())
        hd_verdict_not(&t->verdict, "interrupted", "interrupted before it was decided");
    else if (t->check.start != HD_PREDICATE_T_UNKNOWN)
        hd_verdict_not(&t->verdict, "stopped", "stopped before all states were told");
    else
        hd_verdict_not(&t->verdict, "limit", "not all states were looked at: --memory gives more");
}

bool hd_engine_temporal_run(hd_engine_temporal *t, hd_error *error) {
    t->read = hd_predicate_temporal_init(&t->formula, t->text, &t->wrong);
    if (!t->read)
        return hd_error_set(error, "%s", t->wrong.error.text);
    if (hd_trace_loset_has_steps(t->trace))
        return hd_error_set(error, "EF, AF, EG, AG, EU and AU are not of losets with steps "
                                   "('together', 'always')");
    hd_stop_listen();
    hd_order_init(&t->order, t->trace);
    t->ordered = true;
    t->check.order = &t->order;
    t->check.memory = t->memory;
    t->check.control = (hd_predicate_control){.stop = &hd_stop_number};
    if (!hd_predicate_temporal_decide(&t->formula, &t->check, &t->wrong))
        return hd_error_set(error, "%s", t->wrong.error.text);
    if (!prove(t, error))
        return false;
    judge(t);
    return true;
}

void hd_engine_temporal_release(hd_engine_temporal *t) {
    hd_predicate_temporal_check_release(&t->check);
    if (t->read)
        hd_predicate_temporal_release(&t->formula);
    if (t->ordered)
        hd_order_release(&t->order);
    hd_verdict_release(&t->verdict);
}
