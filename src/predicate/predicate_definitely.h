/*
 * Definitely: does every maximal run pass a state where the predicate is true?
 *
 * Of a poset all maximal runs end in the last state.  Of a loset a run can also end
 * where no thread can go on, and such runs count.
 *
 *   one thread's condition   every run passes all counts of a thread
 *   stable                   it is true in the last state
 *   conjunctive              Garg and Waldecker, "Detection of Strong Unstable
 *                            Predicates" (1996): there are intervals, one a thread,
 *                            in which its condition is true, each of which begins
 *                            before every other one ends
 *   anything                 a search for a run through states where it is false
 */
#ifndef HD_PREDICATE_DEFINITELY_H
#define HD_PREDICATE_DEFINITELY_H

#include "predicate_search.h"

/* Of a conjunctive term of a poset. */
bool hd_predicate_is_strong(const hd_predicate_form *form, const hd_predicate_term *term);

/* Looks for a maximal run that avoids it.  1: there is one, in `run` (events in their
 * order); 0: none, so it is definitely true; -1: stopped, or memory ran out. */
int hd_predicate_avoid(const hd_predicate_instance *instance, const hd_cut_loset *loset,
                       size_t memory, hd_predicate_control *control, hd_vec_u32 *run);

#endif
