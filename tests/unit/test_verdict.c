/*
 * Verdicts: what makes the exit status, what accepting changes, what is shown.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support_suite.h"
#include "verdict/verdict.h"

static void status_of_each(void **state) {
    (void)state;
    hd_verdict verdict;
    hd_verdict_init(&verdict, "assertions");
    assert_int_equal(hd_verdict_status(&verdict), 0);
    hd_verdict_rests(&verdict, "memory-model", NULL, HD_VERDICT_FIRM, "sequential consistency");
    assert_int_equal(hd_verdict_status(&verdict), 0);
    hd_verdict_rests(&verdict, "unseen-code", "libx.so", HD_VERDICT_SHAKY, "3 functions");
    assert_int_equal(hd_verdict_status(&verdict), 3);
    assert_true(hd_verdict_complete(&verdict));
    hd_verdict_not(&verdict, "limit", "time");
    assert_int_equal(hd_verdict_status(&verdict), 3);
    assert_false(hd_verdict_complete(&verdict));
    verdict.found = true;
    assert_int_equal(hd_verdict_status(&verdict), 1);
    hd_verdict_release(&verdict);
}

/* What was shaky once stays so, whoever says it again. */
static void shaky_stays(void **state) {
    (void)state;
    hd_verdict verdict, all;
    hd_verdict_init(&verdict, "");
    hd_verdict_init(&all, "");
    hd_verdict_rests(&verdict, "unseen-code", "libx.so", HD_VERDICT_SHAKY, "one");
    hd_verdict_rests(&verdict, "unseen-code", "libx.so", HD_VERDICT_FIRM, "two");
    assert_int_equal(verdict.rests_on.length, 1);
    assert_string_equal(verdict.rests_on.data[0]->text, "two");
    assert_true(hd_verdict_shaky(&verdict));
    hd_verdict_rests(&all, "unseen-code", "libx.so", HD_VERDICT_FIRM, "three");
    hd_verdict_not(&verdict, "cut", "at 10 steps");
    hd_verdict_not(&verdict, "cut", "at 10 steps");
    hd_verdict_join(&all, &verdict);
    assert_true(hd_verdict_shaky(&all));
    assert_int_equal(all.why_not.length, 1);
    hd_verdict_release(&verdict);
    hd_verdict_release(&all);
}

/* What one answer accepted and another did not is still open. */
static void joined_is_open(void **state) {
    (void)state;
    hd_error error = {""};
    for (int order = 0; order < 2; order++) {
        hd_verdict one, other, all;
        hd_verdict_init(&one, "");
        hd_verdict_init(&other, "");
        hd_verdict_init(&all, "");
        hd_verdict_rests(&one, "loops", NULL, HD_VERDICT_SHAKY, "y");
        hd_verdict_rests(&other, "loops", NULL, HD_VERDICT_SHAKY, "y");
        assert_true(hd_verdict_accept(&one, "loops", &error));
        hd_verdict_join(&all, &one);
        assert_int_equal(hd_verdict_status(&all), 0);
        hd_verdict_release(&all);
        hd_verdict_init(&all, "");
        hd_verdict_join(&all, order ? &other : &one);
        hd_verdict_join(&all, order ? &one : &other);
        assert_int_equal(hd_verdict_status(&all), 3);
        hd_verdict_release(&one);
        hd_verdict_release(&other);
        hd_verdict_release(&all);
    }
}

/* ---- From JSON ---- */

/* The answer with this text, read; true if it was all understood. */
static bool read_from(const char *text, hd_verdict *verdict) {
    hd_json_document document;
    hd_error error = {""};
    assert_true(hd_json_parse(&document, text, strlen(text), "test", &error));
    bool whole = hd_verdict_read(verdict, document.root);
    hd_json_release(&document);
    return whole;
}

static void read_back(void **state) {
    (void)state;
    char name[] = "/tmp/heddle-verdict-XXXXXX", text[4096];
    int fd = mkstemp(name);
    hd_error error = {""};
    hd_json json;
    hd_verdict verdict, again;
    hd_file *file = hd_file_create(name, &error);
    assert_true(fd >= 0 && file);
    hd_verdict_init(&verdict, "races");
    hd_verdict_not(&verdict, "limit", "time");
    hd_verdict_basis *basis =
        hd_verdict_rests(&verdict, "unseen-code", "libx.so", HD_VERDICT_SHAKY, "3 \"functions\"");
    hd_verdict_figure(basis, "functions", 3);
    hd_verdict_name(basis, "f");
    hd_json_init(&json, file);
    hd_json_open(&json, NULL, '{');
    hd_verdict_write(&verdict, &json);
    hd_json_close(&json);
    hd_json_end(&json);
    assert_true(hd_file_commit(file, &error));
    close(fd);
    fd = open(name, O_RDONLY);
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    unlink(name);
    assert_true(length > 0);
    text[length] = '\0';
    assert_true(read_from(text, &again));
    assert_string_equal(again.asked, "races");
    assert_int_equal(again.why_not.length, 1);
    assert_string_equal(again.why_not.data[0].code, "limit");
    basis = hd_verdict_find(&again, "unseen-code", "libx.so");
    assert_non_null(basis);
    assert_string_equal(basis->text, "3 \"functions\"");
    assert_int_equal(basis->trust, HD_VERDICT_SHAKY);
    assert_int_equal(basis->figures.data[0].value, 3);
    assert_string_equal(basis->names.data[0], "f");
    hd_verdict_release(&verdict);
    hd_verdict_release(&again);
}

