/*
 * Running the tests of a program: a search for each, and what they say together.
 */
#include "engine_test.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seconds that a search goes on after it has found a data race: a failure tells more. */
static const double after_race = 3;

void hd_engine_tests_init(hd_engine_tests *tests, const char *input) {
    *tests = (hd_engine_tests){.input = input, .seconds = 60, .started = hd_progress_clock()};
    hd_report_init(&tests->report, "test", input);
    pthread_mutex_init(&tests->lock, NULL);
}

/* ---- One test ---- */

static bool is_meant(const hd_engine_test *test, const hd_report_finding *finding) {
    return !test->with || strcmp(test->with, finding->id) == 0;
}

/* Of a test that is declared to fail, one failure is enough. */
static int take_finding(void *context, hd_report_finding *finding) {
    hd_engine_test *test = context;
    if (test->found_at <= 0)
        test->found_at = hd_progress_clock();
    return test->fails && is_meant(test, finding);
}

/* A known failure must not keep the search from others. */
static bool wants_all(const hd_engine_test *test) {
    return test->all->baseline && !test->fails;
}

static bool is_over(void *context) {
    const hd_engine_test *test = context;
    return test->found_at > 0 && !wants_all(test) &&
           hd_progress_clock() > test->found_at + after_race;
}

/* A file for its witness.  What a file's name should not have is left out; its number tells it from
 * others then. */
static const char *witness_of(const hd_engine_test *test) {
    hd_engine_tests *all = test->all;
    hd_vec_char name = {0};
    bool changed = false;
    for (const char *c = test->name; *c; c++) {
        bool plain = isalnum((unsigned char)*c) || strchr("_.-", *c);
        hd_vec_push(&name, plain ? *c : '_');
        changed |= !plain;
    }
    hd_vec_push(&name, '\0');
    size_t number = (size_t)(test - all->list.data) + 1;
    const char *path =
        changed
            ? hd_report_format(&all->report, "%s/%.200s-%zu.std", all->folder, name.data, number)
            : hd_report_format(&all->report, "%s/%.200s.std", all->folder, name.data);
    hd_vec_release(&name);
    return path;
}

/* The one that the test is said to fail by comes first: that by which it was declared to fail; else
 * one that is not a race, which tells more. */
static void put_first(const hd_engine_test *test, hd_report *report) {
    size_t best = 0;
    for (size_t i = 0; i < report->findings.length; i++) {
        const hd_report_finding *it = &report->findings.data[i];
        if (!is_meant(test, it) || (!test->with && it->rule->sort == HD_FINDING_RACE))
            continue;
        best = i;
        break;
    }
    for (; best; best--) {
        hd_report_finding it = report->findings.data[best];
        report->findings.data[best] = report->findings.data[best - 1];
        report->findings.data[best - 1] = it;
    }
}

/* Witnesses were numbered as they were found: now as the findings are, the worst first.  Those of
 * findings that became part of another one go. */
static void number_witnesses(hd_report *report, const char *output) {
    for (size_t i = 0; i < report->findings.length; i++) {
        hd_report_finding *finding = &report->findings.data[i];
        const char *aside = hd_report_format(report, "%s.new", finding->witness);
        rename(finding->witness, aside);
        finding->witness = aside;
    }
    for (size_t i = 0;; i++) {
        char *old = hd_engine_witness_file(output, i);
        bool none = unlink(old) != 0 && i >= report->findings.length;
        if (i < report->findings.length) {
            hd_report_finding *finding = &report->findings.data[i];
            rename(finding->witness, old);
            finding->witness = hd_report_keep(report, old);
        }
        free(old);
        if (none)
            break;
    }
}

