/*
 * Tests of heddle/linear.h: their clients, each explored on its own, the smallest first.
 *
 * The program makes the clients and judges every run (heddle/linear_history.h); here they are asked
 * for, explored, and the first one that fails is shown.  Several are explored at a time; one that
 * fails keeps those after it from being begun, not those before it.  So the client that is shown is
 * the first of the list that fails, however many processors there are.  With a baseline, one that
 * fails as it says keeps none from being explored; and a baseline learns how each of them fails.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_replay.h"
#include "engine_test.h"
#include "finding/finding.h"
#include "launch/launch.h"

/* Seconds for a program to list its clients, and the most of them. */
enum { PATIENCE = 60, MOST_CLIENTS = 100000 };

/* ---- The list ---- */

static char *word_of(const char *text) {
    return (char *)(uintptr_t)text;
}

/* "heddle clients 1", the bounds, a line each, and "..." if there are more. */
static bool read_clients(hd_engine_test *test, FILE *said) {
    hd_report *report = &test->all->report;
    char line[2048];
    if (!fgets(line, sizeof line, said) || strcmp(line, "heddle clients 1\n") != 0 ||
        !fgets(line, sizeof line, said))
        return false;
    char *rest = line;
    unsigned long threads = strtoul(rest, &rest, 10), operations = strtoul(rest, &rest, 10),
                  before = strtoul(rest, &rest, 10), fresh = strtoul(rest, &rest, 10);
    test->bounds = hd_report_format(
        report, "%s with %s each, after %s%s", hd_text_count(threads, "thread", "threads"),
        hd_text_count(operations, "call", "calls"), hd_text_count(before, "call", "calls"),
        fresh ? ", fresh values in rising order" : "");
    while (fgets(line, sizeof line, said)) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "...") == 0)
            test->more_clients = true;
        else
            hd_vec_push(&test->clients, hd_report_keep(report, line));
    }
    return test->clients.length > 0;
}

/* Why there are none, if the program says so. */
static bool bad_clients(const hd_engine_test *test, FILE *said, hd_error *error) {
    static const char begin[] = "heddle bad: ";
    char line[1024];
    rewind(said);
    while (fgets(line, sizeof line, said))
        if (strncmp(line, begin, strlen(begin)) == 0) {
            line[strcspn(line, "\n")] = '\0';
            return hd_error_set(error, "%s: test %s: %s", hd_text_name(test->all->input),
                                test->name, line + strlen(begin));
        }
    return hd_error_set(error, "%s: '--clients %s' fails, which should list its clients",
                        hd_text_name(test->all->input), test->name);
}

bool hd_engine_test_list_clients(hd_engine_test *test, hd_error *error) {
    const hd_engine_tests *all = test->all;
    HD_VEC(char *) words = {0};
    char most[32];
    FILE *said = tmpfile();
    if (!said)
        return hd_error_set(error, "cannot make a file: %s", strerror(errno));
    snprintf(most, sizeof most, "most=%d", MOST_CLIENTS);
    hd_vec_push(&words, word_of(all->program));
    hd_vec_push(&words, word_of("--clients"));
    hd_vec_push(&words, word_of(test->name));
    for (size_t i = 0; i < all->bounds.count; i++)
        hd_vec_push(&words, word_of(all->bounds.data[i]));
    hd_vec_push(&words, most);
    hd_vec_push(&words, NULL);
    bool good = hd_launch_command_read(words.data, PATIENCE, said);
    rewind(said);
    good = (good && read_clients(test, said)) || bad_clients(test, said, error);
    fclose(said);
    hd_vec_release(&words);
    return good;
}

/* ---- One client ---- */

typedef struct searching searching;

typedef struct client {
    searching *of;
    size_t number;
    hd_engine_test test; /* a copy, with other words and an answer of its own */
    bool begun, kept;    /* it was asked; its answer is needed */
} client;

/* All clients of a test. */
struct searching {
    hd_engine_test *test;
    const char *witness;
    HD_VEC(client) clients;
    pthread_mutex_t lock;
    size_t next;   /* that is to be explored */
    size_t failed; /* the first that fails, or their number */
    size_t known;  /* the first that fails as the baseline says or learns, or their number */
    HD_VEC(uint64_t) learnt; /* fingerprints of all that fail so */
    bool any;                /* one did not fail, or only so: */
    hd_verdict verdict;      /* of all these together */
    uint64_t executions;
};

static void release_client(client *c) {
    hd_engine_answer_release(&c->test.answer);
    hd_vec_release(&c->test.words);
    c->kept = false;
}

static char *witness_of(const client *c) {
    char *witness = NULL;
    return asprintf(&witness, "%s.%zu", c->of->witness, c->number) < 0 ? hd_mem_made(NULL)
                                                                       : witness;
}

/* Also those of findings that became part of another one. */
static void remove_witnesses(const client *c) {
    enum { MOST = 64 };
    char *witness = witness_of(c);
    for (size_t i = 0; i < MOST; i++) {
        char *file = hd_engine_witness_file(witness, i);
        unlink(file);
        free(file);
    }
    free(witness);
}

