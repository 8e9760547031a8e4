#include "engine_predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine_crew.h"
#include "engine_verdict.h"

const char *const hd_engine_race_methods[HD_RACE_METHODS] = {
    [HD_RACE_PREDICTIVE] = "predictive",
    [HD_RACE_HB] = "hb",
    [HD_RACE_SHB] = "shb",
    [HD_RACE_LOCKSET] = "lockset",
    [HD_RACE_LOCKSET_PLAIN] = "lockset-plain",
};

void hd_engine_findings_release(hd_engine_findings *findings) {
    for (size_t i = 0; i < findings->length; i++)
        hd_finding_release(&findings->data[i]);
    hd_vec_release(findings);
}

/* ---- Findings about events ---- */

/* The accesses of a race, of which a method may know one only; the acquires of a deadlock; the two
 * accesses of a block and what comes between. */
hd_report_defect hd_engine_predict_defect(const hd_finding *finding, hd_engine_roles *roles) {
    bool deadlock = finding->sort == HD_FINDING_DEADLOCK;
    bool recorded = strcmp(finding->rule, HD_RACE_RECORDED) == 0;
    bool block = finding->sort == HD_FINDING_BLOCK;
    for (size_t i = 0; i < finding->events.length; i++)
        if (finding->events.data[i])
            hd_vec_push(roles, (hd_report_role){recorded          ? "holds"
                                                : deadlock        ? "waits"
                                                : i == 0          ? "first"
                                                : block && i == 1 ? "between"
                                                : block && i == 3 ? "back"
                                                                  : "second",
                                                finding->events.data[i]});
    return (hd_report_defect){.rule = deadlock ? "deadlock"
                                      : block  ? HD_RACE_ATOMICITY
                                               : "race",
                              .variable = finding->variable,
                              .unordered = finding->unordered};
}

static uint64_t identity_of(hd_report_scene *scene, const hd_finding *finding) {
    hd_engine_roles roles = {0};
    hd_report_defect defect = hd_engine_predict_defect(finding, &roles);
    uint64_t print = hd_report_scene_identity(scene, &defect, roles.data, roles.length);
    hd_vec_release(&roles);
    return print;
}

typedef HD_VEC(hd_finding_part) part_list;

/* An event, and the functions that led to it. */
static void add_parts(hd_report_scene *scene, const hd_trace *trace, uint32_t number,
                      hd_arena *arena, part_list *parts) {
    const heddle_event *event = hd_trace_event(trace, number);
    hd_report_place place = hd_report_scene_place(scene, arena, "first", number);
    hd_finding_part top = {.variable = hd_trace_object_name(&trace->tables, event),
                           .place = hd_trace_location(&trace->tables, event),
                           .function = place.stack.length ? place.stack.data[0].function : NULL};
    hd_vec_push(parts, top);
    for (size_t i = 1; i < place.stack.length; i++)
        hd_vec_push(parts, (hd_finding_part){.place = place.stack.data[i].file,
                                             .function = place.stack.data[i].function,
                                             .outer = true});
    hd_vec_release(&place.stack);
    hd_vec_release(&place.locks);
}

/* Is a finding about these events to be passed over?  Event 0 is no event. */
static bool drops(hd_engine_prediction *p, const hd_finding *finding) {
    part_list parts = {0};
    hd_arena arena = {0};
    for (size_t i = 0; i < finding->events.length; i++)
        if (finding->events.data[i])
            add_parts(&p->scene, p->trace, finding->events.data[i], &arena, &parts);
    const hd_trace_end *end = &p->trace->end;
    bool recorded = strcmp(finding->rule, HD_RACE_RECORDED) == 0;
    for (size_t i = 0; recorded && i < end->next.length; i++)
        hd_vec_push(&parts, (hd_finding_part){.variable = end->next.data[i].object,
                                              .place = end->next.data[i].location});
    bool dropped = hd_finding_filter_drops(
        &p->filter, &(hd_finding_about){.parts = parts.data,
                                        .count = parts.length,
                                        .deadlock = finding->sort == HD_FINDING_DEADLOCK,
                                        .fingerprint = identity_of(&p->scene, finding),
                                        .former = finding->fingerprint});
    hd_vec_release(&parts);
    hd_arena_release(&arena);
    return dropped;
}

