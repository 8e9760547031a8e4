/*
 * Room `cut`: counts that are known exactly, the facts of the dissertation's
 * figures, and what random tests are too small for.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#include "cut/cut.h"
#include "generate/generate.h"
#include "support_few.h"
#include "support_files.h"
#include "support_suite.h"
#include "support_traces.h"

enum { MEMORY = 256 << 20 };

static hd_trace trace;
static hd_order order;
static hd_cut_space space;

/* ---- Traces ---- */

static void finish(void) {
    hd_order_release(&order);
    hd_trace_release(&trace);
}

static void generate(const char *name, uint64_t a, uint64_t b) {
    const hd_generate_family *family = hd_generate_family_find(name);
    hd_generate_request request;
    hd_error error = {""};
    assert_non_null(family);
    hd_generate_request_init(&request, family);
    request.numbers[0] = a;
    request.numbers[1] = b;
    hd_trace_init(&trace);
    if (!family->generate(&trace, &request, &error) || !hd_trace_check_all(&trace, &error))
        fail_msg("%s", error.text);
    hd_order_init(&order, &trace);
}

/* fig5.3 is no trace, as no order of its events respects the locks. */
static bool is_unchecked(const char *name) {
    return strncmp(name, "fig5.3", 6) == 0;
}

static void load(const char *name) {
    char file[128], path[1024];
    hd_error error = {""};
    snprintf(file, sizeof file, "%s.std", name);
    support_example_path(path, sizeof path, file);
    if (!hd_trace_load(&trace, path, is_unchecked(name) ? HD_TRACE_UNCHECKED : 0, &error))
        fail_msg("%s", error.text);
    hd_order_init(&order, &trace);
}

/* ---- Counting ---- */

static hd_cut_request ask(enum hd_order_model model, enum hd_cut_class class,
                          enum hd_cut_algorithm algorithm) {
    return (hd_cut_request){
        .model = model, .class = class, .algorithm = algorithm, .workers = 1, .memory = MEMORY};
}

static void assert_states(hd_cut_request request, const char *what, const char *expected) {
    hd_cut_answer answer;
    hd_error error = {""};
    if (!hd_cut_states(&order, &request, &answer, &error))
        fail_msg("%s", error.text);
    char *digits = hd_cut_count_text(&answer.states);
    if (strcmp(digits, expected) != 0 || answer.why)
        fail_msg("%s, %s, %s: %s states, not %s", what, hd_cut_class_names[request.class],
                 hd_cut_algorithm_names[request.algorithm], digits, expected);
    free(digits);
    hd_cut_answer_release(&answer);
}

static void assert_number(hd_cut_request request, const char *what, uint64_t expected) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)expected);
    assert_states(request, what, text);
}

/* All that serve the class; those that go through states only if there are few. */
static void assert_all(enum hd_order_model model, enum hd_cut_class class, const char *what,
                       uint64_t expected) {
    enum { FEW = 2000000 };
    for (int a = 0; a < HD_CUT_ALGORITHMS; a++) {
        bool symbolic = a == HD_CUT_AUTO || a == HD_CUT_DIAGRAM || a == HD_CUT_SWEEP;
        if (hd_cut_serves((enum hd_cut_algorithm)a, model, class) && (symbolic || expected < FEW)) {
            hd_cut_request request = ask(model, class, (enum hd_cut_algorithm)a);
            request.unchecked = is_unchecked(what);
            assert_number(request, what, expected);
        }
    }
}

/* ---- Numbers ---- */

