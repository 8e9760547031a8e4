/*
 * Diagram: how many consistent states there are, without going through them.
 *
 * With the first k threads fixed, what is left for the others depends on their
 * ranges only (cut_bounds.c); and these ranges are exact, so two prefixes have
 * the same completions iff they have the same ranges.  Merging such prefixes
 * level by level gives the smallest decision diagram of the set of states for
 * this order of threads.  For counting, a level needs the number of prefixes of
 * each node, and the level before can be forgotten.
 *
 * Counts of one stretch have the same child.  With two threads left a node is
 * summed up at once.
 *
 * Time and memory: nodes times stretches, whatever the number of states.  In a
 * total order nothing merges, and a node costs more than a state of QuickLex:
 * hence the budget.
 */
#ifndef HD_CUT_DIAGRAM_H
#define HD_CUT_DIAGRAM_H

#include "cut_count.h"
#include "cut_space.h"

typedef struct hd_cut_budget {
    uint64_t edges;           /* of the diagram to be made at most */
    size_t memory;            /* bytes of two levels at most */
    const volatile int *stop; /* other than 0: nothing more; may be NULL */
} hd_cut_budget;

typedef struct hd_cut_diagram_size {
    uint64_t nodes, edges; /* of all levels */
    size_t memory;         /* most bytes of two levels */
} hd_cut_diagram_size;

/* Adds the states from `least` to `most` (vectors of the space's stride) to
 * `count`.  False if that would go beyond the budget; then nothing is added.
 * `size` says what it took either way. */
bool hd_cut_diagram_count(const hd_cut_space *space, const uint32_t *least, const uint32_t *most,
                          const hd_cut_budget *budget, hd_cut_count *count,
                          hd_cut_diagram_size *size);

#endif