bool hd_engine_finding_save(const char *output, const char *path, const hd_trace *trace,
                            hd_finding *finding, size_t i, hd_error *error) {
    if (!output || !finding->witness)
        return true;
    hd_witness *witness = finding->witness;
    free(witness->verdict);
    free(witness->trace);
    witness->verdict = hd_mem_string(finding->message, strlen(finding->message));
    witness->trace = hd_mem_string(path, strlen(path));
    char *file = hd_engine_witness_file(output, i);
    bool good = hd_witness_save(witness, trace, file, error);
    free(file);
    return good;
}

/* ---- The first of many ---- */

/* What they hold, about; a schedule may be as long as the trace. */
static bool has_room(size_t *bytes, const hd_finding *finding) {
    enum { MOST = 64 << 20, OTHER = 512 };
    *bytes += sizeof *finding + OTHER;
    if (finding->witness)
        *bytes += finding->witness->schedule.length * sizeof *finding->witness->schedule.data;
    return *bytes < MOST;
}

static bool tell_kept(const hd_engine_findings *found, hd_finding_sink *sink, void *context) {
    for (size_t i = 0; i < found->length; i++)
        if (sink(context, &found->data[i]))
            return false;
    return true;
}

/* ---- Races and deadlocks ---- */

/* Keeps what it is given. */
static int keep(void *context, hd_finding *finding) {
    hd_engine_prediction *p = context;
    bool unproved = finding->unproved;
    if (p->filter.on && drops(p, finding)) {
        p->dropped += !unproved;
        finding->dropped = true;
        return 0;
    }
    int stop = !unproved && p->each ? p->each(p->context, finding) : 0;
    if (unproved)
        hd_vec_push(&p->unproved, *finding);
    else
        hd_vec_push(&p->found, *finding);
    if (p->many && !has_room(&p->bytes, finding))
        p->options.count_only = true; /* from now on */
    *finding = (hd_finding){.sort = finding->sort, .rule = finding->rule};
    return stop;
}

/* What the clock says when all was asked. */
static void not_in_time(hd_verdict *verdict) {
    enum hd_clock_state state = hd_clock_look();
    if (state == HD_CLOCK_LATE)
        hd_verdict_not(verdict, "limit", "stopped by the limit on time");
    else if (state == HD_CLOCK_STOPPED)
        hd_verdict_not(verdict, "interrupted", "interrupted before all was looked at");
}

/* Races that keep decisions, not all reads. */
static void rest_on_certain(hd_verdict *verdict, const hd_race_result *races) {
    if (!races->certain && !races->certain_open)
        return;
    hd_verdict_basis *basis = hd_verdict_rests(
        verdict, "certain-events", NULL, HD_VERDICT_FIRM,
        "where no decision depends on them, reads may see other writes: %s shown so, by the events "
        "that the trace calls certain ('heddle record' finds them in the program's machine code)%s",
        hd_text_count((size_t)races->certain, "race is", "races are"),
        races->certain_open ? ", and at a limit not all such orders were tried" : "");
    hd_verdict_figure(basis, "races", races->certain);
    hd_verdict_figure(basis, "places_not_done", races->certain_open);
}

static void judge_races(hd_engine_prediction *p) {
    hd_verdict *verdict = &p->verdict;
    hd_verdict_init(verdict, p->options.blocks ? "blocks that are not serializable" : "data races");
    hd_engine_verdict_recording(verdict, p->trace);
    rest_on_certain(verdict, &p->races);
    if (p->races.unproved && p->options.blocks)
        hd_verdict_not(verdict, "undecided", "%s undecided within the effort allowed",
                       hd_text_count((size_t)p->races.unproved, "set is", "sets are"));
    else if (p->races.unproved)
        hd_verdict_not(verdict, "undecided", "%s undecided within the effort allowed",
                       hd_text_count((size_t)p->races.unproved, "pair is", "pairs are"));
    if (p->options.blocks && !p->races.blocks && hd_clock_look() == HD_CLOCK_GOES)
        hd_verdict_not(verdict, "unasked", "the trace has no blocks: no thread calls heddle_begin");
    if (p->options.method != HD_RACE_PREDICTIVE)
        hd_verdict_not(verdict, "unasked", "the method %s does not look at all reorderings",
                       hd_engine_race_methods[p->options.method]);
    verdict->found = p->races.races > 0;
}

