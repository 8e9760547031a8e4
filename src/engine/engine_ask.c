#include "engine_ask.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "engine_detect.h"
#include "engine_replay.h"
#include "engine_report.h"
#include "engine_verdict.h"

const char *const hd_engine_what_names[HD_ENGINE_WHATS] = {
    [HD_ENGINE_RACE] = "race",     [HD_ENGINE_DEADLOCK] = "deadlock",
    [HD_ENGINE_NONDET] = "nondet", [HD_ENGINE_STATES] = "states",
    [HD_ENGINE_DETECT] = "detect", [HD_ENGINE_EXPLORE] = "explore",
    [HD_ENGINE_REPLAY] = "replay", [HD_ENGINE_CHECK] = "check",
};

/* A question that is being answered. */
typedef struct asking {
    const hd_engine_question *q;
    hd_engine_answer *a;
    hd_report_scene *scene; /* of the trace */
} asking;

static void put(hd_engine_answer *answer, const char *name, double value) {
    hd_vec_push(&answer->figures, (hd_engine_figure){name, value});
}

/* Tells those that are new. */
static void tell(const asking *ask) {
    hd_engine_answer *a = ask->a;
    for (; a->told < a->report.findings.length && !a->enough; a->told++)
        if (ask->q->found)
            a->enough = ask->q->found(ask->q->context, &a->report.findings.data[a->told]) != 0;
}

static void take_verdict(hd_engine_answer *answer, hd_verdict *verdict) {
    answer->verdict = *verdict;
    *verdict = (hd_verdict){0};
}

/* ---- Traces ---- */

static bool predict(const asking *ask, const hd_trace *trace, hd_error *error) {
    hd_engine_prediction p;
    bool deadlocks = ask->q->what == HD_ENGINE_DEADLOCK;
    hd_engine_predict_init(&p, trace, deadlocks);
    p.options.limit = ask->q->effort ? ask->q->effort : (uint64_t)2000 * 1000000;
    bool good = hd_engine_predict_run(&p, error);
    for (size_t i = 0; good && i < p.found.length; i++)
        good =
            hd_engine_finding_save(ask->q->output, ask->q->path, trace, &p.found.data[i], i, error);
    if (good) {
        hd_engine_report_prediction(&ask->a->report, &p, ask->q->output, ask->q->path, 0);
        put(ask->a, deadlocks ? "deadlocks" : "races",
            (double)(deadlocks ? p.locks.deadlocks : p.races.races));
        put(ask->a, "unproved", (double)(deadlocks ? p.locks.unproved : p.races.unproved));
        take_verdict(ask->a, &p.verdict);
    }
    hd_engine_predict_release(&p);
    return good;
}

static int take_read(void *context, hd_finding *finding) {
    const asking *ask = context;
    hd_engine_report_read(&ask->a->report, ask->scene, finding);
    tell(ask);
    return ask->a->enough;
}

static bool reads(const asking *ask, const hd_trace *trace, hd_error *error) {
    hd_engine_reads r = {.trace = trace};
    hd_nondet_options_init(&r.options);
    r.options.limit = ask->q->effort ? ask->q->effort : (uint64_t)2000000 * 1000;
    bool good = hd_engine_reads_run(&r, take_read, (void *)ask, error);
    if (good) {
        hd_engine_report_reads(&ask->a->report, &r, ask->a->report.findings.length, 0);
        put(ask->a, "reads", (double)hd_engine_reads_asked(&r.result));
        put(ask->a, "nondeterministic_reads", (double)hd_engine_reads_found(&r.result));
        if (r.result.stopped)
            hd_verdict_not(&r.verdict, "stopped", "stopped when enough was found");
        take_verdict(ask->a, &r.verdict);
    }
    hd_engine_reads_release(&r);
    return good;
}

