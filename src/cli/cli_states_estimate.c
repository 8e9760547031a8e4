/*
 * heddle states --estimate: about how many global states there are.
 */
#include "cli_ask.h"
#include "cli_states.h"
#include "cli_verdict.h"

enum { SECONDS = 10 };

/* 1,234 or 1.234e+45 */
static void print_number(double value) {
    const double whole = 1e6;
    printf(value < whole ? "%.0f" : "%.4g", value);
}

/* Not if the time was up before anything was drawn. */
static bool is_known(const hd_cut_estimate *e) {
    return e->exact || e->most > 0;
}

static void print_known(const hd_cut_estimate *e) {
    const double wide = 2;
    bool about = e->most < wide * e->least;
    printf(e->exact ? "exactly " : about ? "about " : "between ");
    print_number(about ? e->middle : e->least);
    if (!about)
        printf(" and ");
    if (!about)
        print_number(e->most);
}

static int print_text(const hd_cli_arguments *arguments, const hd_engine_states *s) {
    const hd_cut_estimate *e = s->estimate;
    printf("%s: ", hd_text_name(arguments->operands[0]));
    if (is_known(e))
        print_known(e);
    else
        printf("no estimate of the");
    printf(" %s states of the %s\n", hd_cut_class_names[s->request.class],
           s->request.model == HD_ORDER_POSET ? "poset" : "loset");
    if (!e->exact && is_known(e)) {
        printf("  interval  ");
        print_number(e->least);
        printf(" to ");
        print_number(e->most);
        printf(", right with a probability of %.0f %%\n", 100 * e->confidence);
        printf("  drawn     %llu of ", (unsigned long long)e->drawn);
        print_number(e->paths);
        printf(" paths, %llu of them states\n", (unsigned long long)e->hits);
    }
    hd_cli_verdict_print(&s->verdict, 10);
    return hd_cli_flush(hd_verdict_status(&s->verdict));
}

static int write_json(const hd_cli_arguments *arguments, const hd_engine_states *s) {
    const hd_cut_estimate *e = s->estimate;
    hd_cli_answer answer;
    hd_json *json = &answer.json;
    if (!hd_cli_json_begin(&answer, arguments, arguments->operands[0], &s->verdict))
        return HD_CLI_BAD;
    hd_json_text(json, "model", s->request.model == HD_ORDER_POSET ? "poset" : "loset");
    hd_json_text(json, "class", hd_cut_class_names[s->request.class]);
    hd_json_bool(json, "exact", e->exact);
    if (is_known(e)) {
        hd_json_real(json, "estimate", e->middle);
        hd_json_real(json, "least", e->least);
        hd_json_real(json, "most", e->most);
    }
    hd_json_real(json, "confidence", e->exact ? 1 : e->confidence);
    hd_json_uint(json, "drawn", e->drawn);
    hd_json_uint(json, "hits", e->hits);
    hd_cli_json_findings(&answer);
    return hd_cli_json_end(&answer, hd_verdict_status(&s->verdict));
}

int hd_cli_states_estimate(const hd_cli_arguments *arguments, hd_engine_states *s) {
    hd_error error = {""};
    hd_cut_estimate e = {.confidence = 0.95, .precision = 0.01, .seed = 1};
    hd_engine_question question = {.what = HD_ENGINE_STATES,
                                   .path = arguments->operands[0],
                                   .trace = s->trace,
                                   .whole.states = s};
    if (!hd_cli_seconds(arguments, HD_CLI_TIME, SECONDS, &e.seconds))
        return HD_CLI_BAD;
    s->estimate = &e;
    int status = HD_CLI_BAD;
    if (!hd_cli_ask(arguments, &question, &error))
        status = hd_cli_fail("%s", error.text);
    else if (hd_cli_given(arguments, HD_CLI_JSON))
        status = write_json(arguments, s);
    else
        status = print_text(arguments, s);
    s->estimate = NULL;
    return status;
}
