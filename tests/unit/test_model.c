/*
 * Models: every construct of the language and every error in it, the meaning of
 * each statement step by step, undoing, what a step is said to access against
 * what it does, lists of what is ahead against random runs, and the numbers of
 * Mazurkiewicz traces of the benchmarks, counted by taking every interleaving.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"

/* ---- Tools ---- */

static hd_machine *load_with(const char *text, const hd_model_define *defines, size_t count) {
    hd_model_error error;
    hd_machine *machine = hd_model_parse("m.hdm", text, strlen(text), defines, count, &error);
    if (!machine) {
        hd_vec_char words = {0};
        hd_model_error_format(&error, "m.hdm", &words);
        print_error("%s\nin: %s\n", words.data, text);
        fail();
    }
    return machine;
}

static hd_machine *load(const char *text) {
    return load_with(text, NULL, 0);
}

static void release(hd_machine *machine) {
    machine->type->free(machine);
}

/* A location by its name. */
static uint32_t location(hd_machine *machine, const char *name) {
    for (uint32_t i = 0; i < machine->locations; i++)
        if (strcmp(machine->type->location_name(machine, i), name) == 0)
            return i;
    print_error("there is no location %s\n", name);
    fail();
    return 0;
}

static int64_t value(hd_machine *machine, const char *name) {
    return hd_model_value(machine, location(machine, name));
}

static hd_machine_operation next(hd_machine *machine, uint32_t thread) {
    hd_machine_operation operation;
    assert_true(machine->type->next(machine, thread, &operation));
    return operation;
}

static bool ended(hd_machine *machine, uint32_t thread) {
    hd_machine_operation operation;
    return !machine->type->next(machine, thread, &operation);
}

static void step(hd_machine *machine, uint32_t thread) {
    assert_true(next(machine, thread).enabled);
    assert_int_equal(machine->type->step(machine, thread, 0), HD_MACHINE_WENT_ON);
}

static void say(hd_vec_char *to, const char *format, ...) HD_PRINTF(2, 3);

static void say(hd_vec_char *to, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof text);
    hd_vec_reserve(to, to->length + (size_t)length + 1);
    memcpy(to->data + to->length, text, (size_t)length + 1);
    to->length += (size_t)length;
}

static void expect_text(hd_vec_char *got, const char *expected) {
    if (!got->data)
        say(got, "%s", "");
    assert_string_equal(got->data, expected);
    hd_vec_release(got);
}

static void expect_failure(hd_machine *machine, const char *expected) {
    hd_vec_char words = {0};
    machine->type->failure(machine, &words);
    expect_text(&words, expected);
}

static void expect_description(hd_machine *machine, uint32_t thread, const char *expected) {
    hd_vec_char words = {0};
    machine->type->describe(machine, thread, &words);
    expect_text(&words, expected);
}

/* "x:r y:w m:a", and in front of it "blocked " or "2 ways "; "ended". */
static void say_accesses(hd_machine *machine, const hd_machine_operation *operation,
                         hd_vec_char *to) {
    static const char letters[] = "rwal";
    if (!operation->enabled)
        say(to, "blocked ");
    if (operation->choices > 1)
        say(to, "%u ways ", operation->choices);
    for (uint32_t i = 0; i < operation->count; i++) {
        say(to, "%s%s:", i ? " " : "",
            machine->type->location_name(machine, operation->accesses[i].location));
        for (unsigned bit = 0; bit < 4; bit++)
            if (operation->accesses[i].mode >> bit & 1)
                say(to, "%c", letters[bit]);
    }
}

static void expect_next(hd_machine *machine, uint32_t thread, const char *expected) {
    hd_vec_char words = {0};
    hd_machine_operation operation;
    if (machine->type->next(machine, thread, &operation))
        say_accesses(machine, &operation, &words);
    else
        say(&words, "ended");
    expect_text(&words, expected);
}

/* Each thread in its turn, as long as one can go on; what the last step gave. */
static enum hd_machine_result run_in_order(hd_machine *machine) {
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t t = 0; t < machine->threads; t++) {
            hd_machine_operation operation;
            while (machine->type->next(machine, t, &operation) && operation.enabled) {
                if (machine->type->step(machine, t, 0) == HD_MACHINE_FAILED)
                    return HD_MACHINE_FAILED;
                moved = true;
            }
        }
    }
    return HD_MACHINE_WENT_ON;
}

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
        {"x", "1:1: expected param, shared, mutex, cond or thread"},
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
        {"thread t { skip; local v; }", "1:18: locals are declared at the start of a thread"},
        {"shared x; thread t { local v = x; }",
         "1:32: the first value of a local is made of constants and id"},
        {"thread t { local v, w = v; }",
         "1:25: the first value of a local is made of constants and id"},
        {"thread t[2] { local v = 1 / id; }", "1:27: division by zero in the first value of v"},
        {"shared x; thread t { local x; }", "1:28: x is declared already"},
        {"thread t { local v; } thread u { v = 1; }", "1:34: v is not declared"},
        {"thread t { y = 1; } shared y;", "1:12: y is not declared"},
        {"shared x; thread t { x + 1; }", "1:24: expected '=' before '+'"},
        {"shared x; thread t { x = 1 }", "1:28: expected ';' before '}'"},
        {"shared x; thread t { x = (1; }", "1:28: expected ')' before ';'"},
        {"shared x; thread t { x = 1 ? 2; }", "1:31: expected ':' before ';'"},
        {"shared x; thread t { if x skip; }", "1:25: expected '(' before 'x'"},
        {"shared x; thread t { while (x skip; }", "1:31: expected ')' before 'skip'"},
        {"shared x; thread t { await (x) }", "1:32: expected ';' before '}'"},
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

