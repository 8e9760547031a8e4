/*
 * Replay: schedules that can and cannot be run, claims that are and are not
 * shown, who waits, shrinking where the answer is known, the text form there and
 * back, thread names that mean harm, the state graph.  (random_replay.c compares
 * the shrinker with all linearizations of many small runs.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "graph/graph.h"
#include "model/model.h"
#include "replay/replay.h"
#include "support_files.h"
#include "support_suite.h"

static hd_machine *model(const char *text) {
    hd_model_error bad = {0};
    hd_machine *machine = hd_model_parse("m", text, strlen(text), NULL, 0, &bad);
    if (!machine)
        fail_msg("line %u: %s", bad.line, bad.text);
    return machine;
}

/* "0 1 1/2": threads, and choices that are not 0. */
static hd_steps steps(const char *text) {
    hd_steps schedule = {0};
    while (*text) {
        char *end;
        hd_step step = {(uint32_t)strtoul(text, &end, 10), 0};
        if (*end == '/')
            step.choice = (uint32_t)strtoul(end + 1, &end, 10);
        hd_vec_push(&schedule, step);
        text = end + strspn(end, " ");
    }
    return schedule;
}

static void print(const hd_steps *schedule, char *to, size_t size) {
    *to = '\0';
    for (size_t i = 0; i < schedule->length; i++) {
        size_t used = strlen(to);
        snprintf(to + used, size - used, "%s%u", i ? " " : "", schedule->data[i].thread);
    }
}

/* What hd_replay_check says; NULL: the claim is shown. */
static void check(hd_machine *machine, enum hd_replay_claim claim, const char *schedule,
                  const char *expected) {
    hd_error error = {""};
    hd_steps list = steps(schedule);
    bool good = hd_replay_check(machine, claim, &list, &error);
    hd_vec_release(&list);
    if (expected)
        assert_string_equal(error.text, expected);
    assert_int_equal(good, expected == NULL);
}

/* ---- Running and claims ---- */

static void violations(void **state) {
    (void)state;
    hd_machine *m = model("shared x; thread a { x = 1; } thread b { assert (x == 0); x = 2; }");
    check(m, HD_REPLAY_VIOLATION, "0 1", NULL);
    check(m, HD_REPLAY_VIOLATION, "1", "no failure: the last step, 1, goes through");
    check(m, HD_REPLAY_VIOLATION, "", "no failure: the last step, 0, goes through");
    check(m, HD_REPLAY_VIOLATION, "0 1 1",
          "step 2 of 3 fails already: m:1: assertion failed: x == 0");
    check(m, HD_REPLAY_VIOLATION, "0 0", "step 2: thread a has ended");
    check(m, HD_REPLAY_VIOLATION, "2", "step 1: there is no thread number 2");
    check(m, HD_REPLAY_VIOLATION, "0 1/1",
          "step 2: thread b has no choice 1; its next operation has 1");
    check(m, HD_REPLAY_STUCK, "0 1",
          "not stuck: the last step fails: m:1: assertion failed: x == 0");
    check(m, HD_REPLAY_STUCK, "1 1", "not stuck: thread a can go on");
    check(m, HD_REPLAY_STUCK, "1 1 0", "not stuck: every thread has ended");
    m->type->free(m);
}

static void stuck(void **state) {
    (void)state;
    hd_machine *m = model("mutex m, n; thread a { lock m; lock n; } thread b { lock n; lock m; }");
    check(m, HD_REPLAY_STUCK, "0 1", NULL);
    check(m, HD_REPLAY_STUCK, "0 0", NULL); /* b waits for a lock that nobody gives back */
    check(m, HD_REPLAY_STUCK, "0 0 1", "step 3: thread b cannot go on: b: lock n");
    check(m, HD_REPLAY_STUCK, "0", "not stuck: thread a can go on");
    m->type->free(m);
}

static int stop_at(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    (void)machine;
    (void)step;
    return number == *(size_t *)context;
}

static void watched(void **state) {
    (void)state;
    hd_machine *m = model("shared x; thread a { x = 1; x = 2; x = 3; }");
    hd_steps list = steps("0 0 0");
    size_t at = 2;
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_replay_watch before = {.before = stop_at, .context = &at};
    assert_true(hd_replay_run(m, &list, &before, &outcome, &error));
    assert_true(outcome.stopped);
    assert_int_equal(outcome.steps, 1);
    assert_int_equal(hd_model_value(m, 0), 1);
    hd_replay_watch after = {.after = stop_at, .context = &at};
    assert_true(hd_replay_run(m, &list, &after, &outcome, &error));
    assert_int_equal(outcome.steps, 2);
    assert_int_equal(outcome.unfinished, 1);
    assert_int_equal(outcome.enabled, 1);
    hd_vec_release(&list);
    m->type->free(m);
}