static void judge_states(hd_verdict *verdict, const hd_trace *trace, int why) {
    hd_verdict_init(verdict, "global states");
    hd_engine_verdict_recording(verdict, trace);
    if (why == HD_CUT_LIMITED)
        hd_verdict_not(verdict, "limit", "not all states were counted: there is too little memory");
    else if (why && hd_clock_look() == HD_CLOCK_LATE)
        hd_verdict_not(verdict, "limit", "stopped by the limit on time");
    else if (why)
        hd_verdict_not(verdict, "interrupted", "interrupted before all were counted");
}

static bool states(const asking *ask, const hd_trace *trace, hd_error *error) {
    hd_order order;
    hd_cut_answer counted = {0};
    hd_cut_request request = {.model = HD_ORDER_POSET,
                              .class = HD_CUT_CONSISTENT,
                              .algorithm = HD_CUT_AUTO,
                              .workers = 1,
                              .memory = ask->q->memory ? ask->q->memory : (size_t)4096 << 20};
    hd_order_init(&order, trace);
    bool good = hd_cut_states(&order, &request, &counted, error);
    if (good) {
        char *digits = hd_cut_count_text(&counted.states);
        put(ask->a, "states", strtod(digits, NULL));
        free(digits);
        judge_states(&ask->a->verdict, trace, counted.why);
        hd_report_count_answer(&ask->a->report, "states", &ask->a->verdict, 0, 0);
    }
    hd_cut_answer_release(&counted);
    hd_order_release(&order);
    return good;
}

static bool detect(const asking *ask, const hd_trace *trace, hd_error *error) {
    hd_engine_detection d;
    bool good = hd_engine_detect_run(&d, trace, ask->q->predicate, error);
    if (good) {
        if (d.found)
            hd_engine_report_state(&ask->a->report, ask->scene, &d, ask->q->predicate);
        hd_report_count_answer(&ask->a->report, "detect", &d.verdict, d.found, 0);
        put(ask->a, "looked_at", (double)d.looked_at);
        take_verdict(ask->a, &d.verdict);
    }
    hd_engine_detect_release(&d);
    return good;
}

static bool of_trace(asking *ask, hd_error *error) {
    hd_trace trace = {0};
    hd_report_scene scene;
    if (!hd_trace_load(&trace, ask->q->path, HD_TRACE_TIMED, error))
        return false;
    hd_report_scene_init(&scene, &trace);
    ask->scene = &scene;
    bool good = ask->q->what == HD_ENGINE_NONDET   ? reads(ask, &trace, error)
                : ask->q->what == HD_ENGINE_STATES ? states(ask, &trace, error)
                : ask->q->what == HD_ENGINE_DETECT ? detect(ask, &trace, error)
                                                   : predict(ask, &trace, error);
    hd_report_scene_release(&scene);
    ask->scene = NULL;
    hd_trace_release(&trace);
    return good;
}

/* ---- Programs and models ---- */

static bool drive(const asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    hd_engine_drive d;
    hd_engine_drive_init(&d, q->path, q->arguments, q->what == HD_ENGINE_DEADLOCK);
    d.output = q->output;
    d.options.seeds = q->seeds ? q->seeds : d.options.seeds;
    d.options.most_executions = q->executions ? q->executions : d.options.most_executions;
    d.options.effort = q->effort ? q->effort : (uint64_t)2000 * 1000000;
    bool good = hd_engine_drive_start(&d, error) && hd_engine_drive_run(&d, error) &&
                hd_engine_report_drive(&ask->a->report, &d, 0, error);
    if (good) {
        put(ask->a, d.deadlocks ? "deadlocks" : "races", (double)d.shown);
        put(ask->a, "unproved", (double)d.result.unproved.length);
        put(ask->a, "executions", (double)d.result.executions);
        take_verdict(ask->a, &d.verdict);
    }
    hd_engine_drive_release(&d);
    return good;
}