/* It fails, but is not what is shown. */
static void drop(client *c) {
    remove_witnesses(c);
    release_client(c);
}

/* The first of its kind is kept. */
static void keep_first(searching *s, client *c, size_t *first) {
    if (c->number > *first) {
        drop(c);
        return;
    }
    if (*first < s->clients.length)
        drop(&s->clients.data[*first]);
    c->kept = true;
    *first = c->number;
}

/* What is said of all clients has a part in what is said of the test. */
static void join(searching *s, const client *c) {
    const hd_verdict *verdict = &c->test.answer.verdict;
    if (!s->any)
        hd_verdict_init(&s->verdict, verdict->asked);
    s->any = true;
    hd_verdict_join_rests(&s->verdict, verdict);
    for (size_t i = 0; i < verdict->why_not.length; i++)
        if (s->verdict.why_not.length < 3) /* the others are the same, most often */
            hd_verdict_not(&s->verdict, verdict->why_not.data[i].code, "%s: %s",
                           s->test->clients.data[c->number], verdict->why_not.data[i].text);
}

/* Does it fail as the baseline says, or is it to say so?  Then others may fail in other ways. */
static bool is_known(const client *c) {
    const hd_engine_tests *all = c->test.all;
    hd_report *report = c->test.answer.report;
    hd_error error = {""};
    if (!all->baseline || c->test.fails)
        return false;
    if (all->learns)
        return true;
    if (!hd_report_baseline_load(report, all->baseline, &error))
        return false;
    for (size_t i = 0; i < report->findings.length; i++)
        if (!report->findings.data[i].known)
            return false;
    return true;
}

/* Asked for, under the lock. */
static void take_answer(searching *s, client *c) {
    s->executions += hd_engine_test_executions(&c->test);
    if (c->test.wrong) {
        keep_first(s, c, &s->failed);
    } else if (!c->test.answer.report->findings.length) {
        join(s, c);
        release_client(c);
    } else if (is_known(c)) {
        join(s, c);
        for (size_t i = 0; i < c->test.answer.report->findings.length; i++)
            hd_vec_push(&s->learnt, c->test.answer.report->findings.data[i].fingerprint);
        keep_first(s, c, &s->known);
    } else {
        keep_first(s, c, &s->failed);
    }
}

/* A history that is wrong has no place in the code: it is told by the operations of its client, so
 * that the same error in another one is another finding. */
static void identify(hd_report_finding *finding, const char *calls) {
    enum { NAME = sizeof "0123456789abcdef" };
    HD_VEC(char *) names = {0};
    char *print = HD_NEW_ARRAY(char, NAME);
    snprintf(print, NAME, "%016llx", (unsigned long long)finding->fingerprint);
    hd_vec_push(&names, print);
    for (const char *at = calls; *at;) {
        size_t length = strcspn(at, "[]|() ");
        if (length && at[length] == '(')
            hd_vec_push(&names, hd_mem_string(at, length));
        at += length;
        at += *at == '(' ? strcspn(at, ")") : *at != '\0';
    }
    finding->fingerprint =
        hd_finding_fingerprint(finding->id, (const char *const *)names.data, names.length);
    for (size_t i = 0; i < names.length; i++)
        free(names.data[i]);
    hd_vec_release(&names);
    hd_vec_clear(&finding->said);
}

static bool is_of_history(const hd_report_finding *finding) {
    return strcmp(finding->id, "linearizability") == 0 || strcmp(finding->id, "deadlock") == 0;
}

static void explore_client(searching *s, client *c) {
    char *witness = witness_of(c);
    hd_engine_test_ask(&c->test, witness, 1);
    free(witness);
    if (c->test.wrong)
        return;
    hd_report *report = c->test.answer.report;
    for (size_t i = 0; i < report->findings.length; i++)
        if (is_of_history(&report->findings.data[i]))
            identify(&report->findings.data[i], s->test->clients.data[c->number]);
}

/* The next one, as long as none before it fails. */
static void explore_some(void *context, unsigned worker) {
    searching *s = context;
    (void)worker;
    pthread_mutex_lock(&s->lock);
    while (s->next < s->failed && hd_clock_look() == HD_CLOCK_GOES) {
        client *c = &s->clients.data[s->next++];
        c->begun = true;
        pthread_mutex_unlock(&s->lock);
        explore_client(s, c);
        pthread_mutex_lock(&s->lock);
        take_answer(s, c);
    }
    pthread_mutex_unlock(&s->lock);
}

/* ---- All of them ---- */

static void make_clients(searching *s) {
    hd_engine_test *test = s->test;
    hd_vec_reserve(&s->clients, test->clients.length);
    for (size_t i = 0; i < test->clients.length; i++) {
        client made = {.of = s, .number = i, .test = *test};
        memset(&made.test.words, 0, sizeof made.test.words);
        for (size_t k = 0; k < test->words.length; k++)
            hd_vec_push(&made.test.words, test->words.data[k]);
        hd_vec_push(&made.test.words, word_of("--client"));
        hd_vec_push(&made.test.words, word_of(test->clients.data[i]));
        hd_vec_push(&s->clients, made);
    }
}

