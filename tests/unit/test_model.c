/*
 * Models: the meaning of each statement step by step, waiting and notifying, the words for
 * steps, a run as a trace, copies.
 */

#include "support_suite.h"
#include "test_model_tools.h"

/* ---- What statements do ---- */

static void test_accesses(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"x = 1;", "x:w"},
        {"x = x + 1;", "x:rw"},
        {"x = x;", "x:rw"},
        {"a[1] = a[1];", "a[1]:rw"},
        {"a[one] = a[one];", "one:r a[1]:rw"},
        {"x = one ? x : y;", "x:rw one:r"},
        {"v = v;", "ended"},
        {"atomic { x = x; }", "x:rw"},
        {"x = y;", "x:w y:r"},
        {"v = x;", "x:r"},
        {"v = 1; x = v;", "x:w"},
        {"a[(id + 2) % 3] = a[1];", "a[1]:r a[2]:w"},
        {"a[one] = x;", "x:r one:r a[1]:w"},
        {"a[a[a[0]]] = 1;", "a[0]:rw"},
        {"if (x && y) skip;", "x:r"},
        {"if (one && y) skip;", "y:r one:r"},
        {"if (one || y) skip;", "one:r"},
        {"if (v && x) skip; y = 1;", "y:w"},
        {"v = 1; if (v && x) skip;", "x:r"},
        {"v = v ? x : y;", "y:r"},
        {"x = x ? a[0] : a[1];", "x:rw a[1]:r"},
        {"x = 1 / y;", "y:r"},
        {"x = 1 / one;", "x:w one:r"},
        {"a[y - 1] = x;", "y:r"},
        {"v = cas(x, 0, 1);", "x:rw"},
        {"v = cas(x, 1, y);", "x:r y:r"},
        {"cas(a[one], 0, x);", "x:r one:r a[1]:rw"},
        {"while (v < 3 && a[v] == 0) v = v + 1;", "a[0]:r"},
        {"lock m;", "m:a"},
        {"lock k[one];", "one:r k[1]:a"},
        {"unlock m;", "m:l"},
        {"await (x == 0);", "x:r"},
        {"await (x == 1 || y == 1);", "blocked x:r y:r"},
        {"await (v == 1);", "blocked "},
        {"wait c, m;", "m:l c:rw flag of t:w"},
        {"notify c;", "c:rw"},
        {"notifyall c;", "c:rw"},
        {"atomic { x = 1; y = x; }", "x:rw y:w"},
        {"atomic { await (one); x = 1; }", "x:w one:r"},
        {"atomic { await (y); x = 1; }", "blocked y:r"},
        {"atomic { if (one) x = 1; else y = 1; }", "x:w one:r"},
        {"atomic { while (v < 3) { a[v] = v; v = v + 1; } }", "a[0]:w a[1]:w a[2]:w"},
        {"atomic { v = 1; } x = v;", "x:w"},
        {"atomic { }", "ended"},
        {"skip; ", "ended"},
        {"assert (x == 0);", "x:r"},
        {"assert (v == 0);", "ended"},
        {"x = v * y + (v == 0 && v < 5);", "x:w y:r"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "shared x, y, one = 1, a[3]; mutex m, k[2]; cond c;\n"
                 "thread t { local v; %s }",
                 rows[i][0]);
        hd_machine *machine = load(text);
        expect_next(machine, 0, rows[i][1]);
        expect_next(machine, 0, rows[i][1]);
        release(machine);
    }
}

static void test_locks(void **state) {
    (void)state;
    hd_machine *machine = load("shared x; mutex m;\n"
                               "thread a { lock m; x = 1; unlock m; }\n"
                               "thread b { lock m; x = 2; unlock m; lock m; lock m; }");
    step(machine, 0);
    assert_int_equal(value(machine, "m"), 1);
    expect_next(machine, 1, "blocked m:a");
    assert_false(next(machine, 1).awaits);
    step(machine, 0);
    step(machine, 0);
    assert_true(ended(machine, 0));
    for (unsigned i = 0; i < 4; i++)
        step(machine, 1);
    expect_next(machine, 1, "blocked m:a");
    assert_int_equal(value(machine, "m"), 2);
    machine->type->restart(machine);
    assert_int_equal(value(machine, "m"), 0);
    assert_int_equal(value(machine, "x"), 0);
    release(machine);
}

