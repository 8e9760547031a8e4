#include "base_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base_mem.h"
#include "base_vec.h"

struct task {
    hd_pool_job *job;
    void *context;
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
};

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
        task.job(task.context, self->number);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->unfinished == 0)
            pthread_cond_broadcast(&pool->idle);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static unsigned usable_cores(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

hd_pool *hd_pool_create(unsigned threads) {
    hd_pool *pool = HD_NEW(hd_pool);
    pool->threads = threads ? threads : usable_cores();
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->idle, NULL);
    if (pool->threads == 1)
        return pool;
    pool->workers = HD_NEW_ARRAY(struct worker, pool->threads);
    for (unsigned i = 0; i < pool->threads; i++) {
        pool->workers[i] = (struct worker){.pool = pool, .number = i};
        if (pthread_create(&pool->workers[i].thread, NULL, work, &pool->workers[i]) != 0)
            hd_mem_fatal("cannot start thread %u of %u", i + 1, pool->threads);
    }
    return pool;
}

unsigned hd_pool_threads(const hd_pool *pool) {
    return pool->threads;
}

void hd_pool_submit(hd_pool *pool, hd_pool_job *job, void *context) {
    if (!pool->workers) {
        job(context, 0);
        return;
    }
    pthread_mutex_lock(&pool->mutex);
    hd_vec_push(&pool->queue, (struct task){job, context});
    pool->unfinished++;
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
}

void hd_pool_wait(hd_pool *pool) {
    pthread_mutex_lock(&pool->mutex);
    while (pool->unfinished)
        pthread_cond_wait(&pool->idle, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void hd_pool_free(hd_pool *pool) {
    if (!pool)
        return;
    if (pool->workers) {
        hd_pool_wait(pool);
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
    free(pool);
}
