/*
 * Verdicts: what makes the exit status, what accepting changes, what is shown.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_of_each),
        cmocka_unit_test(shaky_stays),
        cmocka_unit_test(accepting),
        cmocka_unit_test(shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