/* Text that means harm: it must not crash, hang or take all memory. */
static void test_hostile(void **state) {
    (void)state;
    static const char *const openings[] = {
        "(", "-", "!", "{", "if (1) ", "a[", "1 ? 1 : ", "while (0) ", "cas(a[0], 0, "};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        hd_vec_char text = {0};
        bool statement = strchr("{iw", openings[i][0]) != NULL;
        say(&text, "shared a[1]; thread t { %s", statement ? "" : "a[0] = ");
        for (unsigned k = 0; k < 100000; k++)
            say(&text, "%s", openings[i]);
        hd_model_error error;
        assert_null(hd_model_parse("m", text.data, text.length, NULL, 0, &error));
        assert_string_equal(error.text, "this is nested too deeply");
        hd_vec_release(&text);
    }
    hd_vec_char text = {0};
    say(&text, "shared a; thread t { a = 1");
    for (unsigned k = 0; k < 100000; k++)
        say(&text, " + 1");
    say(&text, "; }");
    hd_model_error error;
    assert_null(hd_model_parse("m", text.data, text.length, NULL, 0, &error));
    assert_string_equal(error.text, "this expression is nested too deeply");
    hd_vec_clear(&text);
    say(&text, "shared a; thread t[65536] {");
    for (unsigned k = 0; k < 1000; k++)
        say(&text, "a = a + id;");
    say(&text, "}");
    assert_null(hd_model_parse("m", text.data, text.length, NULL, 0, &error));
    assert_string_equal(error.text, "the threads have more than 16777216 instructions");
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

/* ---- What statements do ---- */

static void test_accesses(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"x = 1;", "x:w"},
        {"x = x + 1;", "x:rw"},
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
        {"wait c, m;", "m:l c:w flag of t:w"},
        {"notify c;", "c:w"},
        {"notifyall c;", "c:w"},
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

static const char waiting[] = "shared x; mutex m; cond c;\n"
                              "thread w[3] { lock m; wait c, m; x = x + 1; unlock m; }\n"
                              "thread n { notify c; notify c; notifyall c; }\n";

static void start_waiting(hd_machine *machine, uint32_t thread) {
    step(machine, thread);
    step(machine, thread);
}

