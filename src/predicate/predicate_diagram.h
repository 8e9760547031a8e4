/*
 * The decision diagram of the solutions of a term's local conditions, stored, for sums
 * over threads: two prefixes that leave the same bounds to the other threads have the
 * same completions (cut_diagram.h), so what can be said of the sums of all completions
 * is said once a node.
 *
 *   most    the largest value of each sum over all completions: a sum that is too small
 *           at the root is too small everywhere, and prefixes without a completion that
 *           is large enough are left at once
 *   number  how many completions have which values of all sums together
 *
 * Time and memory: nodes times counts, whatever the number of states; hence a budget.
 */
#ifndef HD_PREDICATE_DIAGRAM_H
#define HD_PREDICATE_DIAGRAM_H

#include "predicate_search.h"

typedef struct hd_predicate_diagram hd_predicate_diagram;

/* NULL if it would take more memory than that. */
hd_predicate_diagram *hd_predicate_diagram_create(const hd_predicate_form *form,
                                                  const hd_predicate_term *term,
                                                  const hd_predicate_slice *slice, size_t memory);
void hd_predicate_diagram_free(hd_predicate_diagram *diagram);
uint64_t hd_predicate_diagram_nodes(const hd_predicate_diagram *diagram);

/* As hd_predicate_search, for a term of local conditions and sums only. */
bool hd_predicate_diagram_least(hd_predicate_diagram *diagram, hd_predicate_control *control,
                                uint32_t *best, bool found);

/* Adds how many solutions there are; false if that takes too much memory. */
bool hd_predicate_diagram_count(hd_predicate_diagram *diagram, size_t memory, hd_cut_count *count);

#endif