static void test_numbers(void **state) {
    (void)state;
    hd_cut_count count = {0};
    char *digits = hd_cut_count_text(&count);
    assert_string_equal(digits, "0");
    free(digits);
    uint64_t factorial[8] = {1}, value;
    for (uint64_t i = 1; i <= 60; i++) { /* n! = (n-1)! + (n-1) (n-1)! */
        uint64_t copy[8];
        memcpy(copy, factorial, sizeof copy);
        hd_cut_limbs_add_product(factorial, copy, 8, i - 1);
    }
    hd_cut_count_add_product(&count, factorial, 8, 1);
    digits = hd_cut_count_text(&count);
    assert_string_equal(
        digits,
        "8320987112741390144276341183223364380754172606361245952449277696409600000000000000");
    free(digits);
    assert_false(hd_cut_count_fits(&count, &value));
    hd_cut_count_clear(&count);
    hd_cut_count_add(&count, UINT64_MAX);
    assert_true(hd_cut_count_fits(&count, &value));
    assert_true(value == UINT64_MAX);
    hd_cut_count_add(&count, 1);
    assert_false(hd_cut_count_fits(&count, &value));
    digits = hd_cut_count_text(&count);
    assert_string_equal(digits, "18446744073709551616");
    free(digits);
    hd_cut_count_release(&count);
}

/* ---- Families ---- */

static void test_families(void **state) {
    (void)state;
    const hd_cut_request automatic = ask(HD_ORDER_POSET, HD_CUT_CONSISTENT, HD_CUT_AUTO);
    generate("grid", 8, 12);
    assert_states(automatic, "grid", "815730721"); /* bank of Chang's table 4.2 */
    finish();
    generate("grid", 100, 1);
    assert_states(automatic, "2^100", "1267650600228229401496703205376");
    finish();
    static const struct {
        uint64_t workers;
        const char *states;
    } forks[] = {{11, "354293"}, {13, "3188645"}, {15, "28697813"}}; /* table 6.1 */
    for (size_t i = 0; i < sizeof forks / sizeof *forks; i++) {
        generate("forkjoin", forks[i].workers, 2);
        assert_states(automatic, "forkjoin", forks[i].states);
        assert_states(ask(HD_ORDER_LOSET, HD_CUT_REACHABLE, HD_CUT_AUTO), "forkjoin",
                      forks[i].states);
        finish();
    }
    generate("product", 4, 3); /* (5 * 6 / 2)^3 */
    assert_all(HD_ORDER_POSET, HD_CUT_CONSISTENT, "product", 3375);
    finish();
    generate("forkjoin", 4, 3); /* 4^4 + 2 (4^4 - 1) / 3 */
    assert_all(HD_ORDER_POSET, HD_CUT_CONSISTENT, "forkjoin", 426);
    finish();
}

/* Threads as long as i - 1: n! vectors, all of them states. */
static void test_factorial(void **state) {
    (void)state;
    hd_vec_char text = {0};
    uint64_t states = 1;
    for (int t = 2; t <= 8; t++, states *= (uint64_t)t - 1)
        for (int e = 1; e < t; e++) {
            char line[32];
            int length = snprintf(line, sizeof line, "T%d|w(x%d)|\n", t, t);
            for (int i = 0; i < length; i++)
                hd_vec_push(&text, line[i]);
        }
    hd_vec_push(&text, 0);
    hd_trace_init(&trace);
    support_parse(&trace, text.data);
    hd_order_init(&order, &trace);
    assert_int_equal(states, 40320);
    assert_all(HD_ORDER_POSET, HD_CUT_CONSISTENT, "factorial", states);
    finish();
    hd_vec_release(&text);
}