static void add_outcomes(hd_engine_answer *answer, const hd_engine_exploration *e) {
    for (size_t i = 0; i < e->outcomes.length; i++) {
        const hd_engine_outcome *from = &e->outcomes.data[i];
        bool killed = WIFSIGNALED(from->end.status);
        hd_vec_push(&answer->outcomes, (hd_engine_way){
                                           .killed = killed,
                                           .status = killed ? WTERMSIG(from->end.status)
                                                            : WEXITSTATUS(from->end.status),
                                           .output = hd_report_keep(&answer->report, from->output),
                                           .bytes = from->end.wrote,
                                           .executions = from->count,
                                       });
    }
}

static void add_figures(hd_engine_answer *answer, const hd_engine_exploration *e) {
    put(answer, "executions", (double)e->result.executions);
    put(answer, "blocked", (double)e->result.blocked);
    put(answer, "deadlocks", (double)e->result.deadlocks);
    put(answer, "violations", (double)e->result.violations);
    put(answer, "steps", (double)e->result.steps);
    put(answer, "threads", e->machine->threads);
    if (e->program) {
        hd_native_tally tally = hd_native_machine_tally(e->machine);
        put(answer, "runs", (double)tally.done);
        put(answer, "predicted", (double)tally.predicted);
    }
}

static bool explore(const asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    hd_engine_exploration e;
    hd_engine_explore_init(&e, q->path, q->arguments);
    e.find = q->find ? q->find : hd_engine_explore_usual(&e);
    e.findings.enough = q->first ? 1 : 0;
    e.output = q->output;
    e.options.most_seconds = q->seconds;
    e.options.most_executions = q->executions;
    e.options.most_steps = q->depth;
    bool good = hd_engine_explore_start(&e, error) && hd_engine_explore_run(&e, error);
    if (good) {
        hd_engine_report_exploration(&ask->a->report, &e, 0);
        add_outcomes(ask->a, &e);
        add_figures(ask->a, &e);
        take_verdict(ask->a, &e.verdict);
    }
    hd_engine_explore_release(&e);
    return good;
}

static const char *rule_of(const hd_engine_replay *r) {
    static const char *const rules[] = {
        [HD_REPLAY_STUCK] = "deadlock", [HD_REPLAY_RACE] = "race", [HD_REPLAY_END] = "outcome"};
    return r->witness.claim == HD_REPLAY_VIOLATION ? hd_engine_failed_rule(r->machine)
                                                   : rules[r->witness.claim];
}

