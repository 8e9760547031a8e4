/*
 * The thread pool.  What jobs write is plain memory wherever the pool promises
 * order, so that ThreadSanitizer sees a promise that is not kept.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/base.h"
#include "support_suite.h"

#define ITEMS(array) (sizeof(array) / sizeof((array)[0]))

enum { MOST_THREADS = 8 };
static const unsigned thread_counts[] = {1, 2, MOST_THREADS};

/* ---- Many tiny jobs ---- */

struct cell {
    unsigned runs; /* plain: one job writes it, the waiter reads it */
    unsigned worker;
};

static void run_cell(void *context, unsigned worker) {
    struct cell *cell = context;
    cell->runs++;
    cell->worker = worker;
}

static void submit_cells(hd_pool *pool, struct cell *cells, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        hd_pool_submit(pool, run_cell, &cells[i]);
}

static void every_job_runs_once(void **state) {
    (void)state;
    enum { JOBS = 20000 };
    for (size_t t = 0; t < ITEMS(thread_counts); t++) {
        hd_pool *pool = hd_pool_create(thread_counts[t]);
        assert_int_equal(hd_pool_threads(pool), thread_counts[t]);
        struct cell *cells = HD_NEW_ARRAY(struct cell, JOBS);
        submit_cells(pool, cells, JOBS);
        hd_pool_wait(pool);
        for (unsigned i = 0; i < JOBS; i++) {
            assert_int_equal(cells[i].runs, 1);
            assert_true(cells[i].worker < thread_counts[t]);
        }
        hd_pool_free(pool);
        free(cells);
    }
}

static void pool_is_used_again_after_wait(void **state) {
    (void)state;
    enum { JOBS = 20, ROUNDS = 500 };
    for (size_t t = 0; t < ITEMS(thread_counts); t++) {
        hd_pool *pool = hd_pool_create(thread_counts[t]);
        struct cell cells[JOBS] = {{0}};
        for (unsigned round = 1; round <= ROUNDS; round++) {
            submit_cells(pool, cells, JOBS);
            hd_pool_wait(pool);
            for (unsigned i = 0; i < JOBS; i++)
                assert_int_equal(cells[i].runs, round);
        }
        hd_pool_free(pool);
    }
}

static void wait_without_jobs_returns(void **state) {
    (void)state;
    for (size_t t = 0; t < ITEMS(thread_counts); t++) {
        hd_pool *pool = hd_pool_create(thread_counts[t]);
        hd_pool_wait(pool);
        hd_pool_wait(pool);
        hd_pool_free(pool);
        hd_pool_free(hd_pool_create(thread_counts[t]));
    }
    hd_pool_free(NULL);
}

static void free_waits_for_the_jobs(void **state) {
    (void)state;
    enum { JOBS = 2000 };
    for (size_t t = 0; t < ITEMS(thread_counts); t++) {
        struct cell *cells = HD_NEW_ARRAY(struct cell, JOBS);
        hd_pool *pool = hd_pool_create(thread_counts[t]);
        submit_cells(pool, cells, JOBS);
        hd_pool_free(pool);
        for (unsigned i = 0; i < JOBS; i++)
            assert_int_equal(cells[i].runs, 1);
        free(cells);
    }
}

/* ---- Jobs that submit jobs ---- */

struct tree {
    hd_pool *pool;
    unsigned depth;
    atomic_uint *nodes;
    unsigned *by_worker; /* plain: a worker does one job at a time */
};

static void grow_tree(void *context, unsigned worker) {
    struct tree *tree = context;
    atomic_fetch_add(tree->nodes, 1);
    tree->by_worker[worker]++;
    for (int i = 0; i < 2 && tree->depth; i++) {
        struct tree *child = HD_NEW(struct tree);
        *child = *tree;
        child->depth--;
        hd_pool_submit(tree->pool, grow_tree, child);
    }
    free(tree);
}

static void wait_covers_nested_jobs(void **state) {
    (void)state;
    enum { DEPTH = 10 };
    for (size_t t = 0; t < ITEMS(thread_counts); t++) {
        atomic_uint nodes = 0;
        unsigned by_worker[MOST_THREADS] = {0}, sum = 0;
        hd_pool *pool = hd_pool_create(thread_counts[t]);
        for (unsigned round = 1; round <= 3; round++) {
            struct tree *root = HD_NEW(struct tree);
            *root = (struct tree){pool, DEPTH, &nodes, by_worker};
            hd_pool_submit(pool, grow_tree, root);
            hd_pool_wait(pool);
            assert_int_equal(atomic_load(&nodes), round * ((2u << DEPTH) - 1));
        }
        for (unsigned i = 0; i < MOST_THREADS; i++)
            sum += by_worker[i];
        assert_int_equal(sum, atomic_load(&nodes));
        hd_pool_free(pool);
    }
}

