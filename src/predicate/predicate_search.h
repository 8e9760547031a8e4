/*
 * Branch and bound over consistent states: the solution of a term with the fewest
 * events, then lexically least, whatever the form of the predicate.
 *
 * Threads are fixed one after the other, each from its bound below to that above,
 * as in cut_bounds.c, over the rows of the term's slice.  A prefix is left when
 * even the least counts of the others would have no fewer events than the best
 * solution so far, or a sum cannot become large enough any more.  As prefixes come
 * in lexical order, the first solution of its size is the lexically least.
 */
#ifndef HD_PREDICATE_SEARCH_H
#define HD_PREDICATE_SEARCH_H

#include "predicate_least.h"

/* What all that takes long looks at and adds to. */
typedef struct hd_predicate_control {
    const volatile int *stop; /* other than 0: it is to end; may be NULL */
    hd_progress *progress;    /* may be NULL */
    uint64_t states;          /* looked at */
    bool stopped;             /* it did end early */
} hd_predicate_control;

static inline bool hd_predicate_go_on(hd_predicate_control *control) {
    if ((control->stop && *control->stop) || hd_clock_over())
        control->stopped = true;
    if (control->progress)
        hd_progress_step(control->progress, control->states);
    return !control->stopped;
}

/* `best` is a solution already if `found`; a better one replaces it.  Whether there is
 * one now; what has been found is right even if it was stopped, but may not be least. */
bool hd_predicate_search(const hd_predicate_form *form, const hd_predicate_term *term,
                         const hd_predicate_slice *slice, hd_predicate_control *control,
                         uint32_t *best, bool found);

#endif