/* m chains of k with (i, j) -> (i + 1, j): C(m + k, m). */
static void test_binomial(void **state) {
    (void)state;
    enum { M = 6, K = 5 };
    hd_vec_char text = {0};
    for (int i = 1; i <= M; i++)
        for (int j = 1; j <= K; j++) { /* one event that receives and one that sends are one */
            char line[64];
            int length = 0;
            if (i > 1)
                length = snprintf(line, sizeof line, "T%d|recv(m%d_%d)|\n", i, i - 1, j);
            if (i < M)
                length += snprintf(line + length, sizeof line - (size_t)length,
                                   "T%d|send(m%d_%d)|\n", i, i, j);
            for (int c = 0; c < length; c++)
                hd_vec_push(&text, line[c]);
        }
    hd_vec_push(&text, 0);
    hd_trace_init(&trace);
    support_parse(&trace, text.data);
    hd_order_init(&order, &trace);
    /* A recv and its send are two events here: the states in which no thread is
     * between the two are the C(m + k, m). */
    hd_error error = {""};
    assert_true(
        hd_order_need(&order, HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE, SIZE_MAX, &error));
    hd_cut_space_init(&space, &order, HD_ORDER_POSET, NULL);
    uint64_t found = 0;
    uint32_t vector[8] = {0};
    for (;;) {
        bool whole = true;
        for (int i = 1; i + 1 < M; i++)
            whole = whole && vector[i] % 2 == 0;
        found += whole && hd_cut_consistent(&space, vector);
        uint32_t p = 0;
        while (p < space.threads && vector[p] == space.length[p])
            vector[p++] = 0;
        if (p == space.threads)
            break;
        vector[p]++;
    }
    assert_int_equal(found, 462); /* C(11, 6) */
    hd_cut_space_release(&space);
    finish();
    hd_vec_release(&text);
}

/* ---- The examples ---- */

/* Columns of expected.tsv, behind those of counts. */
enum { UNREACHABLE = 11, GAP, DEADLOCKS, COLUMNS = 15 };

static hd_cut_loset loset;
static hd_cut_reach *reach;

/* Of the trace that is loaded. */
static void open_loset(bool checked) {
    hd_error error = {""};
    assert_true(hd_order_need(
        &order, HD_ORDER_LOSET_CLOCKS | HD_ORDER_LOSET_REVERSE | HD_ORDER_SCOPES | HD_ORDER_HELD,
        SIZE_MAX, &error));
    hd_cut_space_init(&space, &order, HD_ORDER_LOSET, NULL);
    hd_cut_loset_init(&loset, &space, checked);
    reach = hd_cut_reach_create(&loset);
}

static void start_loset(const char *name) {
    load(name);
    open_loset(true);
}

static void close_loset(void) {
    hd_cut_reach_free(reach);
    hd_cut_loset_release(&loset);
    hd_cut_space_release(&space);
}

static void finish_loset(void) {
    close_loset();
    finish();
}

static void assert_class(enum hd_cut_class class, bool expected, const uint32_t *vector) {
    if (hd_cut_in_class(reach, class, vector) != expected)
        fail_msg("a state is %s%s", expected ? "not " : "", hd_cut_class_names[class]);
}

/* The next of "[1,2] [3,4]"; false if none exists. */
static bool next_vector(const char **text, uint32_t *vector) {
    const char *at = strchr(*text, '[');
    if (!at)
        return false;
    for (uint32_t p = 0; p < space.threads; p++) {
        char *end;
        vector[p] = (uint32_t)strtoul(at + 1, &end, 10);
        at = end;
    }
    assert_int_equal(*at, ']');
    *text = at;
    return true;
}

static void assert_deadlock(uint32_t *vector) {
    assert_class(HD_CUT_REACHABLE, true, vector);
    for (uint32_t p = 0; p < space.threads; p++)
        if (vector[p] < space.length[p]) {
            vector[p]++;
            assert_class(HD_CUT_FEASIBLE, false, vector);
            vector[p]--;
        }
}

/* The states that the table names. */
static void check_named(const char *name, const char *const *columns) {
    uint32_t vector[16] = {0};
    open_loset(!is_unchecked(name));
    for (const char *text = columns[UNREACHABLE]; next_vector(&text, vector);) {
        assert_class(HD_CUT_FEASIBLE, true, vector);
        assert_class(HD_CUT_REACHABLE, false, vector);
    }
    for (const char *text = columns[GAP]; next_vector(&text, vector);) {
        assert_class(HD_CUT_STRONGLY_FEASIBLE, true, vector);
        assert_class(HD_CUT_REACHABLE, false, vector);
    }
    for (const char *text = columns[DEADLOCKS]; next_vector(&text, vector);)
        assert_deadlock(vector);
    close_loset();
}