/* Runs in order until the step that fails; its words. */
static void expect_fails(const char *body, const char *expected) {
    char text[512];
    snprintf(text, sizeof text,
             "shared x, y, a[3]; mutex m, k[2]; cond c;\nthread t { local v, w[2];\n%s }", body);
    hd_machine *machine = load(text);
    uint64_t before = hd_model_hash(machine);
    if (run_in_order(machine) != HD_MACHINE_FAILED)
        print_error("%s\n", text);
    expect_failure(machine, expected);
    machine->type->restart(machine);
    assert_int_equal(hd_model_hash(machine), before);
    expect_failure(machine, "");
    assert_int_equal(run_in_order(machine), HD_MACHINE_FAILED);
    release(machine);
}

static void test_failures(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"assert (x ==  1);", "m.hdm:3: assertion failed: x == 1"},
        {"x = 1;\nassert (v);", "m.hdm:4: assertion failed: v"},
        {"assert (false);", "m.hdm:3: assertion failed: false"},
        {"x = 1 / y;", "m.hdm:3: division by zero: x = 1 / y"},
        {"v = 1 % v;", "m.hdm:3: division by zero: v = 1 % v"},
        {"x = 1 / 0;", "m.hdm:3: division by zero: x = 1 / 0"},
        {"a[3] = 1;", "m.hdm:3: index 3 is outside a[3]: a[3] = 1"},
        {"a[x - 1] = 1;", "m.hdm:3: index -1 is outside a[3]: a[x - 1] = 1"},
        {"w[v + 2] = 1;", "m.hdm:3: index 2 is outside w[2]: w[v + 2] = 1"},
        {"if (a[4 + v]) skip;", "m.hdm:3: index 4 is outside a[3]: if (a[4 + v])"},
        {"lock k[x + 2];", "m.hdm:3: index 2 is outside k[2]: lock k[x + 2]"},
        {"unlock m;", "m.hdm:3: unlock without holding m: unlock m"},
        {"lock k[1]; unlock k[0];", "m.hdm:3: unlock without holding k[0]: unlock k[0]"},
        {"wait c, m;", "m.hdm:3: wait without holding m: wait c, m"},
        {"x = 1;\nwhile (true) { }",
         "m.hdm:4: a loop that touches nothing shared does not end: while (true)"},
        {"while (v == 0) v = v * 2;",
         "m.hdm:3: a loop that touches nothing shared does not end: while (v == 0)"},
        {"atomic {\nwhile (x == 0) y = 1; }",
         "m.hdm:4: an atomic block does not end: while (x == 0)"},
        {"atomic { x = 1;\nassert (x == 2); }", "m.hdm:4: assertion failed: x == 2"},
        {"atomic { y = 3;\na[y] = 2; }", "m.hdm:4: index 3 is outside a[3]: a[y] = 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_fails(rows[i][0], rows[i][1]);
}

/* What fails before the thread touches anything is a step without accesses. */
static void test_failure_at_start(void **state) {
    (void)state;
    hd_machine *machine =
        load("shared x; thread a { assert (id == 1); x = 1; } thread b { x = 2; }");
    expect_next(machine, 0, "");
    expect_next(machine, 1, "x:w");
    step(machine, 1);
    const hd_machine_ahead *list;
    assert_int_equal(machine->type->ahead(machine, 0, &list), 1);
    assert_true(list[0].branching && list[0].operation.count == 0);
    assert_int_equal(machine->type->step(machine, 0, 0), HD_MACHINE_FAILED);
    expect_failure(machine, "m.hdm:1: assertion failed: id == 1");
    machine->type->undo(machine);
    expect_failure(machine, "");
    expect_next(machine, 0, "");
    release(machine);
}

