/*
 * heddle replay of a recording: the program once more, along the events of a trace.
 */
#include "cli_ask.h"
#include "cli_replay.h"

typedef struct outcome {
    const hd_cli_recording *it;
    const hd_cli_arguments *arguments;
    hd_engine_follow f;
} outcome;

static int fail_diverged(const outcome *a) {
    fflush(stdout);
    return hd_cli_fail("%s: diverges from %s: %s", hd_text_name(a->it->program),
                       hd_text_name(a->it->file), a->f.reason.text);
}

static bool run_along(outcome *a, hd_recording_sink *sink, void *to, hd_error *error) {
    hd_engine_question question = {
        .what = HD_ENGINE_REPLAY, .path = a->it->program, .whole.follow = &a->f};
    a->f.aside = a->it->json || sink;
    a->f.sink = sink;
    a->f.context = to;
    return hd_cli_ask(a->arguments, &question, error);
}

/* ---- Text ---- */

static void print_head(const outcome *a) {
    printf("%s on %s: %s, %s%s%.*s\n", hd_text_name(a->it->file), hd_text_name(a->it->program),
           hd_text_count(a->f.followed.events, "event", "events"),
           hd_text_count(a->f.followed.switches, "context switch", "context switches"),
           a->f.of_witness ? ", claim: " : "", (int)a->f.claim.length, a->f.claim.data);
}

static const char *end_word(const outcome *a) {
    return a->f.end == HD_ENGINE_SHOWN ? "shown" : a->f.of_witness ? "not shown" : "it ends";
}

static int print_end(const outcome *a) {
    if (a->f.end == HD_ENGINE_DIVERGED)
        return fail_diverged(a);
    const char *events = hd_text_count(a->f.followed.events, "event", "events");
    if (a->f.end == HD_ENGINE_HALTED && a->f.followed.events == a->f.followed.all &&
        !a->f.of_witness)
        printf("followed: %s, all of them the same\nit ends: where the recording ends\n", events);
    else if (a->f.end == HD_ENGINE_HALTED)
        printf("stopped after event %llu of %llu\n", (unsigned long long)a->f.followed.events,
               (unsigned long long)a->f.followed.all);
    else if (a->f.missing)
        printf("followed: %llu of %s, all of them the same\nit ends: %s\n",
               (unsigned long long)a->f.missing - 1, events, a->f.ending.data);
    else
        printf("followed: %s, all of them the same\n%s: %s\n", events, end_word(a),
               hd_engine_follow_text(&a->f));
    return hd_verdict_status(&a->f.verdict);
}

static int print_text(outcome *a, hd_error *error) {
    if (!a->it->quiet)
        print_head(a);
    hd_cli_printing *printing = a->it->print ? hd_cli_printing_create() : NULL;
    bool good = run_along(a, printing ? hd_cli_printing_take : NULL, printing, error);
    hd_cli_printing_free(printing);
    if (good && a->it->output)
        good = hd_recording_save(&a->f.run, a->it->output, hd_trace_format_of(a->it->output),
                                 &(hd_recording_summary){0}, error);
    return good ? print_end(a) : hd_cli_fail("%s", error->text);
}

/* ---- JSON ---- */

static int print_json(outcome *a, hd_error *error) {
    static const char *const words[] = {[HD_ENGINE_SHOWN] = "shown",
                                        [HD_ENGINE_NOT_SHOWN] = "not shown",
                                        [HD_ENGINE_HALTED] = "stopped"};
    hd_cli_answer answer;
    if (!run_along(a, NULL, NULL, error))
        return hd_cli_fail("%s", error->text);
    if (a->f.end == HD_ENGINE_DIVERGED)
        return fail_diverged(a);
    if (!hd_cli_json_begin(&answer, a->arguments, a->it->program, &a->f.verdict))
        return HD_CLI_BAD;
    hd_json *json = &answer.json;
    hd_json_text(json, "witness", a->it->file);
    hd_json_text(json, "claim", a->f.of_witness ? a->f.claim.data : "recording");
    hd_json_text(json, "verdict", words[a->f.end]);
    hd_json_uint(json, "events", a->f.missing ? a->f.missing - 1 : a->f.followed.events);
    hd_json_uint(json, "context_switches", a->f.followed.switches);
    hd_json_text(json, "ending", a->f.ending.data);
    hd_cli_json_findings(&answer);
    if (a->f.end == HD_ENGINE_SHOWN) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "rule", hd_engine_follow_rule(&a->f));
        hd_json_text(json, "message", hd_engine_follow_text(&a->f));
        hd_json_close(json);
    }
    return hd_cli_json_end(&answer, hd_verdict_status(&a->f.verdict));
}

int hd_cli_replay_recording(const hd_cli_recording *it, const hd_cli_arguments *arguments) {
    hd_error error = {""};
    outcome a = {.it = it, .arguments = arguments};
    int status = HD_CLI_BAD;
    a.f = (hd_engine_follow){.path = it->program,
                             .file = it->file,
                             .argv = it->argv,
                             .to = it->to,
                             .any_build = it->any_build};
    if (!hd_engine_follow_load(&a.f, &error))
        hd_cli_fail("%s", error.text);
    else if (it->gdb) {
        hd_engine_follow_gdb(&a.f, &it->commands, &error);
        hd_cli_fail("%s", error.text);
    } else
        status = it->json ? print_json(&a, &error) : print_text(&a, &error);
    hd_engine_follow_release(&a.f);
    return status;
}