static void add_shown(hd_report *report, hd_engine_replay *r) {
    hd_report_finding *finding = hd_report_new(report, rule_of(r), "replay");
    char *location = NULL, *message = NULL;
    finding->proof = HD_REPORT_REPLAYED;
    finding->witness = hd_report_keep(report, r->file);
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

static bool replay(const asking *ask, hd_error *error) {
    hd_engine_replay r;
    hd_engine_replay_init(&r, ask->q->path, ask->q->witness, ask->q->arguments);
    bool good = hd_engine_replay_load(&r, error);
    if (good) {
        hd_engine_replay_run(&r, NULL);
        good = r.end != HD_ENGINE_DIVERGED ||
               hd_error_set(error, "%s: diverges from %s: %s", hd_text_name(r.path),
                            hd_text_name(r.file), r.reason.text);
    }
    if (good) {
        if (r.end == HD_ENGINE_SHOWN)
            add_shown(&ask->a->report, &r);
        hd_report_count_answer(&ask->a->report, "replay", &r.verdict, r.end == HD_ENGINE_SHOWN, 0);
        put(ask->a, "steps", (double)r.outcome.steps);
        take_verdict(ask->a, &r.verdict);
    }
    hd_engine_replay_release(&r);
    return good;
}

static bool check(const asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    hd_engine_check c;
    const char *const predicates[] = {q->predicate};
    hd_engine_check_init(&c, q->path, q->arguments);
    c.predicates = (hd_engine_texts){predicates, q->predicate != NULL};
    c.asked = q->asked;
    c.folder = q->output;
    c.seeds = q->seeds ? q->seeds : c.seeds;
    c.seconds = q->seconds > 0 ? q->seconds : c.seconds;
    bool good = hd_engine_check_kind(&c, error) && hd_engine_check_run(&c, error);
    if (good) {
        hd_report_judge(&c.report);
        take_verdict(ask->a, &c.report.verdict);
        hd_report_release(&ask->a->report);
        ask->a->report = c.report;
        c.report = (hd_report){0};
    }
    hd_engine_check_release(&c);
    return good;
}

/* ---- All of them ---- */

/* What a question needs beside its path. */
static bool is_whole(const hd_engine_question *q, hd_error *error) {
    if (!q->path)
        return hd_error_set(error, "there is nothing to ask about: the path is missing");
    if (q->what == HD_ENGINE_DETECT && !q->predicate)
        return hd_error_set(error, "detect needs a predicate");
    if (q->what == HD_ENGINE_REPLAY && !q->witness)
        return hd_error_set(error, "replay needs a witness");
    if (q->what == HD_ENGINE_CHECK && !q->output)
        return hd_error_set(error, "check needs a folder for traces and witnesses");
    return !q->accept || hd_verdict_accept_check(q->accept, error);
}

static bool answer_it(asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    switch (q->what) {
    case HD_ENGINE_RACE:
    case HD_ENGINE_DEADLOCK:
        return hd_engine_is_program(q->path) ? drive(ask, error) : of_trace(ask, error);
    case HD_ENGINE_NONDET:
    case HD_ENGINE_STATES:
    case HD_ENGINE_DETECT:
        return of_trace(ask, error);
    case HD_ENGINE_EXPLORE:
        return explore(ask, error);
    case HD_ENGINE_REPLAY:
        return replay(ask, error);
    case HD_ENGINE_CHECK:
        return check(ask, error);
    case HD_ENGINE_WHATS:
        break;
    }
    return hd_error_set(error, "there is no question %d", (int)q->what);
}

static bool stops(void *context) {
    const asking *ask = context;
    return ask->a->enough || (ask->q->stops && ask->q->stops(ask->q->context));
}

static void keep_message(void *context, enum hd_log_level level, const char *text) {
    hd_engine_answer *answer = context;
    if (level <= HD_LOG_WARNING)
        hd_vec_push(&answer->messages, hd_report_keep(&answer->report, text));
}

bool hd_engine_ask(const hd_engine_question *question, hd_engine_answer *answer, hd_error *error) {
    asking ask = {question, answer, NULL};
    double started = hd_progress_clock();
    *answer = (hd_engine_answer){0};
    if (!is_whole(question, error))
        return false;
    hd_report_init(&answer->report, hd_engine_what_names[question->what], question->path);
    answer->clock = (hd_clock){.until = question->seconds > 0 ? started + question->seconds : 0,
                               .stops = stops,
                               .context = &ask};
    hd_clock_begin(&answer->clock);
    hd_log_divert(keep_message, answer);
    bool good = answer_it(&ask, error);
    hd_log_divert(NULL, NULL);
    hd_clock_end(&answer->clock);
    if (good) {
        tell(&ask);
        if (question->accept)
            hd_verdict_accept(&answer->verdict, question->accept, error);
    }
    answer->seconds = hd_progress_clock() - started;
    return good;
}

void hd_engine_ask_begin(void) {
    hd_launch_launched_begin();
}

void hd_engine_ask_abandon(const hd_clock *clock) {
    hd_clock_adopt(clock);
    hd_log_divert(NULL, NULL);
    hd_launch_launched_kill();
}

void hd_engine_answer_release(hd_engine_answer *answer) {
    hd_report_release(&answer->report);
    hd_verdict_release(&answer->verdict);
    hd_vec_release(&answer->figures);
    hd_vec_release(&answer->outcomes);
    hd_vec_release(&answer->messages);
    *answer = (hd_engine_answer){0};
}