static void check_row(char *line) {
    char *rest = NULL, *columns[COLUMNS] = {strtok_r(line, "\t\n", &rest)};
    for (int i = 1; i < COLUMNS; i++)
        columns[i] = strtok_r(NULL, "\t\n", &rest);
    const char *name = columns[0];
    uint64_t expected;
    if (!columns[COLUMNS - 1] || !hd_text_u64(columns[2], strlen(columns[2]), &expected))
        return;
    load(name);
    assert_all(HD_ORDER_POSET, HD_CUT_CONSISTENT, name, expected);
    static const enum hd_cut_class classes[] = {
        HD_CUT_CONSISTENT, HD_CUT_FEASIBLE,          HD_CUT_LOCK_FREE,
        HD_CUT_VIABLE,     HD_CUT_STRONGLY_FEASIBLE, HD_CUT_REACHABLE,
    };
    bool large = strcmp(name, "fig6.7") == 0;
    for (int i = 0; i < 6; i++) {
        if (!hd_text_u64(columns[i + 3], strlen(columns[i + 3]), &expected))
            continue; /* not known */
        if (large)
            assert_number(ask(HD_ORDER_LOSET, classes[i], HD_CUT_AUTO), name, expected);
        else
            assert_all(HD_ORDER_LOSET, classes[i], name, expected);
    }
    check_named(name, (const char *const *)columns);
    finish();
}

static void test_examples(void **state) {
    (void)state;
    char path[1024], line[1024];
    unsigned rows = 0;
    support_example_path(path, sizeof path, "expected.tsv");
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("%s: %s", path, strerror(errno));
        return;
    }
    while (fgets(line, sizeof line, file))
        if (line[0] != '#') {
            check_row(line);
            rows++;
        }
    fclose(file);
    assert_int_equal(rows, 25); /* with its head */
}

static void test_facts(void **state) {
    (void)state;
    start_loset("fig1.8a"); /* the file open twice */
    assert_class(HD_CUT_FEASIBLE, true, (uint32_t[]){3, 4, 2});
    assert_class(HD_CUT_REACHABLE, false, (uint32_t[]){3, 4, 2});
    assert_class(HD_CUT_REACHABLE, true, (uint32_t[]){0, 1, 0});
    finish_loset();
    start_loset("fig5.2");
    assert_class(HD_CUT_FEASIBLE, true, (uint32_t[]){3, 3});
    assert_class(HD_CUT_STRONGLY_FEASIBLE, false, (uint32_t[]){3, 3});
    assert_class(HD_CUT_REACHABLE, true, (uint32_t[]){1, 1});
    finish_loset();
    start_loset("fig6.6");
    const uint32_t g[] = {8, 7, 7};
    uint32_t below[3];
    assert_class(HD_CUT_FEASIBLE, true, g);
    assert_class(HD_CUT_STRONGLY_FEASIBLE, false, g);
    hd_cut_lock_free_below(&loset, g, below);
    assert_memory_equal(below, ((uint32_t[]){3, 0, 0}), sizeof below);
    finish_loset();
    start_loset("gap4");
    assert_class(HD_CUT_STRONGLY_FEASIBLE, true, (uint32_t[]){6, 6, 7, 6});
    assert_class(HD_CUT_REACHABLE, false, (uint32_t[]){6, 6, 7, 6});
    finish_loset();
}