/* What the program printed when the schedule was run again: from the line on that begins the
 * history. */
static const char *history_of(hd_engine_test *test, const hd_report_finding *finding) {
    hd_engine_replay replay;
    hd_error error = {""};
    const char *kept = NULL;
    hd_engine_replay_init(&replay, test->all->program, finding->witness,
                          (hd_engine_words){test->words.data, test->words.length});
    replay.any_build = true;
    if (hd_engine_replay_load(&replay, &error)) {
        hd_native_outcome outcome;
        hd_engine_replay_run(&replay);
        hd_native_machine_outcome(replay.machine, &outcome);
        char *text = hd_mem_alloc(outcome.shown + 1);
        memcpy(text, outcome.output, outcome.shown);
        text[outcome.shown] = '\0';
        const char *at = strstr(text, "no order of these calls");
        kept = at ? hd_report_keep(test->answer.report, at) : NULL;
        free(text);
    }
    hd_engine_replay_release(&replay);
    return kept;
}

/* A client that fails becomes the answer. */
static void show_failed(searching *s, client *failed) {
    hd_engine_test *test = s->test;
    test->answer = failed->test.answer;
    test->answer.report = &test->answer.own;
    memset(&failed->test.answer, 0, sizeof failed->test.answer);
    test->wrong = failed->test.wrong;
    test->refused = failed->test.refused;
    test->error = failed->test.error;
    test->result.client = test->clients.data[failed->number];
    if (test->wrong)
        return;
    for (size_t i = test->words.length; i < failed->test.words.length; i++)
        hd_vec_push(&test->words, failed->test.words.data[i]);
    hd_engine_test_settle(test, s->witness);
    remove_witnesses(failed);
    const hd_report_finding *finding = &test->answer.report->findings.data[0];
    if (is_of_history(finding))
        test->result.history = history_of(test, finding);
}

/* None fails: is that all? */
static void judge(searching *s, size_t explored) {
    hd_engine_test *test = s->test;
    if (!s->any) {
        test->wrong = true;
        hd_error_set(&test->error, "no client was explored in time");
        return;
    }
    if (explored < s->clients.length)
        hd_verdict_not(&s->verdict, "limit", "%zu of %zu clients were explored in time", explored,
                       s->clients.length);
    else if (test->more_clients)
        hd_verdict_not(&s->verdict, "limit",
                       "the first %zu clients were explored, and there are more", explored);
    hd_verdict_basis *basis =
        hd_verdict_rests(&s->verdict, "clients", test->name, HD_VERDICT_FIRM,
                         "%s: %zu clients of at most %s", test->name, explored, test->bounds);
    hd_verdict_figure(basis, "clients", explored);
    if (s->known < s->clients.length) {
        show_failed(s, &s->clients.data[s->known]);
        if (test->all->learns)
            for (size_t i = 0; i < s->learnt.length; i++)
                hd_vec_push(&test->answer.report->findings.data[0].said, s->learnt.data[i]);
        hd_verdict_release(&test->answer.verdict);
    } else {
        hd_report_init(&test->answer.own, "test", test->name);
        test->answer.report = &test->answer.own;
    }
    hd_verdict_copy(&test->answer.verdict, &s->verdict);
}

static void explore_all(searching *s, unsigned workers) {
    const hd_engine_test *test = s->test;
    double seconds = test->seconds > 0 ? test->seconds : test->all->seconds;
    hd_clock clock = {.until = hd_progress_clock() + seconds};
    hd_clock_begin(&clock);
    hd_pool *pool = hd_pool_create(workers);
    for (unsigned i = 0; i < workers; i++)
        hd_pool_submit(pool, explore_some, s);
    hd_pool_free(pool);
    hd_clock_end(&clock);
}

void hd_engine_test_clients(hd_engine_test *test, const char *witness, unsigned workers) {
    size_t count = test->clients.length;
    searching s = {.test = test, .witness = witness, .failed = count, .known = count};
    pthread_mutex_init(&s.lock, NULL);
    make_clients(&s);
    explore_all(&s, workers);
    for (size_t i = 0; i < count; i++)
        test->result.clients += s.clients.data[i].begun;
    test->result.executions = s.executions;
    if (s.failed < count) {
        show_failed(&s, &s.clients.data[s.failed]);
        if (!test->wrong && test->result.clients < count)
            hd_verdict_not(&test->answer.verdict, "stopped", "after the first client that fails");
    } else {
        judge(&s, test->result.clients);
    }
    for (size_t i = 0; i < count; i++)
        if (s.clients.data[i].kept)
            drop(&s.clients.data[i]);
        else if (!s.clients.data[i].begun)
            hd_vec_release(&s.clients.data[i].test.words);
    hd_vec_release(&s.clients);
    hd_vec_release(&s.learnt);
    if (s.any)
        hd_verdict_release(&s.verdict);
    pthread_mutex_destroy(&s.lock);
}
