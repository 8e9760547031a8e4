#include "engine_report.h"

#include "engine_advice.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void hd_engine_report_identify(hd_report_finding *finding, const hd_report_defect *defect,
                               hd_report_lines *lines) {
    hd_report_defect whole = *defect;
    whole.places = &finding->places;
    hd_vec_push(&finding->said, hd_report_identity(&whole, lines));
}

static void add_places(hd_report *report, hd_report_finding *finding, hd_report_scene *scene,
                       const hd_report_role *roles, size_t count) {
    for (size_t i = 0; i < count; i++)
        hd_vec_push(&finding->places,
                    hd_report_scene_place(scene, &report->arena, roles[i].role, roles[i].event));
}

static void add_events(hd_report *report, hd_report_finding *finding, const hd_trace *trace,
                       const hd_witness *witness) {
    finding->proof = witness ? HD_REPORT_CHECKED : HD_REPORT_UNPROVED;
    for (size_t i = 0; witness && i < witness->schedule.length; i++)
        hd_report_add_event(report, finding, trace, witness->schedule.data[i]);
}

static const char *keep(hd_report *report, char *text) {
    const char *kept = hd_report_keep(report, text);
    free(text);
    return kept;
}

/* ---- Traces ---- */

/* "heddle validate TRACE WITNESS" shows it again. */
static void add_witness(hd_report *report, hd_report_finding *finding, const char *output,
                        size_t number, const char *trace) {
    if (!output)
        return;
    finding->witness = keep(report, hd_engine_witness_file(output, number));
    char *witness = (char *)finding->witness;
    finding->replay = keep(
        report, hd_engine_command_line("heddle validate", trace, (hd_engine_words){&witness, 1}));
}

void hd_engine_report_predicted(hd_report *report, hd_report_scene *scene, const hd_finding *from,
                                bool deadlock, const char *output, const char *trace,
                                size_t number) {
    const char *command = deadlock ? "deadlock" : "race";
    hd_engine_roles roles = {0};
    hd_report_defect defect = hd_engine_predict_defect(from, &roles);
    hd_report_finding *finding = hd_report_new(report, defect.rule, command);
    finding->variable = deadlock ? NULL : hd_report_keep(report, from->variable);
    finding->unordered = from->unordered;
    add_places(report, finding, scene, roles.data, roles.length);
    add_events(report, finding, scene->trace, from->witness);
    hd_engine_report_identify(finding, &defect, &scene->lines);
    hd_report_say(report, finding, &(hd_report_said){.message = from->message, .of_trace = true});
    add_witness(report, finding, from->witness ? output : NULL, number, trace);
    hd_vec_release(&roles);
}

void hd_engine_report_read(hd_report *report, hd_report_scene *scene, const hd_finding *from,
                           const char *output, const char *trace, size_t number) {
    hd_report_role roles[3];
    size_t count = hd_engine_reads_roles(from, roles);
    hd_report_finding *finding = hd_report_new(report, "nondet", "nondet");
    finding->variable = hd_report_keep(report, from->variable);
    add_places(report, finding, scene, roles, count);
    add_events(report, finding, scene->trace, from->witness);
    hd_engine_report_identify(
        finding, &(hd_report_defect){.rule = "nondet", .variable = from->variable}, &scene->lines);
    hd_report_say(report, finding,
                  &(hd_report_said){.message = from->message,
                                    .of_trace = true,
                                    .final = from->witness->claim.read == 0});
    add_witness(report, finding, output, number, trace);
}

void hd_engine_report_state(hd_report *report, hd_report_scene *scene,
                            const hd_engine_detection *d) {
    hd_report_finding *finding = hd_report_new(report, "state", "detect");
    for (size_t i = 0; i < d->frontier.length; i++)
        hd_vec_push(&finding->places,
                    hd_report_scene_place(scene, &report->arena, "last", d->frontier.data[i]));
    add_events(report, finding, scene->trace, d->proved ? &d->witness : NULL);
    hd_report_say(report, finding, &(hd_report_said){.predicate = d->text, .of_trace = true});
    add_witness(report, finding, d->proved ? d->output : NULL, 0, d->path);
}

/* ---- Programs that were driven, runs, replays ---- */

