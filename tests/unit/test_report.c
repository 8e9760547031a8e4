/*
 * Reports: what an answer becomes, which findings are one, and what a baseline knows.
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

#include "report/report.h"
#include "support_files.h"
#include "support_suite.h"

/* Adds findings, given as JSON, of a command. */
static void add(hd_report *report, const char *command, const char *findings) {
    char *text = NULL;
    hd_json_document document;
    hd_error error = {""};
    assert_true(
        asprintf(&text,
                 "{\"heddle\": \"0\", \"command\": \"%s\", \"input\": {\"file\": \"m.hdm\"}, "
                 "\"complete\": true, \"seconds\": 0.5, \"result\": {}, \"findings\": [%s]}",
                 command, findings) > 0);
    assert_true(hd_json_parse(&document, text, strlen(text), "answer", &error));
    assert_true(hd_report_add(report, document.root, NULL, &error));
    hd_json_release(&document);
    free(text);
}

#define PLACE(file, line) "{\"role\": \"at\", \"file\": \"" file "\", \"line\": " line "}"
#define BARE(text, event) "{\"role\": \"at\", \"text\": \"" text "\", \"event\": " event "}"
#define FINDING(rule, variable, places)                                                            \
    "{\"rule\": \"" rule "\", \"variable\": \"" variable                                           \
    "\", \"message\": \"m\", \"places\": [" places "]}"

/* How many are left of those of two commands. */
static size_t merged(const char *one, const char *other) {
    hd_report report;
    hd_report_init(&report, "check", "input");
    add(&report, "race", one);
    add(&report, "explore", other);
    hd_report_merge(&report);
    size_t left = report.findings.length;
    if (left == 1)
        assert_int_equal(report.findings.data[0].found_by.length, 2);
    hd_report_release(&report);
    return left;
}

static void same_defect(void **state) {
    (void)state;
    const char *race = FINDING("race", "x", PLACE("a.c", "1") "," PLACE("a.c", "2"));
    const char *turned = FINDING("race", "x", PLACE("a.c", "2") "," PLACE("a.c", "1"));
    const char *third = FINDING("race", "x", PLACE("a.c", "2") "," PLACE("a.c", "3"));
    const char *other = FINDING("race", "y", PLACE("a.c", "1") "," PLACE("a.c", "2"));
    assert_int_equal(merged(race, race), 1);
    assert_int_equal(merged(race, turned), 1);
    assert_int_equal(merged(race, third), 2);
    assert_int_equal(merged(race, other), 2);
    const char *pair = FINDING("deadlock", "", PLACE("a.c", "1") "," PLACE("a.c", "2"));
    const char *more =
        FINDING("deadlock", "", PLACE("a.c", "1") "," PLACE("a.c", "2") "," PLACE("a.c", "9"));
    const char *crossed = FINDING("deadlock", "", PLACE("a.c", "1") "," PLACE("a.c", "3"));
    assert_int_equal(merged(pair, more), 1);
    assert_int_equal(merged(more, pair), 1);
    assert_int_equal(merged(pair, crossed), 2);
    assert_int_equal(merged(pair, race), 2);
    const char *read = FINDING("nondet", "x", PLACE("a.c", "2") "," PLACE("a.c", "7"));
    const char *elsewhere = FINDING("nondet", "x", PLACE("a.c", "3") "," PLACE("a.c", "1"));
    assert_int_equal(merged(race, read), 1);
    assert_int_equal(merged(read, race), 1);
    assert_int_equal(merged(race, elsewhere), 2);
    /* Without debugging information there is no line; events are those of one trace. */
    const char *writes = FINDING("race", "x", BARE("write x", "0") "," BARE("read x", "0"));
    const char *reads = FINDING("race", "x", BARE("read x", "0") "," BARE("read x", "0"));
    const char *first = FINDING("race", "x", BARE("write x", "3") "," BARE("read x", "4"));
    const char *second = FINDING("race", "x", BARE("write x", "5") "," BARE("read x", "6"));
    assert_int_equal(merged(writes, writes), 1);
    assert_int_equal(merged(writes, reads), 2);
    assert_int_equal(merged(writes, race), 2);
    assert_int_equal(merged(first, writes), 1);
    assert_int_equal(merged(first, first), 1);
    assert_int_equal(merged(first, second), 2);
    /* In a library, what calls it tells. */
#define CALLED(text, line)                                                                         \
    "{\"role\": \"at\", \"text\": \"" text "\", \"stack\": [{\"function\": \"f\"}, "               \
    "{\"function\": \"g\", \"file\": \"a.c\", \"line\": " line "}]}"
    const char *abort_here = FINDING("abort", "", CALLED("a", "1"));
    const char *abort_too = FINDING("abort", "", CALLED("b", "1"));
    const char *abort_there = FINDING("abort", "", CALLED("a", "2"));
    assert_int_equal(merged(abort_here, abort_too), 1);
    assert_int_equal(merged(abort_here, abort_there), 2);
    /* A run that just hung is the deadlock that was found; without one it stays. */
    assert_int_equal(merged(pair, "{\"rule\": \"deadlock\", \"message\": \"n\"}"), 1);
    assert_int_equal(merged(race, "{\"rule\": \"deadlock\", \"message\": \"n\"}"), 2);
}

