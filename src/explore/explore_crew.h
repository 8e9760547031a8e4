/*
 * Several workers on one search, each with a machine of its own.  Work is handed
 * on as items, whose kind the search knows: parts of its tree.  A worker that has
 * nothing to do waits; the others see that a worker is hungry and give what they
 * can part with, the shallowest first.  The search is over when all wait.
 */
#ifndef HD_EXPLORE_CREW_H
#define HD_EXPLORE_CREW_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

#include "explore_search.h"

typedef HD_VEC(void *) hd_explore_items;

typedef struct hd_explore_crew {
    atomic_int hungry; /* workers that wait, less the items that wait for them */
    atomic_bool stop;
    alignas(HD_WORKER_APART) _Atomic uint64_t executions; /* of all, those that are counted */
    pthread_mutex_t visiting;

    alignas(HD_WORKER_APART) pthread_mutex_t lock; /* of what follows */
    pthread_cond_t wake;
    hd_explore_items items;
    uint32_t waiting, workers;
    bool together;  /* workers begin when all have a machine */
    uint32_t begun; /* workers that have one */
    uint32_t done;  /* workers that have ended; their threads stay until */
    bool released;  /* what they had was given back, as programs end with who started them */
    bool over;
    atomic_bool keep;      /* the search is to be kept: all wait, and then the last one does it */
    pthread_cond_t resume; /* it was, or will not be */
    uint32_t halting;      /* workers that wait for that */
    uint64_t times;        /* that it was done */
    _Atomic double kept;   /* when */
    enum hd_explore_limit halt;                     /* it ends then; none: it goes on */
    _Atomic(struct hd_explore_estimate *) estimate; /* of all executions; NULL: none yet, */
    atomic_bool estimates;                          /* or it is being started */
    void **own;                                     /* of the workers */
    const hd_explore_result **results;
    const struct hd_explore_job *job;
    const hd_explore_search *whole; /* whose crew it is */
    hd_worker_failure failure;
} hd_explore_crew;

/* What a search does with its items; `own` is a worker's own. */
typedef struct hd_explore_job {
    bool together;                             /* work changes the machine that the workers copy */
    void *(*begin)(hd_explore_search *search); /* for one worker */
    void (*work)(void *own, void *item);       /* the first item of all is NULL */
    void (*drop)(void *item);                  /* that will not be taken any more */
    void (*end)(void *own);
    void (*items)(hd_explore_search *search, hd_explore_items *items); /* to begin with, if the
                                                                           search was kept */
    void (*keep)(const hd_explore_search *search, const hd_explore_crew *crew);
} hd_explore_job;

/* Are there to be several?  Of a machine with very many threads, to share a node takes longer than
 * what is below it. */
static inline bool hd_explore_has_workers(const hd_explore_search *search) {
    enum { MOST_WORDS = 16 };
    return search->options->threads > 1 && HD_EXPLORE_WORDS <= MOST_WORDS;
}

/* Runs the job with search->options->threads workers, the caller's thread among them. */
void hd_explore_crew_run(hd_explore_search *search, const hd_explore_job *job);

void hd_explore_give(hd_explore_crew *crew, void *item);

/* The crew is to be kept: called by each worker where it can be. */
void hd_explore_crew_keep(hd_explore_search *search);

static inline bool hd_explore_keeps_now(const hd_explore_search *search) {
    return !search->stop &&
           (search->keep_due ||
            (search->crew && atomic_load_explicit(&search->crew->keep, memory_order_relaxed)));
}

static inline bool hd_explore_is_wanted(const hd_explore_search *search) {
    return search->crew && atomic_load_explicit(&search->crew->hungry, memory_order_relaxed) > 0;
}

#endif