/* Figure 3.1 with the order e g f h: intervals of 2, 2, 1 and 2 states. */
static void test_intervals(void **state) {
    (void)state;
    static const uint64_t sizes[] = {2, 2, 1, 2};
    hd_error error = {""};
    load("fig3.1");
    assert_true(
        hd_order_need(&order, HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE, SIZE_MAX, &error));
    hd_cut_space_init(&space, &order, HD_ORDER_POSET, NULL);
    for (uint32_t e = 1; e <= 4; e++) {
        uint32_t least[HD_CUT_LANES], most[HD_CUT_LANES];
        hd_cut_visitor visitor = {0};
        hd_cut_event_interval(&space, e, least, most);
        hd_cut_bounds(&space, least, most, &visitor);
        assert_int_equal(visitor.states, sizes[e - 1]);
    }
    hd_cut_space_release(&space);
    finish();
}

/* ---- Limits on time ---- */

/* So many threads, which one forks and joins. */
static void fork_threads(int count) {
    static const char *const steps[] = {"m|fork(t%d)|\n", "t%d|w(x)|\n", "m|join(t%d)|\n"};
    HD_VEC(char) text = {0};
    for (size_t step = 0; step < sizeof steps / sizeof *steps; step++)
        for (int i = 0; i < count; i++) {
            char line[64];
            int length = snprintf(line, sizeof line, steps[step], i);
            for (int c = 0; c < length; c++)
                hd_vec_push(&text, line[c]);
        }
    hd_vec_push(&text, 0);
    hd_trace_init(&trace);
    support_parse(&trace, text.data);
    hd_vec_release(&text);
    hd_order_init(&order, &trace);
}

