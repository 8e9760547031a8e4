/*
 * heddle detect with EF, AF, EG, AG, EU or AU in the predicate.
 */
#include <string.h>

#include "cli_detect.h"
#include "cli_schedule.h"

struct temporal {
    hd_cli_detect *d;
    hd_engine_temporal t;
    uint32_t *threads; /* by place */
    uint32_t count;
    uint64_t told;
    hd_json *json; /* NULL: text */
};

static const char *model_name(const struct temporal *t) {
    return t->t.check.model == HD_ORDER_POSET ? "poset" : "loset";
}

/* With --all: each state. */
static int tell(void *context, const uint32_t *state) {
    struct temporal *t = context;
    uint64_t events = 0;
    for (uint32_t p = 0; p < t->count; p++) {
        printf("%s%s=%u", p ? " " : "",
               hd_text_name(hd_trace_thread_name(&t->d->trace.tables, t->threads[p])), state[p]);
        events += state[p];
    }
    printf(", %llu of %u events\n", (unsigned long long)events, hd_trace_length(&t->d->trace));
    return ferror(stdout) || ++t->told == t->d->e.most;
}

static void print_path(const struct temporal *t) {
    const hd_predicate_temporal_check *check = &t->t.check;
    if (!check->has_path)
        return;
    printf("  shown by   a run that %s, checked\n",
           check->path.length ? "begins so" : "begins here");
    hd_cli_schedule_print(&(hd_cli_schedule){
        .trace = &t->d->trace, .events = check->path.data, .length = check->path.length});
}

static void print_text(const struct temporal *t) {
    static const char *const words[] = {[HD_PREDICATE_T_FALSE] = "false at the start of the ",
                                        [HD_PREDICATE_T_TRUE] = "true at the start of the ",
                                        [HD_PREDICATE_T_UNKNOWN] =
                                            "no verdict at the start of the "};
    const hd_predicate_temporal_check *check = &t->t.check;
    const char *name = hd_text_name(t->d->e.path), *text = hd_text_name(t->d->e.text);
    char number[32];
    if (check->all)
        printf("%s: %s %s state%s of the %s: %s%s\n", name, hd_text_grouped(number, check->states),
               check->model == HD_ORDER_POSET ? "consistent" : "reachable",
               check->states == 1 ? "" : "s", model_name(t), text,
               check->complete ? "" : " (so far)");
    else
        printf("%s: %s%s: %s\n", name, words[check->start], model_name(t), text);
    if (t->d->explain) {
        printf("  class      temporal\n  algorithm  %s\n", check->algorithm);
        if (check->why[0])
            printf("  because    %s\n", check->why);
        printf("  looked at  %s\n", hd_text_grouped(number, check->looked_at));
    }
    if (!check->all)
        print_path(t);
    hd_cli_verdict_print(&t->t.verdict, 10);
}

static int write_json(const struct temporal *t) {
    const hd_predicate_temporal_check *check = &t->t.check;
    hd_cli_answer out;
    hd_json *json = &out.json;
    if (!hd_cli_json_begin(&out, t->d->arguments, t->d->e.path, &t->t.verdict))
        return HD_CLI_BAD;
    hd_json_text(json, "predicate", t->d->e.text);
    hd_json_text(json, "question", "temporal");
    hd_json_bool(json, "found", t->t.verdict.found);
    hd_json_text(json, "model", model_name(t));
    hd_json_text(json, "class", check->model == HD_ORDER_POSET ? "consistent" : "reachable");
    if (check->all)
        hd_json_uint(json, "states", check->states);
    hd_json_text(json, "predicate_class", "temporal");
    hd_json_text(json, "algorithm", check->algorithm);
    hd_json_text(json, "because", check->why);
    hd_json_uint(json, "looked_at", check->looked_at);
    if (check->has_path && !check->all)
        hd_report_events_write(json, "path", &check->path);
    hd_cli_json_findings(&out);
    return hd_cli_json_end(&out, hd_verdict_status(&t->t.verdict));
}

bool hd_cli_detect_is_temporal(const hd_cli_detect *d) {
    return !d->e.in_c && hd_predicate_temporal_is(d->e.text);
}

int hd_cli_detect_temporal(hd_cli_detect *d) {
    hd_error error = {""};
    bool json = hd_cli_given(d->arguments, HD_CLI_JSON);
    struct temporal t = {
        .d = d, .t = {.trace = &d->trace, .text = d->e.text, .memory = d->e.request.memory}};
    hd_order order;
    hd_order_init(&order, &d->trace);
    t.threads = HD_NEW_ARRAY(uint32_t, hd_order_threads(&order) + 1);
    t.count = hd_cut_space_threads(&order, t.threads);
    hd_order_release(&order);
    t.t.check.model = d->e.model;
    t.t.check.all = d->all || d->count;
    t.t.check.sink = d->all && !json ? tell : NULL;
    t.t.check.context = &t; // cppcheck-suppress autoVariables ; used up before this returns
    int status;
    if (!hd_engine_temporal_run(&t.t, &error))
        status = t.t.wrong.error.text[0]
                     ? hd_cli_detect_fail(d->e.text, &t.t.wrong)
                     : hd_cli_fail("%s: %s", hd_text_name(d->e.path), error.text);
    else if (json)
        status = write_json(&t);
    else {
        print_text(&t);
        status = hd_cli_flush(hd_verdict_status(&t.t.verdict));
    }
    hd_engine_temporal_release(&t.t);
    free(t.threads);
    return status;
}
