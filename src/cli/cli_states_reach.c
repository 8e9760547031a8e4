/*
 * heddle states --reach: one global state.
 */
#include "cli_states.h"

#include "cli_ask.h"
#include "cli_schedule.h"
#include "cli_verdict.h"

static void print_state(const hd_engine_reach *r) {
    const hd_cut_space *space = &r->instance.space;
    for (uint32_t p = 0; p < space->threads; p++)
        printf(" %s=%u", hd_text_name(hd_trace_thread_name(&r->trace->tables, space->thread[p])),
               r->state[p]);
    putchar('\n');
}

static int print_text(const hd_engine_reach *r) {
    static const char *const words[] = {[HD_ORDER_FEASIBLE] = "reachable",
                                        [HD_ORDER_INFEASIBLE] = "not reachable",
                                        [HD_ORDER_UNKNOWN] = "no verdict"};
    printf("%s: %s in the %s:", hd_text_name(r->path), words[r->answer],
           r->model == HD_ORDER_POSET ? "poset" : "loset");
    print_state(r);
    if (r->cut_step && r->trace->loset)
        printf("  because    a step of the loset is not whole in it\n");
    else if (r->cut_step)
        printf("  because    it lies between the release and the wait of a condition wait, which "
               "are one step\n");
    else if (r->event)
        printf("  because    event %u, %s\n             comes after event %u, %s\n", r->event,
               hd_cli_event_text(r->trace, r->event), r->needs,
               hd_cli_event_text(r->trace, r->needs));
    else if (r->answer == HD_ORDER_INFEASIBLE)
        printf("  because    no schedule leads there, in whatever order locks are taken\n");
    if (r->answer == HD_ORDER_FEASIBLE)
        hd_cli_schedule_print(&(hd_cli_schedule){.trace = r->trace,
                                                 .events = r->witness.schedule.data,
                                                 .length = r->witness.schedule.length});
    if (r->answer == HD_ORDER_FEASIBLE && r->output)
        printf("  witness    %s\n", hd_text_name(r->output));
    hd_cli_verdict_print(r->verdict, 10);
    return hd_cli_flush(hd_verdict_status(r->verdict));
}

static int write_json(const hd_cli_arguments *arguments, const hd_engine_reach *r) {
    const hd_cut_space *space = &r->instance.space;
    hd_cli_answer answer;
    hd_json *json = &answer.json;
    if (!hd_cli_json_begin(&answer, arguments, r->path, r->verdict))
        return HD_CLI_BAD;
    hd_json_bool(json, "reachable", r->answer == HD_ORDER_FEASIBLE);
    hd_json_text(json, "model", r->model == HD_ORDER_POSET ? "poset" : "loset");
    hd_json_open(json, "state", '{');
    for (uint32_t p = 0; p < space->threads; p++)
        hd_json_uint(json, hd_trace_thread_name(&r->trace->tables, space->thread[p]), r->state[p]);
    hd_json_close(json);
    if (r->event) {
        hd_json_uint(json, "event", r->event);
        hd_json_uint(json, "needs", r->needs);
    }
    if (r->answer == HD_ORDER_FEASIBLE)
        hd_report_events_write(json, "schedule", &r->witness.schedule);
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, hd_verdict_status(r->verdict));
}

int hd_cli_states_reach(const hd_cli_arguments *arguments, hd_engine_states *e,
                        const char *output) {
    hd_error error = {""};
    hd_engine_reach r = {.trace = e->trace,
                         .model = e->request.model,
                         .text = e->reach,
                         .path = arguments->operands[0],
                         .output = output};
    hd_engine_question question = {.what = HD_ENGINE_STATES,
                                   .path = arguments->operands[0],
                                   .trace = e->trace,
                                   .whole.states = e};
    e->reached = &r;
    int status = HD_CLI_BAD;
    if (!hd_cli_ask(arguments, &question, &error))
        status = hd_cli_fail("%s", error.text);
    else if (hd_cli_given(arguments, HD_CLI_JSON))
        status = write_json(arguments, &r);
    else
        status = print_text(&r);
    hd_engine_reach_release(&r);
    e->reached = NULL;
    return status;
}