/* A step that fails changes nothing, but what came before it in the step stays. */
static void test_failed_step_is_whole(void **state) {
    (void)state;
    hd_machine *machine =
        load("shared x, y; thread t { local v; atomic { x = 1; y = 1; assert (v); } }");
    uint64_t before = hd_model_hash(machine);
    expect_next(machine, 0, "x:w y:w");
    assert_int_equal(machine->type->step(machine, 0, 0), HD_MACHINE_FAILED);
    assert_int_equal(hd_model_hash(machine), before);
    machine->type->undo(machine);
    assert_int_equal(hd_model_hash(machine), before);
    release(machine);
}

static void test_awaits(void **state) {
    (void)state;
    hd_machine *machine = load("shared x, y;\n"
                               "thread a { await (x > 0); atomic { await (y == 1); y = 5; } }\n"
                               "thread b { x = 1; y = 1; }");
    expect_next(machine, 0, "blocked x:r");
    assert_true(next(machine, 0).awaits);
    step(machine, 1);
    expect_next(machine, 0, "x:r");
    step(machine, 0);
    expect_next(machine, 0, "blocked y:r");
    assert_true(next(machine, 0).awaits);
    step(machine, 1);
    expect_next(machine, 0, "y:rw");
    step(machine, 0);
    assert_int_equal(value(machine, "y"), 5);
    release(machine);
}

/* ---- Condition variables ---- */

static void test_conditions(void **state) {
    (void)state;
    hd_machine *machine = load(waiting);
    expect_next(machine, 3, "c:rw");
    step(machine, 0);
    expect_next(machine, 0, "m:l c:rw flag of w[0]:w");
    step(machine, 0);
    assert_int_equal(value(machine, "c"), 1);
    assert_int_equal(value(machine, "m"), 0);
    expect_next(machine, 0, "blocked flag of w[0]:r");
    assert_true(next(machine, 0).awaits);
    expect_next(machine, 3, "c:rw flag of w[0]:w");
    start_waiting(machine, 1);
    start_waiting(machine, 2);
    expect_next(machine, 3, "3 ways c:rw flag of w[0]:w flag of w[1]:w flag of w[2]:w");
    assert_int_equal(machine->type->step(machine, 3, 1), HD_MACHINE_WENT_ON);
    expect_next(machine, 0, "blocked flag of w[0]:r");
    expect_next(machine, 1, "flag of w[1]:r");
    expect_next(machine, 3, "2 ways c:rw flag of w[0]:w flag of w[2]:w");
    machine->type->undo(machine);
    expect_next(machine, 1, "blocked flag of w[1]:r");
    step(machine, 3);
    step(machine, 3);
    expect_next(machine, 3, "c:rw flag of w[2]:w");
    step(machine, 3);
    assert_int_equal(value(machine, "c"), 0);
    step(machine, 0);
    expect_next(machine, 0, "m:a");
    step(machine, 0);
    step(machine, 1);
    expect_next(machine, 1, "blocked m:a");
    assert_int_equal(run_in_order(machine), HD_MACHINE_WENT_ON);
    assert_int_equal(value(machine, "x"), 3);
    release(machine);
}

/* A notify without a waiter is lost. */
static void test_lost_notify(void **state) {
    (void)state;
    hd_machine *machine = load(waiting);
    for (unsigned i = 0; i < 3; i++)
        step(machine, 3);
    start_waiting(machine, 0);
    assert_int_equal(run_in_order(machine), HD_MACHINE_WENT_ON);
    expect_next(machine, 0, "blocked flag of w[0]:r");
    release(machine);
}

/* ---- Words ---- */