void hd_engine_report_witness(hd_report *report, hd_report_finding *finding, const char *output,
                              size_t number) {
    if (output)
        finding->witness = keep(report, hd_engine_witness_file(output, number));
}

void hd_engine_report_driven(hd_report *report, const hd_engine_drive *drive,
                             const hd_engine_driven *driven, hd_report_lines *lines) {
    const char *command = drive->deadlocks ? "deadlock" : "race";
    hd_engine_shown shown = hd_engine_driven_shown(drive, driven);
    hd_report_finding *finding = hd_report_new(report, command, command);
    finding->variable = hd_report_keep(report, driven->variable);
    finding->unordered = shown.claim == HD_REPLAY_UNORDERED;
    finding->proof = HD_REPORT_REPLAYED;
    hd_engine_shown_take(&shown, &report->arena, &finding->places);
    hd_engine_report_identify(
        finding, &(hd_report_defect){.rule = command, .variable = driven->variable}, lines);
    hd_report_add_schedule(report, finding, &driven->trace);
    hd_report_say(report, finding, &(hd_report_said){0});
}

void hd_engine_report_run(hd_report *report, const hd_engine_run *run) {
    hd_report_finding *finding = hd_report_new(report, run->rule, "record");
    finding->message = hd_report_keep(report, run->ending);
    finding->location = hd_report_keep(report, run->place);
    finding->proof = HD_REPORT_SEEN;
    if (run->output)
        finding->witness = hd_report_keep(report, run->output);
}

const char *hd_engine_follow_rule(const hd_engine_follow *f) {
    if (!f->of_witness)
        return hd_launch_run_rule(&f->run);
    switch (f->witness.claim.kind) {
    case HD_WITNESS_RACE:
    case HD_WITNESS_UNORDERED:
        return "race";
    case HD_WITNESS_ATOMICITY:
        return HD_RACE_ATOMICITY;
    case HD_WITNESS_DEADLOCK:
    case HD_WITNESS_END:
        return "deadlock";
    case HD_WITNESS_STATE:
    case HD_WITNESS_REORDERING:
        return "state";
    case HD_WITNESS_READ:
    case HD_WITNESS_FINAL_READ:
        break;
    }
    return "nondet";
}

const char *hd_engine_follow_text(const hd_engine_follow *f) {
    if (!f->of_witness || f->end != HD_ENGINE_SHOWN)
        return f->ending.data;
    return f->witness.verdict ? f->witness.verdict : f->claim.data;
}

void hd_engine_report_followed(hd_report *report, const hd_engine_follow *f) {
    hd_report_finding *finding = hd_report_new(report, hd_engine_follow_rule(f), "replay");
    finding->message = hd_report_keep(report, hd_engine_follow_text(f));
    finding->proof = HD_REPORT_REPLAYED;
    finding->witness = hd_report_keep(report, f->file);
}

static const char *rule_of(const hd_engine_replay *r) {
    static const char *const rules[HD_REPLAY_CLAIMS] = {[HD_REPLAY_STUCK] = "deadlock",
                                                        [HD_REPLAY_LIVELOCK] = "livelock",
                                                        [HD_REPLAY_RACE] = "race",
                                                        [HD_REPLAY_END] = "outcome",
                                                        [HD_REPLAY_UNORDERED] = "race"};
    return r->witness.claim == HD_REPLAY_VIOLATION ? hd_engine_failed_rule(r->machine)
                                                   : rules[r->witness.claim];
}

void hd_engine_report_replayed(hd_report *report, hd_engine_replay *r) {
    hd_report_finding *finding = hd_report_new(report, rule_of(r), "replay");
    char *location = NULL, *message = NULL;
    finding->proof = HD_REPORT_REPLAYED;
    finding->witness = hd_report_keep(report, r->file);
    finding->unordered = r->witness.claim == HD_REPLAY_UNORDERED;
    if (r->witness.claim == HD_REPLAY_VIOLATION)
        hd_engine_failure(r->machine, r->path, &location, &message);
    hd_engine_shown shown = {.machine = r->machine,
                             .path = r->path,
                             .claim = r->witness.claim,
                             .schedule = &r->witness.schedule,
                             .rule = finding->id,
                             .message = message,
                             .location = location};
    hd_engine_shown_take(&shown, &report->arena, &finding->places);
    hd_report_say(report, finding, &(hd_report_said){.message = message});
    free(location);
    free(message);
}