static void test_conditions(void **state) {
    (void)state;
    hd_machine *machine = load(waiting);
    expect_next(machine, 3, "c:w");
    step(machine, 0);
    expect_next(machine, 0, "m:l c:w flag of w[0]:w");
    step(machine, 0);
    assert_int_equal(value(machine, "c"), 1);
    assert_int_equal(value(machine, "m"), 0);
    expect_next(machine, 0, "blocked flag of w[0]:r");
    assert_true(next(machine, 0).awaits);
    expect_next(machine, 3, "c:w flag of w[0]:w");
    start_waiting(machine, 1);
    start_waiting(machine, 2);
    expect_next(machine, 3, "3 ways c:w flag of w[0]:w flag of w[1]:w flag of w[2]:w");
    assert_int_equal(machine->type->step(machine, 3, 1), HD_MACHINE_WENT_ON);
    expect_next(machine, 0, "blocked flag of w[0]:r");
    expect_next(machine, 1, "flag of w[1]:r");
    expect_next(machine, 3, "2 ways c:w flag of w[0]:w flag of w[2]:w");
    machine->type->undo(machine);
    expect_next(machine, 1, "blocked flag of w[1]:r");
    step(machine, 3);
    step(machine, 3);
    expect_next(machine, 3, "c:w flag of w[2]:w");
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
        {"while (y || x) skip;", "t[1]: while (y (0) || x (4))"},
        {"while (x || y) skip;", "t[1]: while (x (4) || y)"},
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

/* ---- Random models ---- */

typedef struct maker {
    hd_random random;
    hd_vec_char text;
    unsigned waits; /* permille of waits and notifies */
} maker;

static uint64_t below(maker *m, uint64_t limit) {
    return hd_random_below(&m->random, limit);
}

static void make_expression(maker *m, unsigned depth);

/* Mostly inside the array. */
static void make_element(maker *m, unsigned depth) {
    say(&m->text, "a[");
    switch (below(m, 6)) {
    case 0:
        say(&m->text, "id & 1");
        break;
    case 1:
    case 2:
        say(&m->text, "(");
        make_expression(m, depth);
        say(&m->text, ") & 1");
        break;
    case 3:
        make_expression(m, depth);
        break;
    default:
        say(&m->text, "%u", (unsigned)below(m, 3));
    }
    say(&m->text, "]");
}

static void make_shared(maker *m, unsigned depth) {
    if (depth > 0 && below(m, 3) == 0)
        make_element(m, depth - 1);
    else
        say(&m->text, "%s", below(m, 2) ? "x" : "y");
}

static void make_expression(maker *m, unsigned depth) {
    static const char *const operators[] = {"+", "-", "*", "==", "<", "&", "&&", "||", "&&", "||"};
    uint64_t kind = below(m, depth > 0 ? 12 : 5);
    if (kind < 2) {
        say(&m->text, "%u", (unsigned)below(m, 3));
    } else if (kind == 2) {
        say(&m->text, "%s", below(m, 2) ? "v" : "w");
    } else if (kind < 5) {
        make_shared(m, depth);
    } else if (kind < 9) {
        say(&m->text, "(");
        make_expression(m, depth - 1);
        say(&m->text, " %s ", operators[below(m, sizeof operators / sizeof *operators)]);
        make_expression(m, depth - 1);
        say(&m->text, ")");
    } else if (kind == 9) {
        say(&m->text, "(");
        make_expression(m, depth - 1);
        say(&m->text, " ? ");
        make_expression(m, depth - 1);
        say(&m->text, " : ");
        make_expression(m, depth - 1);
        say(&m->text, ")");
    } else if (kind == 10) {
        say(&m->text, "cas(");
        make_shared(m, depth);
        say(&m->text, ", %u, ", (unsigned)below(m, 2));
        make_expression(m, depth - 1);
        say(&m->text, ")");
    } else {
        say(&m->text, "(%u %s ", (unsigned)below(m, 3), below(m, 2) ? "/" : "%");
        make_expression(m, depth - 1);
        say(&m->text, ")");
    }
}

static void make_assignment(maker *m) {
    if (below(m, 3) == 0)
        say(&m->text, "%s", below(m, 4) == 0 ? "l[v & 1]" : below(m, 2) ? "v" : "w");
    else
        make_shared(m, 1);
    say(&m->text, " = ");
    make_expression(m, 2);
    say(&m->text, "; ");
}

static void make_condition(maker *m, const char *word) {
    say(&m->text, "%s (", word);
    make_expression(m, 2);
    say(&m->text, ")");
}

static void make_statement(maker *m, unsigned depth);

static void make_statements(maker *m, unsigned depth, unsigned most) {
    for (uint64_t left = 1 + below(m, most); left > 0; left--)
        make_statement(m, depth);
}

static void make_atomic(maker *m) {
    say(&m->text, "atomic { ");
    if (below(m, 4) == 0) {
        make_condition(m, "await");
        say(&m->text, "; ");
    }
    for (unsigned left = 2; left > 0; left--) {
        if (below(m, 3) == 0)
            make_condition(m, "if");
        make_assignment(m);
    }
    if (below(m, 8) == 0)
        say(&m->text, "assert (v < 4); ");
    say(&m->text, "} ");
}

static void make_locked(maker *m, unsigned depth) {
    const char *lock = below(m, 3) ? "m" : below(m, 2) ? "k[id & 1]" : "k[v & 1]";
    say(&m->text, "lock %s; ", lock);
    if (strcmp(lock, "m") == 0 && below(m, 1000) < m->waits)
        say(&m->text, "wait c, m; ");
    make_statements(m, depth, 2);
    say(&m->text, "unlock %s; ", lock);
}

static void make_loop(maker *m, unsigned depth) {
    say(&m->text, "i = 0; ");
    say(&m->text, "while (i < 2 && ");
    make_expression(m, 1);
    say(&m->text, ") { i = i + 1; ");
    make_statements(m, depth, 2);
    say(&m->text, "} ");
}

static void make_statement(maker *m, unsigned depth) {
    uint64_t kind = below(m, depth > 0 ? 20 : 12);
    if (below(m, 1000) < m->waits)
        say(&m->text, "%s c; ", below(m, 2) ? "notify" : "notifyall");
    if (kind < 10) {
        make_assignment(m);
    } else if (kind == 10) {
        make_condition(m, "await");
        say(&m->text, "; ");
    } else if (kind == 11) {
        say(&m->text, "assert (x + v < 9); ");
    } else if (kind < 15) {
        make_condition(m, "if");
        say(&m->text, " { ");
        make_statements(m, depth - 1, 2);
        say(&m->text, "} ");
    } else if (kind == 15) {
        make_loop(m, depth - 1);
    } else if (kind < 18) {
        make_locked(m, depth - 1);
    } else {
        make_atomic(m);
    }
}

static hd_machine *make_model(maker *m, uint64_t seed) {
    hd_random_seed(&m->random, seed);
    hd_vec_clear(&m->text);
    m->waits = below(m, 2) ? 150 : 0;
    say(&m->text, "shared x, y = 1, a[3] = {0, 1}; mutex m, k[2]; cond c;\n");
    uint64_t threads = 2 + below(m, 2);
    for (uint64_t t = 0; t < threads; t++) {
        say(&m->text, "thread t%u[%u] { local i, v = id, w, l[2]; ", (unsigned)t,
            (unsigned)(1 + (below(m, 4) == 0)));
        make_statements(m, 2, 5);
        say(&m->text, "}\n");
    }
    return load(m->text.data);
}

static _Noreturn void give_up(const maker *m, uint64_t seed, const char *why) {
    print_error("seed %" PRIu64 ": %s\n%s\n", seed, why, m->text.data);
    fail();
    abort();
}

/* A random thread that can go on; threads if there is none. */
static uint32_t pick(hd_machine *machine, hd_random *random) {
    uint32_t first = (uint32_t)hd_random_below(random, machine->threads);
    for (uint32_t i = 0; i < machine->threads; i++) {
        uint32_t t = (first + i) % machine->threads;
        hd_machine_operation operation;
        if (machine->type->next(machine, t, &operation) && operation.enabled)
            return t;
    }
    return machine->threads;
}

static bool same_accesses(const hd_machine_operation *a, const hd_machine_operation *b) {
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->accesses[i].location != b->accesses[i].location ||
            a->accesses[i].mode != b->accesses[i].mode)
            return false;
    return true;
}

/* ---- What is said about a step is what it does ---- */

typedef struct taken {
    uint32_t thread, choice;
    uint64_t hash; /* of the state before */
} taken;

typedef struct journey {
    maker maker;
    uint64_t seed;
    hd_machine *machine, *twin; /* the twin is run again from the start, and looks once */
    HD_VEC(taken) path;
    HD_VEC(int64_t) before; /* values of locations */
} journey;

