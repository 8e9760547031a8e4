/*
 * Pairs of counts that clash, such as two accesses that race: in how many states do the
 * last events of two threads?  Every state is looked at, 64 in a word: prefixes against
 * stored completions (cut_tails.h), with a bit for each completion.  Which of them clash
 * with an event of a prefix is found once for the node and the event; a prefix is then the
 * union of a few sets of bits.  A prefix that clashes in itself does so with every
 * completion.
 */
#ifndef HD_CUT_CLASH_H
#define HD_CUT_CLASH_H

#include "cut_packed.h"

/* Two counts of different threads, each as start[p] + c in the space. */
typedef struct hd_cut_clash {
    uint32_t a, b;
} hd_cut_clash;

typedef struct hd_cut_clashes {
    const hd_cut_space *space;
    uint32_t *first; /* [start[p] + c]: where its list starts; and one more */
    uint32_t *with;  /* what it clashes with, ascending */
} hd_cut_clashes;

/* No pair is given twice.  The space must stay. */
void hd_cut_clashes_init(hd_cut_clashes *clashes, const hd_cut_space *space,
                         const hd_cut_clash *pairs, size_t count);
void hd_cut_clashes_release(hd_cut_clashes *clashes);

/* Adds the states from `least` to `most` to *states and those among them with a clash to
 * *clashing.  States must fit into 16 bytes (hd_cut_packing_of).  HD_CUT_STOPPED if
 * what `stop` points to was set, which may be NULL; else 0. */
int hd_cut_clash_count(const hd_cut_clashes *clashes, const uint32_t *least, const uint32_t *most,
                       const hd_cut_tails_size *size, const volatile int *stop, uint64_t *states,
                       uint64_t *clashing);

#endif
