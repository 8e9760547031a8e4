/*
 * The language of models: every construct, and every error in it.
 */

#include "support_suite.h"
#include "test_model_tools.h"

/* ---- The language ---- */

static void test_expressions(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"7 / 2 + 7 % 2", 4},
        {"-7 / 2", -3},
        {"-7 % 2", -1},
        {"10 - 4 - 3", 3},
        {"1 << 4 >> 2", 4},
        {"-16 >> 2", -4},
        {"1 << 65", 2},
        {"1 < 2 == 1", 1},
        {"3 > 2 > 1", 0},
        {"5 <= 5 && 5 >= 6", 0},
        {"5 != 6 || 1 / zero", 1},
        {"0 && 1 / zero", 0},
        {"6 & 3 | 8 ^ 1", 11},
        {"!0 + !5", 1},
        {"--3", 3},
        {"true ? 10 : 1 / zero", 10},
        {"false ? 1 : true ? 2 : 3", 2},
        {"one ? 10 : 1 / zero", 10},
        {"zero ? 1 / zero : 11", 11},
        {"one && 2", 1},
        {"zero || 0x1f", 1},
        {"zero + 0xFF", 255},
        {"9223372036854775807 + one", INT64_MIN},
        {"(-9223372036854775807 - one) / -1", INT64_MIN},
        {"(-9223372036854775807 - one) % (zero - 1)", 0},
        {"-(-9223372036854775807 - 1)", INT64_MIN},
        {"9223372036854775807 * 2", -2},
        {"P * 2 + id", 84},
        {"a[0] + a[1] * a[2]", 17},
        {"a[one + 1]", 5},
        {"cas(one, 1, 9) + one * 10", 91},
        {"one * 10 + cas(one, 1, 9)", 11},
        {"cas(one, 2, 9) + one * 10", 10},
        {"cas(a[one], 3, a[0]) + a[1]", 3},
        {"(one || cas(one, 1, 9)) + one", 2},
        {"v + w[1] /* comment */ // and another", 9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "param P = 42; shared r = 99, zero, one = 1, a[3] = {2, 3, 5};\n"
                 "thread t { local v = 4, w[2] = {1, 5}; r = %s\n; }",
                 rows[i].text);
        hd_machine *machine = load(text);
        step(machine, 0);
        if (value(machine, "r") != rows[i].value)
            print_error("%s\n", rows[i].text);
        assert_int_equal(value(machine, "r"), rows[i].value);
        assert_true(ended(machine, 0));
        release(machine);
    }
}

static void test_declarations(void **state) {
    (void)state;
    static const char text[] = "/* all\nof them */ param N = 2, M = N * N + (N > 1 ? 1 : 0);\n"
                               "shared x[N], y = M, z = -N, e[0], f[3] = {7, N}; mutex m, k[N];\n"
                               "cond c, d[2];\n"
                               "thread none[0] { x[0] = 9; }\n"
                               "thread worker[N - 1] { local i, j = id + 5, a[2] = {id}; skip; }\n"
                               "thread main { }\n";
    hd_machine *machine = load(text);
    assert_string_equal(machine->type->name, "model");
    assert_int_equal(machine->threads, 2);
    assert_string_equal(machine->type->thread_name(machine, 0), "worker[0]");
    assert_string_equal(machine->type->thread_name(machine, 1), "main");
    assert_int_equal(value(machine, "y"), 5);
    assert_int_equal(value(machine, "z"), -2);
    assert_int_equal(value(machine, "f[0]"), 7);
    assert_int_equal(value(machine, "f[1]"), 2);
    assert_int_equal(value(machine, "f[2]"), 0);
    /* x x y z f f f m k k c d d and two flags */
    assert_int_equal(machine->locations, 15);
    assert_string_equal(machine->type->location_name(machine, 9), "k[1]");
    assert_string_equal(machine->type->location_name(machine, 14), "flag of main");
    assert_true(ended(machine, 0) && ended(machine, 1));
    expect_description(machine, 0, "worker[0]: ended");
    release(machine);

    hd_model_define defines[] = {{"N=4", 4}, {"M", 1}};
    machine = load_with(text, defines, 2);
    assert_int_equal(machine->threads, 4);
    assert_int_equal(value(machine, "y"), 1);
    release(machine);
}