void hd_engine_test_ask(hd_engine_test *test, const char *witness, unsigned workers) {
    hd_engine_tests *all = test->all;
    unsigned find = HD_ENGINE_FIND_FAILURE | HD_ENGINE_FIND_DEADLOCK | HD_ENGINE_FIND_RACE;
    hd_engine_question question = {
        .what = HD_ENGINE_EXPLORE,
        .path = all->program,
        .arguments = {test->words.data, test->words.length},
        .output = witness,
        .suppressions = all->suppressions,
        .accept = all->accept,
        .searching = test->seconds > 0 ? test->seconds : all->seconds,
        .executions = test->executions,
        .depth = test->depth,
        .threads = workers,
        .find = find & ~test->without,
        .words = {test->options.data, test->options.length},
        .first = !wants_all(test),
        .found = take_finding,
        .stops = is_over,
        .context = test,
    };
    test->wrong = !hd_engine_ask(&question, &test->answer, &test->error);
    test->refused = test->wrong;
    if (test->wrong)
        return;
    hd_report_merge(test->answer.report);
    put_first(test, test->answer.report);
}

void hd_engine_test_settle(hd_engine_test *test, const char *witness) {
    hd_engine_tests *all = test->all;
    hd_report *report = test->answer.report;
    hd_error error = {""};
    if (test->wrong)
        return;
    number_witnesses(report, witness);
    for (size_t i = 0; i < report->findings.length; i++) {
        hd_report_finding *finding = &report->findings.data[i];
        finding->test = test->name;
        finding->proof = HD_REPORT_REPLAYED;
        char *line = hd_engine_replay_line(all->program, finding->witness,
                                           (hd_engine_words){test->words.data, test->words.length});
        finding->replay = hd_report_keep(report, line);
        free(line);
    }
    if (all->baseline && !all->learns)
        hd_report_baseline_load(report, all->baseline, &error); /* could be, before all began */
}

uint64_t hd_engine_test_executions(const hd_engine_test *test) {
    for (size_t i = 0; i < test->answer.figures.length; i++)
        if (strcmp(test->answer.figures.data[i].name, "executions") == 0)
            return (uint64_t)test->answer.figures.data[i].value;
    return 0;
}

static void explore(hd_engine_test *test, const char *witness, unsigned workers) {
    if (test->linear) {
        hd_engine_test_clients(test, witness, workers);
        return;
    }
    hd_engine_test_ask(test, witness, workers);
    hd_engine_test_settle(test, witness);
    test->result.executions = hd_engine_test_executions(test);
}

static const char *line_of(hd_report *report, const hd_report_finding *finding) {
    const char *message = finding->message ? finding->message : finding->rule->text;
    if (finding->rule->sort == HD_FINDING_RACE || finding->rule->sort == HD_FINDING_DEADLOCK ||
        finding->rule->sort == HD_FINDING_LIVELOCK)
        message = hd_report_format(report, "%s: %s", finding->rule->name, message);
    if (finding->places.length && finding->places.data[0].file)
        return hd_report_format(report, "%s:%u: %s", hd_report_short(finding->places.data[0].file),
                                finding->places.data[0].line, message);
    return hd_report_keep(report, message);
}

/* Why nothing is proved. */
static const char *doubt_of(hd_report *report, const hd_verdict *verdict) {
    if (verdict->why_not.length)
        return verdict->why_not.data[0].text;
    for (size_t i = 0; i < verdict->rests_on.length; i++) {
        const hd_verdict_basis *basis = verdict->rests_on.data[i];
        if (basis->trust == HD_VERDICT_SHAKY && !basis->accepted)
            return hd_report_format(report, "%s [%s%s%s]", basis->text, basis->code,
                                    basis->what ? ":" : "", basis->what ? basis->what : "");
    }
    return NULL;
}

/* Does it fail as the baseline says, or is it to say so? */
static bool is_known(const hd_engine_test *test) {
    const hd_report *report = test->answer.report;
    bool known = wants_all(test);
    for (size_t i = 0; i < report->findings.length; i++)
        known &= test->all->learns || report->findings.data[i].known;
    return known;
}

/* Other frameworks say themselves what failed: "x.cc:9: Failure" or "x.cc:9: FAILED:", and more
 * lines.  NULL: none of the ways to end has such lines. */
