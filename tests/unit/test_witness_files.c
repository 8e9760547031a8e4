/*
 * Files of witnesses: saved and read again, damaged, cut off, and made to do harm.
 */
#include "test_witness_tools.h"

#include <unistd.h>

static char *temporary_file(void) {
    const char *folder = getenv("TMPDIR");
    char *path;
    assert_true(asprintf(&path, "%s/test_witness.XXXXXX", folder ? folder : "/tmp") > 0);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    return path;
}

static char *slurp(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    return text;
}

static void test_save(void **state) {
    (void)state;
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, "a|w4(x=-5)|f.c:3\nb|r4(x=-5)|\n");
    hd_witness witness;
    hd_witness_init(&witness);
    hd_error error = {{0}};
    const char *claim = "read 2 sees 0, writer 1, challenger 0, order crw";
    assert_true(hd_witness_claim_parse(&witness.claim, &trace, claim, &error));
    witness.question = hd_mem_string("nondet", 6);
    witness.verdict = hd_mem_string("proved", 6);
    witness.trace = hd_mem_string("two\nlines", 9);
    char *path = temporary_file();
    assert_true(hd_witness_check(&witness, &trace, &error));
    assert_true(hd_witness_save(&witness, &trace, path, &error));
    char *text = slurp(path);
    assert_string_equal(text, "# heddle witness 1\n"
                              "# question: nondet\n"
                              "# claim: read 2 sees 0, writer 1, challenger 0, order crw\n"
                              "# verdict: proved\n"
                              "# trace: two\\x0alines\n");
    free(text);
    hd_witness_clear(&witness);
    parse_schedule(&witness.schedule, "2 1");
    witness.claim.let_go = true;
    assert_true(hd_witness_save(&witness, &trace, path, &error));
    text = slurp(path);
    assert_string_equal(text, "# heddle witness 1\n# claim: reordering, reads let go\n"
                              "b|r4(x=-5)|\na|w4(x=-5)|f.c:3\n");
    free(text);
    assert_false(hd_witness_save(&witness, &trace, "/no/such/folder/w.std", &error));
    assert_non_null(strstr(error.text, "/no/such/folder/w.std"));
    unlink(path);
    free(path);
    hd_witness_release(&witness);
    hd_trace_release(&trace);
}

static void assert_same_list(const hd_vec_u32 *a, const hd_vec_u32 *b) {
    assert_int_equal(a->length, b->length);
    if (a->length)
        assert_memory_equal(a->data, b->data, a->length * sizeof *a->data);
}

/* Saves, loads, compares, checks. */
static void check_round_trip(const char *text, const char *claim, const char *schedule) {
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, text);
    hd_witness witness, again;
    hd_witness_init(&witness);
    hd_witness_init(&again);
    hd_error error = {{0}};
    assert_true(hd_witness_claim_parse(&witness.claim, &trace, claim, &error));
    parse_schedule(&witness.schedule, schedule);
    witness.verdict = hd_mem_string("proved", 6);
    char *path = temporary_file();
    assert_true(hd_witness_save(&witness, &trace, path, &error));
    if (!hd_witness_load(&again, &trace, path, &error))
        fail_msg("%s", error.text);
    assert_same_list(&witness.schedule, &again.schedule);
    hd_vec_char words = {0};
    hd_witness_claim_print(&again.claim, &trace, &words);
    assert_string_equal(words.data, claim);
    assert_string_equal(again.verdict, "proved");
    assert_null(again.question);
    if (!hd_witness_check(&again, &trace, &error))
        fail_msg("%s", error.text);
    hd_vec_release(&words);
    unlink(path);
    free(path);
    hd_witness_release(&witness);
    hd_witness_release(&again);
    hd_trace_release(&trace);
}