static void test_defines(void **state) {
    (void)state;
    hd_model_define define;
    hd_error error;
    assert_true(hd_model_define_parse(&define, "N=-3", &error));
    assert_int_equal(define.value, -3);
    assert_false(hd_model_define_parse(&define, "N", &error));
    assert_string_equal(error.text, "'N' is not of the form NAME=VALUE");
    assert_false(hd_model_define_parse(&define, "=4", &error));
    assert_string_equal(error.text, "'=4' is not of the form NAME=VALUE");
    assert_false(hd_model_define_parse(&define, "N=4x", &error));
    assert_string_equal(error.text, "'4x' is no 64-bit integer");

    hd_model_error wrong;
    hd_model_define unknown = {"K", 1};
    assert_null(hd_model_parse("m", "param N = 1;", 12, &unknown, 1, &wrong));
    assert_int_equal(wrong.line, 0);
    assert_string_equal(wrong.text, "there is no parameter K");
}

/* ---- Errors ---- */

static void expect_error(const char *text, const char *expected) {
    hd_model_error error;
    hd_machine *machine = hd_model_parse("m", text, strlen(text), NULL, 0, &error);
    if (machine) {
        print_error("no error in: %s\n", text);
        fail();
    }
    char got[640];
    snprintf(got, sizeof got, "%u:%u: %s", error.line, error.column, error.text);
    if (strcmp(got, expected) != 0)
        print_error("in: %s\n", text);
    assert_string_equal(got, expected);
}