static void check_against_twin(journey *j) {
    hd_machine *a = j->machine, *b = j->twin;
    b->type->restart(b);
    for (size_t i = 0; i < j->path.length; i++)
        b->type->step(b, j->path.data[i].thread, j->path.data[i].choice);
    if (hd_model_hash(a) != hd_model_hash(b))
        give_up(&j->maker, j->seed, "the same schedule gives another state");
    for (uint32_t t = 0; t < a->threads; t++) {
        hd_machine_operation x, y;
        bool in_a = a->type->next(a, t, &x), in_b = b->type->next(b, t, &y);
        if (in_a != in_b || (in_a && (!same_accesses(&x, &y) || x.enabled != y.enabled ||
                                      x.choices != y.choices || x.position != y.position)))
            give_up(&j->maker, j->seed, "the next operation is not what it is when looked at anew");
    }
}

static uint8_t mode_of(const hd_machine_operation *operation, uint32_t place) {
    for (uint32_t i = 0; i < operation->count; i++)
        if (operation->accesses[i].location == place)
            return operation->accesses[i].mode;
    return 0;
}

static uint8_t mode_of_event(const heddle_event *event) {
    unsigned traits = hd_trace_traits(event);
    uint8_t mode = (traits & HEDDLE_T_READS) ? HD_MACHINE_READ : 0;
    if (traits & HEDDLE_T_WRITES)
        mode |= HD_MACHINE_WRITE;
    if (event->kind == HEDDLE_ACQUIRE)
        mode = HD_MACHINE_ACQUIRE;
    if (event->kind == HEDDLE_RELEASE)
        mode = HD_MACHINE_RELEASE;
    return mode;
}

/* Events have what was accessed, but for condition variables and flags. */
static void check_events(journey *j, const hd_machine_operation *operation) {
    hd_machine *machine = j->machine;
    hd_trace trace;
    hd_trace_init(&trace);
    machine->type->record(machine, &trace);
    uint32_t found = 0, expected = 0;
    for (uint32_t n = 1; n <= hd_trace_length(&trace); n++) {
        const heddle_event *event = hd_trace_event(&trace, n);
        uint8_t mode = mode_of_event(event);
        if (mode == 0)
            continue;
        uint32_t place = location(machine, hd_trace_object_name(&trace.tables, event));
        uint8_t said = mode_of(operation, place);
        /* What the operation wrote first and read then is a write. */
        if (said != mode && !(mode == HD_MACHINE_WRITE && said == 3))
            give_up(&j->maker, j->seed, "an event is not among the accesses");
        found++;
    }
    for (uint32_t i = 0; i < operation->count; i++)
        expected += operation->accesses[i].location < location(machine, "c");
    if (found != expected)
        give_up(&j->maker, j->seed, "an access has no event");
    hd_trace_release(&trace);
}

static void check_changes(journey *j, const hd_machine_operation *operation) {
    for (uint32_t i = 0; i < j->machine->locations; i++)
        if (hd_model_value(j->machine, i) != j->before.data[i] &&
            !(mode_of(operation, i) & HD_MACHINE_WRITES))
            give_up(&j->maker, j->seed, "a location changed that is not said to be written");
}

static bool go(journey *j, uint32_t thread) {
    hd_machine *machine = j->machine;
    hd_machine_operation operation = next(machine, thread);
    HD_VEC(hd_machine_access) accesses = {0};
    for (uint32_t i = 0; i < operation.count; i++)
        hd_vec_push(&accesses, operation.accesses[i]);
    operation.accesses = accesses.data;
    hd_vec_clear(&j->before);
    for (uint32_t i = 0; i < machine->locations; i++)
        hd_vec_push(&j->before, hd_model_value(machine, i));
    uint32_t choice = (uint32_t)hd_random_below(&j->maker.random, operation.choices);
    hd_vec_push(&j->path, (taken){thread, choice, hd_model_hash(machine)});
    bool went_on = machine->type->step(machine, thread, choice) == HD_MACHINE_WENT_ON;
    check_changes(j, &operation);
    if (went_on || operation.count > 0)
        check_events(j, &operation);
    hd_vec_release(&accesses);
    return went_on;
}

static void go_back(journey *j) {
    j->machine->type->undo(j->machine);
    if (hd_model_hash(j->machine) != hd_vec_pop(&j->path).hash)
        give_up(&j->maker, j->seed, "undo does not give the state before");
}

static void travel(journey *j, unsigned length) {
    while (length-- > 0) {
        bool back = j->path.length > 0 && hd_random_chance(&j->maker.random, 350);
        uint32_t thread = back ? j->machine->threads : pick(j->machine, &j->maker.random);
        if (thread == j->machine->threads && j->path.length == 0)
            return;
        bool failed = thread == j->machine->threads || !go(j, thread);
        if (failed)
            go_back(j);
        check_against_twin(j);
    }
    while (j->path.length > 0)
        go_back(j);
    check_against_twin(j);
}

static void test_steps_and_undo(void **state) {
    (void)state;
    journey j = {0};
    for (j.seed = 1; j.seed <= 1500; j.seed++) {
        j.machine = make_model(&j.maker, j.seed);
        j.twin = j.machine->type->copy(j.machine);
        hd_vec_clear(&j.path);
        travel(&j, 60);
        release(j.machine);
        release(j.twin);
    }
    hd_vec_release(&j.maker.text);
    hd_vec_release(&j.path);
    hd_vec_release(&j.before);
}

