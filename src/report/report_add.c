/*
 * What is in a report, whether it comes from an answer in this process or from one in JSON.
 */
#include <string.h>

#include "report_result.h"
#include "report_scene.h"

/* ---- Steps ---- */

void hd_report_add_event(hd_report *report, hd_report_finding *finding, const hd_trace *trace,
                         uint32_t number) {
    const heddle_event *event = hd_trace_event(trace, number);
    hd_arena *arena = &report->arena;
    hd_report_step step = {.event = number, .text = hd_report_event_text(arena, trace, number)};
    step.thread = hd_report_keep(report, hd_trace_thread_name(&trace->tables, event->thread));
    hd_report_split(arena, hd_trace_location(&trace->tables, event), &step.file, &step.line);
    hd_vec_push(&finding->steps, step);
}

void hd_report_add_schedule(hd_report *report, hd_report_finding *finding, const hd_trace *trace) {
    for (uint32_t number = 1; number <= hd_trace_length(trace); number++)
        hd_report_add_event(report, finding, trace, number);
}

/* ---- Messages ---- */

/* Who waits just for the end of the others is not in the ring. */
static size_t count_waiting(const hd_report_finding *finding) {
    size_t count = 0;
    for (size_t i = 0; i < finding->places.length; i++)
        count += finding->places.data[i].access != HD_REPORT_JOIN;
    return count;
}

/* Event numbers mean nothing to who has only the program: of a race and a deadlock
 * in a trace the message is made of the places. */
static const char *message_of(hd_report *report, const hd_report_finding *finding,
                              const hd_report_said *said) {
    const char *message =
        hd_report_keep(report, said->message ? said->message : finding->rule->text);
    if (said->predicate)
        return hd_report_format(report, "%s can come true", said->predicate);
    bool pair = finding->rule->sort == HD_FINDING_RACE && finding->places.length == 2;
    if (said->message && !pair &&
        (!said->of_trace || !finding->places.length || !finding->places.data[0].file))
        return message;
    const char *variable = finding->variable ? finding->variable : "a variable";
    if (finding->rule->sort == HD_FINDING_RACE)
        return hd_report_format(report,
                                finding->unordered ? "memory orders do not order two accesses of %s"
                                                   : "two accesses of %s can collide",
                                variable);
    if (finding->rule->sort == HD_FINDING_DEADLOCK && finding->places.length) {
        size_t waiting = count_waiting(finding);
        return waiting == 1 ? "a thread can wait for ever"
                            : hd_report_format(
                                  report, "%zu threads can wait for each other for ever", waiting);
    }
    if (finding->rule->sort == HD_FINDING_READ && said->final)
        return hd_report_format(report, "%s can end with another value", variable);
    if (finding->rule->sort == HD_FINDING_READ)
        return hd_report_format(report, "the read of %s can see another write", variable);
    return message;
}

void hd_report_say(hd_report *report, hd_report_finding *finding, const hd_report_said *said) {
    finding->message = message_of(report, finding, said);
}

/* ---- Parts ---- */

void hd_report_count_answer(hd_report *report, const char *command, const hd_verdict *verdict,
                            uint64_t found, double seconds) {
    hd_report_part *part = hd_report_part_of(report, command);
    part->inputs++;
    part->complete += hd_verdict_complete(verdict);
    if (!part->verdict.asked)
        hd_verdict_init(&part->verdict, verdict->asked);
    hd_verdict_join(&part->verdict, verdict);
    part->found += found;
    part->seconds += seconds;
}