/* The better proved one has the word. */
static void proofs(void **state) {
    (void)state;
    hd_report report;
    hd_report_init(&report, "check", "input");
    add(&report, "race",
        "{\"rule\": \"race\", \"message\": \"weak\", \"proof\": \"checked\", \"places\": [" PLACE(
            "a.c", "1") "]}");
    add(&report, "explore",
        "{\"rule\": \"race\", \"message\": \"strong\", \"proof\": \"replayed\", \"witness\": "
        "\"w\", \"places\": [" PLACE("a.c", "1") "]}");
    hd_report_merge(&report);
    assert_int_equal(report.findings.length, 1);
    const hd_report_finding *finding = &report.findings.data[0];
    assert_string_equal(finding->message, "strong");
    assert_string_equal(finding->witness, "w");
    assert_int_equal(finding->proof, HD_REPORT_REPLAYED);
    assert_int_equal(finding->count, 2);
    hd_report_release(&report);
}

/* Errors come before warnings and notes, and then by place. */
static void order(void **state) {
    (void)state;
    hd_report report;
    hd_report_init(&report, "check", "input");
    add(&report, "x",
        FINDING("nondet", "v", PLACE("a.c", "1")) "," FINDING(
            "outcome", "",
            PLACE("a.c", "1")) "," FINDING("race", "v",
                                           PLACE("a.c", "20")) "," FINDING("race", "v",
                                                                           PLACE("a.c", "3")));
    hd_report_merge(&report);
    assert_int_equal(report.findings.length, 4);
    assert_int_equal(report.findings.data[0].places.data[0].line, 3);
    assert_int_equal(report.findings.data[1].places.data[0].line, 20);
    assert_string_equal(report.findings.data[2].id, "outcome");
    assert_string_equal(report.findings.data[3].id, "nondet");
    assert_int_equal(hd_report_count(&report, HD_REPORT_ERROR), 2);
    assert_int_equal(hd_report_count(&report, HD_REPORT_NOTE), 1);
    hd_report_release(&report);
}

static void steps(void **state) {
    (void)state;
    hd_report report;
    hd_report_init(&report, "check", "input");
    add(&report, "explore",
        "{\"rule\": \"deadlock\", \"message\": \"deadlock: stuck\", \"places\": [], \"steps\": ["
        "{\"thread\": \"a\", \"line\": 7, \"statement\": \"write m (dir/a.c:7)\", "
        "\"text\": \"write m\", \"variable\": \"m\", \"file\": \"dir/a.c\", "
        "\"changes\": [{\"name\": \"m\", \"to\": -1}]},"
        "{\"thread\": \"b\", \"line\": 3, \"statement\": \"x = f (y)\", \"file\": \"m.hdm\", "
        "\"changes\": [{\"name\": \"x\", \"from\": 0, \"to\": 1}]},"
        "{\"thread\": \"b\", \"line\": 0, \"statement\": \"start\"}]}");
    const hd_report_finding *finding = &report.findings.data[0];
    const hd_report_step *step = finding->steps.data;
    assert_string_equal(finding->message, "stuck");
    assert_string_equal(step[0].text, "write m = -1");
    assert_string_equal(step[0].file, "dir/a.c");
    assert_int_equal(step[0].line, 7);
    assert_string_equal(step[1].text, "x = f (y)");
    assert_string_equal(step[1].file, "m.hdm");
    assert_int_equal(step[1].line, 3);
    assert_null(step[2].file);
    hd_report_release(&report);
}