/* ---- What is ahead ---- */

/* Lists in words: "x:r y:w <y" with the addresses behind <, "*" for branching. */
static void expect_ahead(const char *body, const char *expected) {
    char text[512];
    snprintf(text, sizeof text,
             "shared x, y, z, one = 1, a[3]; mutex m, k[2]; cond c;\n"
             "thread t { local v, w; %s }",
             body);
    hd_machine *machine = load(text);
    uint64_t hash = hd_model_hash(machine);
    const hd_machine_ahead *list;
    hd_vec_char words = {0};
    uint32_t count = machine->type->ahead(machine, 0, &list);
    for (uint32_t i = 0; i < count; i++) {
        say(&words, "%s", i ? ", " : "");
        say_accesses(machine, &list[i].operation, &words);
        for (uint32_t k = 0; k < list[i].address_count; k++)
            say(&words, "%s%s", k ? " " : " <",
                machine->type->location_name(machine, list[i].addresses[k]));
        say(&words, "%s", list[i].branching ? " *" : "");
    }
    if (words.data && strcmp(words.data, expected) != 0)
        print_error("%s\n", body);
    expect_text(&words, expected);
    assert_int_equal(hd_model_hash(machine), hash);
    release(machine);
}

static void test_ahead(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"", ""},
        {"x = 1; y = x; v = y; z = v;", "x:w, x:r y:w, y:r, z:w"},
        {"x = 1; if (x) y = 1;", "x:w, x:r *"},
        {"v = x; if (v) y = 1;", "x:r *"},
        {"v = x; y = v; a[v] = 1;", "x:r, y:w *"},
        {"v = x; v = 1; a[v] = 1;", "x:r, a[1]:w"},
        {"v = x; w = v + 1; v = 0; if (w) skip; y = 1;", "x:r *"},
        {"v = x; y = 1; if (v) skip; z = 1;", "x:r, y:w *"},
        {"if (v == 0) x = 1; else y = 1; z = 1;", "x:w, z:w"},
        {"while (v < 2) { a[v] = 1; v = v + 1; } x = 1;", "a[0]:w, a[1]:w, x:w"},
        {"a[one] = 1; y = 1;", "one:r a[1]:w <one, y:w"},
        {"x = 2; a[x] = 1; z = 1;", "x:w, x:r a[2]:w <x, z:w"},
        {"a[a[one]] = z; y = 2;", "z:r one:r a[0]:w a[1]:r <one a[1], y:w"},
        {"v = z + a[one]; y = 2;", "z:r one:r a[1]:r <one, y:w"},
        {"v = one && y; z = 1;", "y:r one:r <one, z:w"},
        {"v = one && y; if (v) skip; z = 1;", "y:r one:r <one *"},
        {"v = x; y = v && z;", "x:r *"},
        {"x = y; a[x] = 1;", "x:w y:r"},
        {"x = 1; y = x; if (y) skip;", "x:w, x:r y:w, y:r *"},
        {"v = y; cas(x, 0, v); a[x] = 1;", "y:r, x:rw <x"},
        {"atomic { x = y; a[x] = 1; } z = 1;", "x:rw y:r a[0]:w <x y, z:w"},
        {"v = cas(x, 0, 1); y = 1;", "x:rw <x, y:w"},
        {"v = cas(x, 0, y); if (v) z = 1;", "x:rw y:r <x *"},
        {"v = y; cas(x, v, 2);", "y:r"},
        {"v = y; cas(x, 0, v); z = v;", "y:r, x:rw <x, z:w"},
        {"x = 1 / one; y = 1;", "x:w one:r <one, y:w"},
        {"x = 1 / y; z = 1;", "y:r <y *"},
        {"v = y; x = 1 / v;", "y:r *"},
        {"lock m; x = 1; unlock m; y = 1;", "m:a, x:w, m:l, y:w"},
        {"lock m; lock m; x = 1;", "m:a, blocked m:a"},
        {"lock k[one]; unlock k[1];", "one:r k[1]:a <one, k[1]:l"},
        {"unlock m; x = 1;", "m:l *"},
        {"await (one == 1); x = 1;", "one:r <one, x:w"},
        {"await (x == 1); y = 1;", "blocked x:r <x"},
        {"v = x; await (one == v); y = 1;", "x:r"},
        {"await (v == 1); y = 1;", "blocked  *"},
        {"x = 1; await (v == 1); y = 1;", "x:w, blocked  *"},
        {"lock m; wait c, m; x = 1;", "m:a, m:l c:w flag of t:w, blocked flag of t:r <flag of t"},
        {"notify c; notifyall c; x = 1;", "c:w <c, c:w <c, x:w"},
        {"assert (x == 0); y = 1;", "x:r *"},
        {"x = 1; assert (v == 0); y = 1;", "x:w, y:w"},
        {"x = 1; assert (v == 1); y = 1;", "x:w *"},
        {"v = x; assert (v == 1); y = 1;", "x:r *"},
        {"atomic { x = 1; y = 2; } z = 1;", "x:w y:w, z:w"},
        {"atomic { if (one) v = 1; y = 2; } z = 1; a[v] = 1;", "y:w one:r <one, z:w *"},
        {"atomic { await (one); x = 2; } z = 1;", "x:w one:r <one, z:w"},
        {"atomic { await (y); x = 2; } z = 1;", "blocked y:r <y"},
        {"atomic { x = 2; assert (one); } z = 1;", "x:w one:r *"},
        {"v = x; atomic { if (v) y = 1; } z = 1;", "x:r *"},
        {"x = 1; while (true) { }", "x:w *"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_ahead(rows[i][0], rows[i][1]);
}