static const char *said_of(const hd_engine_test *test) {
    enum { MOST = 300 };
    hd_vec_char text = {0};
    for (size_t i = 0; i < test->answer.outcomes.length && !text.length; i++) {
        const hd_engine_way *way = &test->answer.outcomes.data[i];
        const char *at = way->output ? strstr(way->output, ": Failure\n") : NULL;
        at = at || !way->output ? at : strstr(way->output, ": FAILED:\n");
        if (!at)
            continue;
        while (at > way->output && at[-1] != '\n')
            at--;
        for (; *at && !(at[0] == '\n' && at[1] == '\n') && text.length < MOST; at++) {
            bool blank = isspace((unsigned char)*at);
            if (!blank || (text.length && text.data[text.length - 1] != ' '))
                hd_vec_push(&text, blank ? ' ' : *at);
        }
    }
    hd_vec_push(&text, '\0');
    const char *kept = text.length > 1 ? hd_report_keep(test->answer.report, text.data) : NULL;
    hd_vec_release(&text);
    return kept;
}

/* Of all findings, the first that the baseline does not know; else the first. */
static const hd_report_finding *first_new(const hd_report *report) {
    for (size_t i = 0; i < report->findings.length; i++)
        if (!report->findings.data[i].known)
            return &report->findings.data[i];
    return &report->findings.data[0];
}

static void judge_found(hd_engine_test *test) {
    hd_report_test *result = &test->result;
    hd_report *report = test->answer.report;
    const hd_report_finding *finding = first_new(report);
    const char *said = finding->rule->sort == HD_FINDING_FAILURE ? said_of(test) : NULL;
    result->reason = said ? said : line_of(report, finding);
    result->replay = finding->replay;
    result->end = HD_REPORT_TEST_FAILED;
    if (is_known(test)) {
        const char *doubt = doubt_of(report, &test->answer.verdict);
        result->end = doubt ? HD_REPORT_TEST_OPEN : HD_REPORT_TEST_KNOWN;
        if (doubt)
            result->reason = hd_report_format(report, "fails as known, but %s", doubt);
    }
    if (test->fails && is_meant(test, finding))
        result->end = HD_REPORT_TEST_DECLARED;
    else if (test->fails)
        result->reason = hd_report_format(report, "declared to fail with %s, but: %s", test->with,
                                          result->reason);
}

static void judge(hd_engine_test *test, double began) {
    hd_report_test *result = &test->result;
    result->name = test->name;
    result->seconds = hd_progress_clock() - began;
    if (test->wrong) {
        result->end = HD_REPORT_TEST_OPEN;
        result->reason = test->error.text;
    } else if (test->answer.report->findings.length) {
        judge_found(test);
    } else if (hd_verdict_status(&test->answer.verdict) != HD_VERDICT_NOTHING) {
        result->end = HD_REPORT_TEST_OPEN;
        result->reason = doubt_of(test->answer.report, &test->answer.verdict);
    } else if (test->fails) {
        result->end = HD_REPORT_TEST_FAILED;
        result->reason = "declared to fail, but no schedule does";
    }
}

/* ---- All of them ---- */

static void tell(hd_engine_tests *all) {
    for (; all->told < all->list.length && all->list.data[all->told].done; all->told++)
        if (all->each)
            all->each(all->context, &all->list.data[all->told].result);
}

static unsigned jobs_of(const hd_engine_tests *all) {
    return all->jobs ? all->jobs : hd_pool_cores();
}

static void run_one(void *context, unsigned worker) {
    hd_engine_test *test = context;
    hd_engine_tests *all = test->all;
    double began = hd_progress_clock();
    unsigned workers = jobs_of(all) / (unsigned)all->list.length;
    (void)worker;
    pthread_mutex_lock(&all->lock); /* of the report's memory */
    const char *witness = witness_of(test);
    pthread_mutex_unlock(&all->lock);
    if (hd_clock_look() == HD_CLOCK_GOES) {
        explore(test, witness, workers ? workers : 1);
    } else {
        test->wrong = true;
        hd_error_set(&test->error,
                     hd_stop_asked() ? "interrupted before it began" : "no time was left for it");
    }
    judge(test, began);
    pthread_mutex_lock(&all->lock);
    test->done = true;
    tell(all);
    pthread_mutex_unlock(&all->lock);
}

/* Of a test that was declared to fail. */
static void put_away(const hd_engine_tests *all, hd_report_finding *finding) {
    finding->level = HD_REPORT_NOTE;
    if (all->keeps || !finding->witness)
        return;
    unlink(finding->witness);
    finding->witness = finding->replay = NULL;
}