/* A small space is always filled, so that there is an answer; a large one takes long. */
static void test_late_space(void **state) {
    (void)state;
    static const struct {
        int threads;
        bool filled;
    } cases[] = {{3, true}, {1500, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hd_error error = {""};
        fork_threads(cases[i].threads);
        assert_true(hd_order_need(&order, HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE, SIZE_MAX,
                                  &error));
        hd_clock clock = {.until = hd_progress_clock() - 1};
        hd_clock_begin(&clock);
        bool filled = hd_cut_space_init_in_time(&space, &order, HD_ORDER_POSET, NULL, &error);
        assert_int_equal(filled, cases[i].filled);
        if (filled) {
            uint32_t least[2 * HD_CUT_LANES] = {0};
            const hd_cut_budget budget = {.memory = SIZE_MAX, .edges = UINT64_MAX};
            hd_cut_count count = {0};
            hd_cut_diagram_size size;
            assert_false(hd_cut_diagram_count(&space, least, space.length, &budget, &count, &size));
            hd_cut_count_release(&count);
            hd_cut_space_release(&space);
        } else
            assert_string_equal(error.text,
                                "stopped by the limit on time before all events were ordered");
        hd_clock_end(&clock);
        finish();
    }
}

/* A long trace is indexed and ordered as far as the time goes, wherever in that it ends, and the
 * error says whether it was the time or a signal. */
static void test_order_in_time(void **state) {
    (void)state;
    hd_error error = {""};
    int stop = 1, late = 0;
    const double growth = (double)support_few(15, 40) / 10, most = (double)support_few(1000, 1);
    generate("locks", 4, support_few(3 << 20, 5 << 18));
    hd_order_release(&order);
    double given = 0;
    while (given < most) {
        hd_clock clock = {.until = hd_progress_clock() + given};
        hd_clock_begin(&clock);
        hd_order_init(&order, &trace);
        bool good =
            hd_order_need(&order, HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE, SIZE_MAX, &error);
        hd_clock_end(&clock);
        assert_int_equal(good && order.late, 0);
        late += order.late;
        if (order.late)
            assert_int_equal(hd_order_threads(&order), 0);
        hd_order_release(&order);
        if (good)
            break;
        assert_string_equal(error.text,
                            "stopped by the limit on time before all events were ordered");
        given = growth * given + 0.001;
    }
    assert_true(late > 0);
    hd_clock clock = {.stop = &stop};
    hd_clock_begin(&clock);
    hd_order_init(&order, &trace);
    assert_true(order.late);
    assert_false(hd_order_need(&order, HD_ORDER_SCOPES, SIZE_MAX, &error));
    assert_string_equal(error.text, "interrupted before all events were ordered");
    hd_clock_end(&clock);
    finish();
}

/* ---- Long threads ---- */

static bool all_sizes; /* --long */

/* More counts than a word has bits, in every thread, and more than 16 bits.  Three threads
 * take a minute under a sanitizer. */
static void test_long_threads(void **state) {
    (void)state;
    const hd_generate_family *family = hd_generate_family_find("locks");
    for (uint64_t seed = 1; seed <= 3; seed++) {
        if (seed % 2 && !all_sizes)
            continue;
        hd_generate_request request;
        hd_error error = {""};
        hd_generate_request_init(&request, family);
        request.numbers[0] = 2 + seed % 2;
        request.numbers[1] = seed % 2 ? 260 : 400;
        request.seed = seed;
        hd_trace_init(&trace);
        assert_true(family->generate(&trace, &request, &error));
        assert_true(hd_trace_check_all(&trace, &error));
        hd_order_init(&order, &trace);
        for (int class = HD_CUT_FEASIBLE; class < HD_CUT_CLASSES; class ++) {
            hd_cut_answer answer;
            hd_cut_request by_lex = ask(HD_ORDER_LOSET, (enum hd_cut_class) class, HD_CUT_LEX2);
            assert_true(hd_cut_states(&order, &by_lex, &answer, &error));
            uint64_t expected;
            assert_true(hd_cut_count_fits(&answer.states, &expected));
            hd_cut_answer_release(&answer);
            assert_number(ask(HD_ORDER_LOSET, (enum hd_cut_class) class, HD_CUT_AUTO), "locks",
                          expected);
        }
        finish();
    }
    generate("grid", 4, 40000);
    assert_states(ask(HD_ORDER_POSET, HD_CUT_CONSISTENT, HD_CUT_DIAGRAM), "grid",
                  "2560256009600160001"); /* 40001^4 */
    finish();
}

/* Long enough for the diagram to be made in parts. */
static void test_parts(void **state) {
    (void)state;
    for (uint64_t threads = 3; threads <= 6; threads++) {
        hd_cut_request request = ask(HD_ORDER_POSET, HD_CUT_CONSISTENT, HD_CUT_QUICKLEX);
        hd_cut_answer answer;
        hd_error error = {""};
        uint64_t expected;
        generate("poset", threads, 1000 * threads);
        assert_true(hd_cut_states(&order, &request, &answer, &error));
        assert_true(hd_cut_count_fits(&answer.states, &expected));
        hd_cut_answer_release(&answer);
        request.algorithm = HD_CUT_DIAGRAM;
        assert_number(request, "poset", expected);
        request.algorithm = HD_CUT_BOUNDS;
        assert_number(request, "poset", expected);
        finish();
    }
}

/* ---- Visitors ---- */

static int stop_at(void *context, const uint32_t *vector, uint32_t count) {
    (void)vector;
    uint64_t *left = context;
    *left = *left > count ? *left - count : 0;
    return *left ? 0 : 7;
}

static int stop_singly(void *context, const uint32_t *vector) {
    (void)vector;
    uint64_t *left = context;
    return --*left ? 0 : 9;
}

static void test_stopping(void **state) {
    (void)state;
    generate("grid", 3, 5);
    for (int a = HD_CUT_BFS; a <= HD_CUT_BOUNDS; a++)
        for (unsigned workers = 1; workers <= 2; workers++) {
            hd_cut_request request =
                ask(HD_ORDER_POSET, HD_CUT_CONSISTENT, (enum hd_cut_algorithm)a);
            hd_cut_answer answer;
            hd_error error = {""};
            uint64_t left[2] = {20, 20};
            hd_cut_visitor visitors[2] = {{.context = &left[0], .run = stop_at},
                                          {.context = &left[1], .run = stop_at}};
            request.visitors = visitors;
            request.workers = workers;
            assert_true(hd_cut_states(&order, &request, &answer, &error));
            assert_int_equal(answer.why, 7);
            hd_cut_answer_release(&answer);
        }
    uint64_t left = 50;
    hd_cut_each each;
    hd_cut_each_init(&each, 3, stop_singly, &left);
    hd_cut_visitor visitor = {.context = &each, .run = hd_cut_each_run};
    hd_cut_request request = ask(HD_ORDER_POSET, HD_CUT_CONSISTENT, HD_CUT_AUTO);
    hd_cut_answer answer;
    hd_error error = {""};
    request.visitors = &visitor;
    assert_true(hd_cut_states(&order, &request, &answer, &error));
    assert_int_equal(answer.why, 9);
    assert_int_equal(left, 0);
    hd_cut_answer_release(&answer);
    hd_cut_each_release(&each);
    finish();
}

/* ---- Several workers ---- */

static void assert_shared(enum hd_order_model model, enum hd_cut_class class,
                          enum hd_cut_algorithm algorithm) {
    hd_cut_request request = ask(model, class, algorithm);
    hd_cut_answer answer;
    hd_error error = {""};
    uint64_t expected;
    assert_true(hd_cut_states(&order, &request, &answer, &error));
    assert_true(hd_cut_count_fits(&answer.states, &expected));
    hd_cut_answer_release(&answer);
    static const unsigned workers[] = {2, 3, 5, 9};
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i += support_few(1, 2)) {
        hd_cut_visitor visitors[9] = {{0}};
        request.workers = workers[i];
        hd_cut_request visiting = request;
        visiting.visitors = visitors;
        assert_number(request, "shared", expected);
        assert_number(visiting, "shared, visited", expected);
    }
}