/* A way to notify is a branch of its own. */
static void test_ahead_of_notify(void **state) {
    (void)state;
    hd_machine *machine = load(waiting);
    const hd_machine_ahead *list;
    assert_int_equal(machine->type->ahead(machine, 3, &list), 3);
    start_waiting(machine, 0);
    assert_int_equal(machine->type->ahead(machine, 3, &list), 3);
    start_waiting(machine, 1);
    assert_int_equal(machine->type->ahead(machine, 3, &list), 1);
    assert_int_equal(list[0].operation.choices, 2);
    assert_true(list[0].branching);
    release(machine);
}

/* The end of a list that is too long. */
static void test_ahead_limit(void **state) {
    (void)state;
    hd_machine *machine = load("shared x; thread t { while (true) x = 1; }");
    const hd_machine_ahead *list;
    assert_int_equal(machine->type->ahead(machine, 0, &list), HD_MODEL_MAX_AHEAD);
    release(machine);
}

/* A list as it was, while the machine runs on. */
typedef struct promise {
    uint32_t thread, count, done;
    hd_machine_ahead *list;
    bool *written; /* locations, by others */
} promise;

static void *kept(const void *data, size_t size) {
    void *copy = malloc(size + 1);
    assert_non_null(copy);
    return size > 0 ? memcpy(copy, data, size) : copy;
}

static promise make_promise(hd_machine *machine, uint32_t thread) {
    const hd_machine_ahead *list;
    promise p = {.thread = thread, .count = machine->type->ahead(machine, thread, &list)};
    p.list = calloc(p.count + 1, sizeof *p.list);
    p.written = calloc(machine->locations, sizeof *p.written);
    for (uint32_t i = 0; i < p.count; i++) {
        p.list[i] = list[i];
        uint32_t count = list[i].operation.count, addresses = list[i].address_count;
        p.list[i].operation.accesses =
            kept(list[i].operation.accesses, count * sizeof(hd_machine_access));
        p.list[i].addresses = kept(list[i].addresses, addresses * sizeof(uint32_t));
    }
    return p;
}

static void release_promise(promise *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        free((void *)(uintptr_t)p->list[i].operation.accesses);
        free((void *)(uintptr_t)p->list[i].addresses);
    }
    free(p->list);
    free(p->written);
}

/* Did another thread write what the first operations up to this one depend on? */
static bool is_off(const promise *p, bool accesses_too) {
    for (uint32_t i = 0; i <= p->done; i++) {
        for (uint32_t k = 0; k < p->list[i].address_count; k++)
            if (p->written[p->list[i].addresses[k]])
                return true;
        for (uint32_t k = 0; accesses_too && k < p->list[i].operation.count; k++)
            if (p->written[p->list[i].operation.accesses[k].location])
                return true;
    }
    return false;
}

/* Holds the thread's next operation to the list; false when there is no more to
 * hold it to. */
static bool check_promise(const maker *m, uint64_t seed, hd_machine *machine, const promise *p) {
    if (p->done >= p->count || is_off(p, false))
        return false;
    const hd_machine_operation *said = &p->list[p->done].operation;
    hd_machine_operation operation;
    if (!machine->type->next(machine, p->thread, &operation))
        give_up(m, seed, "a thread ends before what is ahead of it");
    if (!same_accesses(said, &operation) || said->position != operation.position ||
        said->choices != operation.choices || said->awaits != operation.awaits)
        give_up(m, seed, "a thread does something else than what is ahead of it");
    if (!is_off(p, true) && said->enabled != operation.enabled)
        give_up(m, seed, "an operation is enabled otherwise than what is ahead says");
    return true;
}

static void note_writes(promise *p, const hd_machine_operation *operation) {
    for (uint32_t i = 0; i < operation->count; i++)
        if (operation->accesses[i].mode & HD_MACHINE_WRITES)
            p->written[operation->accesses[i].location] = true;
}

/* One random run under a promise; how many operations it held. */
static unsigned keep_promise(maker *m, uint64_t seed, hd_machine *machine, uint32_t thread) {
    promise p = make_promise(machine, thread);
    unsigned held = 0, steps = 0;
    while (check_promise(m, seed, machine, &p)) {
        uint32_t t = pick(machine, &m->random);
        if (t == machine->threads)
            break;
        hd_machine_operation operation = next(machine, t);
        if (t != thread)
            note_writes(&p, &operation);
        uint32_t choice = (uint32_t)hd_random_below(&m->random, operation.choices);
        steps++;
        if (machine->type->step(machine, t, choice) == HD_MACHINE_FAILED)
            break;
        p.done += t == thread;
        held += t == thread;
    }
    while (steps-- > 0)
        machine->type->undo(machine);
    release_promise(&p);
    return held;
}

static void test_ahead_is_kept(void **state) {
    (void)state;
    maker m = {0};
    unsigned held = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        hd_machine *machine = make_model(&m, seed);
        for (unsigned start = 0; start < 6; start++) {
            machine->type->restart(machine);
            for (uint64_t skip = below(&m, 6); skip > 0; skip--) {
                uint32_t t = pick(machine, &m.random);
                if (t == machine->threads ||
                    machine->type->step(machine, t, 0) == HD_MACHINE_FAILED)
                    break;
            }
            uint64_t hash = hd_model_hash(machine);
            for (uint32_t t = 0; t < machine->threads; t++)
                for (unsigned run = 0; run < 8; run++)
                    held += keep_promise(&m, seed, machine, t);
            if (hd_model_hash(machine) != hash)
                give_up(&m, seed, "looking ahead changed the state");
        }
        release(machine);
    }
    assert_true(held > 100000);
    hd_vec_release(&m.text);
}