/* What the tests found, in the report of all; their own reports keep the texts. */
static void gather(hd_engine_tests *all) {
    for (size_t i = 0; i < all->list.length; i++) {
        hd_engine_test *test = &all->list.data[i];
        hd_report *own = &test->answer.own;
        bool declared = test->result.end == HD_REPORT_TEST_DECLARED;
        for (size_t k = 0; k < own->findings.length; k++) {
            if (declared)
                put_away(all, &own->findings.data[k]);
            hd_vec_push(&all->report.findings, own->findings.data[k]);
        }
        if (declared && !all->keeps)
            test->result.replay = NULL;
        hd_vec_clear(&own->findings);
    }
}

/* The baseline learns what was found, but for what was declared. */
static bool learn(hd_engine_tests *all, hd_error *error) {
    all->report.against_baseline = all->baseline != NULL;
    if (!all->learns)
        return true;
    hd_report learnt = {0};
    for (size_t i = 0; i < all->report.findings.length; i++)
        if (all->report.findings.data[i].level != HD_REPORT_NOTE) {
            all->report.findings.data[i].known = true;
            hd_vec_push(&learnt.findings, all->report.findings.data[i]);
        }
    bool good = hd_report_baseline_save(&learnt, all->baseline, error);
    hd_vec_release(&learnt.findings);
    return good;
}

static const char *first_code(const hd_engine_test *test) {
    const hd_verdict *verdict = &test->answer.verdict;
    return !test->wrong && verdict->why_not.length ? verdict->why_not.data[0].code : "undecided";
}

/* The verdict of all; what a test that failed did not look at does not count. */
static void judge_all(hd_engine_tests *all) {
    hd_report *report = &all->report;
    hd_verdict *verdict = &report->verdict;
    hd_verdict_release(verdict);
    hd_verdict_init(verdict, "each test: assertions, crashes, exit status, deadlocks, data races");
    for (size_t i = 0; i < all->list.length; i++) {
        hd_engine_test *test = &all->list.data[i];
        hd_vec_push(&report->tests, test->result);
        verdict->found |= test->result.end == HD_REPORT_TEST_FAILED;
        if (test->result.end == HD_REPORT_TEST_PROVED || test->result.end == HD_REPORT_TEST_OPEN)
            hd_verdict_join_rests(verdict, &test->answer.verdict);
        if (test->result.end == HD_REPORT_TEST_OPEN &&
            (test->wrong || !hd_verdict_complete(&test->answer.verdict)))
            hd_verdict_not(verdict, first_code(test), "%s: %s", test->name, test->result.reason);
    }
    report->seconds = hd_progress_clock() - all->started;
}

/* None can be asked: then it is the program that is bad. */
static bool is_bad(const hd_engine_tests *all, hd_error *error) {
    for (size_t i = 0; i < all->list.length; i++)
        if (!all->list.data[i].refused)
            return false;
    hd_error_set(error, "%s", all->list.data[0].error.text);
    return true;
}

bool hd_engine_tests_run(hd_engine_tests *tests, hd_error *error) {
    unsigned jobs = jobs_of(tests);
    hd_pool *pool = hd_pool_create(jobs < tests->list.length ? jobs : (unsigned)tests->list.length);
    for (size_t i = 0; i < tests->list.length; i++)
        hd_pool_submit(pool, run_one, &tests->list.data[i]);
    hd_pool_free(pool);
    if (hd_clock_look() == HD_CLOCK_GOES && is_bad(tests, error))
        return false;
    gather(tests);
    judge_all(tests);
    return learn(tests, error);
}

void hd_engine_tests_release(hd_engine_tests *tests) {
    hd_report_release(&tests->report);
    for (size_t i = 0; i < tests->list.length; i++) {
        hd_engine_test *test = &tests->list.data[i];
        hd_engine_answer_release(&test->answer);
        hd_vec_release(&test->words);
        hd_vec_release(&test->options);
        hd_vec_release(&test->clients);
    }
    hd_vec_release(&tests->list);
    pthread_mutex_destroy(&tests->lock);
}