static void test_descriptions(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"a[(id + 1) % N] = a[id];", "t[1]: a[2] = a[1] (7)"},
        {"v = x + v * 2;", "t[1]: v = x (4) + v (3) * 2"},
        {"x = (x + v) * -x;", "t[1]: x = (x (4) + v (3)) * -x (4)"},
        {"x = x - (v - N);", "t[1]: x = x (4) - (v (3) - 3)"},
        {"if (x == 4) skip;", "t[1]: if (x (4) == 4)"},
        {"while (y || x) skip;", "t[1]: wait in a loop: while (y (0) || x (4))"},
        {"while (x || y) skip;", "t[1]: wait in a loop: while (x (4) || y)"},
        {"if (y && x / y) skip;", "t[1]: if (y (0) && x / y)"},
        {"await (a[x - 3] != 0);", "t[1]: await (a[1] (7) != 0)"},
        {"assert (!(x == 4));", "t[1]: assert (!(x (4) == 4))"},
        {"v = x ? y : a[0];", "t[1]: v = x (4) ? y (0) : a[0]"},
        {"v = cas(a[v - 2], 1 + 1, x);", "t[1]: v = cas(a[1] (7), 2, x (4))"},
        {"a[9 + x] = 1 / y;", "t[1]: a[13] = 1 / y (0)"},
        {"a[1 / y] = 1;", "t[1]: a[1 / y] = 1"},
        {"lock k[id];", "t[1]: lock k[1]"},
        {"unlock k[id - 1];", "t[1]: unlock k[0]"},
        {"wait c, k[1];", "t[1]: wait c, k[1]"},
        {"notify c;", "t[1]: notify c"},
        {"notifyall c;", "t[1]: notifyall c"},
        {"atomic { x = 1; }", "t[1]: atomic"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "param N = 3; shared x = 4, y, a[N] = {5, 7}; mutex k[2]; cond c;\n"
                 "thread t[2] { local v = id * 3; %s }",
                 rows[i][0]);
        hd_machine *machine = load(text);
        expect_description(machine, 1, rows[i][1]);
        release(machine);
    }
    hd_machine *machine = load(waiting);
    start_waiting(machine, 0);
    expect_description(machine, 0, "w[0]: wake from wait c, m");
    step(machine, 3);
    step(machine, 0);
    expect_description(machine, 0, "w[0]: lock again after wait c, m");
    release(machine);
}

static void test_positions(void **state) {
    (void)state;
    hd_machine *machine = load("shared x; mutex m; cond c;\nthread t[2] {\n  x = /* one */ 1;\n"
                               "  lock m;\n  wait c,\n    m;\n  if (x\n   > 0) x = 2; }");
    assert_int_equal(hd_model_positions(machine), 7);
    static const struct {
        uint32_t line;
        const char *text;
    } rows[] = {{3, "x = 1"},     {4, "lock m"},     {5, "wait c, m"}, {5, "wait c, m"},
                {5, "wait c, m"}, {7, "if (x > 0)"}, {8, "x = 2"}};
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(hd_model_line(machine, i), rows[i].line);
        hd_vec_char text = {0};
        hd_model_text(machine, i, &text);
        expect_text(&text, rows[i].text);
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(next(machine, 0).position, i);
        if (i < 3)
            step(machine, 0);
    }
    assert_int_equal(next(machine, 1).position, 0);
    release(machine);
}

static void expect_explanation(const char *text, const char *expected) {
    hd_machine *machine = load(text);
    hd_vec_char words = {0};
    hd_model_explain(machine, &words);
    expect_text(&words, expected);
    release(machine);
}