/* The two accesses of a race make its message. */
static void collision(void **state) {
    (void)state;
    hd_report report;
    hd_report_init(&report, "check", "input");
    add(&report, "explore",
        FINDING("race", "a[1].x",
                PLACE("a.c", "6") "," PLACE("b.c",
                                            "7")) ","
                                                  "{\"rule\": \"race\", \"location\": \"a.c:6\", "
                                                  "\"message\": \"data race: somewhere\"}");
    assert_int_equal(report.findings.data[0].places.length, 2);
    assert_string_equal(report.findings.data[0].message, "two accesses of a[1].x can collide");
    assert_int_equal(report.findings.data[1].places.length, 0);
    assert_string_equal(report.findings.data[1].message, "data race: somewhere");
    hd_report_release(&report);
}

static uint64_t identity(const char *rule, const char *variable, const char *file, uint32_t line) {
    hd_report_lines lines = {0};
    hd_report_places places = {0};
    hd_vec_push(&places, (hd_report_place){.role = "at", .file = file, .line = line});
    hd_vec_push(&places, (hd_report_place){.role = "at", .access = HD_REPORT_JOIN, .event = line});
    hd_report_defect defect = {.rule = rule, .variable = variable, .places = &places};
    uint64_t first = hd_report_identity(&defect, &lines);
    assert_true(hd_report_identity(&defect, &lines) == first); /* now without the file */
    hd_report_lines_release(&lines);
    hd_report_places_release(&places);
    return first;
}

static void write_lines(const char *path, const char *text) {
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The text of the line counts, not its number; without the source the number does. */
static void identities(void **state) {
    (void)state;
    char path[256];
    support_temporary(path, sizeof path, "source.c");
    write_lines(path, "a++;\n  b++; \nc++;\n");
    uint64_t second = identity("race", "x", path, 2);
    assert_true(identity("race", "x", path, 1) != second);
    assert_true(identity("race", "y", path, 2) != second);
    assert_true(identity("deadlock", "x", path, 2) != second);
    write_lines(path, "\n\n/* more */\n\tb++;");
    assert_true(identity("race", "x", path, 4) == second);
    unlink(path);
    assert_true(identity("race", "x", path, 4) != second);
    assert_true(identity("race", "x", path, 4) != identity("race", "x", path, 5));
}

static void splits(void **state) {
    (void)state;
    static const struct {
        const char *location, *file;
        uint32_t line;
    } rows[] = {{"a.c:3", "a.c", 3},
                {"d:/a.c:12", "d:/a.c", 12},
                {"17", NULL, 0},
                {":3", NULL, 0},
                {"a.c:0", NULL, 0},
                {"a.c:x", NULL, 0},
                {"a.c:99999999999", NULL, 0},
                {"", NULL, 0}};
    hd_report report;
    hd_report_init(&report, "check", "input");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *file;
        uint32_t line;
        hd_report_split(&report.arena, rows[i].location, &file, &line);
        assert_int_equal(line, rows[i].line);
        if (rows[i].file)
            assert_string_equal(file, rows[i].file);
        else
            assert_null(file);
    }
    hd_report_release(&report);
}

static void not_an_answer(void **state) {
    (void)state;
    static const char *const texts[] = {"[]", "{}", "{\"heddle\": \"1\", \"command\": \"race\"}"};
    hd_report report;
    hd_report_init(&report, "check", "input");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hd_json_document document;
        hd_error error = {""};
        assert_true(hd_json_parse(&document, texts[i], strlen(texts[i]), "x", &error));
        assert_false(hd_report_add(&report, document.root, NULL, &error));
        assert_non_null(strstr(error.text, "not an answer of heddle"));
        hd_json_release(&document);
    }
    hd_report_release(&report);
}

SUPPORT_SUITE(test_report) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_defect),   cmocka_unit_test(proofs),     cmocka_unit_test(order),
        cmocka_unit_test(steps),         cmocka_unit_test(collision),  cmocka_unit_test(splits),
        cmocka_unit_test(not_an_answer), cmocka_unit_test(identities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