/* Whatever is missing or not understood, the answer is not complete. */
static void not_believed(void **state) {
    (void)state;
    static const char *const answers[] = {
        "{}",
        "{\"complete\": true}",
        "{\"complete\": true, \"verdict\": {}}",
        "{\"complete\": true, \"verdict\": {\"why_not\": []}}",
        "{\"complete\": true, \"verdict\": {\"rests_on\": []}}",
        "{\"complete\": false, \"verdict\": {\"why_not\": [], \"rests_on\": []}}",
        "{\"complete\": true, \"verdict\": {\"why_not\": [{\"code\": \"?\"}], \"rests_on\": []}}",
        "{\"complete\": true, \"verdict\": {\"why_not\": [], \"rests_on\": [{\"code\": \"?\"}]}}",
        "{\"complete\": true, \"verdict\": {\"why_not\": [], \"rests_on\": [7]}}",
    };
    hd_verdict verdict;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        read_from(answers[i], &verdict);
        assert_false(hd_verdict_complete(&verdict));
        hd_verdict_release(&verdict);
    }
    /* An assumption of unknown trust is shaky. */
    assert_true(read_from("{\"complete\": true, \"verdict\": {\"why_not\": [], \"rests_on\": "
                          "[{\"code\": \"loops\"}]}}",
                          &verdict));
    assert_int_equal(hd_verdict_status(&verdict), 3);
    hd_verdict_release(&verdict);
}

static int accepted(const char *list) {
    hd_verdict verdict;
    hd_error error = {""};
    hd_verdict_init(&verdict, "");
    hd_verdict_rests(&verdict, "unseen-code", "libx.so", HD_VERDICT_SHAKY, "x");
    hd_verdict_rests(&verdict, "loops", NULL, HD_VERDICT_SHAKY, "y");
    bool good = hd_verdict_accept(&verdict, list, &error);
    assert_int_equal(good, hd_verdict_accept_check(list, &error));
    assert_int_equal(good, error.text[0] == '\0');
    int status = good ? hd_verdict_status(&verdict) : HD_VERDICT_BAD;
    hd_verdict_release(&verdict);
    return status;
}

static void accepting(void **state) {
    (void)state;
    assert_int_equal(accepted("library:libx.so,loops"), 0);
    assert_int_equal(accepted("unseen-code:libx.so,loops"), 0);
    assert_int_equal(accepted("unseen-code,loops"), 0);
    assert_int_equal(accepted("loops"), 3);
    assert_int_equal(accepted("library:liby.so,loops"), 3);
    assert_int_equal(accepted("library:libx.so.1,loops"), 3);
    assert_int_equal(accepted("library:libx,loops"), 3);
    assert_int_equal(accepted("library"), 2);
    assert_int_equal(accepted("loops:"), 2);
    assert_int_equal(accepted("loop"), 2);
    assert_int_equal(accepted(""), 2);
    assert_int_equal(accepted("loops,,library:libx.so"), 2);
}

static void shown(void **state) {
    (void)state;
    hd_verdict verdict;
    hd_vec_char text = {0};
    hd_verdict_init(&verdict, "");
    hd_verdict_rests(&verdict, "memory-model", NULL, HD_VERDICT_FIRM, "sequential consistency");
    hd_verdict_rests(&verdict, "unseen-code", "libx.so", HD_VERDICT_SHAKY, "3 functions");
    hd_verdict_print(&verdict, 10, &text);
    hd_vec_push(&text, '\0');
    assert_string_equal(text.data, "  search     complete\n"
                                   "  rests on   sequential consistency [memory-model]\n"
                                   "             shaky: 3 functions [unseen-code:libx.so]\n");
    hd_vec_release(&text);
    hd_verdict_release(&verdict);
}

SUPPORT_SUITE(test_verdict) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_of_each), cmocka_unit_test(shaky_stays),
        cmocka_unit_test(joined_is_open), cmocka_unit_test(read_back),
        cmocka_unit_test(not_believed),   cmocka_unit_test(accepting),
        cmocka_unit_test(shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
