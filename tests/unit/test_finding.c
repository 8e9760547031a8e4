/*
 * Findings: what makes two the same, what a list keeps and when it has enough.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "finding/finding.h"
#include "support_files.h"
#include "support_suite.h"

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
    hd_finding_init(finding, HD_FINDING_FAILURE, "assertion");
    finding->fingerprint = fingerprint;
    finding->message = hd_mem_string(message, strlen(message));
    finding->location = hd_mem_string("m.hdm:1", 7);
    hd_vec_push(&finding->schedule, (hd_step){1, 0});
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

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Rules by variable, file and function; what none of them names stays. */
static void suppressions(void **state) {
    (void)state;
    char path[256];
    hd_finding_filter filter = {0};
    hd_error error = {""};
    support_temporary(path, sizeof path, "rules");
    write_file(path, "# comment\n\n  variable:stats.*  \r\nfile:log.c\nfile:net.c:1?\n"
                     "function:trace_*");
    assert_true(hd_finding_suppressions_load(&filter, path, &error));
    assert_int_equal(filter.rules.length, 4);
    static const struct {
        hd_finding_part parts[3];
        bool drops;
    } cases[] = {
        {{{"stats.hits", NULL, NULL, false}}, true},
        {{{"k", NULL, NULL, false}, {"l", NULL, NULL, false}, {"stats.lock", NULL, NULL, false}},
         true},
        {{{"statistics", NULL, NULL, false}}, false},
        {{{"x", "a.c:1", NULL, false}, {"x", "src/log.c:9", NULL, false}}, true},
        {{{"x", "net.c:12", NULL, false}, {"x", NULL, NULL, false}}, true},
        {{{"x", "net.c:2", NULL, false}, {"x", "net.c:123", NULL, false}}, false},
        {{{"x", "a.c:1", "f", false}, {"x", "a.c:2", "trace_it", false}}, true},
        {{{"x", "a.c:1", "retrace_it", false}, {"x", "a.c:2", "", false}}, false},
        {{{0}}, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(hd_finding_filter_drops(
                             &filter, &(hd_finding_about){.parts = cases[i].parts, .count = 3}),
                         cases[i].drops);
    assert_int_equal(filter.suppressed, 5);
    hd_finding_filter_release(&filter);
    write_file(path, "file:a.c\nfile:\n");
    assert_false(hd_finding_suppressions_load(&filter, path, &error));
    assert_non_null(strstr(error.text, ":2: 'file:' is not a rule"));
    hd_finding_filter_release(&filter);
    FILE *file = fopen(path, "w"); /* the rules after a NUL are not passed over */
    assert_non_null(file);
    assert_int_equal(fwrite("file:a.c\n\0\nfile:b.c\n", 1, 20, file), 20);
    assert_int_equal(fclose(file), 0);
    assert_false(hd_finding_suppressions_load(&filter, path, &error));
    assert_non_null(strstr(error.text, "NUL"));
    hd_finding_filter_release(&filter);
    unlink(path);
}

/* The rules of ThreadSanitizer: a part of a name, in a stack or on top of it. */
static void suppressions_of_others(void **state) {
    (void)state;
    static const struct {
        const char *rule;
        hd_finding_part parts[2];
        bool deadlock, drops;
    } cases[] = {
        {"race:art", {{NULL, NULL, "start", false}}, false, true},
        {"race:art", {{NULL, NULL, "start", false}}, true, false},
        {"race:^art", {{NULL, NULL, "start", false}}, false, false},
        {"race:s*rt$", {{NULL, NULL, "start", false}}, false, true},
        {"race:star$", {{NULL, NULL, "start", false}}, false, false},
        {"race:a[1]", {{"a[1]", NULL, NULL, false}}, false, true},
        {"race:a?", {{"ab", NULL, NULL, false}}, false, false},
        {"race:outer", {{"x", NULL, "f", false}, {NULL, NULL, "outer", true}}, false, true},
        {"race_top:outer", {{"x", NULL, "f", false}, {NULL, NULL, "outer", true}}, false, false},
        {"function:outer", {{"x", NULL, "f", false}, {NULL, NULL, "outer", true}}, false, false},
        {"race:lib/", {{"x", "lib/a.c:3", NULL, false}}, false, true},
        {"race::3", {{"x", "lib/a.c:3", NULL, false}}, false, false},
        {"deadlock:lib", {{"x", "lib/a.c:3", NULL, false}}, true, true},
        {"mutex:x", {{"x", NULL, NULL, false}}, false, false},
        {"called_from_lib:x", {{"x", NULL, NULL, false}}, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[256];
        hd_finding_filter filter = {0};
        hd_error error = {""};
        support_temporary(path, sizeof path, "rules");
        write_file(path, cases[i].rule);
        assert_true(hd_finding_suppressions_load(&filter, path, &error));
        assert_int_equal(
            hd_finding_filter_drops(&filter, &(hd_finding_about){.parts = cases[i].parts,
                                                                 .count = 2,
                                                                 .deadlock = cases[i].deadlock}),
            cases[i].drops);
        assert_int_equal(filter.rules.data[0].used, cases[i].drops);
        hd_finding_filter_release(&filter);
    }
}

/* What an answer of --json has is not new; what is not such an answer is refused. */
static void baselines(void **state) {
    (void)state;
    char path[256];
    hd_finding_filter filter = {0};
    hd_error error = {""};
    support_temporary(path, sizeof path, "before.json");
    write_file(path, "{\"result\": {\"races\": 2}, \"findings\": [{\"fingerprint\": "
                     "\"00000000000000ff\"}, {\"fingerprint\": \"8000000000000001\"}]}");
    assert_true(hd_finding_baseline_load(&filter, path, &error));
    assert_true(hd_finding_filter_drops(&filter, &(hd_finding_about){.fingerprint = 0xff}));
    assert_true(hd_finding_filter_drops(
        &filter, &(hd_finding_about){.fingerprint = UINT64_C(0x8000000000000001)}));
    assert_false(hd_finding_filter_drops(&filter, &(hd_finding_about){.fingerprint = 1}));
    assert_int_equal(filter.not_new, 2);
    hd_finding_filter_release(&filter);
    static const char *const bad[] = {"",
                                      "[]",
                                      "{}",
                                      "{\"findings\": 1}",
                                      "{\"findings\": [{}]}",
                                      "{\"findings\": [{\"fingerprint\": \"xyz\"}]}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_file(path, bad[i]);
        assert_false(hd_finding_baseline_load(&filter, path, &error));
        hd_finding_filter_release(&filter);
    }
    unlink(path);
}

SUPPORT_SUITE(test_finding) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fingerprints),
        cmocka_unit_test(fingerprints_stay),
        cmocka_unit_test(duplicates_are_counted),
        cmocka_unit_test(enough_is_enough),
        cmocka_unit_test(many),
        cmocka_unit_test(suppressions),
        cmocka_unit_test(suppressions_of_others),
        cmocka_unit_test(baselines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