static void who_waits(void **state) {
    (void)state;
    hd_machine *m = model("mutex m, n; shared x; cond c;"
                          "thread a { lock m; lock m; } thread b { lock n; lock m; }"
                          "thread d { await (x == 1); } thread e { lock n; wait c, n; }");
    hd_steps list = steps("0 3 3 1");
    hd_replay_waits waits = {0};
    hd_error error = {""};
    assert_true(hd_replay_find_waits(m, &list, &waits, &error));
    assert_int_equal(waits.length, 4);
    assert_int_equal(waits.data[0].kind, HD_REPLAY_WAITS_LOCK);
    assert_int_equal(waits.data[0].holder, 0);
    assert_int_equal(waits.data[1].kind, HD_REPLAY_WAITS_LOCK);
    assert_int_equal(waits.data[1].holder, 0);
    assert_int_equal(waits.data[1].location, waits.data[0].location);
    assert_int_equal(waits.data[2].kind, HD_REPLAY_WAITS_CONDITION);
    assert_int_equal(waits.data[3].kind, HD_REPLAY_WAITS_CONDITION); /* gave n back */
    hd_vec_release(&list);
    hd_vec_release(&waits);
    m->type->free(m);
}

/* ---- Shrinking ---- */

static void shrink(const char *text, enum hd_replay_claim claim, const char *from, const char *to,
                   size_t switches) {
    hd_machine *m = model(text);
    hd_steps list = steps(from);
    hd_replay_shrunk shrunk;
    hd_error error = {""};
    char got[256];
    assert_true(hd_replay_shrink(m, claim, &list, 0, &shrunk, &error));
    print(&shrunk.schedule, got, sizeof got);
    assert_string_equal(got, to);
    assert_int_equal(shrunk.switches, switches);
    assert_int_equal(shrunk.dropped, list.length - shrunk.schedule.length);
    assert_true(shrunk.fewest);
    hd_vec_release(&shrunk.schedule);
    hd_vec_release(&list);
    m->type->free(m);
}

static void shrinks(void **state) {
    (void)state;
    /* Bystanders go. */
    shrink("shared x, y; thread a { y = 1; y = 2; } thread b { x = 1; assert (x == 0); }",
           HD_REPLAY_VIOLATION, "0 1 0 1", "1 1", 0);
    /* A read that is in the past, but does not matter, goes with what only it needs. */
    shrink("shared x, y; thread a { y = 1; } thread b { await (y == 1); y = x; }"
           "thread c { x = 1; assert (x == 0); }",
           HD_REPLAY_VIOLATION, "0 1 1 2 2", "2 2", 0);
    /* Independent steps come together. */
    shrink("shared x, y, z; thread a { x = 1; x = 2; x = 3; } thread b { y = 1; y = 2; y = 3; }"
           "thread c { z = x + y; assert (z < 6); }",
           HD_REPLAY_VIOLATION, "0 1 0 1 0 1 2 2", "0 0 0 1 1 1 2 2", 2);
    /* All steps of a deadlock stay. */
    shrink("mutex m, n; shared x, y; thread a { x = 1; lock m; lock n; }"
           "thread b { y = 1; lock n; lock m; }",
           HD_REPLAY_STUCK, "0 1 0 1", "0 0 1 1", 1);
    shrink("thread a { await (false); }", HD_REPLAY_STUCK, "", "", 0);
}

/* Another failure is not taken for this one. */
static void keeps_the_failure(void **state) {
    (void)state;
    shrink(
        "shared x; thread a { x = 1; } thread b { local v; v = x; assert (v != 1); assert (v); }",
        HD_REPLAY_VIOLATION, "0 1", "0 1", 1);
}

static void refuses_to_shrink(void **state) {
    (void)state;
    hd_machine *m = model("shared x; thread a { x = 1; }");
    hd_steps list = steps("0");
    hd_replay_shrunk shrunk;
    hd_error error = {""};
    assert_false(hd_replay_shrink(m, HD_REPLAY_VIOLATION, &list, 0, &shrunk, &error));
    assert_int_equal(shrunk.schedule.length, 0);
    hd_vec_release(&list);
    m->type->free(m);
}

/* Twelve threads with twelve steps each would have 13^12 cuts; the budget ends the
 * search, and what comes out is honest about it. */