/* Also how several workers get along, for the thread sanitizer. */
static void test_shared(void **state) {
    (void)state;
    static const char *const families[] = {"bank", "handover", "locks"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        generate(families[f], 4 - (f == 2), f == 2 ? 30 : 2);
        for (int class = 0; class < HD_CUT_CLASSES; class ++)
            for (int a = 0; a < HD_CUT_ALGORITHMS; a++)
                if (hd_cut_serves((enum hd_cut_algorithm)a, HD_ORDER_LOSET,
                                  (enum hd_cut_class) class) &&
                    hd_cut_shares((enum hd_cut_algorithm)a, (enum hd_cut_class) class, true))
                    assert_shared(HD_ORDER_LOSET, (enum hd_cut_class) class,
                                  (enum hd_cut_algorithm)a);
        finish();
    }
    generate("handover", 5, 2); /* cells of three threads' counts */
    assert_shared(HD_ORDER_LOSET, HD_CUT_REACHABLE, HD_CUT_SWEEP);
    assert_shared(HD_ORDER_LOSET, HD_CUT_STRONGLY_FEASIBLE, HD_CUT_SWEEP);
    finish();
    generate("poset", 5, 60);
    assert_shared(HD_ORDER_POSET, HD_CUT_CONSISTENT, HD_CUT_DIAGRAM);
    assert_shared(HD_ORDER_POSET, HD_CUT_CONSISTENT, HD_CUT_AUTO);
    finish();
}

/* A worker that stops while others wait for it. */
static void test_stopping_sweep(void **state) {
    (void)state;
    generate("bank", 4, 2);
    for (uint64_t after = 1; after < 4000; after = after * 3 + 1) {
        hd_cut_request request = ask(HD_ORDER_LOSET, HD_CUT_REACHABLE, HD_CUT_SWEEP);
        hd_cut_answer answer;
        hd_error error = {""};
        uint64_t left[3] = {after, after, after};
        hd_cut_visitor visitors[3];
        for (int i = 0; i < 3; i++)
            visitors[i] = (hd_cut_visitor){.context = &left[i], .run = stop_at};
        request.visitors = visitors;
        request.workers = 3;
        assert_true(hd_cut_states(&order, &request, &answer, &error));
        assert_int_equal(answer.why, 7);
        hd_cut_answer_release(&answer);
    }
    finish();
}