/* An operation that does not vary accesses the same whatever others do. */
static void check_steady(maker *m, uint64_t seed, hd_machine *machine, uint32_t thread) {
    hd_machine_operation said, operation;
    if (!machine->type->next(machine, thread, &said) || said.varies)
        return;
    said.accesses = kept(said.accesses, said.count * sizeof *said.accesses);
    unsigned steps = 0;
    while (steps < 8) {
        uint32_t t = pick(machine, &m->random);
        if (t == machine->threads || t == thread)
            break;
        steps++;
        if (machine->type->step(machine, t, 0) == HD_MACHINE_FAILED)
            break;
        if (!machine->type->next(machine, thread, &operation) || operation.varies ||
            !same_accesses(&said, &operation))
            give_up(m, seed, "an operation varies that is said not to");
    }
    while (steps-- > 0)
        machine->type->undo(machine);
    free((void *)(uintptr_t)said.accesses);
}

static void test_varies(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool varies;
    } rows[] = {
        {"x = y;", false},
        {"a[v] = x;", false},
        {"a[x] = v;", true},
        {"lock k[v];", false},
        {"lock k[x];", true},
        {"if (v || x) skip;", false},
        {"if (x || y) skip;", true},
        {"v = cas(x, 0, 1);", true},
        {"x = 1 / (v + 1);", false},
        {"x = 1 / y;", true},
        {"notify c;", true},
        {"await (x);", false},
        {"atomic { await (x); y = 1; }", true},
        {"atomic { v = x; a[v] = 1; }", true},
        {"atomic { x = 1; while (v < 2) { a[v] = 1; v = v + 1; } }", false},
        {"atomic { x = 1; while (v < 2) { a[w] = 1; w = v; v = y; } }", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "shared x, y, a[3]; mutex k[2]; cond c; thread t { local v, w; x = 0; %s }",
                 rows[i].text);
        hd_machine *machine = load(text);
        step(machine, 0);
        if (next(machine, 0).varies != rows[i].varies)
            print_error("%s\n", rows[i].text);
        assert_int_equal(next(machine, 0).varies, rows[i].varies);
        release(machine);
    }
    maker m = {0};
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        hd_machine *machine = make_model(&m, seed);
        for (unsigned run = 0; run < 10; run++)
            for (uint32_t t = 0; t < machine->threads; t++)
                check_steady(&m, seed, machine, t);
        release(machine);
    }
    hd_vec_release(&m.text);
}

/* ---- Mazurkiewicz traces, counted by taking every interleaving ---- */

typedef struct taken_event {
    uint32_t thread, choice;
    HD_VEC(hd_machine_access) accesses;
} taken_event;

typedef struct counter {
    hd_machine *machine;
    taken_event events[64];
    uint32_t length;
    hd_names traces; /* in a form that is the same for equivalent runs */
    uint64_t failures, deadlocks;
} counter;

static bool before(const taken_event *a, const taken_event *b) {
    return a->thread == b->thread ||
           hd_machine_dependent(a->accesses.data, (uint32_t)a->accesses.length, b->accesses.data,
                                (uint32_t)b->accesses.length);
}

/* Of the events not done that no other such event must precede, the one of the
 * least thread. */
static uint32_t least_ready(const counter *c, const bool *done) {
    const taken_event *best = NULL;
    for (uint32_t i = 0; i < c->length; i++) {
        bool ready = !done[i];
        for (uint32_t k = 0; ready && k < i; k++)
            ready = done[k] || !before(&c->events[k], &c->events[i]);
        if (ready && (!best || c->events[i].thread < best->thread))
            best = &c->events[i];
    }
    assert_non_null(best);
    return (uint32_t)(best - c->events);
}

/* The lexicographically least order of threads among equivalent runs. */
static void count_trace(counter *c) {
    char form[130];
    bool done[64] = {false};
    size_t length = 0;
    for (uint32_t left = c->length; left > 0; left--) {
        uint32_t event = least_ready(c, done);
        done[event] = true;
        form[length++] = (char)('A' + c->events[event].thread);
        form[length++] = (char)('0' + c->events[event].choice);
    }
    hd_names_add(&c->traces, form, length);
}

static void explore(counter *c);

static void explore_thread(counter *c, uint32_t thread, uint32_t choices) {
    hd_machine *machine = c->machine;
    for (uint32_t choice = 0; choice < choices; choice++) {
        hd_machine_operation operation = next(machine, thread);
        assert_true(c->length < 64);
        taken_event *event = &c->events[c->length++];
        event->thread = thread;
        event->choice = choice;
        hd_vec_clear(&event->accesses);
        for (uint32_t i = 0; i < operation.count; i++)
            hd_vec_push(&event->accesses, operation.accesses[i]);
        if (machine->type->step(machine, thread, choice) == HD_MACHINE_FAILED) {
            c->failures++;
            count_trace(c);
        } else {
            explore(c);
        }
        machine->type->undo(machine);
        c->length--;
    }
}

static void explore(counter *c) {
    bool any = false, left = false;
    for (uint32_t t = 0; t < c->machine->threads; t++) {
        hd_machine_operation operation;
        if (!c->machine->type->next(c->machine, t, &operation))
            continue;
        left = true;
        if (!operation.enabled)
            continue;
        any = true;
        explore_thread(c, t, operation.choices);
    }
    if (any)
        return;
    c->deadlocks += left;
    count_trace(c);
}

