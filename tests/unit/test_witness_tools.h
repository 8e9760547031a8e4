/*
 * What the tests of witnesses share: rows of a claim, a schedule and what the checker says of them,
 * and traces that several of them are about.
 */
#ifndef TEST_WITNESS_TOOLS_H
#define TEST_WITNESS_TOOLS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_suite.h"
#include "support_traces.h"
#include "witness/witness.h"

/* One witness and what the checker says of it; NULL: it is valid. */
typedef struct row {
    const char *claim;
    const char *schedule; /* event numbers */
    const char *error;
} row;

static inline void parse_schedule(hd_vec_u32 *schedule, const char *text) {
    char *end;
    for (; *text; text = end) {
        hd_vec_push(schedule, (uint32_t)strtoul(text, &end, 10));
        end += strspn(end, " ");
    }
}

static inline const char *verdict(hd_witness_checker *checker, const hd_trace *trace, const row *r,
                                  hd_error *error) {
    hd_witness witness;
    hd_witness_init(&witness);
    parse_schedule(&witness.schedule, r->schedule);
    bool good = hd_witness_claim_parse(&witness.claim, trace, r->claim, error) &&
                hd_witness_checker_run(checker, &witness, NULL, error);
    hd_witness_release(&witness);
    return good ? NULL : error->text;
}

/* All rows against one trace and one checker, which so is used again and again. */
static inline void check_rows(const char *text, const row *rows, size_t count) {
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, text);
    hd_witness_checker *checker = hd_witness_checker_create(&trace);
    for (size_t i = 0; i < count; i++) {
        hd_error error = {{0}};
        const char *got = verdict(checker, &trace, &rows[i], &error);
        if (!got != !rows[i].error || (got && strcmp(got, rows[i].error) != 0)) {
            print_error("claim '%s', schedule '%s'\n  expected: %s\n  got:      %s\n",
                        rows[i].claim, rows[i].schedule, rows[i].error ? rows[i].error : "valid",
                        got ? got : "valid");
            fail();
        }
    }
    hd_witness_checker_free(checker);
    hd_trace_release(&trace);
}

#define CHECK(text, ...)                                                                           \
    do {                                                                                           \
        static const row rows_[] = {__VA_ARGS__};                                                  \
        check_rows(text, rows_, sizeof rows_ / sizeof *rows_);                                     \
    } while (0)

/* ---- Traces ---- */

__attribute__((unused)) static const char two_scopes[] = "t1|acq(l)|a1\n"  /* 1 */
                                                         "t1|w(x)|a2\n"    /* 2 */
                                                         "t1|rel(l)|a3\n"  /* 3 */
                                                         "t2|acq(l)|b1\n"  /* 4 */
                                                         "t2|r(y)|b2\n"    /* 5 */
                                                         "t2|rel(l)|b3\n"; /* 6 */

__attribute__((unused)) static const char waiting[] = "a|acq(l)|\n"     /* 1 */
                                                      "a|rel(l)|\n"     /* 2 */
                                                      "a|wait(c)|\n"    /* 3 */
                                                      "b|wait(c)|\n"    /* 4 */
                                                      "m|notify(c)|\n"  /* 5, wakes b */
                                                      "b|wake(c)|\n"    /* 6 */
                                                      "m|notifyall(c)|" /* 7, wakes a; b is awake */
                                                      "\n"
                                                      "a|wake(c)|\n"  /* 8 */
                                                      "b|wait(c)|\n"  /* 9 */
                                                      "b|wake(c)|\n"; /* 10, timed out */

__attribute__((unused)) static const char reads[] = "m|w(x)|\n"    /* 1 */
                                                    "m|w(z)|\n"    /* 2 */
                                                    "a|r(x)|\n"    /* 3, from 1 */
                                                    "b|w(x)|\n"    /* 4 */
                                                    "b|w(x)|\n"    /* 5 */
                                                    "a|r(x)|\n"    /* 6, from 5 */
                                                    "a|rmw(x)|\n"  /* 7, from 5 */
                                                    "m|acq(l)|\n"; /* 8 */

__attribute__((unused)) static const char races[] = "m|fork(a)|\n" /* 1 */
                                                    "a|w(x)|\n"    /* 2 */
                                                    "b|r(x)|\n"    /* 3 */
                                                    "c|r(x)|\n"    /* 4 */
                                                    "d|aw(x)|\n"   /* 5 */
                                                    "e|ar(x)|\n"   /* 6 */
                                                    "e|w(y)|\n"    /* 7 */
                                                    "m|acq(l)|\n"; /* 8 */

__attribute__((unused)) static const char crossed[] = "a|acq(k)|\n" /* 1 */
                                                      "a|acq(l)|\n" /* 2 */
                                                      "a|acq(k)|\n" /* 3, re-entrant */
                                                      "a|rel(k)|\n"
                                                      "a|rel(l)|\n"
                                                      "a|rel(k)|\n"
                                                      "b|acq(l)|\n" /* 7 */
                                                      "b|acq(k)|\n" /* 8 */
                                                      "b|rel(k)|\n"
                                                      "b|rel(l)|\n"
                                                      "c|acq(k)|\n" /* 11 */
                                                      "c|w(x)|\n"
                                                      "c|rel(k)|\n";

#endif