static void test_syntax_errors(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"x",
         "1:1: expected a declaration: param, shared, mutex, rwlock, cond, semaphore, barrier, "
         "channel, invariant, function or thread"},
        {"shared x", "1:9: expected ';' before the end of the file"},
        {"shared x y;", "1:10: expected ';' before 'y'"},
        {"shared 3;", "1:8: expected a name before '3'"},
        {"shared if;", "1:8: expected a name before 'if'"},
        {"shared x,\n  x;", "2:3: x is declared already"},
        {"param N;", "1:8: expected '=' before ';'"},
        {"param N = ;", "1:11: expected an expression"},
        {"param N = M;", "1:11: M is not declared"},
        {"shared x; param N = x;", "1:21: this must be a constant"},
        {"param N = id;", "1:11: id is known only inside a thread"},
        {"shared x[-1];", "1:10: the size of an array cannot be negative"},
        {"shared x[16777217];", "1:10: the size of an array is more than 16777216"},
        {"shared x[2;", "1:11: expected ']' before ';'"},
        {"shared x[16777216], y;", "1:21: there are more than 16777216 cells in the model"},
        {"shared x[2] = 1;", "1:15: the first values of an array, and only those, are in braces"},
        {"shared x = {1};", "1:12: the first values of an array, and only those, are in braces"},
        {"shared x[1] = {1, 2};", "1:19: x has only 1 elements"},
        {"shared x[2] = {1, 2;", "1:20: expected '}' before ';'"},
        {"mutex m = 1;", "1:9: expected ';' before '='"},
        {"thread t[65537] {}", "1:10: the number of threads is more than 65536"},
        {"thread t[-2] {}", "1:10: the number of threads cannot be negative"},
        {"thread t[65536] {} thread u {}", "1:27: there are more than 65536 threads"},
        {"thread t[65536] { local a[300]; }",
         "1:8: there are more than 16777216 cells in the model"},
        {"thread t x", "1:10: expected '{' before 'x'"},
        {"thread t { ", "1:12: expected '}': a block does not end"},
        {"thread t { { skip; }", "1:21: expected '}': a block does not end"},
        {"thread t { skip }", "1:17: expected ';' before '}'"},
        {"thread t { ; }", "1:12: expected a statement"},
        {"thread t { else skip; }", "1:12: expected a statement"},
        {"thread t { skip; local v; }",
         "1:18: locals are declared at the start of a thread or function"},
        {"shared x; thread t { local v = x; }",
         "1:32: the first value of a local is made of constants and id"},
        {"thread t { local v, w = v; }",
         "1:25: the first value of a local is made of constants and id"},
        {"thread t[2] { local v = 1 / id; }", "1:27: division by zero in the first value of v"},
        {"shared x; thread t { local x; }", "1:28: x is declared already"},
        {"thread t { local v; } thread u { v = 1; }", "1:34: v is not declared"},
        {"thread t { y = 1; } shared y;", "1:12: y is not declared"},
        {"shared x; thread t { x + 1; }", "1:26: expected '=' before '1'"},
        {"shared x; thread t { x = 1 }", "1:28: expected ';' before '}'"},
        {"shared x; thread t { x = (1; }", "1:28: expected ')' before ';'"},
        {"shared x; thread t { x = 1 ? 2; }", "1:31: expected ':' before ';'"},
        {"shared x; thread t { if x skip; }", "1:25: expected '(' before 'x'"},
        {"shared x; thread t { while (x skip; }", "1:31: expected ')' before 'skip'"},
        {"shared x; thread t { await (x) }", "1:32: expected ';' before '}'"},
        {"function f { }", "1:12: expected '(' before '{'"},
        {"function f() { f(); }", "1:16: f calls itself, which a function cannot"},
        {"function f() { g(); } function g() { }", "1:16: g is not declared"},
        {"function f(a, a) { }", "1:15: a is declared already"},
        {"function f() { local b[2]; }", "1:23: a function cannot have an array of its own"},
        {"function f() { atomic { return; } }", "1:25: return cannot leave an atomic block"},
        {"function f() { lock m; }", "1:21: m is not declared"},
        {"function f(a) { } thread t { f(); }", "1:30: f takes 1 argument, not 0"},
        {"function f() { } thread t { f(1); }", "1:29: f takes 0 arguments, not 1"},
        {"shared x; function f() { } thread t { x = 1 + f(); }",
         "1:47: f is called in a statement of its own, as in x = f(...);"},
        {"thread t { return; }", "1:12: return is only in a function"},
        {"barrier b;", "1:10: expected '(' and the number of threads before ';'"},
        {"barrier b(0);", "1:11: the number of threads of a barrier is 1 to 65536"},
        {"channel c;", "1:10: expected '(' and the capacity before ';'"},
        {"channel c(0);", "1:11: the capacity of a channel is 1 to 16777216"},
        {"channel c[4096](4096);", "1:9: there are more than 16777216 cells in the model"},
        {"rwlock l = 1;", "1:10: expected ';' before '='"},
        {"rwlock l[1000000]; thread t[100] { }",
         "1:37: there are more than 16777216 cells in the model"},
        {"shared x; invariant (x == 1);", "1:11: the invariant does not hold in the first state"},
        {"shared x; invariant (cas(x, 0, 1));", "1:22: an invariant cannot have a cas"},
        {"invariant (1 / 0 == 1);", "1:1: the invariant does not hold in the first state"},
        {"thread t { fork t; }", "1:12: t cannot fork or join itself"},
        {"thread t { fork u; } thread u { }", "1:17: u is not declared"},
        {"thread u[2] { } thread t { join u; }", "1:33: u is an array and needs an index"},
        {"/* no end", "1:1: this comment does not end"},
        {"shared x; // ends\n /*", "2:2: this comment does not end"},
        {"shared x; $", "1:11: there is no '$' in the language"},
        {"shared x; \x01", "1:11: there is no '\\x01' in the language"},
        {"param N = 0x;", "1:13: there is no such digit in a number"},
        {"param N = 12a;", "1:13: there is no such digit in a number"},
        {"param N = 9223372036854775808;", "1:11: this number does not fit in 64 bits"},
        {"param N = 9223372036854775807 + 1;", "1:31: this constant does not fit in 64 bits"},
        {"param N = 9223372036854775807 * -2;", "1:31: this constant does not fit in 64 bits"},
        {"param N = -9223372036854775807 - 2;", "1:32: this constant does not fit in 64 bits"},
        {"param N = (-9223372036854775807 - 1) / -1;",
         "1:38: this constant does not fit in 64 bits"},
        {"param N = -(-9223372036854775807 - 1);", "1:11: this constant does not fit in 64 bits"},
        {"param N = 1 << 64;", "1:13: this constant does not fit in 64 bits"},
        {"param N = 1 >> -1;", "1:13: this constant does not fit in 64 bits"},
        {"param N = 1 / 0;", "1:13: division by zero"},
        {"param N = 1 % 0;", "1:13: division by zero"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_error(rows[i][0], rows[i][1]);
}

