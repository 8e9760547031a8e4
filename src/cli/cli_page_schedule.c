/*
 * What explore, race and deadlock find on a model or program, in a page: each finding with
 * the run that shows it as a trace, its steps, and who waits for whom.
 */
#include "cli_model.h"
#include "cli_page.h"

/* Watches a run for both: the steps as --json has them, and the events. */
struct recording {
    hd_replay_watch steps;
    hd_trace run;
    hd_vec_u32 events_after; /* [step - 1]: how many events there are after it */
};

static int before(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    struct recording *recording = context;
    return recording->steps.before(recording->steps.context, machine, number, step);
}

static int after(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    struct recording *recording = context;
    machine->type->record(machine, &recording->run);
    hd_vec_push(&recording->events_after, hd_trace_length(&recording->run));
    return recording->steps.after(recording->steps.context, machine, number, step);
}

static void write_run(hd_report_page *page, const char *path, hd_machine *machine,
                      const hd_steps *schedule) {
    struct recording recording = {0};
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_cli_steps steps;
    hd_trace_init(&recording.run);
    hd_cli_steps_init(&steps, machine, path, schedule, &page->json);
    recording.steps = hd_cli_steps_watch(&steps);
    hd_replay_watch watch = {before, after, &recording};
    hd_json_open(&page->json, "steps", '[');
    hd_replay_run(machine, schedule, &watch, &outcome, &error);
    hd_cli_steps_close(&steps);
    hd_json_open(&page->json, "after", '[');
    for (size_t i = 0; i < recording.events_after.length; i++)
        hd_json_uint(&page->json, NULL, recording.events_after.data[i]);
    hd_json_close(&page->json);
    if (hd_trace_check_all(&recording.run, &error) && hd_report_page_fits(&recording.run, &error))
        hd_report_page_trace(page, "run", &recording.run);
    else
        hd_json_text(&page->json, "no_run", error.text);
    hd_cli_steps_release(&steps);
    hd_trace_release(&recording.run);
    hd_vec_release(&recording.events_after);
}

void hd_cli_page_schedule(hd_cli_page *page, hd_machine *machine, const hd_finding *finding,
                          enum hd_replay_claim claim, const hd_steps *schedule) {
    hd_json *json = &page->page.json;
    hd_engine_shown shown = {machine,          page->input,      claim,
                             schedule,         finding->rule,    finding->variable,
                             finding->message, finding->location};
    hd_finding known = *finding; /* again in another run */
    if (!page->path)
        return;
    known.fingerprint = hd_engine_shown_identity(&shown);
    hd_replay_prepare(machine, claim);
    if (!hd_report_page_finding_begin(&page->page, &known))
        return;
    hd_json_open(json, "claim", '{');
    hd_json_text(json, "kind", hd_replay_claim_name(claim));
    hd_json_close(json);
    hd_engine_shown_places(&shown, json);
    write_run(&page->page, page->input, machine, schedule);
    if (claim == HD_REPLAY_STUCK) {
        hd_json_open(json, "waits", '[');
        hd_cli_waits(machine, schedule, json);
        hd_json_close(json);
    }
    hd_json_close(json);
}
