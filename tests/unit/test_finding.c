/*
 * Findings: what makes two the same, what a list keeps and when it has enough.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "finding/finding.h"

static uint64_t print_of(const char *rule, const char *a, const char *b, const char *c) {
    const char *places[] = {a, b, c};
    size_t count = 0;
    while (count < 3 && places[count])
        count++;
    return hd_finding_fingerprint(rule, places, count);
}

static void fingerprints(void **state) {
    (void)state;
    uint64_t print = print_of("deadlock", "3", "7", NULL);
    assert_int_equal(print, print_of("deadlock", "7", "3", NULL));
    assert_int_equal(print, print_of("deadlock", "7", "3", "7"));
    assert_int_not_equal(print, print_of("assertion", "3", "7", NULL));
    assert_int_not_equal(print, print_of("deadlock", "3", NULL, NULL));
    assert_int_not_equal(print, print_of("deadlock", "37", NULL, NULL));
    assert_int_not_equal(print, print_of("deadlock", "3", "7", "8"));
    assert_int_not_equal(print_of("a", "bc", "d", NULL), print_of("a", "b", "cd", NULL));
    assert_int_not_equal(print_of("a", NULL, NULL, NULL), print_of("b", NULL, NULL, NULL));
}

/* Part of what other programs may keep: it never changes. */
static void fingerprints_stay(void **state) {
    (void)state;
    assert_int_equal(print_of("race", "main.c:3", "main.c:9", NULL),
                     print_of("race", "main.c:9", "main.c:3", NULL));
    /* FNV-1a of "x", NUL, worked out by hand. */
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    hash = (hash ^ 'x') * UINT64_C(0x100000001b3);
    hash = (hash ^ 0) * UINT64_C(0x100000001b3);
    assert_int_equal(print_of("x", NULL, NULL, NULL), hash);
}

static void make(hd_finding *finding, uint64_t fingerprint, const char *message) {
    hd_finding_init(finding, "assertion");
    finding->fingerprint = fingerprint;
    finding->message = hd_mem_string(message, strlen(message));
    finding->location = hd_mem_string("m.hdm:1", 7);
    hd_vec_push(&finding->schedule, (hd_witness_step){1, 0});
    hd_vec_push(&finding->events, 4);
    finding->witness = HD_NEW(hd_witness);
    hd_witness_init(finding->witness);
    hd_vec_push(&finding->witness->schedule, 1);
}

static int add(hd_finding_list *list, uint64_t fingerprint, const char *message) {
    hd_finding finding;
    make(&finding, fingerprint, message);
    int stop = hd_finding_list_add(list, &finding);
    hd_finding_release(&finding); /* whatever the list left */
    return stop;
}

static void duplicates_are_counted(void **state) {
    (void)state;
    hd_finding_list list;
    hd_finding_list_init(&list, 0);
    assert_int_equal(add(&list, 10, "first"), 0);
    assert_int_equal(add(&list, 20, "second"), 0);
    assert_int_equal(add(&list, 10, "again"), 0);
    assert_int_equal(add(&list, 10, "and again"), 0);
    assert_int_equal(list.found.length, 2);
    assert_string_equal(list.found.data[0].message, "first");
    assert_int_equal(list.found.data[0].count, 3);
    assert_int_equal(list.found.data[1].count, 1);
    assert_int_equal(list.found.data[0].schedule.length, 1);
    assert_ptr_equal(hd_finding_list_find(&list, 20), &list.found.data[1]);
    assert_null(hd_finding_list_find(&list, 30));
    hd_finding_list_release(&list);
    assert_int_equal(list.found.length, 0);
}

static void enough_is_enough(void **state) {
    (void)state;
    hd_finding_list list;
    hd_finding_list_init(&list, 2);
    assert_int_equal(add(&list, 1, "one"), 0);
    assert_int_equal(add(&list, 1, "one"), 0);
    assert_int_not_equal(add(&list, 2, "two"), 0);
    hd_finding_list_release(&list);
}

/* Pointers into the list move, numbers do not. */
static void many(void **state) {
    (void)state;
    enum { MANY = 1000 };
    hd_finding_list list;
    hd_finding_list_init(&list, 0);
    for (uint64_t i = 0; i < MANY; i++)
        add(&list, i * 77, "m");
    for (uint64_t i = 0; i < MANY; i++)
        assert_ptr_equal(hd_finding_list_find(&list, i * 77), &list.found.data[i]);
    hd_finding_list_release(&list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fingerprints),
        cmocka_unit_test(fingerprints_stay),
        cmocka_unit_test(duplicates_are_counted),
        cmocka_unit_test(enough_is_enough),
        cmocka_unit_test(many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