static void test_round_trips(void **state) {
    (void)state;
    check_round_trip(two_scopes, "reordering", "4 5 6 1");
    check_round_trip(reads, "read 3 sees 5, writer 1, challenger 4, order wcr", "1 4 5");
    check_round_trip("a|w(x sees y)|\nb|w(x sees y)|\n",
                     "final read of x sees y sees 1, writer 2, challenger 1, order wcr", "2 1");
    check_round_trip(races, "race 2 3", "1");
    check_round_trip(two_scopes, "state t1=1 t2=3, reads kept", "4 5 6 1");
    check_round_trip(two_scopes, "state, reads let go", "");
    check_round_trip(crossed, "deadlock 2 8", "1 7");
    check_round_trip(waiting, "reordering", "4 5 6 9 10 1 2 3 7 8");
    /* The dialect of the deadlock tools: fork(10) is thread T10. */
    check_round_trip("0|fork(10)|\nT10|w(x=1)|loc 7\n0|mark(m=3)|\n", "reordering", "1 3 2");
}

/* What reading `text` as a witness of `trace_text` says; NULL: nothing. */
static void check_reading(const char *trace_text, const char *text, const char *expected) {
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, trace_text);
    hd_witness witness;
    hd_witness_init(&witness);
    hd_error error = {{0}};
    bool good = hd_witness_read(&witness, &trace, text, strlen(text), "w.std", &error);
    if (good != !expected || (expected && strcmp(error.text, expected) != 0)) {
        print_error("reading\n%s\n  expected: %s\n  got:      %s\n", text,
                    expected ? expected : "nothing wrong", good ? "nothing wrong" : error.text);
        fail();
    }
    if (!good) { /* empty again */
        assert_int_equal(witness.schedule.length, 0);
        assert_int_equal(witness.claim.kind, HD_WITNESS_REORDERING);
        assert_null(witness.question);
    }
    hd_witness_release(&witness);
    hd_trace_release(&trace);
}

#define HEAD "# heddle witness 1\n"

static void test_reading(void **state) {
    (void)state;
    check_reading(two_scopes, "", NULL);
    check_reading(two_scopes, "t2|acq(l)|b1\nt1|acq(l)|a1\n", NULL);
    check_reading(two_scopes, "# a remark\n# question: what?\n\nt2|acq(l)|b1\n# more\n", NULL);
    check_reading(two_scopes, "#heddle witness 1\n#claim:race 2 5\n", /* different variables */
                  "w.std:2: bad claim: event 2, t1|w(x)|a2, and event 5, t2|r(y)|b2, both access "
                  "two variables");
    check_reading(races, "#heddle witness 1\r\n#claim:race 2 3\r\nm|fork(a)|\r\n", NULL);
    /* Event lines that are not the trace's. */
    check_reading(two_scopes, "t1|acq(l)|a1\nt1|r(x)|a2\n",
                  "w.std:2: t1|r(x)|a2 should be the thread's next event in the trace, event 2, "
                  "t1|w(x)|a2");
    check_reading(two_scopes, "t1|acq(l)|b1\n",
                  "w.std:1: t1|acq(l)|b1 should be the thread's next event in the trace, event 1, "
                  "t1|acq(l)|a1");
    check_reading(two_scopes, "t1|acq(k)|a1\n",
                  "w.std:1: t1|acq(k)|a1 should be the thread's next event in the trace, event 1, "
                  "t1|acq(l)|a1");
    check_reading(two_scopes, "t1|acq(l)\n",
                  "w.std:1: t1|acq(l)| should be the thread's next event in the trace, event 1, "
                  "t1|acq(l)|a1");
    check_reading("a|w4(x=1)|\n", "a|w(x=1)|\n",
                  "w.std:1: a|w(x=1)| should be the thread's next event in the trace, event 1, "
                  "a|w4(x=1)|");
    check_reading("a|w(x=1)|\n", "a|w(x=2)|\n",
                  "w.std:1: a|w(x=2)| should be the thread's next event in the trace, event 1, "
                  "a|w(x=1)|");
    check_reading("a|w(x=0)|\n", "a|w(x)|\n",
                  "w.std:1: a|w(x)| should be the thread's next event in the trace, event 1, "
                  "a|w(x=0)|");
    check_reading(two_scopes, "t3|acq(l)|\n", "w.std:1: there is no thread t3 in the trace");
    check_reading("a|w(x)|\na|fork(b)|\n", "\na|w(x)|\na|fork(b)|\na|w(x)|\n",
                  "w.std:4: thread a has no more events in the trace");
    check_reading("a|fork(b)|\n", "b|w(x)|\n", "w.std:1: thread b has no events in the trace");
    /* What the cursor itself refuses. */
    check_reading(two_scopes, "t1|acq(l)|a1\nrubbish\n", "w.std:2: no '|' after the thread");
    /* A witness need not be a run to be read: the checker judges it. */
    check_reading(two_scopes, "t1|acq(l)|a1\nt2|acq(l)|b1\n", NULL);
}

