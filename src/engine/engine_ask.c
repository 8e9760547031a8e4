/*
 * The frame of every question: limits, messages, what is told when, and the verdict.
 */
#include "engine_ask.h"

#include <stdlib.h>
#include <string.h>

#include "engine_asking.h"
#include "engine_test.h"

const char *const hd_engine_what_names[HD_ENGINE_WHATS] = {
    [HD_ENGINE_RACE] = "race",     [HD_ENGINE_DEADLOCK] = "deadlock",
    [HD_ENGINE_NONDET] = "nondet", [HD_ENGINE_STATES] = "states",
    [HD_ENGINE_DETECT] = "detect", [HD_ENGINE_EXPLORE] = "explore",
    [HD_ENGINE_REPLAY] = "replay", [HD_ENGINE_CHECK] = "check",
    [HD_ENGINE_RECORD] = "record", [HD_ENGINE_TEST] = "test",
};

/* ---- What is found ---- */

void hd_engine_asking_put(hd_engine_asking *ask, const char *name, double value) {
    hd_vec_push(&ask->a->figures, (hd_engine_figure){name, value});
}

size_t hd_engine_asking_number(const hd_engine_asking *ask) {
    return ask->a->report->findings.length - ask->first;
}

int hd_engine_asking_tell(hd_engine_asking *ask) {
    hd_engine_answer *a = ask->a;
    for (; a->told < a->report->findings.length && !a->enough; a->told++)
        if (ask->q->found)
            a->enough = ask->q->found(ask->q->context, &a->report->findings.data[a->told]) != 0;
    return a->enough;
}

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_finding(const hd_report_finding *a, const hd_report_finding *b) {
    if (!same_text(a->id, b->id) || !same_text(a->variable, b->variable) ||
        a->places.length != b->places.length)
        return false;
    for (size_t i = 0; i < a->places.length; i++) {
        const hd_report_place *p = &a->places.data[i], *q = &b->places.data[i];
        if (p->line != q->line || !same_text(p->file, q->file) || !same_text(p->thread, q->thread))
            return false;
    }
    return true;
}

size_t hd_engine_asking_settle(hd_engine_asking *ask, uint32_t round) {
    hd_report *report = ask->a->report;
    size_t last = report->findings.length - 1;
    if (ask->round != round)
        ask->former = last;
    ask->round = round;
    hd_report_finding *now = &report->findings.data[last];
    for (size_t i = ask->first; i < ask->former; i++) {
        hd_report_finding *before = &report->findings.data[i];
        if (!same_finding(before, now))
            continue;
        now->serial = before->serial;
        hd_report_finding_release(before);
        *before = *now;
        report->findings.length--;
        return i - ask->first;
    }
    return last - ask->first;
}

/* ---- The verdict ---- */

void hd_engine_asking_judge(hd_engine_asking *ask, hd_verdict *verdict) {
    const hd_engine_question *q = ask->q;
    hd_error error = {""};
    size_t found = hd_engine_asking_number(ask);
    verdict->found |= found > 0; /* even what the last of several searches did not find again */
    if (ask->a->enough && !hd_verdict_lacks(verdict, "stopped"))
        hd_verdict_not(verdict, "stopped", "stopped when enough was found");
    /* Whatever was done when a signal came, and whether it knows: not all of it was. */
    if (hd_stop_asked() && !hd_verdict_lacks(verdict, "interrupted"))
        hd_verdict_not(verdict, "interrupted", "ended by %s before all was looked at",
                       hd_stop_name(hd_stop_asked()));
    if (q->accept)
        hd_verdict_accept(verdict, q->accept, &error); /* was checked before the work began */
    hd_verdict_copy(&ask->a->verdict, verdict);
    hd_report_count_answer(ask->a->report, hd_engine_what_names[q->what], verdict, found,
                           hd_progress_clock() - ask->a->started);
}

/* ---- check ---- */

