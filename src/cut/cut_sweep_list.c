/*
 * A sweep (cut_sweep.c) whose states come in lexical order.
 *
 * Each count of the first thread is a slab, and a job.  A slab needs of the one before it only what
 * has no more events of the second thread than itself: so its worker stays one count of the second
 * thread after that of the slab before.  With three threads a slab is one block, and nothing is
 * shared.
 *
 * Memory: two slabs, and one more for each further worker.
 */
#include <stdlib.h>

#include "cut_sweep.h"

/* Waits until the slab before has done so many counts of the second thread; what the
 * first to stop returned, if one did. */
static int wait_for(const hd_cut_sweeper *w, uint32_t counts) {
    hd_cut_sweeping *s = w->shared;
    if (!s->progress || !w->level)
        return 0;
    const hd_cut_progress *before = &s->progress[w->before - s->slabs.all];
    pthread_mutex_lock(&s->mutex);
    while ((before->count + 1 != w->level || before->done < counts) && !s->why)
        pthread_cond_wait(&s->moved, &s->mutex);
    int why = s->why;
    pthread_mutex_unlock(&s->mutex);
    return why;
}

/* `counts` of the second thread are done; another worker may wait for this slab to begin. */
static void announce(const hd_cut_sweeper *w, uint32_t counts, int why) {
    hd_cut_sweeping *s = w->shared;
    if (!s->progress)
        return;
    hd_cut_progress *now = &s->progress[w->now - s->slabs.all];
    pthread_mutex_lock(&s->mutex);
    assert(now->count != w->level || now->done <= counts);
    *now = (hd_cut_progress){w->level, counts};
    s->why = s->why ? s->why : why;
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->mutex);
}

/* Count by count of the second thread, after the slab before. */
static int follow(hd_cut_sweeper *w) {
    const hd_cut_sweeping *s = w->sweep;
    uint32_t length = s->pairs->loset->space->length[1];
    for (uint32_t c = 0; c <= length; c++) {
        int why = wait_for(w, c + 1);
        if (!why && hd_cut_sweep_leaves(w, 1, c))
            why = hd_cut_sweep_descend(w, 2, c * s->step[1]);
        if (why)
            return why;
        /* That the last count is done, take_slab announces: slabs end one after another, so that
         * none is taken again whose worker has still to announce. */
        if (c < length)
            announce(w, c + 1, 0);
    }
    return 0;
}

/* A count of the first thread that is not allowed at all leaves an empty slab,
 * through which nothing comes.  It still waits for the slab before: else its worker would go on to
 * the slab that takes the place of one which others wait for. */
static int sweep_slab(hd_cut_sweeper *w, uint32_t count) {
    bool leaves = hd_cut_sweep_leaves(w, 0, count);
    if (leaves && w->sweep->row > 1)
        return follow(w);
    int why = wait_for(w, UINT32_MAX);
    return why || !leaves ? why : hd_cut_sweep_block(w, 0);
}

/* The others would wait for a slab that something fatal ends. */
static int sweep_guarded(hd_cut_sweeper *w, uint32_t count) {
    hd_mem_guard guard;
    if (!hd_mem_guarded())
        return sweep_slab(w, count);
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        announce(w, UINT32_MAX, HD_CUT_LIMITED);
        hd_mem_fatal("%s", guard.text);
    }
    int why = sweep_slab(w, count);
    hd_mem_guard_end(&guard);
    return why;
}

/* When a slab begins, all but the workers' last ones are done. */
static int take_slab(void *context, unsigned worker, size_t job) {
    hd_cut_sweeping *s = context;
    hd_cut_sweeper *w = &s->workers[worker];
    hd_cut_sweep_go_to(w, (uint32_t)job);
    w->near[0] = job ? 0 : SIZE_MAX;
    hd_cut_slab_empty(&s->slabs, w->now);
    announce(w, 0, 0);
    hd_cut_begin_job(w->visitor, job);
    int why = sweep_guarded(w, (uint32_t)job);
    hd_cut_sweep_tell(w);
    hd_cut_end_job(w->visitor, job);
    announce(w, UINT32_MAX, why);
    return why;
}

int hd_cut_sweep_list(const hd_cut_pairs *pairs, enum hd_cut_class class, size_t memory,
                      unsigned workers, hd_cut_visitor *visitors, double *seconds) {
    const hd_cut_space *space = pairs->loset->space;
    if (space->threads < 2) /* nothing to conflict with */
        return hd_cut_pairs_walk(pairs, 0, space->threads ? space->length[0] : 0, visitors);
    hd_cut_sweeping s = {.pairs = pairs, .class = class, .cell_places = 1};
    hd_cut_sweeping_start(&s, workers + 1, memory, workers, visitors);
    if (workers > 1)
        s.progress = HD_NEW_ARRAY(hd_cut_progress, workers + 1);
    for (unsigned i = 0; s.progress && i <= workers; i++)
        s.progress[i].count = UINT32_MAX - 1; /* no slab's */
    pthread_mutex_init(&s.mutex, NULL);
    pthread_cond_init(&s.moved, NULL);
    size_t slabs = (size_t)space->length[0] + 1;
    int why = hd_cut_share(workers, slabs, take_slab, &s, seconds);
    why = s.why ? s.why : why;
    pthread_cond_destroy(&s.moved);
    pthread_mutex_destroy(&s.mutex);
    free(s.progress);
    hd_cut_sweeping_finish(&s);
    return why;
}