/* ---- Exploring ---- */

/* A finding's steps, on their way into the report. */
struct steps {
    hd_report *report;
    hd_report_finding *finding;
    const hd_engine_exploration *e;
    hd_report_step step; /* in hand */
};

static void place_step(struct steps *s, hd_machine *machine, uint32_t position) {
    char *place = hd_engine_place(machine, s->e->path, position), *colon = strrchr(place, ':');
    s->step.line = hd_engine_line(machine, position);
    if (colon && s->step.line)
        s->step.file = hd_arena_string(&s->report->arena, place, (size_t)(colon - place));
    else
        s->step.line = 0;
    free(place);
}

/* The statement; of a program its words alone, for the place is said beside it. */
static void word_step(struct steps *s, hd_machine *machine, const hd_step *step, uint32_t choices) {
    hd_vec_char text = {0}, variable = {0};
    if (hd_native_is_machine(machine))
        hd_native_next_words(machine, step->thread, &text, &variable);
    else
        hd_engine_statement(machine, step->thread, &text);
    s->step.text =
        hd_report_format(s->report, "%.*s", (int)text.length, text.data ? text.data : "");
    if (choices > 1 && !hd_native_is_machine(machine))
        s->step.text = hd_report_format(s->report, "%s (choice %u of %u)", s->step.text,
                                        step->choice + 1, choices);
    hd_vec_release(&text);
    hd_vec_release(&variable);
}

static int before(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)number;
    struct steps *s = context;
    hd_machine_operation operation;
    machine->type->next(machine, step->thread, &operation);
    s->step = (hd_report_step){
        .thread = hd_report_keep(s->report, machine->type->thread_name(machine, step->thread))};
    place_step(s, machine, operation.position);
    word_step(s, machine, step, operation.choices);
    return 0;
}

static int after(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)number;
    (void)step;
    struct steps *s = context;
    hd_vec_char variable = {0};
    int64_t value;
    /* The words of an access end with what it accesses. */
    if (hd_native_is_machine(machine) && hd_native_step_value(machine, &variable, &value))
        s->step.text = hd_report_format(s->report, "%s = %s", s->step.text, hd_text_value(value));
    hd_vec_release(&variable);
    hd_vec_push(&s->finding->steps, s->step);
    return 0;
}

static void add_advice(hd_report *report, hd_report_finding *finding,
                       const hd_engine_exploration *e, const hd_finding *from,
                       const hd_replay_shrunk *shrunk) {
    hd_vec_char text = {0};
    hd_vec_u32 steps = {0};
    hd_engine_explore_advise(e, from, shrunk, &text, &steps);
    if (text.length)
        finding->advice = hd_report_keep(report, text.data);
    for (size_t i = 0; i < steps.length; i++)
        if (steps.data[i] <= finding->steps.length)
            finding->steps.data[steps.data[i] - 1].matters = true;
    hd_vec_release(&text);
    hd_vec_release(&steps);
}

void hd_engine_report_explored(hd_report *report, const hd_engine_exploration *e,
                               const hd_finding *from, const hd_replay_shrunk *shrunk,
                               hd_report_lines *lines) {
    hd_report_finding *finding = hd_report_new(report, from->rule, "explore");
    hd_engine_shown shown = hd_engine_explore_about(e, from, shrunk);
    struct steps steps = {report, finding, e, {0}};
    hd_replay_watch watch = {before, after, &steps};
    hd_replay_outcome outcome;
    hd_error error = {""};
    finding->variable = hd_report_keep(report, from->variable);
    finding->unordered = from->unordered;
    finding->count = from->count;
    finding->proof = HD_REPORT_SEEN;
    hd_replay_prepare(hd_engine_explore_checker(e), shown.claim);
    hd_replay_run(hd_engine_explore_checker(e), &shrunk->schedule, &watch, &outcome, &error);
    add_advice(report, finding, e, from, shrunk);
    hd_engine_shown_take(&shown, &report->arena, &finding->places);
    hd_engine_report_identify(finding,
                              &(hd_report_defect){.rule = from->rule,
                                                  .variable = from->variable,
                                                  .message = from->message},
                              lines);
    hd_report_say(report, finding, &(hd_report_said){.message = from->message});
}