/* Its own struct has the report, which becomes the answer's. */
static bool ask_check(hd_engine_asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    // cppcheck-suppress uninitvar ; its address is taken, nothing is read
    hd_engine_check own, *c = q->whole.check ? q->whole.check : &own;
    const char *const predicates[] = {q->predicate};
    if (c == &own) {
        hd_engine_check_init(&own, q->path, q->arguments);
        own.predicates = (hd_engine_texts){predicates, q->predicate != NULL};
        own.asked = q->asked;
        own.folder = q->output;
        own.seeds = q->seeds ? q->seeds : own.seeds;
        own.seconds = q->seconds > 0 ? q->seconds : own.seconds;
        own.found = q->found;
        own.context = q->context;
    }
    bool good = hd_engine_check_kind(c, error) && hd_engine_check_run(c, error);
    if (good) {
        hd_report_judge(&c->report);
        if (q->accept)
            hd_verdict_accept(&c->report.verdict, q->accept, error);
        hd_verdict_copy(&ask->a->verdict, &c->report.verdict);
    }
    ask->a->enough = c->enough;
    if (good && c == &own) {
        hd_report_release(&ask->a->own);
        ask->a->own = own.report;
        own.report = (hd_report){0};
    }
    ask->a->told = ask->a->report->findings.length; /* all were, where they were proved */
    if (c == &own)
        hd_engine_check_release(&own);
    return good;
}

/* ---- test ---- */

/* The tests have the report: what each of them found is in its own memory. */
static bool ask_tests(hd_engine_asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    hd_engine_tests *tests = ask->a->tests = HD_NEW(hd_engine_tests);
    hd_engine_tests_init(tests, q->path);
    tests->framework = (enum hd_engine_framework)q->framework;
    tests->filter = q->filter;
    tests->folder = q->output;
    tests->suppressions = q->suppressions;
    tests->accept = q->accept;
    tests->jobs = q->threads;
    tests->seconds = q->test_seconds > 0 ? q->test_seconds : tests->seconds;
    if (!hd_engine_tests_list(tests, error) || !hd_engine_tests_run(tests, error))
        return false;
    ask->a->report = &tests->report;
    if (q->accept)
        hd_verdict_accept(&tests->report.verdict, q->accept, error);
    hd_verdict_copy(&ask->a->verdict, &tests->report.verdict);
    size_t counts[HD_REPORT_TEST_OPEN + 1] = {0};
    double executions = 0;
    for (size_t i = 0; i < tests->report.tests.length; i++) {
        counts[tests->report.tests.data[i].end]++;
        executions += (double)tests->report.tests.data[i].executions;
    }
    hd_engine_asking_put(ask, "tests", (double)tests->report.tests.length);
    hd_engine_asking_put(ask, "proved", (double)counts[HD_REPORT_TEST_PROVED]);
    hd_engine_asking_put(ask, "failed", (double)counts[HD_REPORT_TEST_FAILED]);
    hd_engine_asking_put(ask, "executions", executions);
    return true;
}

/* ---- All of them ---- */

/* What a question needs beside its path. */
static bool is_whole(const hd_engine_question *q, hd_error *error) {
    bool detects = q->whole.detect || q->whole.online;
    if (!q->path)
        return hd_error_set(error, "there is nothing to ask about: the path is missing");
    if (q->what == HD_ENGINE_DETECT && !q->predicate && !detects)
        return hd_error_set(error, "detect needs a predicate");
    if (q->what == HD_ENGINE_REPLAY && !q->witness && !q->whole.replay && !q->whole.follow)
        return hd_error_set(error, "replay needs a witness");
    if (q->what == HD_ENGINE_CHECK && !q->output && !q->whole.check)
        return hd_error_set(error, "check needs a folder for traces and witnesses");
    if (q->what == HD_ENGINE_RECORD && !q->output && !q->whole.record)
        return hd_error_set(error, "record needs a file for the trace");
    if (q->what == HD_ENGINE_TEST && !q->output)
        return hd_error_set(error, "test needs a folder for witnesses");
    if (q->what == HD_ENGINE_TEST && q->framework > HD_ENGINE_CATCH2)
        return hd_error_set(error, "there is no framework %u", q->framework);
    if (q->blocks && (q->what != HD_ENGINE_RACE || hd_engine_is_program(q->path)))
        return hd_error_set(error, "blocks are asked about with race, of a trace");
    return !q->accept || hd_verdict_accept_check(q->accept, error);
}