static void beyond_the_budget(void **state) {
    (void)state;
    hd_machine *m = model("shared x, y[12], n; thread t[12] { local i; while (i < 6) {"
                          "y[id] = i; y[(id + 5) % 12] = i; i = i + 1; } }"
                          "thread u { await (false); }");
    hd_steps list = {0};
    for (unsigned i = 0; i < 12 * 12; i++)
        hd_vec_push(&list, (hd_step){i % 12, 0});
    hd_replay_shrunk shrunk;
    hd_error error = {""};
    assert_true(hd_replay_shrink(m, HD_REPLAY_STUCK, &list, 100, &shrunk, &error));
    assert_false(shrunk.fewest);
    assert_int_equal(shrunk.schedule.length, list.length);
    assert_true(shrunk.switches < hd_replay_switches(&list));
    hd_vec_release(&shrunk.schedule);
    hd_vec_release(&list);
    m->type->free(m);
}

/* ---- The text form ---- */

static char *slurp(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 65536);
    size_t got = fread(text, 1, 65535, file);
    text[got] = '\0';
    fclose(file);
    return text;
}

/* What is saved of a schedule. */
static char *saved(hd_machine *m, enum hd_replay_claim claim, const char *schedule) {
    char path[512];
    support_temporary(path, sizeof path, "test_replay");
    hd_replay_witness w;
    hd_error error = {""};
    hd_replay_witness_init(&w);
    w.claim = claim;
    w.schedule = steps(schedule);
    w.program = hd_mem_string("m.hdm\n# claim: race 1 2", 23);
    w.question = hd_mem_string("explore", 7);
    hd_vec_push(&w.parameters, hd_mem_string("N=2", 3));
    assert_true(hd_replay_witness_save(&w, m, path, &error));
    hd_replay_witness_release(&w);
    char *text = slurp(path);
    unlink(path);
    return text;
}

static void there_and_back(void **state) {
    (void)state;
    hd_machine *m =
        model("param N = 2; shared x; thread a[N] { x = id; } thread b { assert (x == 0); }");
    char *text = saved(m, HD_REPLAY_VIOLATION, "1 2");
    assert_string_equal(text, "# heddle witness 1\n# question: explore\n# claim: violation\n"
                              "# program: m.hdm\\x0a# claim: race 1 2\n# parameter: N=2\n"
                              "# threads: 3\n# steps: 2\n# schedule: a[1]:0 b:0\n"
                              "a[1]|aw(x=1)|m:1\nb|ar(x=1)|m:1\n");
    hd_replay_witness w;
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_replay_witness_init(&w);
    assert_true(hd_replay_witness_read(&w, text, strlen(text), "w", &error));
    assert_int_equal(w.claim, HD_REPLAY_VIOLATION);
    assert_string_equal(w.parameters.data[0], "N=2");
    assert_int_equal(w.run.events.length, 2);
    assert_true(hd_replay_witness_bind(&w, m, &error));
    assert_int_equal(w.schedule.data[0].thread, 1);
    assert_true(hd_replay_witness_run(&w, m, NULL, &outcome, &error));
    assert_true(hd_replay_shows(m, &outcome, w.claim, &error));
    hd_replay_witness_release(&w);
    free(text);
    m->type->free(m);
}

static void long_schedules_wrap(void **state) {
    (void)state;
    hd_machine *m = model("shared x; thread worker { while (true) x = x + 1; }");
    char schedule[2 * 100 + 1];
    for (int i = 0; i < 100; i++)
        memcpy(schedule + 2 * (size_t)i, "0 ", 3);
    char *text = saved(m, HD_REPLAY_STUCK, schedule);
    for (const char *line = text; line && *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 90);
    hd_replay_witness w;
    hd_error error = {""};
    hd_replay_witness_init(&w);
    assert_true(hd_replay_witness_read(&w, text, strlen(text), "w", &error));
    assert_int_equal(w.schedule.length, 100);
    assert_int_equal(w.tokens.length, 1);
    hd_replay_witness_release(&w);
    free(text);
    m->type->free(m);
}

/* A machine whose threads have the names that are hardest to write down. */
static const char *const odd_names[] = {"a b", "a:b", "%41", "#1", "\xc3\xa4", "same", "same", ""};

static const char *odd_name(hd_machine *machine, uint32_t thread) {
    (void)machine;
    return odd_names[thread];
}

static bool odd_next(hd_machine *machine, uint32_t thread, hd_machine_operation *operation) {
    (void)machine;
    (void)thread;
    *operation = (hd_machine_operation){.choices = 2, .enabled = true};
    return true;
}