static void judge_deadlocks(hd_engine_prediction *p) {
    const hd_race_deadlock_result *result = &p->locks;
    hd_verdict *verdict = &p->verdict;
    hd_verdict_init(verdict, "deadlocks on locks");
    hd_engine_verdict_deadlocks(verdict, p->trace);
    if (result->unproved)
        hd_verdict_not(verdict, "undecided", "%s undecided within the effort allowed",
                       hd_text_count((size_t)result->unproved, "set is", "sets are"));
    if (p->trace->end.how == HD_TRACE_END_DEADLOCK && !p->recorded)
        hd_verdict_not(verdict, "contradiction",
                       "the trace says that its run ended in a deadlock, which its events do not "
                       "show");
    if (result->cut)
        hd_verdict_not(verdict, "limit",
                       "the effort allowed was not enough for all cycles; --effort=N allows more, "
                       "0 all");
    verdict->found = result->deadlocks > 0;
}

void hd_engine_predict_init(hd_engine_prediction *p, const hd_trace *trace, bool deadlocks) {
    *p = (hd_engine_prediction){.trace = trace, .deadlocks = deadlocks};
    hd_race_options_init(&p->options);
    hd_report_scene_init(&p->scene, trace);
}

static bool run_races(hd_engine_prediction *p, hd_error *error) {
    bool good = hd_race_run(p->trace, &p->options, &p->races, keep, p, error);
    p->races.races -= p->dropped;
    if (p->filter.on)
        p->races.unproved = p->unproved.length;
    return good;
}

/* The deadlock that the run ended in, to a sink; how many there are.  One that the events do not
 * show is not told. */
static uint64_t tell_recorded(const hd_engine_prediction *p, hd_finding_sink *sink, void *context) {
    hd_finding finding;
    if (p->trace->end.how != HD_TRACE_END_DEADLOCK || !hd_race_recorded(p->trace, &finding, NULL))
        return 0;
    if (sink)
        sink(context, &finding);
    hd_finding_release(&finding);
    return 1;
}

static bool run_deadlocks(hd_engine_prediction *p, hd_error *error) {
    p->recorded = tell_recorded(p, p->options.count_only ? NULL : keep, p);
    bool good = hd_race_deadlocks(p->trace, &p->options, &p->locks, keep, p, error);
    p->locks.deadlocks += p->recorded;
    p->locks.deadlocks -= p->dropped;
    if (p->filter.on)
        p->locks.unproved = p->unproved.length;
    return good;
}

/* Rules of the program itself, which its recording has. */
static bool take_suppressions(hd_engine_prediction *p, hd_error *error) {
    const hd_trace_end *end = &p->trace->end;
    hd_vec_char text = {0};
    for (size_t i = 0; i < end->suppressions.length; i++) {
        hd_text_append_text(&text, end->suppressions.data[i]);
        hd_text_append_text(&text, "\n");
    }
    bool good = !text.length || hd_finding_suppressions_take(
                                    &p->filter, "__tsan_default_suppressions", text.data, error);
    hd_vec_release(&text);
    return good;
}

bool hd_engine_predict_run(hd_engine_prediction *p, hd_error *error) {
    if (!take_suppressions(p, error))
        return false;
    bool timed = hd_clock_left(INFINITY) < INFINITY; /* there is no time to look for them again */
    p->options.count_only = p->counts && !p->filter.on && !hd_turns_crew_now();
    p->many &= !p->filter.on && !timed && !hd_turns_crew_now();
    bool asks = p->options.known || /* else what follows would take too long */
                hd_clock_look() == HD_CLOCK_GOES;
    if (asks && !(p->deadlocks ? run_deadlocks(p, error) : run_races(p, error)) &&
        hd_clock_look() == HD_CLOCK_GOES)
        return false;
    if (!hd_engine_crew_good(error))
        return false;
    if (p->deadlocks)
        judge_deadlocks(p);
    else
        judge_races(p);
    not_in_time(&p->verdict);
    hd_engine_verdict_filter(&p->verdict, &p->filter);
    return true;
}