static bool answer_it(hd_engine_asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    switch (q->what) {
    case HD_ENGINE_RACE:
    case HD_ENGINE_DEADLOCK:
        return q->whole.drive || (!q->trace && !q->whole.predict && hd_engine_is_program(q->path))
                   ? hd_engine_ask_drive(ask, error)
                   : hd_engine_ask_trace(ask, error);
    case HD_ENGINE_DETECT:
        return q->whole.online ? hd_engine_ask_online(ask, error) : hd_engine_ask_trace(ask, error);
    case HD_ENGINE_NONDET:
        return q->whole.explore || (!q->trace && !q->whole.reads && hd_engine_is_program(q->path))
                   ? hd_engine_ask_explore(ask, error)
                   : hd_engine_ask_trace(ask, error);
    case HD_ENGINE_STATES:
        return hd_engine_ask_trace(ask, error);
    case HD_ENGINE_EXPLORE:
        return hd_engine_ask_explore(ask, error);
    case HD_ENGINE_REPLAY:
        return hd_engine_ask_replay(ask, error);
    case HD_ENGINE_RECORD:
        return hd_engine_ask_record(ask, error);
    case HD_ENGINE_CHECK:
        return ask_check(ask, error);
    case HD_ENGINE_TEST:
        return ask_tests(ask, error);
    case HD_ENGINE_WHATS:
        break;
    }
    return hd_error_set(error, "there is no question %d", (int)q->what);
}

static bool stops(void *context) {
    const hd_engine_question *q = context;
    return q->stops(q->context);
}

static void keep_message(void *context, enum hd_log_level level, const char *text) {
    hd_engine_answer *answer = context;
    if (level <= HD_LOG_WARNING)
        hd_vec_push(&answer->messages, hd_report_keep(answer->report, text));
}

/* The report is in the answer. */
static bool ask_framed(const hd_engine_question *q, hd_engine_answer *answer, hd_error *error) {
    hd_engine_asking ask = {.q = q, .a = answer};
    ask.first = ask.former = answer->told = answer->report->findings.length;
    bool timed = q->seconds > 0 || q->stops; /* else loops need not look */
    answer->clock = (hd_clock){.until = q->seconds > 0 ? answer->started + q->seconds : 0,
                               .stops = q->stops ? stops : NULL,
                               .context = (void *)(uintptr_t)q};
    if (timed)
        hd_clock_begin(&answer->clock);
    hd_log_sink *outer_sink;
    void *outer_context = hd_log_diverted(&outer_sink);
    if (!q->logs)
        hd_log_divert(keep_message, answer);
    bool good = answer_it(&ask, error);
    hd_log_divert(outer_sink, outer_context);
    if (timed)
        hd_clock_end(&answer->clock);
    if (good)
        hd_engine_asking_tell(&ask);
    hd_report_lines_release(&ask.lines);
    answer->seconds = hd_progress_clock() - answer->started;
    return good;
}

bool hd_engine_ask(const hd_engine_question *question, hd_engine_answer *answer, hd_error *error) {
    *answer = (hd_engine_answer){.started = hd_progress_clock()};
    if (!is_whole(question, error))
        return false;
    answer->report = &answer->own;
    hd_report_init(answer->report, hd_engine_what_names[question->what], question->path);
    return ask_framed(question, answer, error);
}

/* What was being described when memory ran out. */
static void drop_half(hd_engine_answer *answer) {
    hd_report *report = answer->report;
    for (size_t i = answer->told; i < report->findings.length; i++)
        hd_report_finding_release(&report->findings.data[i]);
    if (report->findings.length > answer->told)
        report->findings.length = answer->told;
}

bool hd_engine_ask_into(const hd_engine_question *question, hd_report *report,
                        hd_engine_answer *answer, hd_error *error) {
    hd_mem_guard guard;
    const hd_clock *clock = hd_clock_current();
    hd_log_sink *sink;
    void *sink_context = hd_log_diverted(&sink);
    *answer = (hd_engine_answer){.started = hd_progress_clock()};
    if (!is_whole(question, error))
        return false;
    answer->report = report;
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        hd_engine_ask_abandon(clock);
        hd_log_divert(sink, sink_context);
        drop_half(answer);
        return hd_error_set(error, "%s", guard.text);
    }
    bool good = ask_framed(question, answer, error);
    hd_mem_guard_end(&guard);
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
    hd_report_release(&answer->own);
    if (answer->tests)
        hd_engine_tests_release(answer->tests);
    free(answer->tests);
    hd_verdict_release(&answer->verdict);
    hd_vec_release(&answer->figures);
    hd_vec_release(&answer->outcomes);
    hd_vec_release(&answer->messages);
    *answer = (hd_engine_answer){0};
}