static void test_meaning_errors(void **state) {
    (void)state;
    static const char declarations[] = "param N = 2; shared x, a[2]; mutex m, k[2]; cond c;\n"
                                       "thread t { local v;\n";
    static const char *const rows[][2] = {
        {"y = 1;", "3:1: y is not declared"},
        {"N = 1;", "3:1: N is a parameter and cannot be assigned"},
        {"m = 1;", "3:1: m is a mutex and cannot be assigned"},
        {"t = 1;", "3:1: t is a thread and cannot be assigned"},
        {"x = c;", "3:5: c is a condition variable and has no value"},
        {"x = t;", "3:5: t is a thread and has no value"},
        {"x[0] = 1;", "3:1: x is no array"},
        {"a = 1;", "3:1: a is an array and needs an index"},
        {"x = a;", "3:5: a is an array and needs an index"},
        {"x = N[1];", "3:5: N is no array"},
        {"lock x;", "3:6: x is a shared variable; this needs a mutex"},
        {"lock k;", "3:6: k is an array and needs an index"},
        {"lock 3;", "3:6: expected the name of a mutex"},
        {"unlock c;", "3:8: c is a condition variable; this needs a mutex"},
        {"wait m, m;", "3:6: m is a mutex; this needs a condition variable"},
        {"wait c;", "3:7: expected ',' before ';'"},
        {"wait c, v;", "3:9: v is a local variable; this needs a mutex"},
        {"wait c, k[x];", "3:11: the index in a wait must not read shared variables"},
        {"notify m;", "3:8: m is a mutex; this needs a condition variable"},
        {"notifyall 1;", "3:11: expected the name of a condition variable"},
        {"v = cas(v, 0, 1);", "3:9: cas needs a shared variable; v is a local variable"},
        {"v = try unlock m;", "3:9: expected lock, rdlock, wrlock, take, send or recv after try"},
        {"v = 1 + try lock m;", "3:9: try has a statement of its own, as in x = try lock m;"},
        {"v = 1 + choose(0, 1);",
         "3:9: choose has a statement of its own, as in x = choose(0, 3);"},
        {"atomic { v = choose(0, 1); }", "3:14: choose cannot be in an atomic block"},
        {"atomic { v = try lock m; }", "3:18: lock cannot be in an atomic block"},
        {"a[cas(x, 0, 1)] += 1;", "3:3: this index cannot have a cas"},
        {"x &&= 1;", "3:3: expected '=' before '&&'"},
        {"x <= 1;", "3:3: expected '=' before '<='"},
        {"x + = ;", "3:7: expected an expression"},
        {"rdlock m;", "3:8: m is a mutex; this needs a rwlock"},
        {"post x;", "3:6: x is a shared variable; this needs a semaphore"},
        {"arrive m;", "3:8: m is a mutex; this needs a barrier"},
        {"send m, 1;", "3:6: m is a mutex; this needs a channel"},
        {"fork x;", "3:6: x is a shared variable; this needs a thread"},
        {"for (v = 0; v < 1) skip;", "3:18: expected ';' before ')'"},
        {"for (v == 0; v < 1; v++) skip;", "3:8: expected '=' before '=='"},
        {"v = cas(1, 0, 1);", "3:9: expected the shared variable of a cas"},
        {"v = cas(x, 0);", "3:13: expected ',' before ')'"},
        {"atomic skip;", "3:8: expected '{' before 'skip'"},
        {"atomic { lock m; }", "3:10: lock cannot be in an atomic block"},
        {"atomic { if (x) { unlock m; } }", "3:19: unlock cannot be in an atomic block"},
        {"atomic { wait c, m; }", "3:10: wait cannot be in an atomic block"},
        {"atomic { notifyall c; }", "3:10: notifyall cannot be in an atomic block"},
        {"atomic { atomic { } }", "3:10: atomic cannot be in an atomic block"},
        {"atomic { x = 1; await (x); }",
         "3:17: an await must be the first statement of an atomic block"},
        {"atomic { { await (x); } }",
         "3:12: an await must be the first statement of an atomic block"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s }", declarations, rows[i][0]);
        expect_error(text, rows[i][1]);
    }
}