static enum hd_machine_result odd_step(hd_machine *machine, uint32_t thread, uint32_t choice) {
    (void)machine;
    (void)thread;
    (void)choice;
    return HD_MACHINE_WENT_ON;
}

static void odd_restart(hd_machine *machine) {
    (void)machine;
}

static void odd_record(hd_machine *machine, hd_trace *trace) {
    (void)machine;
    (void)trace;
}

static void odd_thread_names(void **state) {
    (void)state;
    static const hd_machine_type type = {.name = "odd",
                                         .next = odd_next,
                                         .step = odd_step,
                                         .restart = odd_restart,
                                         .thread_name = odd_name,
                                         .record = odd_record};
    hd_machine m = {.type = &type, .threads = 8};
    char *text = saved(&m, HD_REPLAY_STUCK, "0 1 2 3 4 5 6 7/1");
    assert_non_null(strstr(text, "# schedule: a%20b:0 a%3Ab:0 %2541:0 %231:0 %C3%A4:0 #5:0 #6:0"));
    hd_replay_witness w;
    hd_error error = {""};
    hd_replay_witness_init(&w);
    assert_true(hd_replay_witness_read(&w, text, strlen(text), "w", &error));
    assert_true(hd_replay_witness_bind(&w, &m, &error));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(w.schedule.data[i].thread, i);
    assert_int_equal(w.schedule.data[7].choice, 1);
    hd_replay_witness_release(&w);
    free(text);
}

/* One bad file a row, and the error. */
static void bad_files(void **state) {
    (void)state;
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "w: not a witness: there is no line '# heddle witness 1'"},
        {"# heddle witness 1\n", "w: a witness without a claim"},
        {"# heddle witness 1\n# claim: stuck\n", "w: a witness without a schedule"},
        {"# heddle witness 1\n# claim: violation\n# schedule:\n",
         "w: a violation whose schedule has no step"},
        {"# heddle witness 1\n# claim: stuck\n# schedule: a:0 b\n",
         "w:3: bad step 'b' in the schedule; a step is THREAD:CHOICE"},
        {"# heddle witness 1\n# claim: stuck\n# program: a\n# program: b\n# schedule:\n",
         "w:4: a second program"},
        {"# heddle witness 1\n# claim: stuck\n# threads: 1\n# threads: 1\n# schedule:\n",
         "w:4: a second number of threads"},
        {"# heddle witness 1\n# claim: stuck\n# steps: 3\n# schedule: a:0\n",
         "w: there should be 3 steps in the schedule, not 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hd_replay_witness w;
        hd_error error = {""};
        hd_replay_witness_init(&w);
        assert_false(hd_replay_witness_read(&w, rows[i].text, strlen(rows[i].text), "w", &error));
        assert_string_equal(error.text, rows[i].error);
        assert_int_equal(w.schedule.length, 0);
        assert_null(w.program);
        hd_replay_witness_release(&w);
    }
}

/* ---- The state graph ---- */

static void graph(void **state) {
    (void)state;
    char path[512];
    support_temporary(path, sizeof path, "test_replay");
    hd_machine *m = model("shared x; mutex m; thread t[2] { x = id; } thread u { lock m; lock m; }"
                          "thread v { assert (x == 0); }");
    hd_graph_options options = {.most_states = 1000, .title = "a \"title\"", .hash = hd_model_hash};
    hd_graph_result result;
    hd_error error = {""};
    assert_true(hd_graph_write(m, &options, path, &result, &error));
    assert_int_equal(result.cut, 0);
    assert_true(result.deadlocks > 0 && result.failures > 0);
    assert_int_equal(result.ends, 0);
    char *text = slurp(path);
    assert_non_null(strstr(text, "a \\\"title\\\""));
    free(text);
    uint32_t all = result.states;
    options.most_states = 5;
    assert_true(hd_graph_write(m, &options, path, &result, &error));
    assert_int_equal(result.states, 5);
    assert_true(result.cut > 0 && all > 5);
    unlink(path);
    m->type->free(m);
}

SUPPORT_SUITE(test_replay) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(violations),
        cmocka_unit_test(stuck),
        cmocka_unit_test(watched),
        cmocka_unit_test(who_waits),
        cmocka_unit_test(shrinks),
        cmocka_unit_test(keeps_the_failure),
        cmocka_unit_test(refuses_to_shrink),
        cmocka_unit_test(beyond_the_budget),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(long_schedules_wrap),
        cmocka_unit_test(odd_thread_names),
        cmocka_unit_test(bad_files),
        cmocka_unit_test(graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
