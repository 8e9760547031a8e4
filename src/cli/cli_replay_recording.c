/*
 * heddle replay of a recording: the program once more, along the events of a trace.
 */
#include "cli_replay.h"

/* How it went. */
enum verdict { SHOWN, NOT_SHOWN, STOPPED };

typedef struct outcome {
    const hd_cli_recording *it;
    hd_native_followed followed;
    hd_launch_run run;
    hd_native_difference difference;
    uint64_t missing; /* the first event that did not come because a signal ended the run; 0: none */
    hd_vec_char ending;
    enum verdict verdict;
} outcome;

static int fail_diverged(const outcome *a) {
    const hd_native_difference *d = &a->difference;
    const char *guess =
        d->guessed ? "; the order of this one was guessed when it was recorded" : "";
    fflush(stdout);
    if (d->now[0])
        return hd_cli_fail("%s: diverges from %s: event %llu is %s, and it did %s%s",
                           hd_text_name(a->it->program), hd_text_name(a->it->file),
                           (unsigned long long)d->event, d->recorded, d->now, guess);
    return hd_cli_fail(
        "%s: diverges from %s: event %llu, %s, did not come: %s%s", hd_text_name(a->it->program),
        hd_text_name(a->it->file), (unsigned long long)d->event, d->recorded,
        a->run.wire->ending == HEDDLE_WIRE_DIVERGED ? a->run.wire->message : a->ending.data, guess);
}

static bool run_along(outcome *a, hd_recording_sink *sink, void *to, hd_error *error) {
    if (!hd_native_follow_run(&a->followed, a->it->argv, a->it->json || sink, &a->run, error))
        return false;
    hd_launch_run_describe(&a->run, &a->ending);
    a->verdict = a->run.wire->ending == HEDDLE_WIRE_STOPPED           ? STOPPED
                 : hd_launch_run_succeeded(&a->run) || a->run.stopped ? NOT_SHOWN
                                                                      : SHOWN;
    if (!hd_native_follow_compare(&a->followed, &a->run, sink, to, &a->difference, error))
        return false;
    if (a->run.stopped && a->difference.event && !a->difference.now[0]) {
        a->missing = a->difference.event; /* that is no divergence */
        a->difference.event = 0;
    }
    return true;
}

static void judge(const outcome *a, hd_verdict *verdict) {
    hd_verdict_init(verdict, "whether the program fails again along the recording");
    if (a->verdict == STOPPED)
        hd_verdict_not(verdict, "stopped", "stopped where --to says, or where the recording ends");
    if (a->run.stopped)
        hd_verdict_not(verdict, "interrupted", "%s", a->ending.data);
    hd_verdict_rests(verdict, "recording", NULL, HD_VERDICT_FIRM,
                     "one run, along the events of the recording");
    verdict->found = a->verdict == SHOWN;
}

static int status_of(const outcome *a) {
    hd_verdict verdict;
    judge(a, &verdict);
    int status = hd_verdict_status(&verdict);
    hd_verdict_release(&verdict);
    return status;
}

/* ---- Text ---- */

static void print_head(const outcome *a) {
    printf("%s on %s: %s, %s\n", hd_text_name(a->it->file), hd_text_name(a->it->program),
           hd_text_count(a->followed.events, "event", "events"),
           hd_text_count(a->followed.switches, "context switch", "context switches"));
}

static int print_end(const outcome *a) {
    if (a->difference.event)
        return fail_diverged(a);
    const char *events = hd_text_count(a->followed.events, "event", "events");
    if (a->verdict == STOPPED)
        printf("stopped after event %llu of %llu\n", (unsigned long long)a->followed.events,
               (unsigned long long)a->followed.all);
    else if (a->missing)
        printf("followed: %llu of %s, all of them the same\nit ends: %s\n",
               (unsigned long long)a->missing - 1, events, a->ending.data);
    else
        printf("followed: %s, all of them the same\n%s: %s\n", events,
               a->verdict == SHOWN ? "shown" : "it ends", a->ending.data);
    return status_of(a);
}

static int print_text(outcome *a, hd_error *error) {
    if (!a->it->quiet)
        print_head(a);
    hd_cli_printing *printing = a->it->print ? hd_cli_printing_create() : NULL;
    bool good = run_along(a, printing ? hd_cli_printing_take : NULL, printing, error);
    hd_cli_printing_free(printing);
    if (good && a->it->output)
        good = hd_recording_save(&a->run, a->it->output, hd_trace_format_of(a->it->output),
                                 &(hd_recording_summary){0}, error);
    return good ? print_end(a) : hd_cli_fail("%s", error->text);
}

/* ---- JSON ---- */

static int print_json(outcome *a, const hd_cli_arguments *arguments, hd_error *error) {
    static const char *const words[] = {
        [SHOWN] = "shown", [NOT_SHOWN] = "not shown", [STOPPED] = "stopped"};
    hd_cli_answer answer;
    if (!run_along(a, NULL, NULL, error))
        return hd_cli_fail("%s", error->text);
    if (a->difference.event)
        return fail_diverged(a);
    hd_verdict verdict;
    judge(a, &verdict);
    bool begun = hd_cli_json_begin(&answer, arguments, a->it->program, &verdict);
    hd_verdict_release(&verdict);
    if (!begun)
        return HD_CLI_BAD;
    hd_json *json = &answer.json;
    hd_json_text(json, "witness", a->it->file);
    hd_json_text(json, "claim", "recording");
    hd_json_text(json, "verdict", words[a->verdict]);
    hd_json_uint(json, "events", a->missing ? a->missing - 1 : a->followed.events);
    hd_json_uint(json, "context_switches", a->followed.switches);
    hd_json_text(json, "ending", a->ending.data);
    hd_cli_json_findings(&answer);
    if (a->verdict == SHOWN) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "rule", hd_launch_run_rule(&a->run));
        hd_json_text(json, "message", a->ending.data);
        hd_json_close(json);
    }
    return hd_cli_json_end(&answer, status_of(a));
}

int hd_cli_replay_recording(const hd_cli_recording *it, const hd_cli_arguments *arguments) {
    hd_error error = {""};
    outcome a = {.it = it};
    int status = HD_CLI_BAD;
    if (!hd_native_follow_load(&a.followed, it->file, it->to, &error))
        return hd_cli_fail("%s", error.text);
    if (a.followed.guessed)
        hd_log_write(HD_LOG_WARNING, "%s: order partly guessed: the run may become another",
                     hd_text_name(it->file));
    hd_engine_note_incomplete(it->file, a.followed.incomplete, 0);
    if (!hd_engine_same_build(it->file, it->program, it->argv[0], a.followed.build, "record",
                              it->any_build, &error))
        hd_cli_fail("%s", error.text);
    else if (it->gdb) {
        hd_native_follow_gdb(&a.followed, it->argv, &it->commands, &error);
        hd_cli_fail("%s", error.text);
    } else
        status = it->json ? print_json(&a, arguments, &error) : print_text(&a, &error);
    hd_native_followed_release(&a.followed);
    hd_launch_run_release(&a.run);
    hd_vec_release(&a.ending);
    return status;
}
