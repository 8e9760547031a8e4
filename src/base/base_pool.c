#include "base_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base_mem.h"
#include "base_vec.h"
#include "base_worker.h"

struct task {
    hd_pool_job *job;
    void *context;
    hd_worker_for ties; /* to who submitted it */
    unsigned worker;
};

struct worker {
    hd_pool *pool;
    pthread_t thread;
    unsigned number;
};

struct hd_pool {
    unsigned threads;
    struct worker *workers; /* none with one thread */
    pthread_mutex_t mutex;
    pthread_cond_t work, idle;
    HD_VEC(struct task) queue; /* the newest job runs first: it is still warm */
    size_t unfinished;
    bool closing;
    hd_worker_failure failure; /* of a job */
};

static void run_task(void *context) {
    const struct task *task = context;
    task->job(task->context, task->worker);
}

static void *work(void *argument) {
    struct worker *self = argument;
    hd_pool *pool = self->pool;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->queue.length && !pool->closing)
            pthread_cond_wait(&pool->work, &pool->mutex);
        if (!pool->queue.length)
            break;
        struct task task = hd_vec_pop(&pool->queue);
        pthread_mutex_unlock(&pool->mutex);
        task.worker = self->number;
        hd_worker_run(&task.ties, run_task, &task, &pool->failure);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->unfinished == 0)
            pthread_cond_broadcast(&pool->idle);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

unsigned hd_pool_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

hd_pool *hd_pool_create(unsigned threads) {
    hd_pool *pool = HD_NEW(hd_pool);
    pool->threads = threads ? threads : hd_pool_cores();
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pool->idle, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pool->threads == 1)
        return pool;
    pool->workers = HD_NEW_ARRAY(struct worker, pool->threads);
    hd_vec_reserve(&pool->queue, pool->threads); /* a job for each never lacks memory */
    unsigned started = 0;
    for (; started < pool->threads; started++) {
        struct worker *worker = &pool->workers[started];
        *worker = (struct worker){.pool = pool, .number = started};
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            break;
    }
    pool->threads = started ? started : 1; /* fewer do the same */
    if (!started) {
        free(pool->workers);
        pool->workers = NULL;
    }
    return pool;
}

unsigned hd_pool_threads(const hd_pool *pool) {
    return pool->threads;
}

/* Looks at the clock meanwhile, for those that work. */
static void wait_idle(hd_pool *pool) {
    enum { REST = 100 * 1000 * 1000 };
    pthread_mutex_lock(&pool->mutex);
    while (pool->unfinished) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += REST;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        bool late = pthread_cond_timedwait(&pool->idle, &pool->mutex, &until) != 0;
        if (late && hd_clock_current()) {
            pthread_mutex_unlock(&pool->mutex);
            hd_clock_look();
            pthread_mutex_lock(&pool->mutex);
        }
    }
    pthread_mutex_unlock(&pool->mutex);
}

void hd_pool_submit(hd_pool *pool, hd_pool_job *job, void *context) {
    if (!pool->workers) {
        job(context, 0);
        return;
    }
    const hd_worker_for ties = hd_worker_ties();
    hd_mem_guard guard;
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        wait_idle(pool); /* what was submitted before may be of the caller's frame */
        hd_mem_fatal("%s", guard.text);
    }
    hd_mem_lock(&pool->mutex);
    hd_vec_push(&pool->queue, (struct task){job, context, ties, 0});
    pool->unfinished++;
    pthread_cond_signal(&pool->work);
    hd_mem_unlock(&pool->mutex);
    hd_mem_guard_end(&guard);
}

void hd_pool_wait(hd_pool *pool) {
    wait_idle(pool);
    hd_worker_pass_on(&pool->failure);
}

void hd_pool_free(hd_pool *pool) {
    if (!pool)
        return;
    if (pool->workers) {
        wait_idle(pool);
        pthread_mutex_lock(&pool->mutex);
        pool->closing = true;
        pthread_cond_broadcast(&pool->work);
        pthread_mutex_unlock(&pool->mutex);
        for (unsigned i = 0; i < pool->threads; i++)
            pthread_join(pool->workers[i].thread, NULL);
        free(pool->workers);
    }
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->idle);
    pthread_mutex_destroy(&pool->mutex);
    hd_vec_release(&pool->queue);
    hd_worker_failure failure = pool->failure;
    free(pool);
    hd_worker_pass_on(&failure);
}