static void expect_message(const char *text, const char *expected) {
    hd_model_error error;
    assert_null(hd_model_parse("m", text, strlen(text), NULL, 0, &error));
    hd_vec_char words = {0};
    hd_model_error_format(&error, "dir/m.hdm", &words);
    expect_text(&words, expected);
}

static void test_messages(void **state) {
    (void)state;
    expect_message("shared x;\nthread t {\n\tx = y + 1;\n}\n",
                   "dir/m.hdm:3:6: y is not declared\n     x = y + 1;\n         ^");
    expect_message("thread t {", "dir/m.hdm:1:11: expected '}': a block does not end\n"
                                 "    thread t {\n              ^");
    hd_model_error error;
    assert_null(hd_model_load("/nowhere/m.hdm", NULL, 0, &error));
    hd_vec_char words = {0};
    hd_model_error_format(&error, "/nowhere/m.hdm", &words);
    expect_text(&words, "/nowhere/m.hdm: No such file or directory");
}

static void test_long_lines(void **state) {
    (void)state;
    char text[1000];
    memset(text, ' ', sizeof text);
    memcpy(text + 500, "shared \xff;", 9);
    text[999] = '\0';
    hd_model_error error;
    assert_null(hd_model_parse("m", text, 999, NULL, 0, &error));
    assert_int_equal(error.column, 508);
    assert_string_equal(error.text, "there is no '\\xff' in the language");
    assert_int_equal(error.source[error.caret], '?');
    assert_true(strlen(error.source) < 130);
}

/* So often that recursion without a limit would overflow the stack; sanitizers make frames larger.
 */
enum { OFTEN = SUPPORT_SANITIZED ? 20000 : 100000 };

/* Text that means harm: it must not crash, hang or take all memory. */
static void test_hostile(void **state) {
    (void)state;
    static const char *const openings[] = {
        "(", "-", "!", "{", "if (1) ", "a[", "1 ? 1 : ", "while (0) ", "cas(a[0], 0, "};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        hd_vec_char text = {0};
        bool statement = strchr("{iw", openings[i][0]) != NULL;
        say(&text, "shared a[1]; thread t { %s", statement ? "" : "a[0] = ");
        for (unsigned k = 0; k < OFTEN; k++)
            say(&text, "%s", openings[i]);
        hd_model_error error;
        assert_null(hd_model_parse("m", text.data, text.length, NULL, 0, &error));
        assert_string_equal(error.text, "this is nested too deeply");
        hd_vec_release(&text);
    }
    hd_vec_char text = {0};
    say(&text, "shared a; thread t { a = 1");
    for (unsigned k = 0; k < OFTEN; k++)
        say(&text, " + 1");
    say(&text, "; }");
    hd_model_error error;
    assert_null(hd_model_parse("m", text.data, text.length, NULL, 0, &error));
    assert_string_equal(error.text, "this expression is nested too deeply");
    hd_vec_release(&text);
}

/* A wide expression needs no more temporaries than a deep one. */
static void wide(hd_vec_char *text, unsigned depth) {
    if (depth == 0) {
        say(text, "x");
        return;
    }
    say(text, "(");
    wide(text, depth - 1);
    say(text, " + ");
    wide(text, depth - 1);
    say(text, ")");
}

static void test_wide_expression(void **state) {
    (void)state;
    hd_vec_char text = {0};
    say(&text, "shared x = 1; thread t { x = ");
    wide(&text, 14);
    say(&text, "; }");
    hd_machine *machine = load(text.data);
    step(machine, 0);
    assert_int_equal(value(machine, "x"), 1 << 14);
    release(machine);
    hd_vec_release(&text);
}

SUPPORT_SUITE(test_model_language) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),     cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_defines),         cmocka_unit_test(test_syntax_errors),
        cmocka_unit_test(test_meaning_errors),  cmocka_unit_test(test_messages),
        cmocka_unit_test(test_long_lines),      cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_wide_expression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