/* Threads of more than 255 events: 16 bits a count. */
static int add_halves(void *context, const hd_cut_packed *packed) {
    uint64_t *sums = context;
    sums[0] += packed->halves[0];
    sums[1] += packed->halves[1];
    sums[2] += packed->words[1] | (packed->words[0] >> 32);
    return 0;
}

static int add_batch(void *context, const hd_cut_packed *states, size_t count) {
    for (size_t i = 0; i < count; i++)
        add_halves(context, &states[i]);
    return 0;
}

static void test_packed_halves(void **state) {
    (void)state;
    hd_error error = {""};
    generate("grid", 2, 300);
    assert_true(
        hd_order_need(&order, HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE, SIZE_MAX, &error));
    hd_cut_space_init(&space, &order, HD_ORDER_POSET, NULL);
    assert_int_equal(hd_cut_packing_of(&space), HD_CUT_HALVES);
    const uint32_t none[HD_CUT_LANES] = {0};
    for (int batches = 0; batches < 2; batches++) {
        uint64_t sums[3] = {0}, visited = 0;
        int why =
            batches
                ? hd_cut_packed_batches(&space, none, space.length, add_batch, sums, NULL, &visited)
                : hd_cut_packed_each(&space, none, space.length, add_halves, sums, NULL, &visited);
        assert_int_equal(why, 0);
        assert_int_equal(visited, 301 * 301);
        assert_int_equal(sums[0], 301 * 300 * 301 / 2); /* every count, 301 times */
        assert_int_equal(sums[1], 301 * 300 * 301 / 2);
        assert_int_equal(sums[2], 0);
    }
    hd_cut_space_release(&space);
    finish();
    generate("grid", 17, 2);
    assert_true(
        hd_order_need(&order, HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE, SIZE_MAX, &error));
    hd_cut_space_init(&space, &order, HD_ORDER_POSET, NULL);
    assert_int_equal(hd_cut_packing_of(&space), HD_CUT_UNPACKED);
    hd_cut_space_release(&space);
    finish();
}

static void test_unserved(void **state) {
    (void)state;
    hd_cut_answer answer;
    hd_error error = {""};
    generate("grid", 2, 2);
    hd_cut_request request = ask(HD_ORDER_LOSET, HD_CUT_VIABLE, HD_CUT_TREE);
    assert_false(hd_cut_states(&order, &request, &answer, &error));
    assert_string_equal(error.text, "algorithm tree does not serve viable states of a loset");
    request = ask(HD_ORDER_POSET, HD_CUT_FEASIBLE, HD_CUT_AUTO);
    assert_false(hd_cut_states(&order, &request, &answer, &error));
    finish();
}

SUPPORT_SUITE(test_cut) {
    all_sizes = argc > 1 && strcmp(argv[1], "--long") == 0;
#ifdef __SANITIZE_THREAD__ /* what has no second worker the other builds look at */
    static const struct CMUnitTest threaded[] = {
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_stopping_sweep),
    };
    const char *builds = getenv("TEST_BUILDS");
    if (builds && strcmp(builds, "few") == 0)
        return cmocka_run_group_tests(threaded, NULL, NULL);
#endif
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),       cmocka_unit_test(test_families),
        cmocka_unit_test(test_factorial),     cmocka_unit_test(test_binomial),
        cmocka_unit_test(test_examples),      cmocka_unit_test(test_facts),
        cmocka_unit_test(test_intervals),     cmocka_unit_test(test_long_threads),
        cmocka_unit_test(test_parts),         cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_packed_halves), cmocka_unit_test(test_unserved),
        cmocka_unit_test(test_late_space),    cmocka_unit_test(test_order_in_time),
        cmocka_unit_test(test_shared),        cmocka_unit_test(test_stopping_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