static void test_hostile_heads(void **state) {
    (void)state;
    check_reading(races, HEAD, "w.std:1: a witness without a claim");
    check_reading(races, "\n" HEAD "# question: race\nm|fork(a)|\n",
                  "w.std:2: a witness without a claim");
    check_reading(races, "# claim: race 2 3\n",
                  "w.std:1: a claim without '# heddle witness 1' before it");
    check_reading(races, "# heddle witness 2\n# claim: race 2 3\n",
                  "w.std:1: a witness of version '2', which is not known");
    check_reading(races, HEAD HEAD, "w.std:2: a second 'heddle witness' line");
    check_reading(races, HEAD "# claim: race 2 3\n# claim: race 2 3\n", "w.std:3: a second claim");
    check_reading(races, HEAD "# claim: race 2 3\n# verdict: yes\n# verdict: no\n",
                  "w.std:4: a second verdict");
    check_reading(races, HEAD "# question: a\n# question: b\n", "w.std:3: a second question");
    check_reading(races, HEAD "m|fork(a)|\n# claim: race 2 3\n",
                  "w.std:3: the claim of a witness must come before its events");
    check_reading(races, "m|fork(a)|\n" HEAD,
                  "w.std:2: the first line of a witness must come before its events");
    check_reading(races, HEAD "# claim:\n", "w.std:2: unknown claim ''");
    check_reading(races, HEAD "# claim: assertion 4 fails\n",
                  "w.std:2: unknown claim 'assertion 4 fails'");
    check_reading(races, HEAD "# claim: race 2 8\n",
                  "w.std:2: bad claim: event 8, m|acq(l)|, accesses no variable");
    check_reading(races, HEAD "# claim: race 2 184467440737095516160\n",
                  "w.std:2: bad claim: there is no event 184467440737095516160 in the trace, which "
                  "has 8");
    check_reading(races, HEAD "# claim: final read of \x1b[2J sees 1\n",
                  "w.std:2: bad claim: there is no variable '\\x1b[2J' in the trace");
    /* Unknown keys, and keys behind the events, are comments. */
    check_reading(races, HEAD "# claim: race 2 3\n# colour: blue\nm|fork(a)|\n# verdict: x\n",
                  NULL);
}

/* A file that is cut anywhere is read or refused, never more. */
static void test_cut_files(void **state) {
    (void)state;
    static const char whole[] = HEAD "# question: read\n# claim: read 3 sees 5, writer 1, "
                                     "challenger 4, order wcr\nm|w(x)|\nb|w(x)|\nb|w(x)|\n";
    hd_trace trace;
    hd_trace_init(&trace);
    support_parse(&trace, reads);
    for (size_t size = 0; size < sizeof whole; size++) {
        char *copy = malloc(size ? size : 1); /* its end is the end of memory */
        assert_non_null(copy);
        memcpy(copy, whole, size);
        hd_witness witness;
        hd_witness_init(&witness);
        hd_error error = {{0}};
        if (hd_witness_read(&witness, &trace, copy, size, "w", &error))
            hd_witness_check(&witness, &trace, &error);
        else
            assert_true(error.text[0] != '\0');
        hd_witness_release(&witness);
        free(copy);
    }
    hd_trace_release(&trace);
}

/* A thousand wakes over a thousand notifies, and names too long to print. */

SUPPORT_SUITE(test_witness_files) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_save),      cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_reading),   cmocka_unit_test(test_hostile_heads),
        cmocka_unit_test(test_cut_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
