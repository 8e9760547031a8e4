/*
 * The JSON reader: what it takes, what it refuses with which line, and that it reads
 * what the writer wrote.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/base.h"
#include "support_suite.h"

static bool parse(hd_json_document *document, const char *text, hd_error *error) {
    return hd_json_parse(document, text, strlen(text), "x", error);
}

static void values(void **state) {
    (void)state;
    hd_json_document document;
    hd_error error = {""};
    assert_true(parse(&document,
                      " {\"a\": [1, -2.5e+3, \"t\", true, false, null], \"b\": {}, \"n\": "
                      "18446744073709551615, \"a2\": [], \"yes\": true} \n",
                      &error));
    const hd_json_value *root = document.root, *a = hd_json_get(root, "a");
    assert_int_equal(root->kind, HD_JSON_OBJECT);
    assert_int_equal(root->count, 5);
    assert_int_equal(a->count, 6);
    const hd_json_value *v = hd_json_first(a);
    assert_string_equal(v->text, "1");
    assert_string_equal((v = v->next)->text, "-2.5e+3");
    assert_string_equal((v = v->next)->text, "t");
    assert_true((v = v->next)->truth);
    assert_false((v = v->next)->truth);
    assert_int_equal((v = v->next)->kind, HD_JSON_NULL);
    assert_null(v->next);
    assert_true(hd_json_uint_of(root, "n", 0) == UINT64_MAX);
    assert_int_equal(hd_json_uint_of(root, "b", 7), 7);
    assert_int_equal(hd_json_uint_of(hd_json_get(root, "none"), "none", 8), 8);
    assert_true(hd_json_bool_of(root, "yes", false));
    assert_true(hd_json_bool_of(root, "n", true));
    assert_null(hd_json_text_of(root, "n"));
    assert_null(hd_json_first(hd_json_get(root, "a2")));
    hd_json_release(&document);
}

static void strings(void **state) {
    (void)state;
    static const struct {
        const char *json, *text;
    } rows[] = {
        {"\"\"", ""},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac"},
        {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80"},
        {"\"\\ud83d\"", "\xef\xbf\xbd"},
        {"\"\\ud83dx\"", "\xef\xbf\xbdx"},
        {"\"\\ude00\"", "\xef\xbf\xbd"},
        {"\"\\u0000\"", "\xef\xbf\xbd"},
        {"\"\xc3\xa9\"", "\xc3\xa9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hd_json_document document;
        hd_error error = {""};
        assert_true(parse(&document, rows[i].json, &error));
        assert_string_equal(document.root->text, rows[i].text);
        hd_json_release(&document);
    }
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *json, *error;
    } rows[] = {
        {"", "x:1: not JSON: the text ends too early"},
        {"{", "x:1: not JSON: a key is expected"},
        {"[1,", "x:1: not JSON: the text ends too early"},
        {"[1,]", "x:1: not JSON: a value is expected"},
        {"{\"a\" 1}", "x:1: not JSON: ':' is expected"},
        {"{\"a\": 1,\n\n}", "x:3: not JSON: a key is expected"},
        {"[1 2]", "x:1: not JSON: ',' or ']' is expected"},
        {"{\"a\": 1 2}", "x:1: not JSON: ',' or '}' is expected"},
        {"1 2", "x:1: not JSON: something follows the value"},
        {"01", "x:1: not JSON: an invalid number"},
        {"1.", "x:1: not JSON: an invalid number"},
        {"1e", "x:1: not JSON: an invalid number"},
        {"-", "x:1: not JSON: an invalid number"},
        {"+1", "x:1: not JSON: a value is expected"},
        {"nul", "x:1: not JSON: a value is expected"},
        {"\"a", "x:1: not JSON: the text ends in a string"},
        {"\"a\\", "x:1: not JSON: the text ends in a string"},
        {"\"\\x\"", "x:1: not JSON: an invalid escape"},
        {"\"\\u12g4\"", "x:1: not JSON: \\u needs four hexadecimal digits"},
        {"\"\n\"", "x:1: not JSON: a control character in a string"},
        {"\"\xff\"", "x:1: not JSON: a string that is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hd_json_document document;
        hd_error error = {""};
        assert_false(parse(&document, rows[i].json, &error));
        assert_string_equal(error.text, rows[i].error);
        assert_null(document.root);
    }
}

/* As deep as the writer goes, and no deeper. */
static void depth(void **state) {
    (void)state;
    char text[2 * HD_JSON_DEPTH + 3];
    for (size_t levels = HD_JSON_DEPTH; levels <= HD_JSON_DEPTH + 1; levels++) {
        hd_json_document document;
        hd_error error = {""};
        memset(text, '[', levels);
        memset(text + levels, ']', levels);
        text[2 * levels] = '\0';
        assert_int_equal(parse(&document, text, &error), levels == HD_JSON_DEPTH);
        hd_json_release(&document);
    }
}

static void missing_file(void **state) {
    (void)state;
    hd_json_document document;
    hd_error error = {""};
    assert_false(hd_json_load(&document, "/nowhere/at/all", &error));
    assert_string_equal(error.text, "/nowhere/at/all: cannot open: No such file or directory");
}

SUPPORT_SUITE(test_json_read) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values), cmocka_unit_test(strings),      cmocka_unit_test(refused),
        cmocka_unit_test(depth),  cmocka_unit_test(missing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
