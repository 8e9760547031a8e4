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
    if (finding->rule->sort == HD_FINDING_BLOCK && finding->places.length > 3)
        return hd_report_format(
            report, "accesses of %s and another variable can come between two of the block",
            variable);
    if (finding->rule->sort == HD_FINDING_BLOCK)
        return hd_report_format(report, "another access of %s can come between two of the block",
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

/* ---- Advice on races ---- */

static const char *place_name(hd_report *report, const hd_report_place *place) {
    const char *slash = place->file ? strrchr(place->file, '/') : NULL;
    if (!place->file || !place->line)
        return place->thread;
    return hd_report_format(report, "%s:%u", slash ? slash + 1 : place->file, place->line);
}

/* One of them holds a lock that the other does not hold at all. */
static const char *advise_one(hd_report *report, const hd_report_place *with,
                              const hd_report_place *without) {
    return hd_report_format(report,
                            "%s holds %s at %s, and %s holds no lock at %s.  Hold %s there too.",
                            with->thread, with->locks.data[0].name, place_name(report, with),
                            without->thread, place_name(report, without), with->locks.data[0].name);
}

/* The lock that both hold; NULL: none. */
static const hd_report_lock *common_lock(const hd_report_place *a, const hd_report_place *b) {
    for (size_t i = 0; i < a->locks.length; i++)
        for (size_t k = 0; k < b->locks.length; k++)
            if (strcmp(a->locks.data[i].name, b->locks.data[k].name) == 0)
                return &a->locks.data[i];
    return NULL;
}

/* Which locks are held where says what is missing; NULL: no more than the rule says. */
static const char *advise_race(hd_report *report, const hd_report_finding *finding) {
    const hd_report_place *a = finding->places.data, *b = a + 1;
    if (finding->unordered)
        return "Give the atomic write before which the first access comes release order, and the "
               "atomic read that sees it acquire order; or use seq_cst, the default.";
    if (!a->thread || !b->thread || !a->knows_locks || !b->knows_locks || a->more_locks ||
        b->more_locks)
        return NULL;
    if (a->access == HD_REPORT_USE || b->access == HD_REPORT_USE)
        return hd_report_format(report,
                                "%s is accessed as memory at %s, while it is used at %s.  "
                                "Initialise, destroy or free it when no other thread can use it: "
                                "before they are created, or after a join.",
                                finding->variable ? finding->variable : "The object",
                                place_name(report, a->access == HD_REPORT_USE ? b : a),
                                place_name(report, a->access == HD_REPORT_USE ? a : b));
    if (a->atomic != b->atomic)
        return hd_report_format(report,
                                "The access at %s is atomic, the one at %s is not.  Make "
                                "both atomic, or hold one lock at both.",
                                place_name(report, a->atomic ? a : b),
                                place_name(report, a->atomic ? b : a));
    if (a->locks.length && !b->locks.length)
        return advise_one(report, a, b);
    if (b->locks.length && !a->locks.length)
        return advise_one(report, b, a);
    const hd_report_lock *common = common_lock(a, b);
    if (common && common->reading)
        return hd_report_format(report,
                                "Both hold %s for reading only, and one of them writes.  "
                                "Hold it for writing there.",
                                common->name);
    if (a->locks.length && b->locks.length && !common)
        return hd_report_format(report,
                                "%s holds %s and %s holds %s: different locks do not "
                                "exclude each other.  Hold one and the same at both.",
                                a->thread, a->locks.data[0].name, b->thread, b->locks.data[0].name);
    return NULL;
}

void hd_report_say(hd_report *report, hd_report_finding *finding, const hd_report_said *said) {
    finding->message = message_of(report, finding, said);
    if (!finding->advice && strcmp(finding->rule->id, "race") == 0 && finding->places.length == 2)
        finding->advice = advise_race(report, finding);
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
