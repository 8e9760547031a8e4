#include "base_turns.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base_clock.h"
#include "base_mem.h"
#include "base_pool.h"

enum { AHEAD = 8 }; /* pieces for each worker that may be done before their turn */

typedef struct state {
    const hd_turns *turns;
    hd_pool *pool;
    pthread_mutex_t mutex;
    pthread_cond_t moved, came; /* the turn has; a piece is done */
    uint64_t next;              /* piece to begin */
    uint64_t turn;              /* piece to enter */
    uint64_t window;
    void **done;  /* [piece % window]; NULL: it is not */
    uint64_t *at; /* [worker]: the piece that it does, + 1; 0: none */
    unsigned workers;
    bool over, waiting; /* for the piece whose turn it is */
} state;

static void end(state *s) {
    hd_mem_lock(&s->mutex);
    s->over = true;
    pthread_cond_broadcast(&s->moved);
    pthread_cond_signal(&s->came);
    hd_mem_unlock(&s->mutex);
}

/* The lock is held. */
static void hurry(state *s, unsigned worker) {
    if (s->waiting && s->turns->hurry && s->at[worker] == s->turn + 1)
        s->turns->hurry(s->turns->context, worker, s->turn);
}

/* A piece that may be begun now; false if there will be none. */
static bool begin(state *s, unsigned worker, uint64_t *piece) {
    hd_mem_lock(&s->mutex);
    while (!s->over && s->next < s->turns->pieces && s->next >= s->turn + s->window)
        pthread_cond_wait(&s->moved, &s->mutex);
    bool good = !s->over && s->next < s->turns->pieces;
    *piece = good ? s->next++ : 0;
    s->at[worker] = good ? *piece + 1 : 0;
    hurry(s, worker);
    hd_mem_unlock(&s->mutex);
    return good;
}

static void put(state *s, unsigned worker, uint64_t piece, void *done) {
    hd_mem_lock(&s->mutex);
    s->at[worker] = 0;
    assert(done && piece >= s->turn && !s->done[piece % s->window]);
    s->done[piece % s->window] = done;
    if (piece == s->turn)
        pthread_cond_signal(&s->came);
    hd_mem_unlock(&s->mutex);
}

static void work(void *context, unsigned worker) {
    state *s = context;
    uint64_t piece;
    hd_mem_guard guard;
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        end(s);
        hd_mem_fatal("%s", guard.text);
    }
    while (begin(s, worker, &piece))
        put(s, worker, piece, s->turns->work(s->turns->context, worker, piece));
    hd_mem_guard_end(&guard);
}

/* Waits a moment for the piece whose turn it is.  The lock is held. */
static void rest(state *s) {
    enum { REST = 100 * 1000 * 1000 };
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += REST;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (pthread_cond_timedwait(&s->came, &s->mutex, &until) != 0 && hd_clock_current()) {
        hd_mem_unlock(&s->mutex);
        hd_clock_look(); /* for those that work */
        hd_mem_lock(&s->mutex);
    }
}

/* What is done, in turn; NULL if there will be no more. */
static void *take(state *s) {
    void *done = NULL;
    hd_mem_lock(&s->mutex);
    s->waiting = s->turn < s->turns->pieces && !s->done[s->turn % s->window];
    for (unsigned i = 0; i < s->workers; i++)
        hurry(s, i);
    while (!s->over && s->turn < s->turns->pieces && !s->done[s->turn % s->window])
        rest(s);
    s->waiting = false;
    if (!s->over && s->turn < s->turns->pieces) {
        done = s->done[s->turn % s->window];
        s->done[s->turn++ % s->window] = NULL;
        pthread_cond_broadcast(&s->moved);
    }
    hd_mem_unlock(&s->mutex);
    return done;
}

static void enter_all(state *s) {
    void *done;
    s->done = HD_NEW_ARRAY(void *, s->window);
    s->at = HD_NEW_ARRAY(uint64_t, s->workers);
    for (unsigned i = s->turns->hurry ? 1 : 0; i < s->workers; i++)
        hd_pool_submit(s->pool, work, s);
    while ((done = take(s)))
        if (!s->turns->enter(s->turns->context, done))
            end(s);
}

static void await_all(state *s) {
    hd_pool_free(s->pool);
}

/* False if something was fatal, and what. */
static bool attempt(void (*step)(state *), state *s, char text[HD_MEM_FATAL]) {
    hd_mem_guard guard;
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        snprintf(text, HD_MEM_FATAL, "%s", guard.text);
        return false;
    }
    step(s);
    hd_mem_guard_end(&guard);
    return true;
}

static void run_alone(const hd_turns *turns) {
    for (uint64_t piece = 0; piece < turns->pieces; piece++)
        if (!turns->enter(turns->context, turns->work(turns->context, 0, piece)))
            return;
}

static void run_together(const hd_turns *turns, hd_pool *pool) {
    unsigned workers = hd_pool_threads(pool);
    char fatal[HD_MEM_FATAL];
    state s = {
        .turns = turns, .pool = pool, .workers = workers, .window = (uint64_t)workers * AHEAD};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&s.mutex, NULL);
    pthread_cond_init(&s.moved, NULL);
    pthread_cond_init(&s.came, &monotonic);
    pthread_condattr_destroy(&monotonic);
    bool entered = attempt(enter_all, &s, fatal);
    if (!entered)
        end(&s);
    bool good = attempt(await_all, &s, fatal) && entered;
    assert(s.over || s.turn == turns->pieces);
    for (uint64_t i = 0; i < s.window && s.done; i++)
        if (s.done[i])
            turns->drop(turns->context, s.done[i]);
    free(s.done);
    free(s.at);
    pthread_cond_destroy(&s.came);
    pthread_cond_destroy(&s.moved);
    pthread_mutex_destroy(&s.mutex);
    if (!good)
        hd_mem_fatal("%s", fatal);
}

static const hd_turns_crew *current;

void hd_turns_set_crew(const hd_turns_crew *crew) {
    current = crew;
}

const hd_turns_crew *hd_turns_crew_now(void) {
    return current;
}

void hd_turns_run(const hd_turns *turns, unsigned workers) {
    if (current && turns->pack) {
        current->run(current->context, turns);
        return;
    }
    hd_pool *pool = workers > 1 && turns->pieces > 1 ? hd_pool_create(workers) : NULL;
    if (pool && hd_pool_threads(pool) > 1) {
        run_together(turns, pool);
        return;
    }
    hd_pool_free(pool); /* there was no thread to be had */
    run_alone(turns);
}
