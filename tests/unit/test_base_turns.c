/*
 * Work in turns: every piece is done once, and entered in order by the thread that asks, with any
 * number of workers; what is not wanted any more is dropped, and no memory is lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <pthread.h>
#include <sched.h>
#include <cmocka.h>

#include "base/base.h"
#include "support_suite.h"

struct job {
    uint64_t pieces, wanted; /* entered before no more is wanted */
    uint64_t fatal;          /* piece + 1; 0: none */
    atomic_uint done[1000];
    uint64_t entered, dropped;
    pthread_t asker;
    unsigned workers;
    atomic_ullong hurried[8]; /* [worker]: the piece, + 1 */
};

static void *work(void *context, unsigned worker, uint64_t piece) {
    struct job *job = context;
    assert_true(worker < job->workers);
    atomic_fetch_add(&job->done[piece], 1);
    for (volatile unsigned i = 0; i < piece * 7919 % 2000; i++) {
    }
    if (job->fatal == piece + 1)
        hd_mem_fatal("piece %u", (unsigned)piece);
    uint64_t *result = HD_NEW(uint64_t);
    *result = piece;
    return result;
}

static bool enter(void *context, void *done) {
    struct job *job = context;
    assert_true(pthread_equal(pthread_self(), job->asker));
    assert_int_equal(*(uint64_t *)done, job->entered);
    free(done);
    return ++job->entered < job->wanted;
}

static void drop(void *context, void *done) {
    ((struct job *)context)->dropped++;
    free(done);
}

static void run(struct job *job) {
    hd_turns turns = {
        .context = job, .pieces = job->pieces, .work = work, .enter = enter, .drop = drop};
    job->asker = pthread_self();
    hd_turns_run(&turns, job->workers);
}

static void pieces_are_entered_in_order(void **state) {
    (void)state;
    static const uint64_t sizes[] = {0, 1, 2, 7, 64, 1000};
    for (unsigned workers = 1; workers <= 5; workers++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct job job = {.pieces = sizes[i], .wanted = 2000, .workers = workers};
            run(&job);
            assert_int_equal(job.entered, sizes[i]);
            assert_int_equal(job.dropped, 0);
            for (uint64_t piece = 0; piece < sizes[i]; piece++)
                assert_int_equal(job.done[piece], 1);
        }
}

static void what_is_not_wanted_is_dropped(void **state) {
    (void)state;
    for (unsigned workers = 1; workers <= 5; workers++)
        for (uint64_t wanted = 1; wanted <= 1000; wanted = wanted * 3 + 1) {
            struct job job = {.pieces = 1000, .wanted = wanted, .workers = workers};
            uint64_t done = 0;
            run(&job);
            assert_int_equal(job.entered, wanted);
            for (size_t piece = 0; piece < 1000; piece++)
                done += job.done[piece];
            assert_int_equal(done, job.entered + job.dropped);
            assert_true(job.dropped <= (uint64_t)workers * 9);
        }
}

static bool fails(struct job *job, char *text, size_t size) {
    hd_mem_guard guard;
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        snprintf(text, size, "%s", guard.text);
        return true;
    }
    run(job);
    hd_mem_guard_end(&guard);
    return false;
}

static void what_is_fatal_is_passed_on(void **state) {
    (void)state;
    for (unsigned workers = 1; workers <= 4; workers++) {
        struct job job = {.pieces = 1000, .wanted = 2000, .fatal = 500, .workers = workers};
        char text[HD_MEM_FATAL];
        assert_true(fails(&job, text, sizeof text));
        assert_string_equal(text, "piece 499");
        assert_true(job.entered < 500);
    }
}

/* It ends only when somebody waits for it. */
static void *work_until_hurried(void *context, unsigned worker, uint64_t piece) {
    struct job *job = context;
    while (atomic_load(&job->hurried[worker]) != piece + 1)
        sched_yield();
    return work(context, worker, piece);
}

static void hurry(void *context, unsigned worker, uint64_t piece) {
    struct job *job = context;
    assert_true(worker < job->workers);
    atomic_store(&job->hurried[worker], piece + 1);
}

static void what_is_waited_for_is_hurried(void **state) {
    (void)state;
    for (unsigned workers = 2; workers <= 5; workers++) {
        struct job job = {.pieces = 300, .wanted = 2000, .workers = workers};
        hd_turns turns = {.context = &job,
                          .pieces = job.pieces,
                          .work = work_until_hurried,
                          .enter = enter,
                          .drop = drop,
                          .hurry = hurry};
        job.asker = pthread_self();
        hd_turns_run(&turns, workers);
        assert_int_equal(job.entered, job.pieces);
    }
}

SUPPORT_SUITE(test_base_turns) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_entered_in_order),
        cmocka_unit_test(what_is_not_wanted_is_dropped),
        cmocka_unit_test(what_is_fatal_is_passed_on),
        cmocka_unit_test(what_is_waited_for_is_hurried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