static void test_static_checks(void **state) {
    (void)state;
    expect_explanation("shared x[2], y, z;\nthread a { y = 0; x[y] = 1; }\n"
                       "thread b { if (x[0] == 0) z = 1; }\nthread c { y = 1; }",
                       "m.hdm:3: branching: if (x[0] == 0)\ny: reaches an address\n");
    expect_explanation("shared x, y, a[2];\nthread t { local v, w, u;\nv = x;\nw = v;\n"
                       "if (w) skip;\nu = y;\na[u] = 1; }",
                       "m.hdm:3: branching: v = x\ny: reaches an address\n");
    /* Through other variables, against the order of the text. */
    expect_explanation("shared x, y, z, a[2];\nthread t { a[x] = 1; x = y; y = z; }",
                       "x: reaches an address\ny: reaches an address\nz: reaches an address\n");
    expect_explanation("shared x, y, z, q;\nthread t { local v; v = x && y; v = cas(z, q, 1);\n"
                       "v = x; assert (y); await (q); }",
                       "m.hdm:3: branching: assert (y)\nx: reaches an address\n"
                       "z: reaches an address\nq: reaches an address\n");
    expect_explanation("shared x, y, z; thread t { local v;\natomic { if (x) v = 1; }\n"
                       "atomic { y = z; }\nif (v) skip; }",
                       "m.hdm:2: branching: atomic\nx: reaches an address\n");
    hd_machine *machine = load("shared x, y; cond c; thread t { local v; v = x; y = y / x; }");
    assert_true(hd_model_sets_address(machine, 0));
    assert_false(hd_model_sets_address(machine, 1));
    assert_false(hd_model_sets_address(machine, 2));
    assert_false(hd_model_sets_address(machine, 3));
    assert_false(hd_model_is_branching(machine, 0));
    release(machine);
}

/* ---- A run as a trace ---- */

static void test_record(void **state) {
    (void)state;
    hd_machine *machine = load("shared x = 5, y, z; mutex m; cond c;\n"
                               "thread a[1] { lock m;\nwait c, m;\nx = x + y;\nunlock m; }\n"
                               "thread b { notify c;\nz = x + y;\natomic { z = z + 1; y = 2; }\n"
                               "cas(y, 0, 1); notifyall c; }");
    hd_trace trace;
    hd_trace_init(&trace);
    static const uint32_t schedule[] = {0, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0};
    for (size_t i = 0; i < sizeof schedule / sizeof *schedule; i++) {
        step(machine, schedule[i]);
        uint64_t hash = hd_model_hash(machine);
        machine->type->record(machine, &trace);
        assert_int_equal(hd_model_hash(machine), hash);
    }
    hd_error error;
    assert_true(hd_trace_check_all(&trace, &error));
    hd_vec_char text = {0};
    for (uint32_t n = 1; n <= hd_trace_length(&trace); n++) {
        char line[128];
        hd_trace_print(line, sizeof line, &trace.tables, hd_trace_event(&trace, n));
        say(&text, "%s\n", line);
    }
    expect_text(&text, "a[0]|acq(m)|m.hdm:2\n"
                       "a[0]|rel(m)|m.hdm:3\n"
                       "a[0]|wait(c)|m.hdm:3\n"
                       "b|notify(c)|m.hdm:6\n"
                       "a[0]|wake(c)|m.hdm:3\n"
                       "b|ar(x=5)|m.hdm:7\n"
                       "b|ar(y=0)|m.hdm:7\n"
                       "b|aw(z=5)|m.hdm:7\n"
                       "b|begin(atomic)|m.hdm:8\n"
                       "b|armw(z=6)|m.hdm:8\n"
                       "b|aw(y=2)|m.hdm:8\n"
                       "b|end(atomic)|m.hdm:8\n"
                       "b|ar(y=2)|m.hdm:9\n"
                       "b|notifyall(c)|m.hdm:9\n"
                       "a[0]|acq(m)|m.hdm:3\n"
                       "a[0]|ar(y=2)|m.hdm:4\n"
                       "a[0]|armw(x=7)|m.hdm:4\n"
                       "a[0]|rel(m)|m.hdm:5\n");
    hd_trace_release(&trace);
    release(machine);
}

/* ---- Copies ---- */

static void test_copy(void **state) {
    (void)state;
    hd_machine *machine = load("shared x; thread t[2] { local v = 2; v = v + 1; x = x + v; }");
    step(machine, 0);
    hd_machine *copy = machine->type->copy(machine);
    assert_int_equal(value(copy, "x"), 0);
    release(machine);
    step(copy, 1);
    step(copy, 0);
    assert_int_equal(value(copy, "x"), 6);
    release(copy);
}

SUPPORT_SUITE(test_model) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_failure_at_start),
        cmocka_unit_test(test_failed_step_is_whole),
        cmocka_unit_test(test_awaits),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_lost_notify),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_static_checks),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
