/*
 * The answer of heddle explore, as a page: each finding with the run that shows it
 * as a trace, its steps, and who waits for whom.
 */
#include "cli_explore.h"

/* Watches a run for both: the steps as --json has them, and the events. */
struct recording {
    hd_replay_watch steps;
    hd_trace run;
    hd_vec_u32 behind; /* [step - 1]: events behind it */
};

static int before(void *context, hd_machine *machine, size_t number, const hd_witness_step *step) {
    struct recording *recording = context;
    return recording->steps.before(recording->steps.context, machine, number, step);
}

static int after(void *context, hd_machine *machine, size_t number, const hd_witness_step *step) {
    struct recording *recording = context;
    machine->type->record(machine, &recording->run);
    hd_vec_push(&recording->behind, hd_trace_length(&recording->run));
    return recording->steps.after(recording->steps.context, machine, number, step);
}

static void write_run(hd_cli_exploration *e, const hd_witness_steps *schedule) {
    hd_report_page *page = &e->page.page;
    struct recording recording = {0};
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_cli_steps steps;
    hd_trace_init(&recording.run);
    hd_cli_steps_init(&steps, e->checker, e->path, schedule, &page->json);
    recording.steps = hd_cli_steps_watch(&steps);
    hd_replay_watch watch = {before, after, &recording};
    hd_json_open(&page->json, "steps", '[');
    hd_replay_run(e->checker, schedule, &watch, &outcome, &error);
    hd_json_close(&page->json);
    hd_json_open(&page->json, "behind", '[');
    for (size_t i = 0; i < recording.behind.length; i++)
        hd_json_uint(&page->json, NULL, recording.behind.data[i]);
    hd_json_close(&page->json);
    if (hd_trace_check_all(&recording.run, &error) && hd_report_page_fits(&recording.run, &error))
        hd_report_page_trace(page, "run", &recording.run);
    else
        hd_json_text(&page->json, "no_run", error.text);
    hd_cli_steps_release(&steps);
    hd_trace_release(&recording.run);
    hd_vec_release(&recording.behind);
}

static void write_finding(hd_cli_exploration *e, size_t i) {
    const hd_finding *finding = &e->findings.found.data[i];
    const hd_replay_shrunk *shrunk = &e->shrunk.data[i];
    hd_json *json = &e->page.page.json;
    enum hd_replay_claim claim = hd_cli_claim_of(finding);
    hd_cli_shown shown = hd_cli_explore_shown(e, i);
    hd_finding known = *finding; /* again in another run */
    known.fingerprint = hd_cli_shown_identity(&shown);
    if (!hd_report_page_finding_begin(&e->page.page, &known))
        return;
    hd_json_open(json, "claim", '{');
    hd_json_text(json, "kind", hd_replay_claim_name(claim));
    hd_json_close(json);
    hd_cli_shown_places(&shown, json);
    write_run(e, &shrunk->schedule);
    if (claim == HD_REPLAY_STUCK) {
        hd_json_open(json, "waits", '[');
        hd_cli_waits(e->checker, &shrunk->schedule, json);
        hd_json_close(json);
    }
    hd_json_close(json);
}

int hd_cli_explore_page(hd_cli_exploration *e, int status) {
    if (!e->page.path || status == HD_CLI_BAD)
        return status; /* who began the page ends it */
    for (size_t i = 0; i < e->findings.found.length; i++)
        write_finding(e, i);
    hd_json *json = hd_cli_page_result(&e->page, hd_cli_explore_complete(e));
    hd_cli_explore_write_result(e, json);
    return hd_cli_page_end(&e->page, status);
}