/* ---- Which thread runs what ---- */

struct whereabouts {
    pthread_t thread;
    bool done;
};

static void note_thread(void *context, unsigned worker) {
    struct whereabouts *here = context;
    here->thread = pthread_self();
    here->done = worker == 0;
}

static void one_thread_is_a_plain_call(void **state) {
    (void)state;
    hd_pool *pool = hd_pool_create(1);
    struct whereabouts here = {.done = false};
    hd_pool_submit(pool, note_thread, &here);
    assert_true(here.done); /* no wait needed */
    assert_true(pthread_equal(here.thread, pthread_self()));
    hd_pool_free(pool);
}

static void two_threads_are_not_the_caller(void **state) {
    (void)state;
    hd_pool *pool = hd_pool_create(2);
    struct whereabouts here = {.done = false};
    hd_pool_submit(pool, note_thread, &here);
    hd_pool_wait(pool);
    assert_false(pthread_equal(here.thread, pthread_self()));
    hd_pool_free(pool);
}

static void meet(void *context, unsigned worker) {
    (void)worker;
    pthread_barrier_wait(context);
}

/* Each of the jobs ends only if all of them run at the same time. */
static void all_threads_work_at_once(void **state) {
    (void)state;
    for (unsigned threads = 2; threads <= MOST_THREADS; threads += 3) {
        pthread_barrier_t barrier;
        pthread_barrier_init(&barrier, NULL, threads);
        hd_pool *pool = hd_pool_create(threads);
        for (unsigned i = 0; i < threads * 10; i++)
            hd_pool_submit(pool, meet, &barrier);
        hd_pool_wait(pool);
        hd_pool_free(pool);
        pthread_barrier_destroy(&barrier);
    }
}

static void none_asked_for_is_one_a_core(void **state) {
    (void)state;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    hd_pool *pool = hd_pool_create(0);
    assert_int_equal(hd_pool_threads(pool), CPU_COUNT(&set));
    hd_pool_free(pool);
}

/* ---- Submitting from several threads ---- */

struct submitter {
    hd_pool *pool;
    struct cell cells[1000];
};

static void *submit_from_a_thread(void *argument) {
    struct submitter *submitter = argument;
    submit_cells(submitter->pool, submitter->cells, ITEMS(submitter->cells));
    return NULL;
}

static void jobs_come_from_any_thread(void **state) {
    (void)state;
    enum { SUBMITTERS = 4 };
    struct submitter *submitters = HD_NEW_ARRAY(struct submitter, SUBMITTERS);
    pthread_t threads[SUBMITTERS];
    hd_pool *pool = hd_pool_create(2);
    for (unsigned i = 0; i < SUBMITTERS; i++) {
        submitters[i].pool = pool;
        assert_int_equal(pthread_create(&threads[i], NULL, submit_from_a_thread, &submitters[i]),
                         0);
    }
    for (unsigned i = 0; i < SUBMITTERS; i++)
        pthread_join(threads[i], NULL);
    hd_pool_wait(pool);
    for (unsigned i = 0; i < SUBMITTERS; i++)
        for (size_t j = 0; j < ITEMS(submitters[i].cells); j++)
            assert_int_equal(submitters[i].cells[j].runs, 1);
    hd_pool_free(pool);
    free(submitters);
}

SUPPORT_SUITE(test_base_pool) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_runs_once),
        cmocka_unit_test(pool_is_used_again_after_wait),
        cmocka_unit_test(wait_without_jobs_returns),
        cmocka_unit_test(free_waits_for_the_jobs),
        cmocka_unit_test(wait_covers_nested_jobs),
        cmocka_unit_test(one_thread_is_a_plain_call),
        cmocka_unit_test(two_threads_are_not_the_caller),
        cmocka_unit_test(all_threads_work_at_once),
        cmocka_unit_test(none_asked_for_is_one_a_core),
        cmocka_unit_test(jobs_come_from_any_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