static bool tell_again(const hd_engine_prediction *p, hd_finding_sink *sink, void *context,
                       hd_error *error) {
    hd_race_options options = p->options;
    hd_race_result races;
    hd_race_deadlock_result locks;
    options.count_only = false;
    if (p->recorded)
        tell_recorded(p, sink, context);
    bool good = p->deadlocks ? hd_race_deadlocks(p->trace, &options, &locks, sink, context, error)
                             : hd_race_run(p->trace, &options, &races, sink, context, error);
    return good;
}

bool hd_engine_predict_tell(hd_engine_prediction *p, hd_finding_sink *sink, void *context,
                            hd_error *error) {
    if (!p->options.count_only || hd_clock_look() != HD_CLOCK_GOES)
        return tell_kept(&p->found, sink, context);
    hd_engine_findings_release(&p->found);
    return tell_again(p, sink, context, error);
}

void hd_engine_predict_release(hd_engine_prediction *p) {
    hd_finding_filter_release(&p->filter);
    hd_verdict_release(&p->verdict);
    hd_engine_findings_release(&p->found);
    hd_engine_findings_release(&p->unproved);
    hd_report_scene_release(&p->scene);
}

/* ---- Reads that can see another write ---- */

static void judge_reads(hd_engine_reads *r) {
    const hd_nondet_result *result = &r->result;
    hd_verdict *verdict = &r->verdict;
    hd_verdict_init(verdict, r->options.values ? "reads that can see another value"
                                               : "reads that can see another write");
    hd_engine_verdict_recording(verdict, r->trace);
    if (result->unasked_reads && hd_clock_look() == HD_CLOCK_STOPPED)
        hd_verdict_not(verdict, "interrupted", "interrupted: %s not asked",
                       hd_text_count((size_t)result->unasked_reads, "read was", "reads were"));
    else if (result->unasked_reads)
        hd_verdict_not(verdict, "limit", "stopped by the limit on time: %s not asked",
                       hd_text_count((size_t)result->unasked_reads, "read was", "reads were"));
    if (result->witnesses.unknown)
        hd_verdict_not(
            verdict, "undecided", "%s undecided within the effort allowed",
            hd_text_count((size_t)result->witnesses.unknown, "witness is", "witnesses are"));
    if (r->options.paper)
        hd_verdict_not(verdict, "undecided",
                       "decided as published, which is not exact (doc/nondet.md)");
    hd_engine_verdict_left_out(verdict, &r->filter, "read is not asked about",
                               "reads are not asked about");
    verdict->found = hd_engine_reads_found(result) > 0;
}

static void step(void *context, uint64_t reads, uint64_t total) {
    hd_progress *progress = context;
    progress->total = total;
    hd_progress_step(progress, reads);
}

/* What asking about reads needs to know which ones are suppressed. */
struct left_out {
    hd_engine_reads *r;
    hd_report_scene scene;
    bool counts; /* not once more */
};

static bool leaves_out(void *context, uint32_t read, uint32_t variable) {
    struct left_out *it = context;
    const hd_trace *trace = it->r->trace;
    part_list parts = {0};
    hd_arena arena = {0};
    if (read)
        add_parts(&it->scene, trace, read, &arena, &parts);
    else
        hd_vec_push(&parts,
                    (hd_finding_part){.variable = hd_names_text(
                                          &trace->tables.names[HEDDLE_CLASS_VARIABLE], variable)});
    hd_finding_about about = {.parts = parts.data, .count = parts.length, .meant = true};
    bool dropped = it->counts ? hd_finding_filter_drops(&it->r->filter, &about)
                              : hd_finding_filter_names(&it->r->filter, &about);
    hd_vec_release(&parts);
    hd_arena_release(&arena);
    return dropped;
}