/* One of examples/models, which are beside the folder that this file is in. */
static hd_machine *load_example(const char *name, const char *parameter, int64_t size) {
    static const char here[] = __FILE__;
    const char *folder = strstr(here, "tests/unit/");
    assert_non_null(folder);
    char path[512];
    snprintf(path, sizeof path, "%.*sexamples/models/%s.hdm", (int)(folder - here), here, name);
    hd_model_error error;
    hd_model_define define = {parameter, size};
    hd_machine *machine = hd_model_load(path, &define, parameter ? 1 : 0, &error);
    if (!machine)
        fail_msg("%s:%u: %s", path, error.line, error.text);
    return machine;
}

typedef struct expected {
    uint32_t traces;
    bool fails, deadlocks;
} expected;

static void expect_counts(const char *name, const char *parameter, int64_t size, expected wanted) {
    counter *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->machine = load_example(name, parameter, size);
    explore(c);
    if ((wanted.traces && c->traces.length != wanted.traces) || !c->failures != !wanted.fails ||
        !c->deadlocks != !wanted.deadlocks) {
        print_error("%s, %s = %d: %u traces, %" PRIu64 " failures, %" PRIu64 " deadlocks\n", name,
                    parameter ? parameter : "-", (int)size, c->traces.length, c->failures,
                    c->deadlocks);
        fail();
    }
    for (size_t i = 0; i < 64; i++)
        hd_vec_release(&c->events[i].accesses);
    hd_names_release(&c->traces);
    release(c->machine);
    free(c);
}

static void test_counts(void **state) {
    (void)state;
    static const uint32_t branching[] = {11, 28}, extended[] = {6, 90};
    for (uint32_t n = 2; n <= 6; n++) {
        expect_counts("readers-writers", "N", n, (expected){.traces = 1u << (n - 1)});
        expect_counts("ring", "N", n, (expected){.traces = (1u << n) - 2});
    }
    for (uint32_t n = 2; n <= 5; n++)
        expect_counts("last-zero", "N", n, (expected){.traces = n << (n - 2)});
    for (uint32_t n = 2; n <= 3; n++) {
        expect_counts("branching", "N", n, (expected){.traces = branching[n - 2]});
        expect_counts("ring-extended", "N", n, (expected){.traces = extended[n - 2]});
    }
    for (uint32_t n = 1; n <= 5; n++)
        expect_counts("shared-pointer", "N", n, (expected){.traces = 2 * n + 1});
    expect_counts("eager-por-fig1", NULL, 0, (expected){.traces = 4});
    expect_counts("eager-por-fig2", NULL, 0, (expected){.traces = 5});
}

static void test_examples(void **state) {
    (void)state;
    expect_counts("peterson", NULL, 0, (expected){0});
    expect_counts("peterson-broken", NULL, 0, (expected){.fails = true});
    expect_counts("dekker", NULL, 0, (expected){0});
    expect_counts("philosophers", NULL, 0, (expected){.deadlocks = true});
    expect_counts("philosophers-ordered", NULL, 0, (expected){0});
    expect_counts("bounded-buffer", "PAIRS", 1, (expected){0});
    expect_counts("double-checked-lock", NULL, 0, (expected){.fails = true});
}

/* Which cells of the table each thread of Indexer uses, if it runs alone. */
static unsigned indexer_overlaps(int64_t threads) {
    hd_machine *machine = load_example("indexer", "N", threads);
    uint32_t owner[128];
    unsigned overlaps = 0;
    for (uint32_t i = 0; i < 128; i++)
        owner[i] = UINT32_MAX;
    for (uint32_t t = 0; t < machine->threads; t++) {
        hd_machine_operation operation;
        machine->type->restart(machine);
        while (machine->type->next(machine, t, &operation)) {
            uint32_t cell = operation.accesses[0].location;
            overlaps += owner[cell] != UINT32_MAX && owner[cell] != t;
            owner[cell] = t;
            machine->type->step(machine, t, 0);
        }
    }
    release(machine);
    return overlaps;
}

/* Up to 11 threads never meet: one trace. */
static void test_indexer(void **state) {
    (void)state;
    assert_int_equal(indexer_overlaps(11), 0);
    assert_int_equal(indexer_overlaps(12), 3);
    expect_counts("indexer", "N", 2, (expected){.traces = 1});
}

/* The deadlock of the bounded buffer needs two pairs: too many interleavings to
 * take all, so the one that shows it. */
static void test_bounded_buffer(void **state) {
    (void)state;
    hd_machine *machine = load_example("bounded-buffer", NULL, 0);
    bool found = false;
    hd_random random;
    hd_random_seed(&random, 1);
    for (unsigned run = 0; run < 20000 && !found; run++) {
        machine->type->restart(machine);
        for (uint32_t t; (t = pick(machine, &random)) < machine->threads;) {
            uint32_t choices = next(machine, t).choices;
            machine->type->step(machine, t, (uint32_t)hd_random_below(&random, choices));
        }
        for (uint32_t t = 0; t < machine->threads; t++)
            found |= !ended(machine, t);
    }
    assert_true(found);
    release(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_defines),
        cmocka_unit_test(test_syntax_errors),
        cmocka_unit_test(test_meaning_errors),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_wide_expression),
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
        cmocka_unit_test(test_steps_and_undo),
        cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_ahead_of_notify),
        cmocka_unit_test(test_ahead_limit),
        cmocka_unit_test(test_ahead_is_kept),
        cmocka_unit_test(test_varies),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_indexer),
        cmocka_unit_test(test_bounded_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