/* Asks all questions, with the progress line. */
static bool ask(hd_engine_reads *r, hd_nondet_result *result, hd_finding_sink *sink, void *context,
                hd_error *error) {
    hd_progress progress;
    struct left_out left_out = {.r = r, .counts = result == &r->result};
    hd_report_scene_init(&left_out.scene, r->trace);
    r->options.leaves_out = r->filter.rules.length ? leaves_out : NULL;
    r->options.leaves_out_context = &left_out; // cppcheck-suppress autoVariables ; taken back below
    r->options.progress = step;
    r->options.progress_context = &progress; // cppcheck-suppress autoVariables ; taken back below
    hd_progress_start(&progress, "deciding", "reads", 0);
    bool good = hd_nondet_run(r->trace, &r->options, result, sink, context, error);
    hd_progress_end(&progress);
    r->options.progress = NULL;
    r->options.progress_context = NULL;
    r->options.leaves_out = NULL;
    r->options.leaves_out_context = NULL;
    hd_report_scene_release(&left_out.scene);
    return good;
}

static int keep_read(void *context, hd_finding *finding) {
    hd_engine_reads *r = context;
    if (r->full)
        return 0;
    r->full = !has_room(&r->bytes, finding);
    hd_vec_push(&r->found, *finding);
    *finding = (hd_finding){.sort = finding->sort, .rule = finding->rule};
    return 0;
}

bool hd_engine_reads_run(hd_engine_reads *r, hd_error *error) {
    r->full = r->many && hd_turns_crew_now(); /* all its members ask again then */
    bool good = ask(r, &r->result, r->many ? keep_read : r->each, r->many ? r : r->context, error);
    if ((!good && hd_clock_look() == HD_CLOCK_GOES) || !hd_engine_crew_good(error))
        return false;
    judge_reads(r);
    if (!good)
        not_in_time(&r->verdict);
    return true;
}

static bool ask_again(hd_engine_reads *r, hd_finding_sink *sink, void *context, uint64_t *reads,
                      hd_error *error) {
    hd_nondet_result again;
    const hd_turns_crew *crew = hd_turns_crew_now();
    bool all = hd_turns_serves() || !r->result.unasked_reads;
    r->options.count_only = false;
    r->options.deadline = 0;
    r->options.most = all ? 0 : hd_engine_reads_asked(&r->result);
    if (!all)
        hd_turns_set_crew(NULL); /* which would ask about all */
    bool good = ask(r, &again, sink, context, error);
    hd_turns_set_crew(crew);
    *reads = hd_engine_reads_asked(&again);
    hd_nondet_result_release(&again);
    return good && hd_engine_crew_good(error);
}

bool hd_engine_reads_tell(hd_engine_reads *r, hd_finding_sink *sink, void *context, uint64_t *reads,
                          hd_error *error) {
    bool kept = !r->full;
    if (!kept && (hd_clock_look() == HD_CLOCK_GOES || hd_turns_crew_now())) {
        hd_engine_findings_release(&r->found);
        return ask_again(r, sink, context, reads, error);
    }
    bool told = tell_kept(&r->found, sink, context);
    *reads = kept && told ? hd_engine_reads_asked(&r->result) : 0;
    return told;
}

void hd_engine_reads_release(hd_engine_reads *r) {
    hd_engine_findings_release(&r->found);
    hd_finding_filter_release(&r->filter);
    hd_nondet_result_release(&r->result);
    hd_verdict_release(&r->verdict);
}

size_t hd_engine_reads_roles(const hd_finding *finding, hd_report_role roles[3]) {
    const hd_witness_claim *claim = &finding->witness->claim;
    size_t count = 0;
    if (claim->read) /* at the end of the run there is no read */
        roles[count++] = (hd_report_role){"read", claim->read};
    roles[count++] = (hd_report_role){claim->read ? "saw" : "was", claim->writer};
    roles[count++] = (hd_report_role){claim->read ? "could see" : "could be", claim->sees};
    return count;
}
